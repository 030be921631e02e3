import { accountsClosing } from '#capabilities/accounts/announcements.ts';
import {
  eraseFromCards,
  findAccountsInUse,
  hasLiableRow,
  hasLiveCard,
} from '#capabilities/cards/reactions/store.ts';
import { customerDeleting, customerErased } from '#capabilities/customers/announcements.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/**
 * Refuses to close an account, or to delete or erase a customer, while cards need them (cards.md §7.2,
 * customers.md §2.4.26). No card can be added meanwhile: creating a card and changing its source lock the customer or
 * the account. The network's later reports are still booked, and have to be settled before the erasure
 * (customers.md §2.4.26a).
 */
export const cardReactions: Subscription[] = [
  on(customerDeleting, async (tx, { customer }) => {
    if (await hasLiveCard(tx, customer.id)) {
      refuse('CONFLICT', 'The customer has a card that is not closed.');
    }
    await requireNothingLiable(tx, customer.id);
  }),
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findAccountsInUse(tx, accountIds)) keepOpen(id);
  }),
  on(customerErased, async (tx, { customer }) => {
    await requireNothingLiable(tx, customer.id);
    await eraseFromCards(tx, customer.id);
  }),
];

async function requireNothingLiable(tx: ReadTx, customerId: CustomerId): Promise<void> {
  if (await hasLiableRow(tx, customerId)) {
    refuse('CONFLICT', 'A card transaction of the customer is open, or its debt is not settled.');
  }
}
