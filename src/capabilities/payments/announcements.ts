import type { Tx } from '#foundation/database/tx.ts';
import { announce, announcement } from '#foundation/events/reactions.ts';
import { isOwnCurrency } from '#foundation/lib/currencies.ts';

/**
 * Coins of the platform's own come in from wallets outside (stablecoins.md B.8.2). It is announced before anything is
 * booked and any balance is locked; whoever refuses it, because there are not that many outside, has nothing booked,
 * to SUSPENSE neither.
 */
export const coinsArriving = announcement<{ readonly currency: string; readonly amount: bigint }>(
  'coinsArriving',
);

/** Of other currencies nobody has to be asked. */
export async function announceCoins(
  tx: Tx,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
): Promise<void> {
  if (!isOwnCurrency(currency, tx.platform.ownCurrencies)) return;
  await announce(tx, coinsArriving, { currency, amount });
}
