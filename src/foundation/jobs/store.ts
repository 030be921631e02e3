import { type ItemColumns, statementOver } from '#foundation/database/row-sets.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Job } from '#foundation/jobs/handlers.ts';
import type { QueueTable } from '#foundation/jobs/queues-store.ts';

/**
 * Each kind is a lane, so that a kind that fails or hangs delays no other. A moved clock does not stop at the retries of a
 * failing job.
 */
export const JOB_QUEUES: QueueTable = {
  ...{ table: sql`jobs`, key: sql`id`, keyType: sql`bigint` },
  ...{ lane: sql`kind`, stops: sql`j.attempts = 0` },
};

/** Lists those of these jobs that are pending, the earliest first. */
export function listWaiting(
  tx: ReadTx,
  jobs: readonly { readonly kind: string; readonly key: string }[],
): Promise<{ kind: string; key: string; due_at: Date; attempts: number; last_error: string | null }[]> {
  const kinds = jobs.map(({ kind }) => kind);
  const keys = jobs.map(({ key }) => key);
  return tx.sql`
    select j.kind, j.key, j.due_at, j.attempts, j.last_error
      from unnest(${kinds}::text[], ${keys}::text[]) as asked (kind, key)
      join jobs j on j.platform_id = ${tx.platformId} and j.kind = asked.kind and j.key = asked.key
     order by j.due_at, j.id`;
}

interface JobRow {
  id: bigint;
  kind: string;
  key: string | null;
  payload: unknown;
  due_at: Date;
  attempts: number;
  traceparent: string | null;
}

export interface JobSelection {
  readonly kind: string;
  readonly limit: number;
  /** Only this job. */
  readonly id?: bigint;
  /** Only jobs due until then; default: now. */
  readonly dueUntil?: Date;
}

/** Takes due jobs for this transaction by deleting them: a rollback restores them. */
export async function takeJobs(tx: Tx, take: JobSelection): Promise<Job[]> {
  const rows = await tx.query<JobRow>(sql`
    with due as materialized (${dueRows(tx.platformId, take, tx.now, realNow(tx))})
    delete from jobs j using due where j.platform_id = due.platform_id and j.id = due.id
    returning j.id, j.kind, j.key, j.payload, j.due_at, j.attempts, j.traceparent`);
  return inDueOrder(rows);
}

/** Leases due jobs until `until` (real time), for an outbound call. */
export async function leaseJobs(tx: Tx, take: JobSelection, owner: string, until: Date): Promise<Job[]> {
  const rows = await tx.query<JobRow>(sql`
    with due as materialized (${dueRows(tx.platformId, take, tx.now, realNow(tx))})
    update jobs j set lease_owner = ${owner}, leased_until = ${until}
      from due where j.platform_id = due.platform_id and j.id = due.id
    returning j.id, j.kind, j.key, j.payload, j.due_at, j.attempts, j.traceparent`);
  return inDueOrder(rows);
}

/** Deletes leased jobs in the commit of their effect; false if a lease expired and another process has the job now. */
export async function endLease(tx: Tx, ids: readonly bigint[], owner: string): Promise<boolean> {
  const rows = await tx.sql`
    delete from jobs where platform_id = ${tx.platformId} and id = any(${ids}::bigint[]) and lease_owner = ${owner}
    returning id`;
  return rows.length === ids.length;
}

/** Finds those of these jobs that this owner still leases. */
export async function findLeased(tx: ReadTx, jobs: readonly Job[], owner: string): Promise<Job[]> {
  const rows = await tx.sql<{ id: bigint }>`
    select id from jobs
     where platform_id = ${tx.platformId} and id = any(${jobs.map(({ id }) => id)}::bigint[])
       and lease_owner = ${owner}`;
  const ids = new Set(rows.map(({ id }) => id));
  return jobs.filter(({ id }) => ids.has(id));
}

/** Postpones a failed job, so that it does not block the others. */
export async function postponeJob(tx: Tx, job: Job, delayMs: number, error: string): Promise<void> {
  await tx.sql`
    update jobs
       set attempts = ${job.attempts + 1}, last_error = ${error}, lease_owner = null, leased_until = null,
           due_at = ${new Date(tx.now.getTime() + delayMs)}
     where platform_id = ${tx.platformId} and id = ${job.id} and attempts = ${job.attempts}`;
}

/** Selects the whole primary key, so that rows are looked up by it whatever a plan assumes about the table's size. */
function dueRows(platformId: PlatformId, take: JobSelection, now: Date, real: Date): Sql {
  const only = take.id === undefined ? sql`true` : sql`c.id = ${take.id}`;
  return sql`
    select c.platform_id, c.id from jobs c
     where c.platform_id = ${platformId} and c.kind = ${take.kind} and c.due_at <= ${take.dueUntil ?? now}
       and (c.leased_until is null or c.leased_until <= ${real}) and ${only}
     order by c.due_at, c.id
     limit ${take.limit}
       for update skip locked`;
}

function realNow(tx: Tx): Date {
  return new Date(tx.runtime.clock.now());
}

function inDueOrder(rows: JobRow[]): Job[] {
  return rows
    .map(({ due_at: dueAt, ...row }) => ({ ...row, dueAt }))
    .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** A job to be written. */
export interface ScheduledJob {
  readonly platformId: PlatformId;
  readonly now: Date;
  readonly kind: string;
  readonly key: string | undefined;
  readonly dueAt: Date;
  readonly payload: string;
  /** The trace in which it was scheduled. */
  readonly traceparent: string | null;
}

/** The key of a job to delete if it is still pending. */
export interface CancelledJob {
  readonly platformId: PlatformId;
  readonly kind: string;
  readonly key: string;
}

/** The statement that deletes pending jobs by their keys; a running job is skipped. */
export const cancelJobs = statementOver<CancelledJob>(
  {
    platform_id: ['uuid', (job) => job.platformId],
    kind: ['text', (job) => job.kind],
    key: ['text', (job) => job.key],
  },
  ({ rows }) => `
    delete from jobs j
     using (
       select d.platform_id, d.id
         from ${rows}
        cross join lateral (
          select w.platform_id, w.id from jobs w
           where w.platform_id = r.platform_id and w.kind = r.kind and w.key = r.key
             for update skip locked) d) gone
     where j.platform_id = gone.platform_id and j.id = gone.id`,
);

const JOB_COLUMNS: ItemColumns<ScheduledJob> = {
  platform_id: ['uuid', (job) => job.platformId],
  kind: ['text', (job) => job.kind],
  key: ['text', (job) => job.key],
  payload: ['jsonb', (job) => job.payload],
  due_at: ['timestamptz', (job) => job.dueAt],
  created_at: ['timestamptz', (job) => job.now],
  traceparent: ['text', (job) => job.traceparent],
};

/** Writes one new job (schedule.sql). */
const scheduleOne = statementOver<ScheduledJob>(
  JOB_COLUMNS,
  ({ rows }) =>
    `select job_schedule(r.platform_id, r.kind, r.key, r.payload, r.due_at, r.created_at, r.traceparent) from ${rows}`,
);

/** Writes several jobs in one insert. Only jobs whose keys are already pending are then scheduled one by one. */
const scheduleSet = statementOver<ScheduledJob>(
  JOB_COLUMNS,
  ({ rows, count }) => `
    with given as (select * from ${rows}),
    written as (
      insert into jobs (platform_id, kind, key, payload, due_at, created_at, traceparent)
      select * from given
          on conflict (platform_id, kind, key) where key is not null do nothing
      returning platform_id, kind, key)
    select job_schedule(g.platform_id, g.kind, g.key, g.payload, g.due_at, g.created_at, g.traceparent)
      from given g
     where (select count(*) from written) < ${count} and g.key is not null
       and not exists (
         select from written w where w.platform_id = g.platform_id and w.kind = g.kind and w.key = g.key)`,
);

/** Returns the statement that writes new jobs. */
export function scheduleJobs(jobs: readonly ScheduledJob[]): Sql {
  return (jobs.length === 1 ? scheduleOne : scheduleSet)(jobs);
}
