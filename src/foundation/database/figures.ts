import type { Database, Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';

/** No statement runs longer than a scraper waits. */
const STATEMENT_MAX_MS = 3_000;

/**
 * Runs statements that count over all platforms along indexes. A plan made while the tables were small must not read whole
 * tables later, nor sort all waiting rows for a few of them.
 */
export function readingFigures<T>(
  database: Pick<Database, 'transaction'>,
  steps: (run: Run) => Promise<T>,
  statementMaxMs = STATEMENT_MAX_MS,
): Promise<T> {
  return database.transaction(async (run) => {
    await run(sql`
      select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_sort', 'off', true), set_config('jit', 'off', true), set_config('statement_timeout', ${String(statementMaxMs)}, true)`);
    return steps(run);
  });
}

/** The business time of platform `p`. */
export function businessNow(now: Date): Sql {
  return sql`${now}::timestamptz + p.clock_offset_ms * interval '1 millisecond'`;
}

/**
 * The seconds for which a process could have done the work that was due at this business time: at most those since the
 * platform's clock was last moved, however far.
 */
export function unmovedAge(now: Date, since: Sql): Sql {
  return sql`least(extract(epoch from ${businessNow(now)} - ${since}),
                   extract(epoch from ${now}::timestamptz - p.clock_moved_at))`;
}
