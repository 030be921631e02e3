import type { OperatorRow } from '#capabilities/operators/row.ts';
import type { Database } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A browser in which an operator has signed in. */
export interface OperatorSession {
  readonly id: Id<'OperatorSession'>;
  readonly operatorId: Id<'Operator'>;
  readonly name: string;
  readonly email: string;
  readonly status: OperatorRow['status'];
  readonly roles: OperatorRow['roles'];
  readonly digits: string | null;
  readonly approvesFrom: Date | null;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly expiresAt: Date;
  readonly steppedUpAt: Date | null;
  readonly hasPasskey: boolean;
}

/**
 * Finds a live session by the hash of its secret. One whose operator may no longer sign in is dead at once, whatever its own row
 * says. The secret before the last proof of presence still counts for a moment, but proves no presence.
 */
export async function findSession(
  { lookUp }: Pick<Database, 'lookUp'>,
  hash: Buffer,
  { now, usedSince }: { readonly now: Date; readonly usedSince: Date },
): Promise<OperatorSession | undefined> {
  const [row] = await lookUp<OperatorSession>(sql`
    select s.id, s.operator_id as "operatorId", o.name, o.email, o.status, o.roles, o.digits,
           o.approves_from as "approvesFrom", s.created_at as "createdAt", s.used_at as "usedAt",
           s.expires_at as "expiresAt",
           exists (select from operator_passkeys p where p.operator_id = o.id) as "hasPasskey",
           case when s.secret_hash = ${hash} then s.stepped_up_at end as "steppedUpAt"
      from operator_sessions s
      join operators o on o.id = s.operator_id
     where (s.secret_hash = ${hash} or s.former_hash = ${hash} and s.former_until > ${now})
       and s.expires_at > ${now} and s.used_at > ${usedSince} and o.status in ('ACTIVE', 'JOINED')`);
  return row;
}

export interface NewSession {
  readonly id: Id<'OperatorSession'>;
  readonly operatorId: Id<'Operator'>;
  readonly hash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly steppedUpAt: Date | null;
  readonly remoteAddress: string;
  readonly browser: string;
}

/** Begins a session, and notes that the operator was seen. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { id, operatorId, hash, now, expiresAt, steppedUpAt, remoteAddress, browser } = session;
  await tx.sql`
    insert into operator_sessions (id, operator_id, secret_hash, created_at, used_at, expires_at, stepped_up_at,
                                   remote_address, browser)
    values (${id}, ${operatorId}, ${hash}, ${now}, ${now}, ${expiresAt}, ${steppedUpAt}, ${remoteAddress}, ${browser})`;
  await tx.sql`update operators set last_seen_at = ${now} where id = ${operatorId}`;
}

/** Notes that a person used the session. */
export async function noteUse(
  { query }: Pick<Database, 'query'>,
  { id, operatorId }: Pick<OperatorSession, 'id' | 'operatorId'>,
  now: Date,
): Promise<void> {
  await query(sql`
    with used as (
      update operator_sessions set used_at = greatest(used_at, ${now}) where id = ${id} returning 1)
    update operators set last_seen_at = ${now}
     where id = ${operatorId} and exists (select from used)
       and (last_seen_at is null or last_seen_at < ${now}::timestamptz - interval '1 hour')`);
}

interface RenewedSecret {
  readonly hash: Buffer;
  readonly now: Date;
  readonly formerUntil: Date;
  readonly steppedUpAt: Date | null;
}

/** Gives a session a new secret after a proof of presence. False if the session has ended meanwhile. */
export async function renewSecret(
  tx: Tx,
  id: Id<'OperatorSession'>,
  { hash, now, formerUntil, steppedUpAt }: RenewedSecret,
): Promise<boolean> {
  const rows = await tx.sql`
    update operator_sessions
       set former_hash = secret_hash, former_until = ${formerUntil}, secret_hash = ${hash},
           stepped_up_at = ${steppedUpAt}, used_at = ${now}
     where id = ${id}
    returning 1`;
  return rows.length > 0;
}

export interface ListedSession {
  readonly id: Id<'OperatorSession'>;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly expiresAt: Date;
  readonly remoteAddress: string | null;
  readonly browser: string | null;
}

export function listSessions(
  tx: ReadTx,
  operatorId: Id<'Operator'>,
  usedSince: Date,
): Promise<ListedSession[]> {
  return tx.sql<ListedSession>`
    select id, created_at as "createdAt", used_at as "usedAt", expires_at as "expiresAt",
           remote_address as "remoteAddress", browser
      from operator_sessions
     where operator_id = ${operatorId} and used_at > ${usedSince} and expires_at > ${new Date(tx.runtime.clock.now())}
     order by created_at desc, id desc limit 100`;
}

/** Ends the sessions of an operator, all of them or one; returns how many. */
export async function deleteSessions(
  tx: Tx,
  operatorId: Id<'Operator'>,
  id?: Id<'OperatorSession'>,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from operator_sessions
     where operator_id = ${operatorId} ${id === undefined ? sql`` : sql`and id = ${id}`} returning 1`);
  return rows.length;
}

/** Ends the session that a browser had before it signed in again. */
export async function deleteBySecret(tx: Tx, hash: Buffer): Promise<void> {
  await tx.sql`delete from operator_sessions where secret_hash = ${hash} or former_hash = ${hash}`;
}

/** Records that a challenge was answered; false if it was answered before. */
export async function useChallenge(tx: Tx, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await tx.sql`
    insert into operator_used_challenges (hash, expires_at) values (${hash}, ${expiresAt})
    on conflict do nothing returning 1`;
  return rows.length > 0;
}

/** Deletes what has expired. It belongs to no platform. */
export async function purgeOperatorRows(tx: Tx, rowsMax: number): Promise<number> {
  const now = new Date(tx.runtime.clock.now());
  let most = 0;
  for (const table of ['operator_sessions', 'operator_used_challenges', 'operator_addresses'].map(rawSql)) {
    const deleted = await tx.query(sql`
      delete from ${table}
       where ctid = any(array(
         select ctid from ${table} where expires_at < ${now} limit ${rowsMax} for update skip locked))
      returning 1`);
    most = Math.max(most, deleted.length);
  }
  return most;
}
