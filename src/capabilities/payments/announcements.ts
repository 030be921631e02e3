import type { Tx } from '#foundation/database/tx.ts';
import { announce, announcement } from '#foundation/events/reactions.ts';
import { isOwnCurrency } from '#foundation/lib/currencies.ts';

/**
 * A platform's own coins arrive from external wallets (stablecoins.md §8.2). This is announced before any entry is
 * booked and any balance is locked. A listener that refuses it, because fewer coins are outside, keeps everything from
 * being booked, to SUSPENSE as well.
 */
export const coinsArriving = announcement<{ readonly currency: string; readonly amount: bigint }>(
  'coinsArriving',
);

/** Other currencies need no announcement. */
export async function announceCoins(
  tx: Tx,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
): Promise<void> {
  if (!isOwnCurrency(currency, tx.platform.ownCurrencies)) return;
  await announce(tx, coinsArriving, { currency, amount });
}

/** An operator reports the outcome of a payment in place of its rail. A listener refuses it where a rail will report. */
export const settlingByHand = announcement<{
  readonly transactionId: TransactionId;
  readonly isInsisted: boolean;
}>('settlingByHand');
