import { aboutCredit, resolveBreak, resolveBreaksAbout } from '#capabilities/connectors/break-store.ts';
import { concernedByBreak } from '#capabilities/connectors/break-texts.ts';
import { type CreditBreak, lockCreditBreak, markTakenBack } from '#capabilities/connectors/credit-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { accountName } from '#capabilities/connectors/row.ts';
import { resolveSuspense } from '#capabilities/payments/operator/resolve-suspense.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { lockTransaction } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { findSuspended, findSuspendedOf } from '#foundation/ledger/open-items-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/**
 * Confirms that the bank took a credit back, which resolves the break about it (connectors.md §9.7). Money in SUSPENSE
 * leaves it over its rail (L21). Money that was credited, or that fed a payment, is reversed (L19).
 */
export async function takeBack(
  tx: Tx,
  { breakId, reason }: { readonly breakId: string; readonly reason: string },
): Promise<CreditBreak> {
  const run = tx.query.bind(tx);
  const credit = await lockCreditBreak(run, breakId, 'RETURNED');
  if (credit?.platform_id !== tx.platformId) {
    refuse('CONFLICT', 'The break is resolved already, or no bank took back what it is about.');
  }
  const { transaction_id: transactionId } = credit;
  const row = transactionId === null ? undefined : await lockTransaction(tx, transactionId);
  const entryId = await findEntry(tx, credit, row);
  if (entryId !== undefined) await resolveSuspense(tx, { entryId, target: placeOf(credit), reason });
  else if (row) await reverse(tx, credit, row);
  else refuse('CONFLICT', 'The money has left suspense by hand. Book its return by hand, too.');
  const now = realNow(tx);
  await markTakenBack(tx, credit, now);
  await resolveBreak(tx, breakId, reason, now);
  // It is no longer unclaimed, either.
  await resolveBreaksAbout(
    tx,
    { connectorId: credit.connector_id, about: aboutCredit(credit.credit_id) },
    { reason, now },
  );
  await auditTakeBack(tx, breakId, credit, reason);
  return credit;
}

/** The entry by which the money waits in SUSPENSE: nobody claimed it, or its refund failed. */
async function findEntry(
  tx: Tx,
  { entry_id }: CreditBreak,
  row: TransactionRow | undefined,
): Promise<Id<'JournalEntry'> | undefined> {
  const isRefundFailed = row?.refund_status === 'FAILED';
  const found = isRefundFailed
    ? await findSuspendedOf(tx, row.id)
    : entry_id === null
      ? undefined
      : await findSuspended(tx, entry_id);
  return found?.id;
}

async function reverse(tx: Tx, credit: CreditBreak, { id, refund_status }: TransactionRow): Promise<void> {
  if (refund_status === 'PENDING') {
    refuse('CONFLICT', 'The money is being refunded. Wait until the refund has ended, or fail it by hand.');
  }
  const notice = { kind: 'collectionReversed' as const, ...placeOf(credit) };
  const { ignored } = await applyNotices(tx, [{ reference: id, notices: [notice] }]);
  const [refused] = ignored;
  if (refused) refuse('CONFLICT', `The payment is ${refused.status}, so there is nothing to take back.`);
}

/** Where the operator's money was (money.md §11.6). */
export function placeOf({ connector, settlement_account, rail }: CreditBreak) {
  return { rail, settlementAccount: accountName({ name: connector }, settlement_account) };
}

async function auditTakeBack(tx: Tx, breakId: string, credit: CreditBreak, reason: string): Promise<void> {
  const { connector, credit_id, amount, currency, transaction_id } = credit;
  audit(tx, {
    action: 'break take back',
    resource: publicId('Break', breakId),
    customerId: await concernedByBreak(tx, breakId),
    details: {
      ...{ reason, connector, credit: credit_id, amount: amount.toString(), currency },
      ...(transaction_id !== null && { transaction: publicId('Transaction', transaction_id) }),
    },
  });
}
