import type { ReadTx, Tx } from '#foundation/database/tx.ts';

export type AttemptKind = 'CHALLENGE' | 'SEND' | 'FAILURE';

/** At most `max` calls of a kind within any span of this length, for one credential (wallets.md §1). */
export interface SlidingLimit {
  readonly kind: AttemptKind;
  readonly max: number;
  readonly withinMs: number;
  /** Whether a success clears the earlier count. */
  readonly clearedBySuccess?: boolean;
}

/**
 * When the next call will be allowed; undefined if now. It is exact over all processes while the credential is locked,
 * and uses the platform's clock.
 */
export async function blockedUntil(
  tx: ReadTx,
  credentialId: string,
  { kind, max, withinMs, clearedBySuccess = false }: SlidingLimit,
): Promise<Date | undefined> {
  const [row] = await tx.sql<{ at: Date }>`
    select at from wallet_attempts
     where platform_id = ${tx.platformId} and credential_id = ${credentialId} and kind = ${kind}
       and at > ${new Date(tx.now.getTime() - withinMs)} and not (${clearedBySuccess} and is_cleared)
     order by at desc offset ${max - 1} limit 1`;
  return row && new Date(row.at.getTime() + withinMs);
}

export async function recordAttempt(tx: Tx, credentialId: string, kind: AttemptKind): Promise<void> {
  await tx.sql`
    insert into wallet_attempts (platform_id, credential_id, kind, at)
    values (${tx.platformId}, ${credentialId}, ${kind}, ${tx.now})`;
}

/** Called after a success. */
export async function clearFailures(tx: Tx, credentialId: string): Promise<void> {
  await tx.sql`
    update wallet_attempts set is_cleared = true
     where platform_id = ${tx.platformId} and credential_id = ${credentialId} and kind = 'FAILURE'
       and not is_cleared`;
}

/** The number of failed proofs of each credential of a wallet within a day. */
export async function countFailures(tx: ReadTx, accountId: string): Promise<Map<string, number>> {
  const rows = await tx.sql<{ id: string; failures: number }>`
    select t.credential_id as id, count(*)::integer as failures
      from wallet_attempts t
      join wallet_credentials c on c.platform_id = t.platform_id and c.id = t.credential_id
     where c.platform_id = ${tx.platformId} and c.account_id = ${accountId} and t.kind = 'FAILURE'
       and t.at > ${tx.now}::timestamptz - interval '1 day'
     group by t.credential_id`;
  return new Map(rows.map(({ id, failures }) => [id, failures]));
}

/** No limit looks back further than a day (wallets.md §1). */
export async function purgeLimits(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    delete from wallet_attempts
     where ctid = any(array(
       select ctid from wallet_attempts
        where platform_id = ${tx.platformId} and at < ${tx.now}::timestamptz - interval '1 day'
        limit ${rowsMax} for update skip locked))
    returning 1`;
  return deleted.length;
}
