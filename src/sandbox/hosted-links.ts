import type { HostedLinksPort } from '#ports/hosted-links.ts';

/** Allows plain HTTP for any host, since developers are redirected to their own machines. */
export const sandboxLinks: HostedLinksPort = {
  tokenPrefix: '_act-sbx-jwt-',
  allowsPlainHttp: () => true,
};
