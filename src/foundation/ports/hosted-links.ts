/** How hosted pages and the links to them differ between the environments (customers.md §6, A.5.6). */
export interface HostedLinksPort {
  /** What the reply's `token` starts with, which shows the environment it is for. */
  readonly tokenPrefix: string;
  /** Whether people may be redirected to this host over plain HTTP. */
  allowsPlainHttp(hostname: string): boolean;
  /** Which pages may frame one that can be framed, whatever the platform has set: sources as in a content security policy. */
  readonly frameSources: readonly string[];
}
