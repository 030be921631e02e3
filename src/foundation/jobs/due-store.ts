import { type Sql, sql } from '#foundation/database/sql.ts';
import type { DueItem, DueRange, DueSource } from '#foundation/jobs/due.ts';
import type { DueFact, Job, JobDeclarations } from '#foundation/jobs/handlers.ts';
import { endOfSecond } from '#foundation/lib/clock.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** The pending jobs whose meaning is a sentence, read kind by kind along the index of due jobs. */
export function jobsDue(declarations: JobDeclarations): DueSource {
  const kinds = Object.keys(declarations).filter((kind) => typeof declarations[kind]?.due === 'function');
  return {
    name: 'jobs',
    async list(tx, { from, afterKey = '-1', limit }) {
      const rows = await tx.sql<Omit<Job, 'dueAt'> & { due_at: Date }>`
        select j.id, j.kind, j.key, j.payload, j.due_at, j.attempts
          from unnest(${kinds}::text[]) as listed (kind)
         cross join lateral (
           select w.id, w.kind, w.key, w.payload, w.due_at, w.attempts
             from jobs w
            where w.platform_id = ${tx.platformId} and w.kind = listed.kind
              and (w.due_at, w.id) > (${from}::timestamptz, ${afterKey}::bigint)
            order by w.due_at, w.id
            limit ${limit}) j
         order by j.due_at, j.id
         limit ${limit}`;
      return rows.flatMap(({ due_at: dueAt, ...row }) => {
        const job: Job = { ...row, dueAt };
        const meaning = declarations[job.kind]?.due;
        if (typeof meaning !== 'function') return [];
        return [{ ...meaning(job, tx.ports), dueAt, key: `${job.id}` }].map((item) => retold(job, item));
      });
    },
  };
}

function retold({ attempts }: Job, item: DueItem): DueItem {
  return attempts === 0 ? item : { ...item, sentence: `${item.sentence} It failed before and is retried.` };
}

/** Rows with a time at which something happens to them, by a job or because a reader compares the time. */
export interface TimedRows<Row> {
  readonly name: string;
  /** The table, as `t`, with `platform_id`, and an index over the platform and the time. */
  readonly from: Sql;
  /** The column with the time, and further ones that the sentence needs. */
  readonly at: Sql;
  readonly columns: Sql;
  /** A unique column, a UUID; default: `t.id`. */
  readonly id?: Sql;
  /** The rows whose time has not come yet. */
  readonly where: Sql;
  /** A job looks for these rows at the end of each second, so that is when it happens. */
  readonly isBySecond?: boolean;
  tell(row: Row): DueFact;
}

/** A source of what happens to rows. */
export function rowsDue<Row extends object>(rows: TimedRows<Row & { id: string; at: Date }>): DueSource {
  const { name, from, at, columns, where, tell } = rows;
  const { id = sql`t.id`, isBySecond = false } = rows;
  return {
    name,
    async list(tx, range) {
      const start = startOf(range, isBySecond);
      const found = await tx.sql<Row & { id: string; at: Date }>`
        select ${id} as id, ${at} as at, ${columns}
          from ${from}
         where t.platform_id = ${tx.platformId} and ${where}
           and ${at} >= ${start.at} and (${at}, ${id}) > (${start.at}::timestamptz, ${start.id}::uuid)
         order by ${at}, ${id}
         limit ${range.limit}`;
      return found.map((row) => ({
        ...tell(row),
        dueAt: isBySecond ? endOfSecond(row.at) : row.at,
        key: `${row.at.toISOString()} ${row.id}`,
      }));
    },
  };
}

/** The first row's time and id, or those of the row before it. */
function startOf({ from, afterKey }: DueRange, isBySecond: boolean): { at: Date; id: string } {
  if (afterKey !== undefined) {
    const [at = '', id = ''] = afterKey.split(' ');
    return { at: new Date(at), id };
  }
  // The row of an end of a second is up to a second older.
  return { at: isBySecond ? new Date(endOfSecond(from).getTime() - 999) : from, id: NIL_ID };
}
