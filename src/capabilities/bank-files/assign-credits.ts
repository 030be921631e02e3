import { payerContext } from '#capabilities/bank-files/answer-calls.ts';
import {
  type BookedCredit,
  keepEvent,
  keepPayer,
  lockBooked,
  lockEventsAbout,
} from '#capabilities/bank-files/booked-credits-store.ts';
import { eventContext } from '#capabilities/bank-files/event-store.ts';
import { changeFiles, type FilesParts } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { resealFor } from '#foundation/person-keys/people.ts';

const BATCH = 100;

/**
 * Seals what the bank said about a payer for the customer who got the money, once that is known (decision 0068). Returns
 * how many credits were booked.
 */
export function assignCredits(parts: FilesParts, connectorId: string): Promise<number> {
  return changeFiles(parts, async (run) => {
    const booked = await lockBooked(run, connectorId, BATCH);
    for (const credit of booked) await assign(parts, run, connectorId, credit);
    return booked.length;
  });
}

async function assign(
  parts: FilesParts,
  run: Run,
  connectorId: string,
  { credit_id: creditId, payer, customer_id, platform_id }: BookedCredit,
): Promise<void> {
  const people = customer_id === null ? [] : [{ customer_id, platform_id }];
  const sealed = payer && resealFor(parts, people, payer, payerContext(connectorId, creditId));
  await keepPayer(run, connectorId, creditId, sealed);
  for (const event of await lockEventsAbout(run, connectorId, creditId)) {
    const context = eventContext(connectorId, event.place);
    await keepEvent(run, connectorId, event, resealFor(parts, people, event.body, context));
  }
}
