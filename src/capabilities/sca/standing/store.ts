import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A customer's authentication state: failures, lock and first login. */
export interface Standing {
  readonly customerId: CustomerId;
  readonly failedAttempts: number;
  /** May be in the past; null: not locked, or suspended. */
  readonly lockedUntil: Date | null;
  readonly isSuspended: boolean;
  readonly firstLoginAt: Date | null;
  /** A verified phone number is not a factor until the customer has proved it (customers.md §7.3a). */
  readonly numberNeedsProof: boolean;
}

interface StandingRow {
  failed_attempts: number;
  locked_until: Date | null;
  is_suspended: boolean;
  first_login_at: Date | null;
  number_needs_proof: boolean;
}

/** Locks until the end of the transaction, so that the checks of a customer's proofs are serialized. */
export async function lockStanding(tx: Tx, customerId: CustomerId): Promise<Standing> {
  const lock = () => tx.sql<StandingRow>`
    select failed_attempts, locked_until, is_suspended, first_login_at, number_needs_proof from sca_standings
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
       for update`;
  const [found] = await lock();
  if (found) return toStanding(customerId, found);
  await tx.sql`
    insert into sca_standings (platform_id, customer_id) values (${tx.platformId}, ${customerId})
    on conflict (platform_id, customer_id) do nothing`;
  const [made] = await lock();
  if (!made) throw new Error('a standing that was just inserted exists');
  return toStanding(customerId, made);
}

export async function findStanding(tx: ReadTx, customerId: CustomerId): Promise<Standing> {
  const [row] = await tx.sql<StandingRow>`
    select failed_attempts, locked_until, is_suspended, first_login_at, number_needs_proof from sca_standings
     where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
  return toStanding(customerId, row ?? UNTRIED);
}

const UNTRIED: StandingRow = {
  failed_attempts: 0,
  locked_until: null,
  is_suspended: false,
  first_login_at: null,
  number_needs_proof: false,
};

/** Writes all columns except `number_needs_proof`, which `setNumberNeedsProof` changes. */
export async function updateStanding(tx: Tx, standing: Standing): Promise<void> {
  await tx.sql`
    update sca_standings
       set failed_attempts = ${standing.failedAttempts}, locked_until = ${standing.lockedUntil},
           is_suspended = ${standing.isSuspended}, first_login_at = ${standing.firstLoginAt}
     where platform_id = ${tx.platformId} and customer_id = ${standing.customerId}`;
}

/** The caller has locked the customer's standing. */
export async function setNumberNeedsProof(
  tx: Tx,
  customerId: CustomerId,
  needsProof: boolean,
): Promise<void> {
  await tx.sql`
    update sca_standings set number_needs_proof = ${needsProof}
     where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}

function toStanding(customerId: CustomerId, row: StandingRow): Standing {
  return {
    customerId,
    failedAttempts: row.failed_attempts,
    lockedUntil: row.locked_until,
    isSuspended: row.is_suspended,
    firstLoginAt: row.first_login_at,
    numberNeedsProof: row.number_needs_proof,
  };
}

/** Returns the factor of the latest live session; undefined: there is none. */
export async function findSessionFactor(tx: ReadTx, customerId: CustomerId): Promise<ScaFactor | undefined> {
  const [row] = await tx.sql<{ factor: ScaFactor }>`
    select factor from sca_sessions
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and revoked_at is null
       and expires_at > ${tx.now}
     order by expires_at desc, id desc
     limit 1`;
  return row?.factor;
}

export interface NewSession {
  readonly customerId: CustomerId;
  readonly factor: ScaFactor;
  readonly expiresAt: Date;
}

export async function insertSession(tx: Tx, { customerId, factor, expiresAt }: NewSession): Promise<void> {
  await tx.sql`
    insert into sca_sessions (platform_id, id, customer_id, factor, created_at, expires_at)
    values (${tx.platformId}, ${tx.newId()}, ${customerId}, ${factor}, ${tx.now}, ${expiresAt})`;
}

export async function revokeSessions(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update sca_sessions set revoked_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and revoked_at is null
       and expires_at > ${tx.now}`;
}

/** Deletes sessions thirty days after their expiry. */
export function purgeScaSessions(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`expires_at < ${tx.now}::timestamptz - interval '30 days'`;
  return purgeRows(tx, 'sca_sessions', isOld, rowsMax);
}
