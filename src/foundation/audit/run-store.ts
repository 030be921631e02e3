import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** Tasks that the operator has to do regularly. */
export type OperatorRun = 'ledger verify' | 'backup';

/** Records when a task was last done, in real time, and its error if it failed. An earlier time changes nothing. */
export async function recordRun(
  { query }: Pick<Database, 'query'>,
  name: OperatorRun,
  { at, trouble = null }: { at: Date; trouble?: string | null },
): Promise<void> {
  await query(sql`
    insert into operator_runs (name, at, trouble) values (${name}, ${at}, ${trouble})
    on conflict (name) do update set at = excluded.at, trouble = excluded.trouble
     where operator_runs.at <= excluded.at`);
}
