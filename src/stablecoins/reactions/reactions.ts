import { accountsClosing } from '#accounts/announcements.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { findAccountsInUse } from '#stablecoins/reactions/store.ts';

/** An account that an open mint or burn takes from or gives to stays open: what it waits for would have no place to go. */
export const stablecoinReactions: Subscription[] = [
  on(accountsClosing, async (tx, { accountIds, keepOpen }) => {
    for (const id of await findAccountsInUse(tx, accountIds)) keepOpen(id);
  }),
];
