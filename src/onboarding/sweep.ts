import type { Tx } from '#database/tx.ts';
import { schedule } from '#jobs/schedule.ts';

export const SWEEP_JOB = 'onboarding.sweep';
export const SWEEP_SOON_MS = 1_000;

const DAY_MS = 24 * 3_600_000;

/** One sweep waits at a time; the first link of a platform starts the round. */
export function scheduleSweep(tx: Tx, afterMs = DAY_MS): void {
  schedule(tx, { kind: SWEEP_JOB, key: 'links', afterMs });
}
