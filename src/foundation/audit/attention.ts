import type { OperatorRun } from '#foundation/audit/run-store.ts';
import { type AttentionKind, attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface RunRow {
  readonly is_known: boolean;
  readonly trouble: string | null;
}

/** The proof of the books: it failed, or a week has passed. */
export const unprovenBooks = neglected('ledger verify', {
  name: 'ledger-verify',
  title: 'the proof of the books',
  afterSeconds: 7 * DAY_SECONDS,
  never: 'the books were never proven',
  late: 'the books were not proven for a week',
  commands: ['corridor ledger verify'],
});

/** Two hours more than a day, so that a backup every night is never late. */
export const missingBackup = neglected('backup', {
  name: 'backup',
  title: 'the last backup',
  afterSeconds: 26 * 60 * 60,
  never: 'no backup is on record',
  late: 'no backup is on record for a day',
  commands: ['corridor backup <folder>', 'corridor backup --made-elsewhere'],
});

interface Neglected extends Pick<AttentionKind, 'name' | 'title'> {
  readonly afterSeconds: number;
  readonly never: string;
  readonly late: string;
  readonly commands: readonly string[];
}

function neglected(
  run: OperatorRun,
  { name, title, afterSeconds, never, late, commands }: Neglected,
): AttentionKind {
  return attentionKind<RunRow>({
    name,
    title,
    concerns: 'service',
    scope: 'installation',
    time: 'real',
    find: ({ now, concernsSince, limit }) => sql`
      select w.since, w.is_known, w.trouble
        from (
          select coalesce(r.at, ${concernsSince}) as since, r.at is not null as is_known, r.trouble
            from (select) as always
            left join operator_runs r on r.name = ${run}) w
       where w.trouble is not null or w.since < ${now} - make_interval(secs => ${afterSeconds})
       limit ${limit}`,
    present: ({ is_known, trouble }) => ({
      subject: run,
      why: trouble ?? (is_known ? late : never),
      commands,
    }),
  });
}
