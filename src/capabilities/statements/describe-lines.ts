import { sourceOf } from '#capabilities/accounts/list-entries.ts';
import type { PresentedTransaction, TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { StatementLine } from '#capabilities/statements/schemas.ts';
import { findSourceRows, type Holder, type StatementEntry } from '#capabilities/statements/store.ts';
import { describeKind } from '#capabilities/statements/words.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Presents entries as lines, each with the balance after it; `before` is the balance before the first one. */
export async function describeLines(
  tx: ReadTx,
  sources: readonly TransactionSource[],
  holder: Holder,
  { entries, before }: { readonly entries: readonly StatementEntry[]; readonly before: bigint },
): Promise<StatementLine[]> {
  const transactions = await findTransactions(tx, sources, entries);
  let balance = before;
  const amountOf = (units: bigint) => presentAmount(units, holder.currency, tx.platform.ownCurrencies);
  return entries.map(({ entry_id, kind, transaction_id: id, created_at, amount }) => {
    balance += amount;
    const transaction = id === null ? undefined : transactions.get(id);
    const counterparty = transaction && counterpartyOf(transaction, holder, amount > 0n);
    return {
      at: created_at.toISOString(),
      entryId: publicId('JournalEntry', entry_id),
      ...(id !== null && { transactionId: publicId(sourceOf(kind), id) }),
      kind,
      description: describeKind(kind, amount > 0n),
      ...(counterparty && { counterparty }),
      references: transaction ? referencesOf(transaction) : [],
      direction: amount > 0n ? 'IN' : 'OUT',
      amount: amountOf(amount > 0n ? amount : -amount),
      balanceAfter: amountOf(balance),
    };
  });
}

type Counterparty = NonNullable<StatementLine['counterparty']>;

/**
 * The side of the transaction that is not the account. Only facts that are there when the entry is posted, and stay: the same
 * period gives the same statement for ever (bank-files.md §8.3).
 */
function counterpartyOf(
  transaction: PresentedTransaction,
  { id }: Holder,
  isAdded: boolean,
): Counterparty | undefined {
  if (transaction.type === 'CARD') return { name: transaction.merchant.descriptor };
  const { source, destination } = transaction;
  const own = publicId('InternalAccount', id);
  const isOwn = (party: object | undefined) =>
    party !== undefined && 'accountId' in party && party.accountId === own;
  const other = isAdded ? (isOwn(source) ? destination : source) : isOwn(destination) ? source : destination;
  const { accountHolderName: name, accountIdentifier, accountId, umaAddress } = (other ?? {}) as Party;
  const account = umaAddress ?? accountIdentifier ?? accountId;
  if (name === undefined && account === undefined) return undefined;
  return { ...(name !== undefined && { name }), ...(account !== undefined && { account }) };
}

interface Party {
  readonly accountHolderName?: string;
  readonly accountIdentifier?: string;
  readonly accountId?: string;
  readonly umaAddress?: string;
  readonly endToEndId?: string;
  readonly remittanceInformation?: string;
}

function referencesOf(transaction: PresentedTransaction): string[] {
  if (transaction.type === 'CARD') return [];
  const { endToEndId, remittanceInformation } = (transaction.source ?? {}) as Party;
  const all = [transaction.reconciliationInstructions?.reference, endToEndId, remittanceInformation];
  return all.filter((one) => one !== undefined && one !== '') as string[];
}

/** Finds the transactions of the entries, with one statement for each table that has some. */
async function findTransactions(
  tx: ReadTx,
  sources: readonly TransactionSource[],
  entries: readonly StatementEntry[],
): Promise<Map<string, PresentedTransaction>> {
  const ids = [...new Set(entries.map(({ transaction_id }) => transaction_id))].filter((id) => id !== null);
  const found = new Map<string, PresentedTransaction>();
  for (const source of sources) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    const rows = await findSourceRows(tx, source, missing);
    await source.load?.(tx, rows as never[]);
    for (const row of rows) found.set(row.id, source.present(tx, row as never));
  }
  return found;
}
