/** How hosted pages and the links to them differ between the environments (customers.md §6, cards.md §5.6). */
export interface HostedLinksPort {
  /** The prefix of the reply's `token`, which shows its environment. */
  readonly tokenPrefix: string;
  /** Whether people may be redirected to this host over plain HTTP. */
  allowsPlainHttp(hostname: string): boolean;
  /** Sources, as in a content security policy, that may frame a page that can be framed, whatever the platform has set. */
  readonly frameSources: readonly string[];
}
