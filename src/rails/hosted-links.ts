/** What the environments do differently about links to the hosted page (customers.md §6). */
export interface HostedLinksPort {
  /** What the reply's `token` starts with, so that whoever finds one knows which environment it opens. */
  readonly tokenPrefix: string;
  /** Whether people may be sent back over plain HTTP to this host. */
  takesPlainHttp(hostname: string): boolean;
}

export const liveLinks: HostedLinksPort = {
  tokenPrefix: '_act-jwt-',
  takesPlainHttp: (hostname) => /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
};
