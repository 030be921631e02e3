import type { HostedLinksPort } from '#foundation/ports/hosted-links.ts';

/** Allows plain HTTP for any host, and frames of local pages, since developers work on their own machines. */
export const sandboxLinks: HostedLinksPort = {
  tokenPrefix: '_act-sbx-jwt-',
  allowsPlainHttp: () => true,
  frameSources: ['http://localhost:*', 'http://127.0.0.1:*'],
};
