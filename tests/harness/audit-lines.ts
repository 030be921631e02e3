import { type AuditLine, listAuditRows, openAuditLine } from '#foundation/audit/store.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** The platform's audit rows of an action, the oldest first, as the operator sees them: with addresses opened. */
export async function auditLines(
  { database, app }: Pick<World, 'database' | 'app'>,
  { id: platform }: Pick<TestPlatform, 'id'>,
  action?: string,
): Promise<AuditLine[]> {
  const rows = await listAuditRows(database, { platform, action }, { limit: 10_000 });
  return rows.map((row) => openAuditLine(app.runtime.vault, row)).reverse();
}
