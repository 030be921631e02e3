import {
  type CredentialRow,
  openCredential,
  type StoredCredential,
  sealCredential,
} from '#capabilities/wallet-auth/sealed-credential.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

const COLUMNS = sql`c.id, c.account_id, a.customer_id, c.type, c.nickname, c.issuer, c.audience, c.subject,
  c.webauthn_id, c.rp_id, c.cose_key, c.details, c.sign_count, c.created_at, c.updated_at`;

/** A credential is hidden, with its wallet, after the customer is deleted. */
const FROM = sql`wallet_credentials c
  join internal_accounts a on a.platform_id = c.platform_id and a.id = c.account_id and a.withdrawn_at is null`;

export async function findCredential(tx: ReadTx, id: CredentialId): Promise<CredentialRow | undefined> {
  const [row] = await tx.query<StoredCredential>(sql`
    select ${COLUMNS} from ${FROM} where c.platform_id = ${tx.platformId} and c.id = ${id}`);
  return row && openCredential(tx.vault, row);
}

/**
 * Locks the credential, so that requests about it run one after the other, and limits and counters are exact. Its
 * wallet is locked first, as everywhere, and cannot be closed meanwhile.
 */
export async function lockCredential(tx: Tx, id: CredentialId): Promise<CredentialRow | undefined> {
  await tx.sql`
    select 1 from internal_accounts
     where platform_id = ${tx.platformId}
       and id = (select account_id from wallet_credentials where platform_id = ${tx.platformId} and id = ${id})
       for share`;
  const [row] = await tx.query<StoredCredential>(sql`
    select ${COLUMNS} from ${FROM} where c.platform_id = ${tx.platformId} and c.id = ${id} for update of c`);
  return row && openCredential(tx.vault, row);
}

/** Lists the oldest first. All belong to one person. */
export async function listCredentials(tx: ReadTx, accountId: AccountId): Promise<CredentialRow[]> {
  const rows = await tx.query<StoredCredential>(sql`
    select ${COLUMNS} from ${FROM} where c.platform_id = ${tx.platformId} and c.account_id = ${accountId}
     order by c.created_at, c.id`);
  return rows.map((row) => openCredential(tx.vault, row));
}

export type NewCredential = Pick<CredentialRow, 'id' | 'account_id' | 'customer_id' | 'type' | 'nickname'> &
  Partial<
    Pick<
      CredentialRow,
      'issuer' | 'audience' | 'subject' | 'webauthn_id' | 'rp_id' | 'cose_key' | 'sign_count'
    >
  >;

export async function insertCredential(tx: Tx, credential: NewCredential): Promise<CredentialRow> {
  const { id, account_id, customer_id, type, nickname, issuer = null, audience = null } = credential;
  const { subject = null, webauthn_id = null, rp_id = null, cose_key = null, sign_count = null } = credential;
  const values = { id, type, nickname, issuer, audience, subject, webauthn_id, cose_key };
  const sealed = sealCredential(tx.vault, customer_id, values);
  await tx.sql`
    insert into wallet_credentials
      (platform_id, id, account_id, type, details, contact_hash, identity_hash, webauthn_hash, rp_id, sign_count,
       created_at, updated_at)
    values (${tx.platformId}, ${id}, ${account_id}, ${type}, ${sealed.details}, ${sealed.contact_hash},
            ${sealed.identity_hash}, ${sealed.webauthn_hash}, ${rp_id}, ${sign_count}, ${tx.now}, ${tx.now})`;
  return (await findCredential(tx, id)) as CredentialRow;
}

export async function deleteCredential(tx: Tx, id: CredentialId): Promise<void> {
  await tx.sql`delete from wallet_credentials where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function touchCredential(tx: Tx, id: CredentialId): Promise<CredentialRow> {
  await tx.sql`
    update wallet_credentials set updated_at = ${tx.now} where platform_id = ${tx.platformId} and id = ${id}`;
  return (await findCredential(tx, id)) as CredentialRow;
}

export async function setSignCount(tx: Tx, id: CredentialId, count: bigint): Promise<void> {
  await tx.sql`
    update wallet_credentials set sign_count = ${count} where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Whether a passkey was registered on the wallet with this challenge before. */
export async function isChallengeUsed(
  tx: ReadTx,
  accountId: AccountId,
  challengeHash: Buffer,
): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from wallet_passkey_challenges
     where platform_id = ${tx.platformId} and account_id = ${accountId} and challenge_hash = ${challengeHash}`;
  return rows.length > 0;
}

/** Stale if another passkey was registered with this challenge since the check. */
export async function useChallenge(tx: Tx, accountId: AccountId, challengeHash: Buffer): Promise<void> {
  const used = await tx.sql`
    insert into wallet_passkey_challenges (platform_id, account_id, challenge_hash, used_at)
    values (${tx.platformId}, ${accountId}, ${challengeHash}, ${tx.now})
    on conflict do nothing
    returning 1`;
  if (used.length === 0) throwStale();
}
