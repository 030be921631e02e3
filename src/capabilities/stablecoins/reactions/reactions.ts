import { accountsClosing } from '#capabilities/accounts/announcements.ts';
import { customerDeleting, customerErased } from '#capabilities/customers/announcements.ts';
import { coinsArriving } from '#capabilities/payments/announcements.ts';
import { lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import { loadOpenAmounts, loadOutside } from '#capabilities/stablecoins/operations/store.ts';
import {
  eraseFromOperations,
  findAccountsInUse,
  findCoinIdBySymbol,
  hasOpenOutside,
} from '#capabilities/stablecoins/reactions/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { showAmount } from '#foundation/lib/currencies.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export const stablecoinReactions: Subscription[] = [
  // The outcome of an open mint or burn would have no account to go to.
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findAccountsInUse(tx, accountIds)) keepOpen(id);
  }),
  on(coinsArriving, requireOutside),
  // customers.md §2.4.26: the provider debits, or pays, a bank account or wallet of the customer.
  on(customerDeleting, (tx, { customer }) => requireNothingOpen(tx, customer.id)),
  on(customerErased, async (tx, { customer }) => {
    await requireNothingOpen(tx, customer.id);
    await eraseFromOperations(tx, customer.id);
  }),
];

async function requireNothingOpen(tx: Tx, customerId: CustomerId): Promise<void> {
  if (await hasOpenOutside(tx, customerId)) {
    refuse('CONFLICT', 'A mint or burn with an external account of the customer has not finished.');
  }
}

/**
 * Refuses more coins than are outside (money.md §12.14), not counting coins that burns have already been given. The
 * coin stays locked, so that no other transaction counts the same coins.
 */
async function requireOutside(
  tx: Tx,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
): Promise<void> {
  const id = await findCoinIdBySymbol(tx, currency);
  const coin = id && (await lockCoin(tx, id));
  if (!coin) return;
  const { funded } = await loadOpenAmounts(tx, coin.id);
  const outside = (await loadOutside(tx, coin)) - funded;
  if (outside >= amount) return;
  const { ownCurrencies } = tx.platform;
  const there = showAmount(outside < 0n ? 0n : outside, currency, ownCurrencies);
  refuse('CONFLICT', `There are not that many coins in external wallets; at most ${there} can arrive.`, {
    currency,
  });
}
