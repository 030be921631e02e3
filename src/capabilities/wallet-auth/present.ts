import type { AuthMethod, AuthSession } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import type { SessionRow } from '#capabilities/wallet-auth/session-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

export function presentCredential(row: CredentialRow): AuthMethod {
  return {
    id: publicId('AuthMethod', row.id),
    accountId: publicId('InternalAccount', row.account_id),
    type: row.type,
    ...(row.webauthn_id && { credentialId: row.webauthn_id.toString('base64url') }),
    nickname: row.nickname,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** wallets.md §6.4.37: with the credential's type and name, and the session's own id. The sealed key is shown once. */
export function presentSession(row: SessionRow, encryptedSessionSigningKey?: string): AuthSession {
  return {
    id: publicId('Session', row.id),
    accountId: publicId('InternalAccount', row.account_id),
    type: row.type,
    nickname: row.nickname,
    createdAt: row.created_at.toISOString(),
    updatedAt: (row.revoked_at ?? row.created_at).toISOString(),
    ...(encryptedSessionSigningKey !== undefined && { encryptedSessionSigningKey }),
    expiresAt: row.expires_at.toISOString(),
  };
}
