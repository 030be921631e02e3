import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** A credit that was booked to an account, or to a quote, since it came. */
export interface BookedCredit {
  readonly credit_id: string;
  readonly payer: Buffer | null;
  /** Null: the account is the platform's own. */
  readonly customer_id: CustomerId | null;
  readonly platform_id: PlatformId;
}

/** Locks those that are still sealed for strangers. */
export function lockBooked(run: Run, connectorId: string, limit: number): Promise<BookedCredit[]> {
  return run<BookedCredit>(sql`
    select c.credit_id, c.payer, t.customer_id, t.platform_id from bank_file_credits c
      join connector_credits k on k.connector_id = c.connector_id and k.credit_id = c.credit_id
      join transactions t on t.platform_id = k.platform_id and t.id = k.transaction_id
     where c.connector_id = ${connectorId} and c.is_of_stranger
     order by c.credit_id limit ${limit} for update of c skip locked`);
}

export async function keepPayer(
  run: Run,
  connectorId: string,
  creditId: string,
  payer: Buffer | null,
): Promise<void> {
  await run(sql`
    update bank_file_credits set payer = ${payer}, is_of_stranger = false
     where connector_id = ${connectorId} and credit_id = ${creditId}`);
}

export interface ReportedEvent {
  readonly place: bigint;
  readonly body: Buffer;
}

export function lockEventsAbout(run: Run, connectorId: string, about: string): Promise<ReportedEvent[]> {
  return run<ReportedEvent>(sql`
    select e.place, e.body from bank_file_events e
     where e.connector_id = ${connectorId} and e.about = ${about} order by e.place for update`);
}

/** Without a body the event is gone. */
export async function keepEvent(
  run: Run,
  connectorId: string,
  { place }: Pick<ReportedEvent, 'place'>,
  body: Buffer | null,
): Promise<void> {
  await run(
    body
      ? sql`update bank_file_events set body = ${body} where connector_id = ${connectorId} and place = ${place}`
      : sql`delete from bank_file_events where connector_id = ${connectorId} and place = ${place}`,
  );
}
