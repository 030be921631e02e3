import { randomUUID } from 'node:crypto';
import { sql } from '#database/sql.ts';
import type { ReadTx, Runtime, Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import type { Patience, Worker } from '#jobs/worker.ts';
import { refuse } from '#lib/refusals.ts';

export interface ClockReading {
  /** The platform's business time. */
  readonly now: Date;
  readonly offsetSeconds: number;
}

export function readClock(tx: ReadTx): ClockReading {
  return { now: tx.now, offsetSeconds: Math.floor(tx.platform.clockOffsetMs / 1000) };
}

/** What moving a clock needs of the worker. */
export type Settling = Pick<Worker, 'settle' | 'nextDueAt'>;

/** What one dead receiver may cost a call that moves the clock (platform.md §1.5.3), and what a dead process may. */
const RECEIVER_MS = 2_000;
const OTHERS_MS = 2_000;
const LEASE_MS = 3_000;
const TURN_MS = 20;
const TURN_MAX_MS = 120_000;

/**
 * Moves the platform's clock ahead, stopping wherever something falls due on the way and doing it at its
 * time, and returns when all has settled. The aim is committed first, so that moves at the same time add up
 * whoever makes the steps; the clock never goes back. The reply is made in that commit, which is the one
 * that an idempotency key stands for.
 */
export async function advanceClock<Reply>(
  work: Work,
  worker: Settling,
  seconds: number,
  present: (reading: ClockReading, tx: Tx) => Reply | Promise<Reply>,
): Promise<Reply> {
  let aimMs = 0;
  const reply = await work.write(async (tx) => {
    aimMs = await raiseAim(tx, seconds * 1000);
    const now = new Date(tx.runtime.clock.now() + aimMs);
    return present({ now, offsetSeconds: Math.floor(aimMs / 1000) }, tx);
  });
  await inTurn(work, () => stepTo(work, worker, aimMs));
  return reply;
}

/** Goes on with a move that was cut off, or waits for whoever makes it; nothing where the clock has arrived. */
export async function completeMove(work: Work, worker: Settling): Promise<void> {
  const [move] = await work.runtime.database.query<{ target_offset_ms: bigint }>(sql`
    select m.target_offset_ms
      from clock_moves m join platforms p on p.id = m.platform_id
     where m.platform_id = ${work.platform.id} and m.target_offset_ms > p.clock_offset_ms`);
  if (move) await inTurn(work, () => stepTo(work, worker, Number(move.target_offset_ms)));
}

async function stepTo(work: Work, worker: Settling, aimMs: number): Promise<void> {
  const { runtime, platform } = work;
  const patience: Patience = { outsideMs: RECEIVER_MS, othersMs: OTHERS_MS };
  let offsetMs = await moveOffset(runtime, platform.id, 0);
  while (offsetMs < aimMs) {
    await worker.settle(platform.id, patience);
    const now = runtime.clock.now();
    const next = await worker.nextDueAt(platform.id, new Date(now + offsetMs), patience);
    const stopMs = next === undefined ? aimMs : Math.min(next.getTime() - now, aimMs);
    offsetMs = await moveOffset(runtime, platform.id, stopMs);
  }
  await worker.settle(platform.id, patience);
}

/** Adds to where the clock is being moved to already, or else to where it stands. */
async function raiseAim(tx: Tx, byMs: number): Promise<number> {
  const [row] = await tx.sql<{ target_offset_ms: bigint }>`
    insert into clock_moves as m (platform_id, target_offset_ms)
    select p.id, p.clock_offset_ms + ${byMs}::bigint from platforms p where p.id = ${tx.platformId}
    on conflict (platform_id) do update
      set target_offset_ms = greatest(m.target_offset_ms + ${byMs}::bigint, excluded.target_offset_ms)
    returning target_offset_ms`;
  return Number(row?.target_offset_ms);
}

/** Never back: the greater of the two stands. Returns what stands. */
async function moveOffset({ database }: Runtime, platformId: string, toMs: number): Promise<number> {
  const [row] = await database.query<{ clock_offset_ms: bigint }>(sql`
    update platforms set clock_offset_ms = greatest(clock_offset_ms, ${toMs}::bigint)
     where id = ${platformId} returning clock_offset_ms`);
  return Number(row?.clock_offset_ms);
}

/** One at a time per platform, across processes; a process that dies holds the turn for one lease at most. */
async function inTurn(work: Work, steps: () => Promise<void>): Promise<void> {
  const { runtime, platform } = work;
  const owner = randomUUID();
  const began = performance.now();
  while (!(await lease(runtime, platform.id, owner))) {
    if (performance.now() - began > TURN_MAX_MS) {
      refuse('CONFLICT', 'Another call is still moving the clock. Retry when it has finished.');
    }
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
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

/** Only while it is held: one that arrives after the turn was given up must not take it again. */
async function renew({ database, clock }: Runtime, platformId: string, owner: string): Promise<void> {
  await database.query(sql`
    update clock_moves set leased_until = ${new Date(clock.now() + LEASE_MS)}
     where platform_id = ${platformId} and lease_owner = ${owner}`);
}
