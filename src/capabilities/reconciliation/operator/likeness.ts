/** The facts about a line beside its amount and its day. */
export interface LineFacts {
  readonly references: readonly string[];
  readonly names: readonly string[];
  readonly accounts: readonly string[];
}

export const NO_FACTS: LineFacts = { references: [], names: [], accounts: [] };

export type Likeness = 'SAME_REFERENCE' | 'SAME_ACCOUNT' | 'SAME_NAME' | 'SIMILAR_REFERENCE' | 'SAME_DAY';

/** How much each likeness counts. Suggestions with a higher sum come first. */
export const WEIGHTS: Readonly<Record<Likeness, number>> = {
  ...{ SAME_REFERENCE: 16, SAME_ACCOUNT: 8, SAME_NAME: 4, SIMILAR_REFERENCE: 2, SAME_DAY: 1 },
};

/** Returns what two lines have in common besides the amount (bank-files.md §6.2). */
export function likenessOf(one: LineFacts, other: LineFacts): Likeness[] {
  const accounts = share(one.accounts.map(plain), other.accounts.map(plain));
  const names = share(one.names.map(plainName), other.names.map(plainName));
  const references = [one.references.map(plain), other.references.map(plain)] as const;
  const isSame = share(...references);
  const isSimilar = !isSame && references[0].some((a) => references[1].some((b) => isSimilarText(a, b)));
  return [
    ...(isSame ? (['SAME_REFERENCE'] as const) : []),
    ...(accounts ? (['SAME_ACCOUNT'] as const) : []),
    ...(names ? (['SAME_NAME'] as const) : []),
    ...(isSimilar ? (['SIMILAR_REFERENCE'] as const) : []),
  ];
}

const SHORTEST = 6;

function share(ones: readonly string[], others: readonly string[]): boolean {
  return ones.some((one) => one !== '' && others.includes(one));
}

/** Banks cut, regroup and capitalize. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const LEGAL_FORMS = new Set(
  'ag bv co corp gmbh inc kg limited llc llp ltd nv oy plc sa sarl sas se spa srl ug'.split(' '),
);

/** Without case, marks and legal forms, in any order of its words. */
function plainName(text: string): string {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('.', '')
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '' && !LEGAL_FORMS.has(word))
    .toSorted()
    .join(' ');
}

/** Whether one text has most of the other in one piece: what is left of a reference that a bank cut or misread. */
function isSimilarText(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < SHORTEST) return false;
  return longestCommon(one, other) >= Math.max(SHORTEST, Math.ceil(shorter * 0.7));
}

function longestCommon(one: string, other: string): number {
  let longest = 0;
  let before = new Array<number>(other.length + 1).fill(0);
  for (const letter of one) {
    const row = [0, ...[...other].map((same, at) => (letter === same ? (before[at] ?? 0) + 1 : 0))];
    longest = Math.max(longest, ...row);
    before = row;
  }
  return longest;
}
