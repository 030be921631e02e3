import type { Database } from '#database/database.ts';
import { joinSql, type Sql, sql } from '#database/sql.ts';
import type { Actor, Tx } from '#database/tx.ts';
import type { PublicId } from '#lib/ids.ts';

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

/** The statement that writes audit rows. */
export function insertAuditRows(rows: readonly AuditRow[]): Sql {
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

/** An audit row as the operator reads it. */
export interface AuditLine {
  at: Date;
  actor_kind: string;
  actor_id: string;
  action: string;
  resource: string | null;
  platform_id: string | null;
  request_id: string | null;
  remote_address: string | null;
  details: Record<string, unknown>;
}

export interface AuditFilter {
  platform?: string;
  actor?: string;
  action?: string;
  since?: Date;
  limit: number;
}

/** The newest rows first, across all platforms where none is named. */
export function listAuditRows(
  database: Pick<Database, 'query'>,
  { platform, actor, action, since, limit }: AuditFilter,
): Promise<AuditLine[]> {
  const conditions = [
    sql`true`,
    ...(platform === undefined ? [] : [sql`platform_id = ${platform}`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
  ];
  return database.query<AuditLine>(sql`
    select at, actor_kind, actor_id, action, resource, platform_id, request_id, remote_address, details
      from audit_log where ${joinSql(conditions, ' and ')} order by at desc, id desc limit ${limit}`);
}

/** Rows younger than 30 days cannot be deleted at all: the table refuses it. */
const KEPT_DAYS = 400;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the platform's old rows, and those that concern no platform, at most so many of each; returns the greater
 * number.
 */
export async function purgeAuditRows(tx: Tx, rowsMax: number, keptDays = KEPT_DAYS): Promise<number> {
  const oldest = new Date(tx.runtime.clock.now() - keptDays * DAY_MS);
  let most = 0;
  for (const isOwned of [sql`platform_id = ${tx.platformId}`, sql`platform_id is null`]) {
    const deleted = await tx.sql`
      with old as materialized (
        select id from audit_log where ${isOwned} and at < ${oldest}
         limit ${rowsMax} for update skip locked)
      delete from audit_log a using old where a.id = old.id
      returning 1`;
    most = Math.max(most, deleted.length);
  }
  return most;
}

/** Where a customer was when it proved itself, or failed to (customers.md §2.4.26a). The table lets nothing else be changed. */
export async function eraseAddresses(tx: Tx, customer: PublicId<'Customer'>): Promise<void> {
  await tx.sql`
    update audit_log set details = details - 'endUserIpAddress'
     where platform_id = ${tx.platformId} and details ? 'endUserIpAddress'
       and (resource = ${customer} or details ->> 'customerId' = ${customer})`;
}
