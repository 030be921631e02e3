import { ENTRY_WORDS, type EntryFacts } from '#foundation/explanation/entry-words.ts';
import type { Audience, Item } from '#foundation/explanation/explanation.ts';
import { type AccountKindName, LEDGER_KINDS } from '#foundation/ledger/kinds.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';
import { type OwnCurrencies, sayAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The ledger entries of a transaction, in words and lines. `own` has all currencies in them that are not built in. */
export function presentEntries(
  own: OwnCurrencies,
  entries: readonly PostedEntry[],
  audience: Audience,
): Item[] {
  return entries.map((entry) => presentEntry(own, entry, audience === 'OPERATOR'));
}

function presentEntry(own: OwnCurrencies, entry: PostedEntry, isOperator: boolean): Item {
  const number = LEDGER_KINDS[entry.kind];
  const lines = entry.accounts.map((account, i) => lineOf(own, entry, account, i));
  const shown = isOperator ? lines : lines.filter(({ account }) => isShownToPlatforms(account));
  return {
    kind: 'entry',
    at: entry.created_at,
    recordedAt: entry.recorded_at,
    actor: { kind: 'SERVICE' },
    title: ENTRY_WORDS[entry.kind](movedText(own, entry), factsOf(own, entry)),
    rule: `money.md §11.${number.replace(/[ab]$/, (letter) => (number.startsWith('L3') ? letter : ''))}`,
    details: { kind: entry.kind, number, lines: shown.map((line) => nameAccount(line)) },
  };
}

/** Reads the lines of an entry; a reversal has the same lines with the sides exchanged. */
function factsOf(own: OwnCurrencies, entry: PostedEntry): EntryFacts {
  const lines = entry.accounts.map((account, i) => lineOf(own, entry, account, i));
  const of = (kind: AccountKindName) => lines.filter(({ account }) => account.startsWith(`${kind}:`));
  const [fees] = of('FEES');
  // The service takes in the currency that is sent, and gives out the one that is received.
  const sent = of('FX').find(({ side }) => side === (entry.kind === 'payment.unwound' ? 'DEBIT' : 'CREDIT'));
  const received = of('FX').find((line) => line !== sent);
  const debited = (kind: AccountKindName) => of(kind).some(({ side }) => side === 'DEBIT');
  return {
    isHeld: of('HOLD').some(({ side }) => side === 'CREDIT'),
    isDollars: of('HOLD').some(({ currency }) => currency === 'USD'),
    from: debited('HOLD')
      ? debited('AVAIL')
        ? 'from the hold and the balance'
        : 'from the hold'
      : 'from the balance',
    fees: fees?.text,
    converted: sent && received && { sent: sent.text, received: received.text },
  };
}

interface ShownLine {
  readonly account: string;
  readonly side: 'DEBIT' | 'CREDIT';
  readonly amount: number;
  readonly currency: string;
  readonly text: string;
}

function lineOf(
  own: OwnCurrencies,
  { currencies, amounts }: PostedEntry,
  account: string,
  i: number,
): ShownLine {
  const [currency = '', amount = 0n] = [currencies[i], amounts[i]];
  const size = amount < 0n ? -amount : amount;
  return {
    account,
    side: amount > 0n ? 'DEBIT' : 'CREDIT',
    amount: Number(size),
    currency,
    text: sayAmount(size, currency, own),
  };
}

/** Accounts of the platform and its customers, and fees: their movements show elsewhere too (operator.md §8.4). */
const SHOWN: readonly AccountKindName[] = ['AVAIL', 'HOLD', 'PENDING_IN', 'FEES'];

function isShownToPlatforms(account: string): boolean {
  return SHOWN.some((kind) => account.startsWith(`${kind}:`));
}

/** `AVAIL:<uuid>` as the part of an account and its public id. */
function nameAccount({ account, ...line }: ShownLine) {
  const [kind = '', owner = ''] = account.split(':');
  const isInternal = kind === 'AVAIL' || kind === 'HOLD' || kind === 'PENDING_IN';
  return {
    account: isInternal ? PARTS[kind] : account,
    ...(isInternal && { accountId: publicId('InternalAccount', owner) }),
    ...line,
  };
}

const PARTS = { AVAIL: 'AVAILABLE', HOLD: 'HOLD', PENDING_IN: 'PENDING_IN' } as const;

/** Sums the debits of the entry, by currency. */
function movedText(own: OwnCurrencies, { currencies, amounts }: PostedEntry): string {
  const sums = new Map<string, bigint>();
  amounts.forEach((amount, i) => {
    const currency = currencies[i] ?? '';
    if (amount > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  });
  return [...sums].map(([code, sum]) => sayAmount(sum, code, own)).join(' and ');
}
