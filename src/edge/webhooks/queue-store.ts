import {
  type AttemptResult,
  type ClaimedEvent,
  type QueueLease,
  recordStatement,
} from '#edge/webhooks/store.ts';
import type { SealedTarget } from '#edge/webhooks/target-store.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { AnsweredSql, type Sql, sql, tellCommitted } from '#foundation/database/sql.ts';
import type { Lease, QueueTable } from '#foundation/jobs/queues-store.ts';

export const WEBHOOK_QUEUES: QueueTable = {
  ...{ table: sql`webhook_queues`, key: sql`resource_id`, keyType: sql`text` },
  lane: sql`lane`,
};

/** How many resources and events to take for a platform. */
export interface Capacity {
  readonly resources: number;
  /** Events that wait for an earlier event of their resource. */
  readonly blocked: number;
  readonly questions: number;
}

export interface ClaimRequest {
  readonly now: Date;
  readonly until: Date;
  readonly owner: string;
  readonly capacity: ReadonlyMap<string, Capacity>;
  readonly rowsMax: number;
  /** How long a question waits for a listener's answer. */
  readonly questionMs: number;
  /** Leases under which more events can be taken. */
  readonly held: readonly QueueLease[];
}

type ClaimedRow = Omit<ClaimedEvent, 'lease' | 'target'> &
  SealedTarget & {
    readonly seq: bigint;
    readonly lease_owner: string;
    readonly chain: number;
    readonly added: bigint | null;
  };

/** Leases queues with due events (claim-webhooks.sql), and returns their events in event order. */
export async function claimWebhooks(run: Run, claim: ClaimRequest): Promise<ClaimedEvent[]> {
  const capacities = [...claim.capacity.values()];
  const held = claim.held.map(({ platform_id, key, owner, events }) => {
    const has_retries = [...events].some(({ is_first }) => !is_first);
    return { platform_id, resource_id: key, owner, ids: [...events].map(({ id }) => id), has_retries };
  });
  const rows = await run<ClaimedRow>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${[...claim.capacity.keys()]}::uuid[],
      ${capacities.map(({ resources }) => resources)}::integer[],
      ${capacities.map(({ blocked }) => blocked)}::integer[],
      ${capacities.map(({ questions }) => questions)}::integer[], ${claim.rowsMax},
      ${claim.questionMs} * interval '1 millisecond', ${JSON.stringify(held)}::jsonb)`);
  const leases = new Map(
    claim.held.map((lease) => [`${lease.platform_id} ${lease.owner} ${lease.key}`, lease]),
  );
  const nameOf = (row: ClaimedRow) => `${row.platform_id} ${row.lease_owner} ${row.resource_id}`;
  for (const [name, own] of Map.groupBy(rows, nameOf)) {
    const [{ platform_id, resource_id: key, lease_owner: owner, chain, added }] = own as [ClaimedRow];
    const lease = leases.get(name) ?? newLease({ platform_id, key, owner }, claim.until);
    leases.set(name, lease);
    if (lease.leased_until < claim.until) lease.leased_until = claim.until;
    // If it took fewer first attempts than it might have, none is left.
    const firsts = own.filter((row) => row.is_first).length;
    lease.added = firsts < chain ? (added ?? undefined) : undefined;
  }
  return rows
    .sort((a, b) => (a.seq < b.seq ? -1 : 1))
    .map((row) => hold(leases.get(nameOf(row)) as QueueLease, eventOf(row, claim.now)));
}

/** A lease without events. */
export function newLease(of: Pick<QueueLease, 'platform_id' | 'key' | 'owner'>, until: Date): QueueLease {
  return { ...of, leased_until: until, events: new Set() };
}

/** Takes an event under a lease. */
export function hold(lease: QueueLease, event: Omit<ClaimedEvent, 'lease'>): ClaimedEvent {
  const held = { ...event, lease };
  lease.events.add(held);
  return held;
}

function eventOf(
  { seq, lease_owner, chain, added, endpoint, key_id, private_key, ...row }: ClaimedRow,
  at: Date,
): Omit<ClaimedEvent, 'lease'> {
  return { ...row, target: { endpoint, key_id, private_key, at } };
}

/** Whether any of the settled queues has due events, and the queues that were locked and must be settled later. */
export interface Settled {
  readonly isDue: boolean;
  readonly locked: ReadonlySet<Lease | undefined>;
}

/** Ends leases (settle_webhooks in claim-webhooks.sql). */
export async function settleQueues(run: Run, now: Date, ended: readonly Lease[]): Promise<Settled> {
  const rows = await run<SettledRow>(settleStatement(now, ended));
  return readSettled(ended, rows);
}

/** Records attempts and ends the leases that have no other event in hand, in one round trip and one transaction. */
export async function recordAndSettle(
  database: Pick<Database, 'commit'>,
  now: Date,
  items: readonly AttemptResult[],
  ended: readonly Lease[],
): Promise<Settled> {
  let settled: Settled = { isDue: false, locked: new Set() };
  const settle = new AnsweredSql(settleStatement(now, ended), (rows) => {
    settled = readSettled(
      ended,
      rows.map(([locked, isDue]) => ({ locked: locked ?? null, is_due: isDue === 't' })),
    );
  });
  const statements = [recordStatement(now, items), ...(ended.length > 0 ? [settle] : [])];
  await database.commit(statements);
  tellCommitted(statements);
  return settled;
}

interface SettledRow {
  readonly locked: bigint | string | null;
  readonly is_due: boolean;
}

function settleStatement(now: Date, ended: readonly Lease[]): Sql {
  return sql`
    select s.locked, s.is_due from settle_webhooks(
      ${now}, ${ended.map((lease) => lease.platform_id)}::uuid[], ${ended.map((lease) => lease.key)}::text[],
      ${ended.map((lease) => lease.owner)}::uuid[]) s`;
}

function readSettled(ended: readonly Lease[], rows: readonly SettledRow[]): Settled {
  const locked = new Set(rows.map((row) => ended[Number(row.locked) - 1]));
  return { isDue: rows.some((row) => row.is_due), locked };
}
