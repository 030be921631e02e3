import Type from 'typebox';
import { listUnmatched, type UnmatchedReceipt } from '#capabilities/payments/incoming/store.ts';
import { pageSuspended } from '#capabilities/payments/operator/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Suspended } from '#foundation/ledger/open-items-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList } from '#foundation/records/record-list.ts';

export const SUSPENSE_LIST = recordList({
  name: 'suspense',
  area: 'Payments',
  summary: 'Money that could not be assigned',
  item: Type.Object({
    entry: shown.id('JournalEntry', 'The entry that booked it.'),
    because: shown.own('Why it is in suspense.'),
    transaction: shown.id('Transaction', 'The payment whose refund failed.'),
    amount: shown.amount('How much.'),
    sender: shown.masked('name', 'The sender, as the bank gives it.'),
    bankReference: shown.masked('number', 'The bank’s reference.'),
    statedReference: shown.masked('text', 'The reference that the sender gave.'),
    intendedAccount: shown.id('InternalAccount', 'The account that it was meant for.'),
    since: shown.time('Since when it waits.'),
  }),
  async page(tx, request) {
    const found = await pageSuspended(tx, request, (row) => row);
    return { ...found, data: await presentSuspense(tx, found.data) };
  },
});

/** Adds the report about each receipt: its sender, the bank's reference and the intended account. */
export async function presentSuspense(tx: ReadTx, rows: readonly Suspended[]) {
  const receipts = await listUnmatched(
    tx,
    rows.map(({ id }) => id),
  );
  const byEntry = new Map(receipts.map((receipt) => [receipt.entryId, receipt]));
  return rows.map((row) => presentOne(tx.platform, row, byEntry.get(row.id)));
}

function presentOne(
  { ownCurrencies }: Platform,
  { id, kind, transaction_id, currency, amount, created_at }: Suspended,
  receipt: UnmatchedReceipt | undefined,
) {
  return {
    entry: publicId('JournalEntry', id),
    because: kind === 'refund.suspended' ? 'refund failed' : 'unmatched receipt',
    transaction: transaction_id === null ? undefined : publicId('Transaction', transaction_id),
    amount: presentAmount(amount, currency, ownCurrencies),
    sender: receipt?.sender,
    bankReference: receipt?.bankReference,
    statedReference: receipt?.statedReference,
    intendedAccount: receipt?.intendedAccount && publicId('InternalAccount', receipt.intendedAccount),
    since: created_at,
  };
}
