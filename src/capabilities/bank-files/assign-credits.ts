import { payerContext } from '#capabilities/bank-files/answer-calls.ts';
import { eventContext } from '#capabilities/bank-files/event-store.ts';
import { changeFiles, type FilesParts } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** A credit that was booked to an account, or to a quote, since. */
interface BookedCredit {
  readonly credit_id: string;
  readonly payer: Buffer | null;
  /** Null: the account is the platform's own. */
  readonly customer_id: CustomerId | null;
  readonly platform_id: PlatformId;
}

const BATCH = 100;

/**
 * Seals what the bank said about a payer for the customer who got the money, once that is known (decision 0068). Returns
 * how many credits were booked.
 */
export function assignCredits(parts: FilesParts, connectorId: string): Promise<number> {
  return changeFiles(parts, async (run) => {
    const booked = await lockBooked(run, connectorId);
    for (const credit of booked) await assign(parts, run, connectorId, credit);
    return booked.length;
  });
}

function lockBooked(run: Run, connectorId: string): Promise<BookedCredit[]> {
  return run<BookedCredit>(sql`
    select c.credit_id, c.payer, t.customer_id, t.platform_id from bank_file_credits c
      join connector_credits k on k.connector_id = c.connector_id and k.credit_id = c.credit_id
      join transactions t on t.platform_id = k.platform_id and t.id = k.transaction_id
     where c.connector_id = ${connectorId} and c.is_of_stranger
     order by c.credit_id limit ${BATCH} for update of c skip locked`);
}

async function assign(
  parts: FilesParts,
  run: Run,
  connectorId: string,
  { credit_id, payer, customer_id, platform_id }: BookedCredit,
): Promise<void> {
  const { vault, personKeys } = parts;
  const reseal = (value: Buffer, context: string): Buffer | null => {
    if (customer_id === null) return value;
    const people = peopleOfReport(parts, [{ customer_id, platform_id }]);
    personKeys.requireOpenable([value]);
    const text = vault.openKept(value, context);
    // An erased customer’s own data is not kept for strangers.
    return text === undefined || personKeys.isErased(customer_id)
      ? null
      : vault.sealFor(people, text, context);
  };
  const sealed = payer && reseal(payer, payerContext(connectorId, credit_id));
  await run(sql`
    update bank_file_credits set payer = ${sealed}, is_of_stranger = false
     where connector_id = ${connectorId} and credit_id = ${credit_id}`);
  const events = await run<{ place: bigint; body: Buffer }>(sql`
    select e.place, e.body from bank_file_events e
     where e.connector_id = ${connectorId} and e.about = ${credit_id} order by e.place for update`);
  for (const { place, body } of events) {
    const renewed = reseal(body, eventContext(connectorId, place));
    await run(
      renewed
        ? sql`update bank_file_events set body = ${renewed} where connector_id = ${connectorId} and place = ${place}`
        : sql`delete from bank_file_events where connector_id = ${connectorId} and place = ${place}`,
    );
  }
}
