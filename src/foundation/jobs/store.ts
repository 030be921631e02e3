import type { Run } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Job } from '#foundation/jobs/handlers.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** A queue with a due job. A queue is all jobs of one platform and kind. */
export interface DueQueue {
  readonly platform: Platform;
  readonly kind: string;
}

/** The position at which a walk over all queues stopped; the next walk continues there. */
export interface WalkPosition {
  readonly platformId: string;
  readonly kind: string;
}

export const WALK_START: WalkPosition = { platformId: '00000000-0000-0000-0000-000000000000', kind: '' };

/**
 * Skips from queue to queue along the index, so that the cost depends on the number of queues, never on the number of
 * pending jobs, and a long queue hides no other. One of the worker's statements that cross platforms.
 */
export async function walkQueues(
  run: Run,
  now: Date,
  after: WalkPosition,
  hopsMax: number,
): Promise<{ due: DueQueue[]; stoppedAt: WalkPosition }> {
  const rows = await run<PlatformRow & { kind: string; is_due: boolean }>(sql`
    with recursive walk as (
      (select j.platform_id, j.kind, j.due_at, 1 as hop
         from jobs j
        where (j.platform_id, j.kind) > (${after.platformId}::uuid, ${after.kind})
        order by j.platform_id, j.kind, j.due_at, j.id limit 1)
      union all
      select n.platform_id, n.kind, n.due_at, w.hop + 1
        from walk w
       cross join lateral (
         select j.platform_id, j.kind, j.due_at
           from jobs j
          where (j.platform_id, j.kind) > (w.platform_id, w.kind)
          order by j.platform_id, j.kind, j.due_at, j.id limit 1) n
       where w.hop < ${hopsMax})
    select ${PLATFORM_COLUMNS}, w.kind,
           w.due_at <= ${businessNow(now)} as is_due
      from walk w join platforms p on p.id = w.platform_id
     order by w.hop`);
  const last = rows.length === hopsMax ? rows.at(-1) : undefined;
  return {
    due: rows.filter((row) => row.is_due).map((row) => ({ platform: toPlatform(row), kind: row.kind })),
    stoppedAt: last ? { platformId: last.id, kind: last.kind } : WALK_START,
  };
}

/** Lists those of these jobs that are pending, the earliest first. */
export function listWaiting(
  tx: ReadTx,
  jobs: readonly { readonly kind: string; readonly key: string }[],
): Promise<{ kind: string; due_at: Date; attempts: number; last_error: string | null }[]> {
  const kinds = jobs.map(({ kind }) => kind);
  const keys = jobs.map(({ key }) => key);
  return tx.sql`
    select j.kind, j.due_at, j.attempts, j.last_error
      from unnest(${kinds}::text[], ${keys}::text[]) as asked (kind, key)
      join jobs j on j.platform_id = ${tx.platformId} and j.kind = asked.kind and j.key = asked.key
     order by j.due_at, j.id`;
}

/** Finds one platform's queues with a due job, earliest first; `dueAt` is the earliest job's time. */
export async function listDueQueues(
  run: Run,
  platformId: string,
  now: Date,
): Promise<(DueQueue & { dueAt: Date })[]> {
  const rows = await run<PlatformRow & { kind: string; due_at: Date }>(sql`
    select ${PLATFORM_COLUMNS}, w.kind, w.due_at
      from (${queueHeads(platformId)}) w join platforms p on p.id = ${platformId}
     where w.due_at <= ${businessNow(now)}
     order by w.due_at`);
  return rows.map((row) => ({ platform: toPlatform(row), kind: row.kind, dueAt: row.due_at }));
}

/**
 * When the platform's next job becomes due, ignoring jobs that are already due or failed before: a moved clock does not
 * stop at every retry of a failing job.
 */
export async function nextJobAt(run: Run, platformId: string, after: Date): Promise<Date | undefined> {
  const [row] = await run<{ due_at: Date | null }>(sql`
    select min(n.due_at) as due_at
      from (${queueHeads(platformId)}) w
     cross join lateral (
       select j.due_at from jobs j
        where j.platform_id = ${platformId} and j.kind = w.kind and j.due_at > ${after} and j.attempts = 0
        order by j.due_at limit 1) n`);
  return row?.due_at ?? undefined;
}

/** The earliest job of each of a platform's queues. */
function queueHeads(platformId: string): Sql {
  return sql`
    with recursive heads as (
      (select j.kind, j.due_at from jobs j where j.platform_id = ${platformId}
        order by j.kind, j.due_at, j.id limit 1)
      union all
      select n.kind, n.due_at
        from heads h
       cross join lateral (
         select j.kind, j.due_at from jobs j
          where j.platform_id = ${platformId} and j.kind > h.kind
          order by j.kind, j.due_at, j.id limit 1) n)
    select kind, due_at from heads`;
}

function businessNow(now: Date): Sql {
  return sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`;
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
function dueRows(platformId: string, take: JobSelection, now: Date, real: Date): Sql {
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
  readonly platformId: string;
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
  readonly platformId: string;
  readonly kind: string;
  readonly key: string;
}

/** The statement that deletes pending jobs by their keys; a running job is skipped. */
export function cancelJobs(jobs: readonly CancelledJob[]): Sql {
  return sql`
    delete from jobs j
     using (
       select d.platform_id, d.id
         from unnest(${jobs.map((job) => job.platformId)}::uuid[], ${jobs.map((job) => job.kind)}::text[],
                     ${jobs.map((job) => job.key)}::text[]) as c (platform_id, kind, key)
        cross join lateral (
          select w.platform_id, w.id from jobs w
           where w.platform_id = c.platform_id and w.kind = c.kind and w.key = c.key
             for update skip locked) d) gone
     where j.platform_id = gone.platform_id and j.id = gone.id`;
}

/** The statement that writes new jobs (schedule.sql). */
export function scheduleJobs(jobs: readonly ScheduledJob[]): Sql {
  return sql`select jobs_schedule(
    ${jobs.map((job) => job.platformId)}, ${jobs.map((job) => job.kind)}, ${jobs.map((job) => job.key)},
    ${jobs.map((job) => job.payload)}, ${jobs.map((job) => job.dueAt)}, ${jobs.map((job) => job.now)},
    ${jobs.map((job) => job.traceparent)})`;
}
