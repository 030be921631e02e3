import { randomUUID } from 'node:crypto';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import {
  CLOCK_LEASE_MS,
  findUnreachedTarget,
  leaseClock,
  moveOffset,
  raiseTarget,
  raiseTargetTo,
  releaseClock,
  renewClockLease,
} from '#foundation/jobs/clock-store.ts';
import type { WaitBudget, Worker } from '#foundation/jobs/worker.ts';
import { refuse } from '#foundation/lib/refusals.ts';

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

/** How long a dead receiver or a dead process may delay a call that moves the clock (platform.md §1.5.3). */
const RECEIVER_MS = 2_000;
const PROCESSES_MS = 2_000;
const LEASE_POLL_MS = 20;
const LEASE_WAIT_MAX_MS = 120_000;

/**
 * Moves the platform's clock ahead, stops whenever work falls due on the way to do it at its time, and returns when
 * nothing more is due. The target is committed first, so that concurrent calls add up, whichever of them makes the steps;
 * the clock never goes back. The reply is made in that commit, which the idempotency key covers.
 */
export async function advanceClock<Reply>(
  work: Work,
  worker: SettlingWorker,
  seconds: number,
  present: (reading: ClockReading, tx: Tx) => Reply | Promise<Reply>,
): Promise<Reply> {
  return move(work, worker, (tx) => raiseTarget(tx, seconds * 1000), present);
}

/**
 * Moves the clock to the moment that `choose` returns, never further: of calls at the same time, each moves it at most to
 * the moment that it has chosen. Due work is done first, because it may schedule what comes next.
 */
export async function advanceClockTo<Reply>(
  work: Work,
  worker: SettlingWorker,
  choose: (tx: ReadTx) => Promise<Date>,
  present: (reading: ClockReading, tx: Tx) => Reply | Promise<Reply>,
): Promise<Reply> {
  await worker.settle(work.platform.id, { outboundMs: RECEIVER_MS, processesMs: PROCESSES_MS });
  const raise = async (tx: Tx) => {
    const moment = await choose(tx);
    return raiseTargetTo(tx, moment.getTime() - tx.runtime.clock.now());
  };
  return move(work, worker, raise, present);
}

/** `raise` commits the new target, and returns the offset to which this call moves the clock. */
async function move<Reply>(
  work: Work,
  worker: SettlingWorker,
  raise: (tx: Tx) => Promise<number>,
  present: (reading: ClockReading, tx: Tx) => Reply | Promise<Reply>,
): Promise<Reply> {
  let targetMs = 0;
  const reply = await work.write(async (tx) => {
    targetMs = await raise(tx);
    const now = new Date(tx.runtime.clock.now() + targetMs);
    return present({ now, offsetSeconds: Math.floor(targetMs / 1000) }, tx);
  });
  await withClockLease(work, () => stepTo(work, worker, targetMs));
  return reply;
}

/** Continues an interrupted move, or waits for the process that makes it; does nothing if the target is reached. */
export async function finishAdvance(work: Work, worker: SettlingWorker): Promise<void> {
  const targetMs = await findUnreachedTarget(work.runtime, work.platform.id);
  if (targetMs !== undefined) await withClockLease(work, () => stepTo(work, worker, targetMs));
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

/**
 * Allows one move at a time per platform, across processes; a process that dies blocks the others for one lease at most.
 */
async function withClockLease(work: Work, steps: () => Promise<void>): Promise<void> {
  const { runtime, platform } = work;
  const owner = randomUUID();
  const began = performance.now();
  while (!(await leaseClock(runtime, platform.id, owner))) {
    if (performance.now() - began > LEASE_WAIT_MAX_MS) {
      refuse('CONFLICT', 'Another call is still moving the clock. Retry when it has finished.');
    }
    await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS));
  }
  const renewal = setInterval(() => {
    // A failed renewal leaves the lease unchanged; the next one follows soon.
    renewClockLease(runtime, platform.id, owner).catch(() => undefined);
  }, CLOCK_LEASE_MS / 3);
  try {
    await steps();
  } finally {
    clearInterval(renewal);
    await releaseClock(runtime, platform.id, owner);
  }
}
