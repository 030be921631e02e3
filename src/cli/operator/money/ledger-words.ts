import { InvalidArgumentError } from 'commander';
import { readId } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import { printRows, reportProgress } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { findNamedEntry } from '#foundation/journal/books.ts';
import type { AccountBalance, BookEntry } from '#foundation/journal/lines-store.ts';
import { ACCOUNT_KINDS, type AccountKindName } from '#foundation/ledger/kinds.ts';
import { type OwnCurrencies, showAmount } from '#foundation/lib/currencies.ts';

/** What the commands that read the books share: names of accounts and entries, and amounts with their side. */

export const ACCOUNT_HELP = `
An account is named as in the ledger: AVAIL:<id of the internal account>, INFLIGHT:<id of the transaction>, FEES:USD,
RAIL:SEPA:EUR. The id InternalAccount:… stands for its AVAIL account. A kind alone (AVAIL) stands for all its accounts.`;

export const LIMIT_MAX = 10_000;
export async function requireEntry(tx: ReadTx, name: string): Promise<BookEntry> {
  const entry = await findNamedEntry(tx, name);
  if (entry) return entry;
  throw new OperatorError(`The journal of the platform has no entry ${name}.`);
}

export function printBalances(
  balances: readonly AccountBalance[],
  own: OwnCurrencies,
  { json = false, none }: { readonly json?: boolean; readonly none: string },
): void {
  const rows = balances.map(({ account, currency, balance }) =>
    json
      ? { account, currency, balance: balance.toString() }
      : { account, ...columns(balance, currency, own) },
  );
  printRows(rows, { json, none });
}

/** An amount in the column of its side. */
export function columns(amount: bigint, currency: string, own: OwnCurrencies) {
  const text = showAmount(amount < 0n ? -amount : amount, currency, own);
  return { debit: amount > 0n ? text : '', credit: amount < 0n ? text : '' };
}

export function sided(amount: bigint, currency: string, own: OwnCurrencies): string {
  const text = showAmount(amount < 0n ? -amount : amount, currency, own);
  return amount === 0n ? text : `${text} ${amount > 0n ? 'debit' : 'credit'}`;
}

export function sayProvisional(isProvisional: boolean): void {
  if (isProvisional) reportProgress('Entries of the last minutes may be missing.');
}

export function accountArgument(text: string): string {
  const account = readId('InternalAccount', text);
  if (account !== undefined) return `AVAIL:${account}`;
  const [kind = '', ...rest] = text.trim().split(':');
  const isId = /-/.test(rest[0] ?? '');
  const name = [
    kindArgument(kind),
    ...rest.map((part, i) => (i === 0 && isId ? part.toLowerCase() : part.toUpperCase())),
  ];
  return name.join(':');
}

export function kindArgument(text: string): AccountKindName {
  const kind = text.trim().toUpperCase();
  if (Object.hasOwn(ACCOUNT_KINDS, kind)) return kind as AccountKindName;
  throw new InvalidArgumentError(
    `It must begin with a kind of account: ${Object.keys(ACCOUNT_KINDS).join(', ')}.`,
  );
}

export function entryArgument(text: string): string {
  const name = /^[1-9]\d{0,17}$/.test(text) ? text : readId('JournalEntry', text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError('It must be an id such as JournalEntry:<uuid>, or a number.');
}
