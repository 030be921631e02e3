/**
 * The tokens of card transactions that the service's own simulators create: `itx_` and an id without its dashes. A real
 * issuer's tokens have other forms. A file of its own, because the request log, explanations and simulators share it.
 */
const TOKEN = /\bitx_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\b/g;

export function tokenOfId(uuid: string): string {
  return `itx_${uuid.replaceAll('-', '')}`;
}

/** Whether the text is such a token and nothing else. */
export function isOwnToken(text: string): boolean {
  return text.replace(TOKEN, '') === '' && text !== '';
}

/** The ids in all such tokens of a text, once each. */
export function idsInTokens(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(TOKEN), ([, ...parts]) => parts.join('-')))];
}
