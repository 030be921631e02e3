import type { Writer } from '#database/changes.ts';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Actor, Changes } from '#database/tx.ts';
import { Refusal } from '#lib/refusals.ts';

/** One row of the append-only audit table: who did what to which resource, when, from where. Never a secret. */
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

/** Writes an audit row in the commit of this transaction or change. Its time is real time, whatever the platform's clock. */
export function audit(changes: Changes, fact: AuditFact): void {
  const { platformId, actor, runtime } = changes;
  const at = new Date(runtime.clock.now());
  changes.collect(AUDIT, { id: changes.newId(), platformId, at, actor, ...fact });
}

const AUDIT: Writer<AuditRow> = {
  name: 'audit',
  stage: 'audit',
  write: (rows) => [insertStatement(rows)],
};

/** For actions without a transaction of their own: the operator's, failed authentications. */
export async function writeAudit(
  database: Pick<Database, 'query'>,
  rows: readonly AuditRow[],
): Promise<void> {
  await database.query(insertStatement(rows));
}

function insertStatement(rows: readonly AuditRow[]) {
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

/** A code, signature or other proof that was wrong (platform.md §1.3.9). Never the proof itself. */
export interface FailedProof {
  /** The kind of proof: `EMAIL_CODE`, `WALLET_SIGNATURE`, … */
  readonly proof: string;
  /** Whose proof it should have been: the public id of a customer or a wallet. */
  readonly resource: string;
  /** Why it failed, for the operator; the caller may get less detail. */
  readonly reason: string;
  /** The customer behind a wallet, and the person's address, as far as they are known. */
  readonly customerId?: string | undefined;
  readonly endUserIpAddress?: string | undefined;
}

/**
 * The refusal of a wrong proof. Whether it is thrown or returned, the request writes one audit row, as a successful
 * call does.
 */
export class RefusedProof extends Refusal {
  readonly failed: FailedProof;

  constructor(refusal: Refusal, failed: FailedProof) {
    super(refusal.code, refusal.message, refusal.details, refusal.headers);
    this.failed = failed;
  }

  fact(): AuditFact {
    const { resource, ...details } = this.failed;
    return { action: 'proof failed', resource, details };
  }
}
