import type { Capability } from '#capabilities/capability.ts';
import { endingCertificates, openBreaks, stoppedConnectors } from '#capabilities/connectors/attention.ts';
import { purgeEvents } from '#capabilities/connectors/event-store.ts';
import { connectorReads } from '#capabilities/connectors/operator/connector-reads.ts';
import { moneyChanges } from '#capabilities/connectors/operator/money-changes.ts';
import { connectorChanges } from '#capabilities/connectors/operator/operator-changes.ts';
import { destroyBodies } from '#capabilities/connectors/order-store.ts';
import { requestReactions } from '#capabilities/connectors/requests/reactions.ts';
import { destroyRequestBodies } from '#capabilities/connectors/requests/request-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { connectorReactions } from '#capabilities/connectors/settled-by-hand.ts';
import { orderTrail } from '#capabilities/connectors/trail.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';
import { keptSince } from '#foundation/lib/kept-times.ts';
import { EVERY_ROLE } from '#foundation/lib/operator-roles.ts';

/** connectors.md §4.10: how long the bytes of an order are kept after its end. */
const BODY_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Events belong to no platform. A connector that lists an event again after its deletion is read as if it were new
 * (connectors.md §6.7).
 */
const purgeOldEvents = purgeTask('old events of connectors', (tx, rowsMax) =>
  purgeEvents(tx.query.bind(tx), keptSince(tx.runtime, 'connectorEventDays'), rowsMax),
);

const endOfBodies = (tx: Tx) => new Date(realNow(tx).getTime() - BODY_KEPT_MS);

export const connectors = {
  name: 'connectors',
  operatorOperations: [...connectorReads, ...connectorChanges, ...moneyChanges],
  searchPlaces: [
    {
      ...{ type: 'Break', table: 'connector_breaks', platform: 't.platform_id', at: 't.opened_at' },
      operators: EVERY_ROLE,
    },
    // A bank's file and its statement name an order, and the order's payment has the page.
    {
      ...{ type: 'Transaction', table: 'connector_orders', platform: 't.platform_id', id: 'transaction_id' },
      uuids: { orderReference: 'reference' },
      operators: EVERY_ROLE,
    },
  ],
  reactions: [...connectorReactions, ...requestReactions],
  attention: [stoppedConnectors, endingCertificates, openBreaks],
  trail: orderTrail,
  upkeep: [purgeOldEvents],
  purges: [
    (tx, rowsMax) => destroyBodies(tx, endOfBodies(tx), rowsMax),
    (tx, rowsMax) => destroyRequestBodies(tx, endOfBodies(tx), rowsMax),
  ],
} satisfies Capability;
