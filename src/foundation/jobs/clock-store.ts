import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Runtime, Tx } from '#foundation/database/tx.ts';

/** How long the lease of a call that moves a clock lasts without a renewal. */
export const CLOCK_LEASE_MS = 3_000;

/** Adds to the target of a move in progress, or else to the current offset. */
export async function raiseTarget(tx: Tx, byMs: number): Promise<number> {
  const [row] = await tx.sql<{ target_offset_ms: bigint }>`
    insert into clock_moves as m (platform_id, target_offset_ms)
    select p.id, p.clock_offset_ms + ${byMs}::bigint from platforms p where p.id = ${tx.platformId}
    on conflict (platform_id) do update
      set target_offset_ms = greatest(m.target_offset_ms + ${byMs}::bigint, excluded.target_offset_ms)
    returning target_offset_ms`;
  return Number(row?.target_offset_ms);
}

/** Raises the target to an offset, unless a move in progress goes further. Returns the offset, or the present one if that is greater. */
export async function raiseTargetTo(tx: Tx, toMs: number): Promise<number> {
  const [row] = await tx.sql<{ offset_ms: bigint }>`
    with raised as (
      insert into clock_moves as m (platform_id, target_offset_ms)
      select p.id, greatest(p.clock_offset_ms, ${toMs}::bigint) from platforms p where p.id = ${tx.platformId}
      on conflict (platform_id) do update
        set target_offset_ms = greatest(m.target_offset_ms, excluded.target_offset_ms))
    select greatest(p.clock_offset_ms, ${toMs}::bigint) as offset_ms from platforms p where p.id = ${tx.platformId}`;
  return Number(row?.offset_ms);
}

/** Never moves back: keeps the greater offset, and returns it. */
export async function moveOffset(
  { database, clock }: Runtime,
  platformId: PlatformId,
  toMs: number,
): Promise<number> {
  const [row] = await database.query<{ clock_offset_ms: bigint }>(sql`
    update platforms
       set clock_offset_ms = greatest(clock_offset_ms, ${toMs}::bigint),
           clock_moved_at = case when ${toMs}::bigint > clock_offset_ms
                                 then ${new Date(clock.now())}::timestamptz else clock_moved_at end
     where id = ${platformId} returning clock_offset_ms`);
  return Number(row?.clock_offset_ms);
}

/** The target of a move that has not reached it yet; undefined if there is no such move. */
export async function findUnreachedTarget(
  { database }: Runtime,
  platformId: PlatformId,
): Promise<number | undefined> {
  const [move] = await database.query<{ target_offset_ms: bigint }>(sql`
    select m.target_offset_ms
      from clock_moves m join platforms p on p.id = m.platform_id
     where m.platform_id = ${platformId} and m.target_offset_ms > p.clock_offset_ms`);
  return move && Number(move.target_offset_ms);
}

/** The last move of the clock, in both times. From then on, the offset between them is the present one. */
export interface ClockMove {
  readonly at: Date;
  readonly recordedAt: Date;
}

/** A clock that was never moved has always been real time. */
export async function loadClockMove(tx: ReadTx): Promise<ClockMove> {
  const [row] = await tx.sql<{ clock_offset_ms: bigint; clock_moved_at: Date | null }>`
    select clock_offset_ms, clock_moved_at from platforms where id = ${tx.platformId}`;
  const offsetMs = Number(row?.clock_offset_ms ?? 0);
  const unknown = new Date(offsetMs === 0 ? 0 : tx.runtime.clock.now());
  const recordedAt = row?.clock_moved_at ?? unknown;
  return { at: new Date(recordedAt.getTime() + offsetMs), recordedAt };
}

/** Takes the lease; false while another call holds it. */
export async function leaseClock(
  { database, clock }: Runtime,
  platformId: PlatformId,
  owner: string,
): Promise<boolean> {
  const now = clock.now();
  const rows = await database.query(sql`
    update clock_moves set lease_owner = ${owner}, leased_until = ${new Date(now + CLOCK_LEASE_MS)}
     where platform_id = ${platformId} and (lease_owner is null or leased_until <= ${new Date(now)})
    returning platform_id`);
  return rows.length > 0;
}

/** Renews the lease only while it is held: a renewal that arrives after the release must not take it again. */
export async function renewClockLease(
  { database, clock }: Runtime,
  platformId: PlatformId,
  owner: string,
): Promise<void> {
  await database.query(sql`
    update clock_moves set leased_until = ${new Date(clock.now() + CLOCK_LEASE_MS)}
     where platform_id = ${platformId} and lease_owner = ${owner}`);
}

export async function releaseClock(
  { database }: Runtime,
  platformId: PlatformId,
  owner: string,
): Promise<void> {
  await database.query(sql`
    update clock_moves set lease_owner = null, leased_until = null
     where platform_id = ${platformId} and lease_owner = ${owner}`);
}
