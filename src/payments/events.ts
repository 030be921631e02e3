import type { Renderer } from '#events/renderers.ts';
import { type EventFacts, rowAt } from '#payments/event-facts.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import { findTransactions } from '#payments/store.ts';

/**
 * `data` of OUTGOING_PAYMENT and INCOMING_PAYMENT events: the transaction as it was at the moment (money.md §10.2).
 * Only the state changes, and the facts have it; the rest is read from the row.
 */
export const renderPaymentEvents: Renderer = async (tx, events) => {
  const facts = events.map((event) => event.facts as EventFacts);
  const rows = await findTransactions(tx, [...new Set(facts.map(({ id }) => id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return events.map((event, i) => {
    const { id, extra } = facts[i] as EventFacts;
    const row = byId.get(id);
    if (!row) throw new Error(`event ${event.id} tells of a transaction that is not there`);
    // At its own moment nothing had expired yet, whatever the time is now.
    const at = presentTransaction(tx, rowAt(row, facts[i] as EventFacts), event.createdAt);
    return extra ? { ...at, ...extra } : at;
  });
};
