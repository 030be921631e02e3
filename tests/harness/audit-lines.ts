import { type AuditLine, listAuditRows, openAuditLines, privateContext } from '#foundation/audit/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** The platform's audit rows of an action, the oldest first, as the operator sees them: with addresses opened. */
export async function auditLines(
  { database, app }: Pick<World, 'database' | 'app'>,
  { id: platform }: Pick<TestPlatform, 'id'>,
  action?: string,
): Promise<AuditLine[]> {
  const rows = await listAuditRows(database, { platform, action }, { limit: 10_000 });
  return (await openAuditLines(app.runtime, rows)).reverse();
}

/**
 * Audit rows with the details that people wrote, opened, and without the columns that this needs. What every row of a command
 * says besides (operator.md §7.1) is left out.
 */
export async function withWritten<
  Row extends { id: Id<'AuditRow'>; private: Buffer | null; details: unknown },
>({ vault, personKeys }: Runtime, rows: readonly Row[]): Promise<Omit<Row, 'id' | 'private'>[]> {
  await personKeys.loadFor(rows.map((row) => row.private));
  return rows.map(({ id, private: sealed, ...row }) => {
    const written = sealed && vault.openKept(sealed, privateContext(id));
    const { via, account, host, ...kept } = row.details as Record<string, unknown>;
    const other = via === 'operator:cli' ? {} : withoutUndefined({ via, account, host });
    const details = { ...kept, ...other, ...(written && JSON.parse(written)) };
    return { ...row, details } as Omit<Row, 'id' | 'private'>;
  });
}

function withoutUndefined(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
