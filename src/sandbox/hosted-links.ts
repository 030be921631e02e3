import type { HostedLinksPort } from '#ports/hosted-links.ts';

/** Developers come back to whatever machine they try things on. */
export const sandboxLinks: HostedLinksPort = {
  tokenPrefix: '_act-sbx-jwt-',
  allowsPlainHttp: () => true,
};
