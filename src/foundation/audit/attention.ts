import type { OperatorRun } from '#foundation/audit/run-store.ts';
import { type AttentionKind, attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface RunRow {
  readonly is_known: boolean;
  readonly trouble: string | null;
}

/** The last ledger verification failed or is over a week old. */
export const unprovenBooks = overdueRun('ledger verify', {
  name: 'ledger-verify',
  title: 'a ledger verification that failed or is overdue',
  afterSeconds: 7 * DAY_SECONDS,
  never: 'the ledger was never verified',
  late: 'the ledger has not been verified for a week',
  commands: ['corridor ledger verify'],
});

/** The last backup is over 26 hours old: two hours more than a day, so that a nightly backup is never late. */
export const missingBackup = overdueRun('backup', {
  name: 'backup',
  title: 'a backup that is overdue',
  afterSeconds: 26 * 60 * 60,
  never: 'no backup has ever been recorded',
  late: 'no backup has been recorded for over a day',
  commands: ['corridor backup <folder>', 'corridor backup --made-elsewhere'],
});

interface Neglected extends Pick<AttentionKind, 'name' | 'title'> {
  readonly afterSeconds: number;
  readonly never: string;
  readonly late: string;
  readonly commands: readonly string[];
}

function overdueRun(
  run: OperatorRun,
  { name, title, afterSeconds, never, late, commands }: Neglected,
): AttentionKind {
  return attentionKind<RunRow>({
    name,
    title,
    concerns: 'service',
    roles: ['admin'],
    scope: 'installation',
    time: 'real',
    find: ({ now, concernsSince, limit, after }) => sql`
      select w.since, ${run}::text as key, w.is_known, w.trouble
        from (
          select coalesce(r.at, ${concernsSince}) as since, r.at is not null as is_known, r.trouble
            from (select) as always
            left join operator_runs r on r.name = ${run}) w
       where (w.trouble is not null or w.since < ${now} - make_interval(secs => ${afterSeconds}))
         and ${after(sql`w.since`, sql`${run}::text`)}
       limit ${limit}`,
    present: ({ is_known, trouble }) => ({
      subject: run,
      why: trouble ?? (is_known ? late : never),
      commands,
    }),
  });
}
