/** How links to the hosted page differ between the environments (customers.md §6). */
export interface HostedLinksPort {
  /** What the reply's `token` starts with, which shows the environment it is for. */
  readonly tokenPrefix: string;
  /** Whether people may be redirected to this host over plain HTTP. */
  allowsPlainHttp(hostname: string): boolean;
}

export const productionLinks: HostedLinksPort = {
  tokenPrefix: '_act-jwt-',
  allowsPlainHttp: (hostname) => /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
};
