import { resolveBreak } from '#capabilities/connectors/break-store.ts';
import { lockCreditBreak, placeCredit } from '#capabilities/connectors/credit-store.ts';
import { placeOf } from '#capabilities/connectors/credits/take-back.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { receiptName } from '#capabilities/connectors/row.ts';
import { receiveAssigned } from '#capabilities/payments/incoming/receive-deposit.ts';
import {
  assignReceipt,
  listUnmatched,
  type UnmatchedReceipt,
} from '#capabilities/payments/incoming/store.ts';
import { resolveSuspense } from '#capabilities/payments/operator/resolve-suspense.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { Moved } from '#foundation/ports/payments.ts';

export interface Assignment {
  readonly breakId: string;
  readonly accountId: AccountId;
  readonly reason: string;
}

/**
 * Credits an account with money that nobody claimed, and resolves the break about it, in one commit (connectors.md §9.6).
 * The account may be on another platform than the books that held the money: it leaves them over its rail (L21), and comes
 * in where the account is (L1), with a transaction and its event.
 */
export async function assignCredit(
  tx: Tx,
  { breakId, accountId, reason }: Assignment,
): Promise<TransactionRow> {
  const run = tx.query.bind(tx);
  const credit = await lockCreditBreak(run, breakId, 'THEIRS_UNMATCHED');
  if (!credit || credit.entry_id === null) {
    refuse('CONFLICT', 'The break is resolved already, or is about no money in suspense.');
  }
  if (credit.reversed_at !== null) refuse('CONFLICT', 'The bank took this money back.');
  const { connector, credit_id, entry_id: entryId, platform_id, amount, currency } = credit;
  const place = placeOf(credit);
  const receipt = await leave(tx, platform_id, { entryId, place, reason });
  const sender = receipt?.sender ?? undefined;
  const row = await receiveAssigned(tx, {
    providerReference: receiptName({ name: connector }, credit_id),
    ...{ accountId, amount, currency, ...place },
    statedReference: receipt?.statedReference ?? undefined,
    originator: sender === undefined ? undefined : { accountHolderName: sender },
  });
  const isHere = platform_id === tx.platformId;
  // The sender is sealed again for the customer to whom the money belongs.
  if (isHere && receipt && row.customer_id !== null) await assignReceipt(tx, receipt, row.customer_id);
  await placeCredit(run, credit, { platform_id: tx.platformId, transaction_id: row.id, entry_id: null });
  await resolveBreak(tx, breakId, reason, realNow(tx));
  const account = publicId('InternalAccount', accountId);
  audit(tx, {
    action: 'break book',
    resource: publicId('Break', breakId),
    customerId: row.customer_id,
    details: { reason, connector, credit: credit_id, account, amount: amount.toString(), currency },
  });
  return row;
}

interface Leaving {
  readonly entryId: Id<'JournalEntry'>;
  readonly place: { readonly rail: string } & Moved;
  readonly reason: string;
}

/** Takes the money out of SUSPENSE, in the books that held it. Returns what is known of its sender. */
async function leave(
  tx: Tx,
  platformId: PlatformId,
  { entryId, place, reason }: Leaving,
): Promise<UnmatchedReceipt | undefined> {
  const steps = async (on: Tx) => {
    const [receipt] = await listUnmatched(on, [entryId]);
    await resolveSuspense(on, { entryId, target: place, reason });
    return receipt;
  };
  if (platformId === tx.platformId) return steps(tx);
  const platform = await findPlatform(tx.query.bind(tx), platformId);
  if (!platform) throw new Error(`no platform ${platformId}`);
  return tx.onPlatform(platform, steps);
}
