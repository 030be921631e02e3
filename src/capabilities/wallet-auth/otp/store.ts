import { type PublicKey, parsePublicKey } from '#foundation/crypto/p256.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A one-time code, and the key to which the client seals it. */
export interface Otp {
  readonly id: string;
  readonly codeHash: Buffer;
  /** Undefined after its message was sent. */
  readonly code: string | undefined;
  readonly targetPublic: PublicKey;
  readonly targetPrivate: Buffer;
  readonly issuedAt: Date;
}

export interface NewOtp extends Omit<Otp, 'code' | 'issuedAt'> {
  readonly code: string;
  readonly expiresAt: Date;
}

/** Replaces the previous code, which becomes void. */
export async function replaceOtp(tx: Tx, credentialId: string, otp: NewOtp): Promise<void> {
  const sealedCode = tx.vault.seal(otp.code, codeContext(otp.id));
  const sealedKey = tx.vault.seal(otp.targetPrivate, keyContext(otp.id));
  await tx.sql`
    insert into wallet_otps
      (platform_id, credential_id, id, code_hash, code, target_public, target_private, issued_at, expires_at)
    values (${tx.platformId}, ${credentialId}, ${otp.id}, ${otp.codeHash}, ${sealedCode},
            ${otp.targetPublic.uncompressed}, ${sealedKey}, ${tx.now}, ${otp.expiresAt})
    on conflict (platform_id, credential_id) do update
       set id = excluded.id, code_hash = excluded.code_hash, code = excluded.code,
           target_public = excluded.target_public, target_private = excluded.target_private, wrong_tries = 0,
           issued_at = excluded.issued_at, expires_at = excluded.expires_at`;
}

/** The code that can still be entered: not used, not expired, and not voided by too many wrong ones. */
export async function findLiveOtp(tx: ReadTx, credentialId: string): Promise<Otp | undefined> {
  const [row] = await tx.sql<OtpRow>`
    select id, code_hash, code, target_public, target_private, issued_at from wallet_otps
     where platform_id = ${tx.platformId} and credential_id = ${credentialId}
       and expires_at > ${tx.now} and wrong_tries < ${tx.platform.settings.wallets.wrongCodes}`;
  if (!row) return undefined;
  const { id } = row;
  return {
    id,
    codeHash: row.code_hash,
    code: row.code === null ? undefined : tx.vault.openText(row.code, codeContext(id)),
    targetPublic: parsePublicKey(row.target_public) as PublicKey,
    targetPrivate: tx.vault.open(row.target_private, keyContext(id)),
    issuedAt: row.issued_at,
  };
}

interface OtpRow {
  id: string;
  code_hash: Buffer;
  code: Buffer | null;
  target_public: string;
  target_private: Buffer;
  issued_at: Date;
}

export async function countWrongCode(tx: Tx, credentialId: string): Promise<void> {
  await tx.sql`
    update wallet_otps set wrong_tries = wrong_tries + 1
     where platform_id = ${tx.platformId} and credential_id = ${credentialId}`;
}

/** After the message was sent, only the hash of the code is needed. */
export async function clearOtpCode(tx: Tx, credentialId: string, otpId: string): Promise<void> {
  await tx.sql`
    update wallet_otps set code = null
     where platform_id = ${tx.platformId} and credential_id = ${credentialId} and id = ${otpId}`;
}

/** Deletes codes that were used or voided. */
export async function deleteOtps(tx: Tx, credentialIds: readonly string[]): Promise<void> {
  await tx.sql`
    delete from wallet_otps
     where platform_id = ${tx.platformId} and credential_id = any(${credentialIds}::uuid[])`;
}

/** Deletes codes a day after they expired (wallets.md §6.7.42). */
export async function purgeOtps(tx: Tx, rowsMax: number): Promise<number> {
  const deleted = await tx.sql`
    with old as materialized (
      select platform_id, credential_id from wallet_otps
       where platform_id = ${tx.platformId} and expires_at < ${tx.now}::timestamptz - interval '1 day'
       limit ${rowsMax} for update skip locked)
    delete from wallet_otps o using old
     where o.platform_id = old.platform_id and o.credential_id = old.credential_id
    returning 1`;
  return deleted.length;
}

function codeContext(otpId: string): string {
  return `wallet_otps.code:${otpId}`;
}

function keyContext(otpId: string): string {
  return `wallet_otps.target_private:${otpId}`;
}
