/** The references that stand in what a payer wrote, compared without case, blanks and hyphens (connectors.md §6.9). */
export function referencesIn(text: string, referencePrefix: string): string[] {
  const written = plainOf(text);
  const found = [
    ...codesAfter(written, `${plainOf(referencePrefix)}Q`, 'A-Z2-7').map(
      (code) => `${referencePrefix}Q${code}`,
    ),
    ...codesAfter(written, 'FUND', '0-9A-HJKMNP-TV-Z').map((code) => `FUND-${code}`),
  ];
  return [...new Set(found)];
}

/** Quotes and accounts have codes of this length after the prefix of their references (money.md §2.9). */
const CODE_LENGTH = 8;

/** Also those that overlap: a payer may write anything before and after. */
function codesAfter(written: string, begin: string, letters: string): string[] {
  const pattern = new RegExp(`(?=${RegExp.escape(begin)}([${letters}]{${CODE_LENGTH}}))`, 'g');
  return [...written.matchAll(pattern)].map(([, code = '']) => code);
}

/** Letters of other widths count as their usual form, and invisible characters as nothing. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '');
}
