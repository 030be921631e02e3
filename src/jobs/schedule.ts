import type { Collector, Tx } from '#database/tx.ts';

export interface NewJob {
  /** Names the handler that parts.ts lists, for example `payments.pay`. */
  readonly kind: string;
  /** Ids and choices; never a secret or personal data: it is stored as it is. */
  readonly payload?: unknown;
  /** While a job with this key waits, scheduling the same kind and key again does nothing. */
  readonly key?: string;
}

/** When, in the platform's business time. */
export type When = { readonly dueAt: Date } | { readonly afterMs: number };

/**
 * Work for later, committed with this transaction's effect. It is done exactly once in effect, at its time
 * or as soon after as a worker is there; jobs of different times or kinds may overtake each other, so a
 * handler checks the state it finds, and a step that must follow another is scheduled by that other.
 */
export function schedule(tx: Tx, job: NewJob & When): void {
  const dueAt = 'dueAt' in job ? job.dueAt : new Date(tx.now.getTime() + job.afterMs);
  const { kind, payload = {}, key } = job;
  tx.collect(JOBS, { does: 'schedule', kind, key, dueAt, payload: JSON.stringify(payload) });
}

/** Takes back what still waits under the key; one that is being done right now is waited for, and stays done. */
export function cancelJob(tx: Tx, kind: string, key: string): void {
  tx.collect(JOBS, { does: 'cancel', kind, key });
}

type Step =
  | { does: 'schedule'; kind: string; key: string | undefined; dueAt: Date; payload: string }
  | { does: 'cancel'; kind: string; key: string };

type Scheduled = Extract<Step, { does: 'schedule' }>;

const JOBS: Collector<Step> = {
  name: 'jobs',
  async write(tx, steps) {
    const { cancelled, scheduled } = netEffect(steps);
    if (cancelled.length > 0) await removeJobs(tx, cancelled);
    if (scheduled.length === 0) return;
    await insertJobs(tx, scheduled);
    // One that is due later is found by the worker's own look.
    if (scheduled.some((job) => job.dueAt.getTime() <= tx.now.getTime())) {
      tx.afterCommit(() => tx.surroundings.wakeWorker());
    }
  },
};

/** What the steps of one transaction come to, taken in order: the first of a key counts until it is cancelled. */
function netEffect(steps: readonly Step[]): {
  cancelled: { kind: string; key: string }[];
  scheduled: Scheduled[];
} {
  const cancelled = new Map<string, { kind: string; key: string }>();
  const keyed = new Map<string, Scheduled>();
  const unkeyed: Scheduled[] = [];
  for (const step of steps) {
    const name = nameOf(step);
    if (step.does === 'cancel') {
      cancelled.set(name, { kind: step.kind, key: step.key });
      keyed.delete(name);
    } else if (step.key === undefined) {
      unkeyed.push(step);
    } else if (!keyed.has(name)) {
      keyed.set(name, step);
    }
  }
  // In one order, so that two transactions with the same keys wait for each other instead of locking up.
  const sorted = [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, job]) => job);
  return { cancelled: [...cancelled.values()], scheduled: [...sorted, ...unkeyed] };
}

async function removeJobs(tx: Tx, jobs: { kind: string; key: string }[]): Promise<void> {
  await tx.sql`
    delete from jobs j
     using unnest(${jobs.map((job) => job.kind)}::text[], ${jobs.map((job) => job.key)}::text[]) as c(kind, key)
     where j.platform_id = ${tx.platformId} and j.kind = c.kind and j.key = c.key`;
}

/**
 * What waits already under a key is held, so that nobody does it before this commit, which counts on it; those who
 * count on the same do not wait for each other. What was done in between is scheduled anew.
 */
async function insertJobs(tx: Tx, jobs: Scheduled[]): Promise<void> {
  for (let wanted = jobs; wanted.length > 0; ) {
    const inserted = namesOf(await insertNew(tx, wanted));
    const known = wanted.filter((job) => job.key !== undefined && !inserted.has(nameOf(job)));
    const held = known.length > 0 ? namesOf(await holdKnown(tx, known)) : inserted;
    wanted = known.filter((job) => !held.has(nameOf(job)));
  }
}

interface Named {
  readonly kind: string;
  readonly key: string | null | undefined;
}

function nameOf({ kind, key }: Named): string {
  return JSON.stringify([kind, key]);
}

function namesOf(jobs: readonly Named[]): Set<string> {
  return new Set(jobs.map(nameOf));
}

function insertNew(tx: Tx, jobs: readonly Scheduled[]): Promise<Named[]> {
  return tx.sql<Named>`
    insert into jobs (platform_id, kind, key, payload, due_at, created_at)
    select ${tx.platformId}, t.kind, t.key, t.payload, t.due_at, ${tx.now}
      from unnest(
        ${jobs.map((job) => job.kind)}::text[],
        ${jobs.map((job) => job.key ?? null)}::text[],
        ${jobs.map((job) => job.payload)}::jsonb[],
        ${jobs.map((job) => job.dueAt)}::timestamptz[]
      ) with ordinality as t(kind, key, payload, due_at, place)
     order by t.place
    on conflict (platform_id, kind, key) where key is not null do nothing
    returning kind, key`;
}

function holdKnown(tx: Tx, jobs: readonly Scheduled[]): Promise<Named[]> {
  return tx.sql<Named>`
    select j.kind, j.key from jobs j
      join unnest(${jobs.map((job) => job.kind)}::text[], ${jobs.map((job) => job.key)}::text[]) as c(kind, key)
        on j.kind = c.kind and j.key = c.key
     where j.platform_id = ${tx.platformId}
     order by j.id
       for key share of j`;
}
