import type { ReadTx } from '#foundation/database/tx.ts';
import type { Item, KnownJob, Tracked } from '#foundation/explanation/explanation.ts';
import { listWaiting } from '#foundation/jobs/store.ts';

/** The jobs of a transaction: those in the queue are due, and those that have left it are done. */
export async function readJobs(tx: ReadTx, { explained }: Tracked): Promise<readonly Item[]> {
  const { jobs } = explained;
  if (jobs.length === 0) return [];
  const waiting = await listWaiting(tx, jobs);
  return jobs.flatMap((job) => {
    const due = waiting.find(({ kind, key }) => kind === job.kind && key === job.key);
    if (due) return [dueJob(job, due, tx.now)];
    return job.scheduledAt ? [doneJob(job, job.scheduledAt)] : [];
  });
}

type WaitingJob = Awaited<ReturnType<typeof listWaiting>>[number];

function dueJob(job: KnownJob, { due_at, attempts, last_error }: WaitingJob, now: Date): Item {
  const isLate = due_at.getTime() <= now.getTime();
  const failed =
    attempts > 0
      ? ` It has failed ${attempts === 1 ? 'once' : `${attempts} times`}, and will be retried.`
      : '';
  return {
    kind: 'job',
    at: due_at,
    actor: { kind: 'SERVICE' },
    title: `${isLate ? 'Due now' : 'Due later'}: ${job.title}.${failed}`,
    details: { job: job.kind, state: 'DUE', dueAt: due_at.toISOString(), attempts },
    ...(last_error !== null && { forOperators: { lastError: last_error } }),
  };
}

function doneJob(job: KnownJob, at: Date): Item {
  return {
    kind: 'job',
    at,
    actor: { kind: 'SERVICE' },
    title: `Done: ${job.title}.`,
    details: { job: job.kind, state: 'DONE' },
  };
}
