import type { Capability } from '#capabilities/capability.ts';
import { openBreaks, stoppedConnectors } from '#capabilities/connectors/attention.ts';
import { destroyBodies } from '#capabilities/connectors/order-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { connectorReactions } from '#capabilities/connectors/settled-by-hand.ts';
import { orderTrail } from '#capabilities/connectors/trail.ts';

/** connectors.md §4.10: how long the bytes of an order are kept after its end. */
const BODY_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export const connectors = {
  name: 'connectors',
  reactions: connectorReactions,
  attention: [stoppedConnectors, openBreaks],
  trail: orderTrail,
  purges: [(tx, rowsMax) => destroyBodies(tx, new Date(realNow(tx).getTime() - BODY_KEPT_MS), rowsMax)],
} satisfies Capability;
