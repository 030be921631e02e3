/** The part between `//` and the path; browsers treat a backslash as the beginning of the path. */
const AUTHORITY = /^https?:\/\/([^/?#\\]*)(\\?)/i;

export function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

/**
 * Returns the error of a URL that a platform or the operator configured, or undefined if it is valid (platform.md §1.1.8).
 * The URL parser alone would accept `https:///x` as the host `x`, and it drops line breaks.
 */
export function checkUrl(text: string): string | undefined {
  const [, authority, backslash] = AUTHORITY.exec(text) ?? [];
  if (authority === undefined || /[\s\p{Cc}]/u.test(text)) return 'must be an absolute http or https URL';
  if (authority === '' || backslash !== '') return 'must name a host right after //';
  if (authority.includes('@')) return 'must not contain a user name or password';
  return URL.canParse(text) ? undefined : 'must be an absolute http or https URL';
}
