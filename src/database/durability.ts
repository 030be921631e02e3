import type { Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';

/**
 * Why what was answered may be gone after a crash of the database; undefined where it is safe. Somebody may want it so
 * for a trial, and a pooler would not pass on what a session asks for: so it is told, and neither refused nor changed.
 */
export async function durabilityRisk(query: Run): Promise<string | undefined> {
  const unsafe = await query<{ name: string }>(sql`
    select name from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`);
  if (unsafe.length === 0) return undefined;
  const names = unsafe.map(({ name }) => name).join(', ');
  return `The database may lose payments that were answered when it crashes: it has these off: ${names}.`;
}
