/** The part between `//` and the path; browsers read a backslash there as the path's beginning. */
const AUTHORITY = /^https?:\/\/([^/?#\\]*)(\\?)/i;

/**
 * Finds the fault, if any, of a URL that a platform or the operator gives us to call, to send people to or to compare with
 * (platform.md §1.1.8). The URL parser alone would take `https:///x` for the host `x`, and drops line breaks.
 */
export function checkUrl(text: string): string | undefined {
  const [, authority, backslash] = AUTHORITY.exec(text) ?? [];
  if (authority === undefined || /[\s\p{Cc}]/u.test(text)) return 'must be an absolute http or https URL';
  if (authority === '' || backslash !== '') return 'must name a host right after //';
  if (authority.includes('@')) return 'must not contain a user name or password';
  return URL.canParse(text) ? undefined : 'must be an absolute http or https URL';
}
