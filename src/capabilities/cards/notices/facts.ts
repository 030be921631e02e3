import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { CardTransition } from '#capabilities/cards/machine/draft.ts';
import { type CardFacts, NO_FACTS } from '#capabilities/cards/machine/notice.ts';
import { loadRowAccount } from '#capabilities/cards/notices/store.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';

/** Whether more than the hold may be drawn from an account (cards.md §7.2, wallets.md §6.8.45). */
export function mayDraw({
  status,
  type,
  hasKey,
}: {
  status: string;
  type: string;
  hasKey: boolean;
}): boolean {
  return status === 'ACTIVE' && (type !== 'EMBEDDED_WALLET' || hasKey);
}

/**
 * Loads the facts for a change of a card's rows, with the balances of the account locked. `unitsCredited` is the amount
 * that may be credited, in the smallest unit of the account's currency. An account that cannot hold it is treated as
 * closed, and the money waits in SUSPENSE.
 */
export async function lockFacts(
  tx: Tx,
  card: Pick<CardRow, 'id' | 'customer_id'>,
  accountId: AccountId,
  unitsCredited: (currency: string) => bigint,
): Promise<{
  readonly facts: CardFacts;
  readonly account: { readonly id: AccountId; readonly currency: string };
}> {
  const before = await loadRowAccount(tx, card, accountId);
  const debtAccount = receivableAccount(card.customer_id, before.currency);
  const balances = await lockAccountBalances(tx, [{ id: accountId, debtAccount }]);
  // Closing and freezing lock the balances, too, so the status read now stays.
  const { status, type, currency, has_key: hasKey } = await loadRowAccount(tx, card, accountId);
  return {
    account: { id: accountId, currency },
    facts: {
      ...NO_FACTS,
      available: balances.balanceOf(availAccountOf(accountId)),
      mayDraw: mayDraw({ status, type, hasKey }),
      isClosed: status === 'CLOSED' || !balances.canHold(accountId, unitsCredited(currency)),
      debt: balances.debtIn(debtAccount),
    },
  };
}

/** Opens the ledger accounts of the debts that the entries create (cards.md §7.1). */
export async function openReceivables(tx: Tx, transition: CardTransition): Promise<void> {
  const entries = [transition, ...transition.others].flatMap((each) => each.entries);
  const lines = entries.flatMap((entry) => entry.lines);
  const opened = lines.filter(({ account, side }) => account.startsWith('RECEIVABLE:') && side === 'DEBIT');
  if (opened.length === 0) return;
  await openLedgerAccounts(
    tx,
    opened.map(({ account, currency }) => ({ account: account as GuardedAccount, currency })),
  );
}

/** The platform's own id of the cardholder, even of a deleted one. */
export async function loadPlatformCustomerId(tx: Tx, customerId: CustomerId): Promise<string> {
  const customer = await findCustomer(tx, customerId);
  if (!customer) throw new Error('the holder of a card is there');
  return customer.platform_customer_id;
}
