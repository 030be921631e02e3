import type { Writer } from '#database/changes.ts';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Actor, Changes } from '#database/tx.ts';

/** One line of the append-only audit table: who did what to which thing, when, from where. Never a secret. */
export interface AuditRow {
  id: string;
  platformId: string | null;
  at: Date;
  actor: Actor;
  action: string;
  resource?: string | undefined;
  requestId?: string | undefined;
  remoteAddress?: string | undefined;
  details?: Record<string, unknown> | undefined;
}

export type AuditFact = Pick<AuditRow, 'action' | 'resource' | 'requestId' | 'remoteAddress' | 'details'>;

/** Leaves an audit row in the commit of this transaction or change. The time is real time, whatever the platform's clock. */
export function audit(changes: Changes, fact: AuditFact): void {
  const { platformId, actor, runtime } = changes;
  const at = new Date(runtime.clock.now());
  changes.collect(AUDIT, { id: changes.newId(), platformId, at, actor, ...fact });
}

const AUDIT: Writer<AuditRow> = {
  name: 'audit',
  stage: 'audit',
  write: (rows) => [insertion(rows)],
};

/** For what has no transaction of its own: operator actions, failed authentications. */
export async function writeAudit(
  database: Pick<Database, 'query'>,
  rows: readonly AuditRow[],
): Promise<void> {
  await database.query(insertion(rows));
}

function insertion(rows: readonly AuditRow[]) {
  return sql`
    insert into audit_log
      (id, platform_id, at, actor_kind, actor_id, action, resource, request_id, remote_address, details)
    select * from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.platformId)}::uuid[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.actor.kind)}::text[],
      ${rows.map((row) => row.actor.id)}::text[],
      ${rows.map((row) => row.action)}::text[],
      ${rows.map((row) => row.resource ?? null)}::text[],
      ${rows.map((row) => row.requestId ?? null)}::text[],
      ${rows.map((row) => row.remoteAddress ?? null)}::text[],
      ${rows.map((row) => JSON.stringify(row.details ?? {}))}::jsonb[])`;
}
