import type { Run } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/**
 * A table of pending work: it has `platform_id`, `due_at` (business time), `lease_owner` and `leased_until` (real time), and
 * an index over platform, lane and due time.
 */
export interface QueueTable {
  readonly table: Sql;
  /** The column that is the primary key together with the platform, and its type. */
  readonly key: Sql;
  readonly keyType: Sql;
  /** The column that divides a platform's work into lanes, none of which waits for another. */
  readonly lane: Sql;
  /** The rows, as `j`, at whose due time a moved clock stops; without it, all. */
  readonly stops?: Sql;
}

/** A row that this process has leased. */
export interface Lease {
  readonly platform_id: PlatformId;
  readonly key: string | bigint;
  readonly owner: string;
  /** Extended by every renewal. */
  leased_until: Date;
}

/** A lane of a platform with due work. */
export interface DueLane {
  readonly platform: Platform;
  readonly lane: string;
}

/** The position at which a walk over all lanes stopped; the next walk continues there. */
export interface WalkPosition {
  readonly platformId: PlatformId;
  readonly lane: string;
}

export const WALK_START: WalkPosition = { platformId: NIL_ID, lane: '' };
const HOPS_MAX = 500;

/**
 * Skips from lane to lane along the index, so that the cost depends on the number of lanes, never on the number of
 * pending rows, and a long lane hides no other. One of the worker's statements that cross platforms.
 */
export async function walkLanes(
  run: Run,
  { table, lane }: QueueTable,
  now: Date,
  after: WalkPosition,
): Promise<{ due: DueLane[]; stoppedAt: WalkPosition }> {
  const rows = await run<PlatformRow & { lane: string; is_due: boolean }>(sql`
    with recursive walk as (
      (select j.platform_id, j.${lane} as lane, j.due_at, 1 as hop
         from ${table} j
        where (j.platform_id, j.${lane}) > (${after.platformId}::uuid, ${after.lane})
        order by j.platform_id, j.${lane}, j.due_at limit 1)
      union all
      select n.platform_id, n.lane, n.due_at, w.hop + 1
        from walk w
       cross join lateral (
         select j.platform_id, j.${lane} as lane, j.due_at
           from ${table} j
          where (j.platform_id, j.${lane}) > (w.platform_id, w.lane)
          order by j.platform_id, j.${lane}, j.due_at limit 1) n
       where w.hop < ${HOPS_MAX})
    select ${PLATFORM_COLUMNS}, w.lane, w.due_at <= ${businessNow(now)} as is_due
      from walk w join platforms p on p.id = w.platform_id
     order by w.hop`);
  const last = rows.length === HOPS_MAX ? rows.at(-1) : undefined;
  return {
    due: rows.filter((row) => row.is_due).map((row) => ({ platform: toPlatform(row), lane: row.lane })),
    stoppedAt: last ? { platformId: last.id, lane: last.lane } : WALK_START,
  };
}

/** Lists all platforms with due work, leased or not. */
export async function listDuePlatforms(run: Run, queues: QueueTable, now: Date): Promise<PlatformId[]> {
  const ids = new Set<PlatformId>();
  let after = WALK_START;
  do {
    const { due, stoppedAt } = await walkLanes(run, queues, now, after);
    for (const { platform } of due) ids.add(platform.id);
    after = stoppedAt;
  } while (after !== WALK_START);
  return [...ids];
}

/** Lists one platform's lanes with due work, earliest first; `dueAt` is the earliest time. */
export async function listDueLanes(
  run: Run,
  queues: QueueTable,
  platformId: PlatformId,
  now: Date,
): Promise<(DueLane & { dueAt: Date })[]> {
  const rows = await run<PlatformRow & { lane: string; due_at: Date }>(sql`
    select ${PLATFORM_COLUMNS}, w.lane, w.due_at
      from (${laneHeads(queues, platformId)}) w join platforms p on p.id = ${platformId}
     where w.due_at <= ${businessNow(now)}
     order by w.due_at`);
  return rows.map((row) => ({ platform: toPlatform(row), lane: row.lane, dueAt: row.due_at }));
}

/** When the platform's next work of this kind becomes due, ignoring work that is already due. */
export async function nextDueAt(
  run: Run,
  queues: QueueTable,
  platformId: PlatformId,
  after: Date,
): Promise<Date | undefined> {
  const [row] = await run<{ due_at: Date | null }>(sql`
    select min(n.due_at) as due_at
      from (${laneHeads(queues, platformId)}) w
     cross join lateral (
       select j.due_at from ${queues.table} j
        where j.platform_id = ${platformId} and j.${queues.lane} = w.lane and j.due_at > ${after} and ${queues.stops ?? sql`true`}
        order by j.due_at limit 1) n`);
  return row?.due_at ?? undefined;
}

/** The earliest row of each of a platform's lanes. */
function laneHeads({ table, lane }: QueueTable, platformId: PlatformId): Sql {
  return sql`
    with recursive heads as (
      (select j.${lane} as lane, j.due_at from ${table} j where j.platform_id = ${platformId}
        order by j.${lane}, j.due_at limit 1)
      union all
      select n.lane, n.due_at
        from heads h
       cross join lateral (
         select j.${lane} as lane, j.due_at from ${table} j
          where j.platform_id = ${platformId} and j.${lane} > h.lane
          order by j.${lane}, j.due_at limit 1) n)
    select lane, due_at from heads`;
}

/** Extends leases, and returns those that it extended. Rows that another statement has locked are left to the next time. */
export async function renewLeases<Held extends Lease>(
  run: Run,
  { table, key, keyType }: QueueTable,
  leases: readonly Held[],
  until: Date,
): Promise<Held[]> {
  const rows = await run<{ place: bigint }>(sql`
    with mine as materialized (
      select r.platform_id, r.${key} as key, g.place
        from unnest(
               ${leases.map((lease) => lease.platform_id)}::uuid[], ${leases.map((lease) => lease.key)}::${keyType}[],
               ${leases.map((lease) => lease.owner)}::uuid[]) with ordinality as g (platform_id, key, owner, place)
        join ${table} r on r.platform_id = g.platform_id and r.${key} = g.key
       where r.lease_owner = g.owner
         for no key update of r skip locked)
    update ${table} r set leased_until = greatest(r.leased_until, ${until}::timestamptz)
      from mine where r.platform_id = mine.platform_id and r.${key} = mine.key
    returning mine.place`);
  return rows.flatMap(({ place }) => leases[Number(place) - 1] ?? []);
}

function businessNow(now: Date): Sql {
  return sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`;
}
