import type { BreakKind, FoundBreak } from '#capabilities/connectors/apply-report.ts';
import { sealBreakText } from '#capabilities/connectors/break-texts.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** One row of `connector_breaks`: a contradiction that waits for a person. */
export interface BreakRow {
  id: string;
  connector: string;
  platform_id: PlatformId | null;
  kind: BreakKind;
  about: string;
  transaction_id: TransactionId | null;
  what: string;
  amount: bigint | null;
  currency: string | null;
  opened_at: Date;
  resolved_at: Date | null;
  /** Why it is gone, in a sentence of the service. */
  resolution: string | null;
  /** The text of the operator who resolved it (break-texts.ts). */
  resolution_sealed: Buffer | null;
  /** The operator who takes care of it. */
  owner: Id<'Operator'> | null;
  /** The note of finance about it (break-texts.ts). */
  notes: Buffer | null;
}

export interface NewBreak extends FoundBreak {
  readonly id: string;
  readonly connectorId: string;
  readonly platformId: PlatformId | null;
  readonly about: string;
  readonly orderId?: string | undefined;
}

/** Enough for a person to see what differs. */
const WHAT_MAX = 500;

/** A connector chooses the names of its credits and events freely: what a break is about says which of them it is. */
export function aboutCredit(creditId: string): string {
  return `credit ${creditId}`;
}

export function aboutEvent(eventId: string): string {
  return `event ${eventId}`;
}

/** Opens a break, unless the same one is open. */
export async function openBreak(run: Run, found: NewBreak, now: Date): Promise<void> {
  const {
    id,
    connectorId,
    platformId,
    kind,
    about,
    orderId = null,
    what,
    amount = null,
    currency = null,
  } = found;
  await run(sql`
    insert into connector_breaks
      (id, connector_id, platform_id, kind, about, order_id, what, amount, currency, opened_at)
    values (${id}, ${connectorId}, ${platformId}, ${kind}, ${about}, ${orderId}, ${what.slice(0, WHAT_MAX)}, ${amount}, ${currency}, ${now})
        on conflict (connector_id, kind, about) where resolved_at is null do nothing`);
}

export const BREAK_COLUMNS = sql`
  b.id, c.name as connector, b.platform_id, b.kind, b.about, o.transaction_id, b.what, b.amount, b.currency, b.opened_at,
  b.resolved_at, b.resolution, b.resolution_sealed, b.owner, b.notes`;
export const BREAK_SOURCE = sql`
  connector_breaks b
  join connectors c on c.id = b.connector_id
  left join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id`;

/** Open breaks, the oldest first. */
export function listBreaks(run: Run, limit: number): Promise<BreakRow[]> {
  return run<BreakRow>(sql`
    select ${BREAK_COLUMNS} from ${BREAK_SOURCE} where b.resolved_at is null order by b.opened_at, b.id limit ${limit}`);
}

export async function findBreak(run: Run, id: string): Promise<BreakRow | undefined> {
  const [row] = await run<BreakRow>(sql`select ${BREAK_COLUMNS} from ${BREAK_SOURCE} where b.id = ${id}`);
  return row;
}

/** False if it was resolved before. What the operator wrote is sealed. */
export async function resolveBreak(tx: Tx, id: string, reason: string, now: Date): Promise<boolean> {
  const sealed = await sealBreakText(tx, id, 'resolution_sealed', reason);
  const rows = await tx.query(sql`
    update connector_breaks set resolved_at = ${now}, resolution_sealed = ${sealed}
     where id = ${id} and resolved_at is null
    returning id`);
  return rows.length > 0;
}

/** Says who takes care of an open break; false if it was resolved. */
export async function updateBreakOwner(run: Run, id: string, owner: Id<'Operator'> | null): Promise<boolean> {
  const rows = await run(sql`
    update connector_breaks set owner = ${owner} where id = ${id} and resolved_at is null returning id`);
  return rows.length > 0;
}

/** Replaces the note of an open break; false if it was resolved. */
export async function updateBreakNotes(run: Run, id: string, notes: Buffer | null): Promise<boolean> {
  const rows = await run(sql`
    update connector_breaks set notes = ${notes} where id = ${id} and resolved_at is null returning id`);
  return rows.length > 0;
}

/** Closes the open breaks about one thing, because what they were about is done. */
export async function resolveBreaksAbout(
  tx: Tx,
  { connectorId, about }: { connectorId: string; about: string },
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const open = await tx.query<{ id: string }>(sql`
    select id from connector_breaks
     where connector_id = ${connectorId} and about = ${about} and resolved_at is null
     order by id for update`);
  for (const { id } of open) await resolveBreak(tx, id, reason, now);
}

/** The open breaks of a kind about one thing are gone, as a sentence of the service says. */
export async function endBreaks(
  run: Run,
  { connectorId, about, kind }: { connectorId: string; about: string; kind: BreakKind },
  { sentence, now }: { sentence: string; now: Date },
): Promise<void> {
  await run(sql`
    update connector_breaks set resolved_at = ${now}, is_gone = true, resolution = ${sentence}
     where connector_id = ${connectorId} and about = ${about} and kind = ${kind} and resolved_at is null`);
}
