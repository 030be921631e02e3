import type { ChallengePurpose } from '#capabilities/sca/challenges/store.ts';
import type { EnrolledFactor } from '#capabilities/sca/enrollment-store.ts';
import type { StoredStatus } from '#capabilities/sca/factors/reset-store.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest, type RowKey } from '#foundation/http/paging.ts';

export interface LockedCustomer {
  readonly customerId: CustomerId;
  readonly isSuspended: boolean;
  readonly lockedUntil: Date | null;
  readonly failedAttempts: number;
}

/** Lists suspended customers first, then locked ones by the latest end. */
export function listLocked(tx: ReadTx, rowsMax: number): Promise<LockedCustomer[]> {
  return tx.sql<LockedCustomer>`
    select customer_id as "customerId", is_suspended as "isSuspended", locked_until as "lockedUntil",
           failed_attempts as "failedAttempts"
      from sca_standings
     where platform_id = ${tx.platformId} and (is_suspended or locked_until is not null)
       and (is_suspended or locked_until > ${tx.now})
     order by is_suspended desc, locked_until desc, customer_id
     limit ${rowsMax}`;
}

/** A locked customer in a list over platforms; `created_at` is when the customer was created. */
interface LockedRow extends RowKey {
  readonly id: CustomerId;
  readonly is_suspended: boolean;
  readonly locked_until: Date | null;
  readonly failed_attempts: number;
}

/** Lists locked and suspended customers, the newest customer first. */
export function pageLocked<Item>(
  tx: ReadTx,
  request: PageRequest,
  present: (row: LockedRow) => Item,
): Promise<Page<Item>> {
  const from = sql`(
    select s.platform_id, s.customer_id as id, c.created_at, s.is_suspended, s.locked_until, s.failed_attempts
      from sca_standings s
      join customers c on c.platform_id = s.platform_id and c.id = s.customer_id
     where (s.is_suspended or s.locked_until is not null)
       and (s.is_suspended or s.locked_until > ${tx.now})) t`;
  const where = [sql`t.platform_id = ${tx.platformId}`];
  const columns = sql`t.id, t.created_at, t.is_suspended, t.locked_until, t.failed_attempts`;
  return keysetPage(tx, request, { columns, from, where }, present);
}

/** Lists when each factor was enrolled; text messages need no enrolment. */
export function listFactorDates(
  tx: ReadTx,
  customerId: CustomerId,
): Promise<{ factor: EnrolledFactor; createdAt: Date }[]> {
  return tx.sql`
    select factor, created_at as "createdAt" from sca_factors
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
     order by created_at, factor`;
}

export function listLiveSessions(
  tx: ReadTx,
  customerId: CustomerId,
): Promise<{ factor: ScaFactor; createdAt: Date; expiresAt: Date }[]> {
  return tx.sql`
    select factor, created_at as "createdAt", expires_at as "expiresAt" from sca_sessions
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and revoked_at is null
       and expires_at > ${tx.now}
     order by created_at, id`;
}

export interface OpenChallenge {
  readonly id: string;
  readonly purpose: ChallengePurpose;
  readonly factor: ScaFactor;
  readonly wrongTries: number;
  readonly expiresAt: Date;
}

export function listOpenChallenges(tx: ReadTx, customerId: CustomerId): Promise<OpenChallenge[]> {
  return tx.sql<OpenChallenge>`
    select id, purpose, factor, wrong_tries as "wrongTries", expires_at as "expiresAt" from sca_challenges
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and voided_at is null
       and expires_at > ${tx.now}
     order by created_at, id`;
}

export interface ListedReset {
  readonly id: string;
  readonly factor: ScaFactor;
  readonly status: StoredStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Lists the stored resets, newest first. */
export function listResets(tx: ReadTx, customerId: CustomerId): Promise<ListedReset[]> {
  return tx.sql<ListedReset>`
    select id, factor, status, created_at as "createdAt", expires_at as "expiresAt" from sca_resets
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
     order by created_at desc, id desc`;
}
