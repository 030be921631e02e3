import { randomUUID } from 'node:crypto';
import { sql } from '#database/sql.ts';
import type { ReadTx, Runtime, Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import type { WaitBudget, Worker } from '#jobs/worker.ts';
import { refuse } from '#lib/refusals.ts';

export interface ClockReading {
  /** The platform's business time. */
  readonly now: Date;
  readonly offsetSeconds: number;
}

export function readClock(tx: ReadTx): ClockReading {
  return { now: tx.now, offsetSeconds: Math.floor(tx.platform.clockOffsetMs / 1000) };
}

/** The part of the worker that moving a clock needs. */
export type SettlingWorker = Pick<Worker, 'settle' | 'nextDueAt'>;

/** How long a dead receiver, and a dead process, may delay a call that moves the clock (platform.md §1.5.3). */
const RECEIVER_MS = 2_000;
const PROCESSES_MS = 2_000;
const LEASE_MS = 3_000;
const LEASE_POLL_MS = 20;
const LEASE_WAIT_MAX_MS = 120_000;

/**
 * Moves the platform's clock ahead, stops whenever something falls due on the way to do it at its time, and returns when
 * nothing more is due. The target is committed first, so that concurrent calls add up, whichever of them makes the
 * steps; the clock never goes back. The reply is made in that commit, which is the one that the idempotency key covers.
 */
export async function advanceClock<Reply>(
  work: Work,
  worker: SettlingWorker,
  seconds: number,
  present: (reading: ClockReading, tx: Tx) => Reply | Promise<Reply>,
): Promise<Reply> {
  let targetMs = 0;
  const reply = await work.write(async (tx) => {
    targetMs = await raiseTarget(tx, seconds * 1000);
    const now = new Date(tx.runtime.clock.now() + targetMs);
    return present({ now, offsetSeconds: Math.floor(targetMs / 1000) }, tx);
  });
  await withClockLease(work, () => stepTo(work, worker, targetMs));
  return reply;
}

/** Continues an interrupted move, or waits for the process that makes it; does nothing if the clock has arrived. */
export async function finishAdvance(work: Work, worker: SettlingWorker): Promise<void> {
  const [move] = await work.runtime.database.query<{ target_offset_ms: bigint }>(sql`
    select m.target_offset_ms
      from clock_moves m join platforms p on p.id = m.platform_id
     where m.platform_id = ${work.platform.id} and m.target_offset_ms > p.clock_offset_ms`);
  if (move) await withClockLease(work, () => stepTo(work, worker, Number(move.target_offset_ms)));
}

async function stepTo(work: Work, worker: SettlingWorker, targetMs: number): Promise<void> {
  const { runtime, platform } = work;
  const budget: WaitBudget = { outboundMs: RECEIVER_MS, processesMs: PROCESSES_MS };
  let offsetMs = await moveOffset(runtime, platform.id, 0);
  while (offsetMs < targetMs) {
    await worker.settle(platform.id, budget);
    const now = runtime.clock.now();
    const next = await worker.nextDueAt(platform.id, new Date(now + offsetMs), budget);
    const stopMs = next === undefined ? targetMs : Math.min(next.getTime() - now, targetMs);
    offsetMs = await moveOffset(runtime, platform.id, stopMs);
  }
  await worker.settle(platform.id, budget);
}

/** Adds to the target of a move that is under way, or else to the current offset. */
async function raiseTarget(tx: Tx, byMs: number): Promise<number> {
  const [row] = await tx.sql<{ target_offset_ms: bigint }>`
    insert into clock_moves as m (platform_id, target_offset_ms)
    select p.id, p.clock_offset_ms + ${byMs}::bigint from platforms p where p.id = ${tx.platformId}
    on conflict (platform_id) do update
      set target_offset_ms = greatest(m.target_offset_ms + ${byMs}::bigint, excluded.target_offset_ms)
    returning target_offset_ms`;
  return Number(row?.target_offset_ms);
}

/** Never back: keeps the greater offset, and returns it. */
async function moveOffset({ database }: Runtime, platformId: string, toMs: number): Promise<number> {
  const [row] = await database.query<{ clock_offset_ms: bigint }>(sql`
    update platforms set clock_offset_ms = greatest(clock_offset_ms, ${toMs}::bigint)
     where id = ${platformId} returning clock_offset_ms`);
  return Number(row?.clock_offset_ms);
}

/** One move at a time per platform, across processes; a process that dies blocks the others for one lease at most. */
async function withClockLease(work: Work, steps: () => Promise<void>): Promise<void> {
  const { runtime, platform } = work;
  const owner = randomUUID();
  const began = performance.now();
  while (!(await lease(runtime, platform.id, owner))) {
    if (performance.now() - began > LEASE_WAIT_MAX_MS) {
      refuse('CONFLICT', 'Another call is still moving the clock. Retry when it has finished.');
    }
    await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS));
  }
  const renewal = setInterval(() => {
    // A renewal that fails leaves the lease as it is; the next one is soon.
    renew(runtime, platform.id, owner).catch(() => undefined);
  }, LEASE_MS / 3);
  try {
    await steps();
  } finally {
    clearInterval(renewal);
    await runtime.database.query(sql`
      update clock_moves set lease_owner = null, leased_until = null
       where platform_id = ${platform.id} and lease_owner = ${owner}`);
  }
}

async function lease({ database, clock }: Runtime, platformId: string, owner: string): Promise<boolean> {
  const now = clock.now();
  const rows = await database.query(sql`
    update clock_moves set lease_owner = ${owner}, leased_until = ${new Date(now + LEASE_MS)}
     where platform_id = ${platformId} and (lease_owner is null or leased_until <= ${new Date(now)})
    returning platform_id`);
  return rows.length > 0;
}

/** Only while it is held: a renewal that arrives after the release must not take the lease again. */
async function renew({ database, clock }: Runtime, platformId: string, owner: string): Promise<void> {
  await database.query(sql`
    update clock_moves set leased_until = ${new Date(clock.now() + LEASE_MS)}
     where platform_id = ${platformId} and lease_owner = ${owner}`);
}
