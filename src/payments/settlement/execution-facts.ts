import type { ReadTx } from '#database/tx.ts';
import type { Facts } from '#payments/machine/notice.ts';
import { receivableOf } from '#payments/machine/postings.ts';
import type { TransactionRow } from '#payments/row.ts';
import { collectionOf, payoutOf } from '#payments/settlement/orders.ts';
import { corridorLimits } from '#pricing/terms.ts';

/**
 * What the machine may ask while a payment is set going. Nothing is credited to anybody yet, so there are no
 * debts to look up, and what can receive was judged before.
 */
export function executionFacts(tx: ReadTx, row: TransactionRow): Facts {
  const { rails } = tx.ports;
  const owner = row.customer_id ?? row.platform_id;
  const isPull = row.source_type === 'EXTERNAL';
  return {
    debtOf: () => undefined,
    hasRoom: () => true,
    takeBackOf: (accountId) => ({
      available: 0n,
      receivable: receivableOf(accountId, row.sending_currency),
    }),
    ownerReceivable: receivableOf(owner, row.sending_currency),
    canReceive: () => true,
    isClosed: () => false,
    isReceiverGone: false,
    cryptoRefundAccount: undefined,
    isCollectionReversed: false,
    isOwnerGone: false,
    // A pull is resolved first: its payout is judged when it was collected (money.md §9.2).
    knownPayoutFailure: isPull ? undefined : rails.knownPayoutFailure(payoutOf(tx.vault, row)),
    knownCollectionFailure: isPull ? rails.knownCollectionFailure(collectionOf(tx.vault, row)) : undefined,
    referencePrefix: tx.runtime.names.referencePrefix,
    dailyLimitUsdCents: dailyLimitOf(tx, row),
  };
}

export function dailyLimitOf(tx: ReadTx, row: TransactionRow): bigint {
  const pair = { from: row.sending_currency, to: row.receiving_currency };
  return corridorLimits(tx.platform.settings, pair).dailyUsdCents;
}
