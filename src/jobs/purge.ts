import { type Sql, sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { schedule } from '#jobs/schedule.ts';

/** A platform's first purge is scheduled by a trigger on its row (migrations/0004_jobs.sql), the next ones by itself. */
const PURGE = 'platform.purge';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH_ROWS = 1_000;
const AGAIN_MS = 1_000;

export interface PurgeOptions {
  /** Audit rows younger than 30 days cannot be deleted at all. */
  auditDays?: number;
  /** Other daily work of a platform. */
  onDay?(tx: Tx): void;
}

/**
 * Deletes what has passed its retention period, in bounded batches: if a batch was full the next one follows in a
 * second, else in a day.
 */
export function purgeHandler(options: PurgeOptions = {}): JobHandlers {
  const { auditDays = 400, onDay = () => undefined } = options;
  return {
    [PURGE]: {
      async run(tx) {
        const real = tx.runtime.clock.now();
        let isMore = false;
        for (const deletion of deletions(tx, real, auditDays)) {
          const rows = await tx.query(deletion);
          isMore ||= rows.length === BATCH_ROWS;
        }
        if (!isMore) onDay(tx);
        schedule(tx, { kind: PURGE, key: 'daily', afterMs: isMore ? AGAIN_MS : DAY_MS });
      },
    },
  };
}

/** One statement for each retention period; rows with a business time are aged in business time. */
function deletions(tx: Tx, real: number, auditDays: number): Sql[] {
  const { platformId } = tx;
  const monthAgo = new Date(real - 30 * DAY_MS);
  return [
    // platform.md §2.5: from first use.
    sql`with old as materialized (
          select platform_id, scope, key from idempotency_keys
           where platform_id = ${platformId} and created_at < ${tx.now}::timestamptz - idempotency_key_life()
           limit ${BATCH_ROWS} for update skip locked)
        delete from idempotency_keys k using old
         where k.platform_id = old.platform_id and k.scope = old.scope and k.key = old.key
        returning 1`,
    // platform.md §4.2.6: the log for 30 days; an event for 30 days after it was finished.
    sql`with old as materialized (
          select platform_id, event_id, attempt from webhook_attempts
           where platform_id = ${platformId} and at < ${monthAgo}
           limit ${BATCH_ROWS} for update skip locked)
        delete from webhook_attempts a using old
         where a.platform_id = old.platform_id and a.event_id = old.event_id and a.attempt = old.attempt
        returning 1`,
    sql`with old as materialized (
          select platform_id, id from events
           where platform_id = ${platformId} and finished_at < ${monthAgo}
           limit ${BATCH_ROWS} for update skip locked),
        log as (
          delete from webhook_attempts a using old where a.platform_id = old.platform_id and a.event_id = old.id)
        delete from events e using old where e.platform_id = old.platform_id and e.id = old.id
        returning 1`,
    ...[sql`platform_id = ${platformId}`, sql`platform_id is null`].map(
      (whose) => sql`
        with old as materialized (
          select id from audit_log where ${whose} and at < ${new Date(real - auditDays * DAY_MS)}
           limit ${BATCH_ROWS} for update skip locked)
        delete from audit_log a using old where a.id = old.id
        returning 1`,
    ),
  ];
}
