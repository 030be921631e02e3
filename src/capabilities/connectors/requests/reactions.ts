import { accountsClosed } from '#capabilities/accounts/announcements.ts';
import { closeRequests } from '#capabilities/connectors/requests/request-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** connectors.md §7.8: what is closed here is closed at the connector, too. */
export const requestReactions: Subscription[] = [
  on(accountsClosed, async (tx, { accountIds }) => closeRequests(tx, accountIds, realNow(tx))),
];
