import type { AccountInfo } from '#external-accounts/account-info.ts';
import type { FieldError } from '#lib/refusals.ts';

/**
 * What nobody sees has no place in an account: a number with a hidden character in it is another one to the bank,
 * though it looks like the first, and line ends and turns of direction say something else in a payment message.
 */
export function hiddenProblems({ beneficiary, ...info }: AccountInfo): FieldError[] {
  return [
    ...found(info, 'accountInfo', (name) => (WORDS.has(name) ? TURNS : HIDDEN)),
    ...found(beneficiary, 'accountInfo.beneficiary', () => TURNS),
    ...found(beneficiary?.address, 'accountInfo.beneficiary.address', () => TURNS),
  ];
}

/** Fields in somebody's language; some scripts need joiners that do not show. */
const WORDS: ReadonlySet<string> = new Set(['bankName', 'provider', 'intermediaryBankName']);

/** A note of several lines. */
const NOTE = 'fiToFiInformation';

const HIDDEN = /\p{C}/u;
const TURNS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|^[\p{C}\p{Z}]+$/u;

function found(group: unknown, path: string, patternFor: (name: string) => RegExp): FieldError[] {
  if (group === null || typeof group !== 'object') return [];
  return Object.entries(group)
    .filter(([name, text]) => typeof text === 'string' && name !== NOTE && patternFor(name).test(text))
    .map(([name]) => ({ field: `${path}.${name}`, message: 'contains invisible characters' }));
}
