import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { type CancelledJob, cancelJobs, type ScheduledJob, scheduleJobs } from '#foundation/jobs/store.ts';
import { traceparent } from '#foundation/lib/tracing.ts';

export interface NewJob {
  /** Names the handler that src/foundation/manifest.ts lists, for example `payments.pay`. */
  readonly kind: string;
  /** Ids and options; never a secret or personal data, because it is stored unencrypted. */
  readonly payload?: unknown;
  /** While a job with this key waits, scheduling the same kind and key again does nothing. */
  readonly key?: string;
}

/** When, in the platform's business time. */
export type When = { readonly dueAt: Date } | { readonly afterMs: number };

/**
 * Schedules a job in the same commit. It takes effect exactly once, at its time or as soon after as a worker is free.
 * Jobs of different times or kinds may overtake each other. So a handler checks the state it finds, and if one step must
 * follow another, the first one schedules the second.
 */
export function schedule(changes: Changes, job: NewJob & When): void {
  const { platformId, now } = changes;
  const dueAt = 'dueAt' in job ? job.dueAt : new Date(now.getTime() + job.afterMs);
  const { kind, payload = {}, key } = job;
  changes.collect(JOBS, {
    does: 'schedule',
    platformId,
    now,
    kind,
    key,
    dueAt,
    payload: JSON.stringify(payload),
    traceparent: traceparent(),
  });
}

/** Deletes the pending job with the key; a job that is running right now checks the state it finds. */
export function cancelJob(changes: Changes, kind: string, key: string): void {
  changes.collect(JOBS, { does: 'cancel', platformId: changes.platformId, kind, key });
}

export type JobChange =
  | ({ readonly does: 'schedule' } & ScheduledJob)
  | ({ readonly does: 'cancel' } & CancelledJob);

/** The only writer of new jobs (schedule.sql). */
export const JOBS: Writer<JobChange> = {
  name: 'jobs',
  stage: 'jobs',
  // A job that is due later is found when the worker polls.
  wakes: (step) =>
    step.does === 'schedule' && step.dueAt.getTime() <= step.now.getTime() ? 'jobs' : undefined,
  write(steps) {
    const { cancelled, scheduled } = netEffect(steps);
    return [
      ...(cancelled.length > 0 ? [cancelJobs(cancelled)] : []),
      ...(scheduled.length > 0 ? [scheduleJobs(scheduled)] : []),
    ];
  },
};

/** The combined effect of the steps in order: the first job of a key counts until it is cancelled. */
function netEffect(steps: readonly JobChange[]): { cancelled: CancelledJob[]; scheduled: ScheduledJob[] } {
  const cancelled = new Map<string, CancelledJob>();
  const keyed = new Map<string, ScheduledJob>();
  const unkeyed: ScheduledJob[] = [];
  for (const step of steps) {
    const name = `${step.platformId} ${step.kind} ${step.key}`;
    if (step.does === 'cancel') {
      cancelled.set(name, step);
      keyed.delete(name);
    } else if (step.key === undefined) {
      unkeyed.push(step);
    } else if (!keyed.has(name)) {
      keyed.set(name, step);
    }
  }
  const sorted = inLockOrder(keyed, ([name]) => name).map(([, job]) => job);
  return { cancelled: [...cancelled.values()], scheduled: [...sorted, ...unkeyed] };
}
