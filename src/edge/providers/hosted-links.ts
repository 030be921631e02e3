import type { HostedLinksPort } from '#foundation/ports/hosted-links.ts';

export const productionLinks: HostedLinksPort = {
  tokenPrefix: '_act-jwt-',
  allowsPlainHttp: (hostname) => /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
  frameSources: [],
};
