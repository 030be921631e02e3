import type { CredentialType } from '#capabilities/wallet-auth/schemas.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';

export interface CredentialRow {
  id: CredentialId;
  account_id: AccountId;
  customer_id: CustomerId;
  type: CredentialType;
  nickname: string;
  issuer: string | null;
  audience: string | null;
  subject: string | null;
  webauthn_id: Buffer | null;
  rp_id: string | null;
  cose_key: Buffer | null;
  sign_count: bigint | null;
  created_at: Date;
  updated_at: Date;
}

/** The values of a credential that are sealed with its owner's key. */
type PersonalName = 'nickname' | 'issuer' | 'audience' | 'subject' | 'webauthn_id' | 'cose_key';
type Personal = Pick<CredentialRow, PersonalName>;

/**
 * A credential as it is stored: either its personal values are sealed and the columns in clear text are null or, in a
 * row of an earlier version that no job has sealed yet, the other way round.
 */
export type StoredCredential = Omit<CredentialRow, PersonalName> & {
  readonly [Name in PersonalName]: CredentialRow[Name] | null;
} & { readonly details: Buffer | null };

/** The sealed values as JSON; bytes are in base64. */
interface SealedDetails {
  readonly nickname: string;
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly subject: string | null;
  readonly webauthnId: string | null;
  readonly coseKey: string | null;
}

/** The sealed values, and the keyed hashes that find equal ones. */
export interface SealedCredential {
  readonly details: Buffer;
  readonly contact_hash: Buffer | null;
  readonly identity_hash: Buffer | null;
  readonly webauthn_hash: Buffer | null;
}

export function sealCredential(
  vault: PersonVault,
  ownerId: CustomerId,
  { id, type, ...values }: { readonly id: CredentialId; readonly type: CredentialType } & Personal,
): SealedCredential {
  const { nickname, issuer, audience, subject, webauthn_id: webauthnId, cose_key: coseKey } = values;
  const details: SealedDetails = {
    ...{ nickname, issuer, audience, subject },
    webauthnId: webauthnId?.toString('base64') ?? null,
    coseKey: coseKey?.toString('base64') ?? null,
  };
  const hash = (field: string, value: string) => vault.hash(value, `wallet_credentials.${field}`).toStore;
  const isOtp = type === 'EMAIL_OTP' || type === 'SMS_OTP';
  return {
    details: vault.sealFor([ownerId], JSON.stringify(details), contextOf(id)),
    contact_hash: isOtp ? hashContact(vault, nickname).toStore : null,
    identity_hash: type === 'OAUTH' ? hash('identity', `${issuer}\n${audience}\n${subject}`) : null,
    webauthn_hash: webauthnId ? hash('webauthn', webauthnId.toString('hex')) : null,
  };
}

/** Returns the keyed hash that finds credentials with the same address or number. */
export function hashContact(vault: Pick<Vault, 'hash'>, contact: string): KeyedHash {
  return vault.hash(foldContact(contact), 'wallet_credentials.contact');
}

/**
 * Letter case does not make a different address (wallets.md §6.11.49); migrations/0043_contacts_in_any_case.sql has the
 * index of contacts in clear text.
 */
export function foldContact(contact: string): string {
  return contact.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function openCredential(vault: Vault, { details, ...row }: StoredCredential): CredentialRow {
  // A constraint keeps both forms apart: a row that is not sealed is in clear text.
  if (details === null) return row as CredentialRow;
  const opened = JSON.parse(vault.openText(details, contextOf(row.id))) as SealedDetails;
  const { nickname, issuer, audience, subject, webauthnId, coseKey } = opened;
  return {
    ...row,
    ...{ nickname, issuer, audience, subject },
    webauthn_id: webauthnId === null ? null : Buffer.from(webauthnId, 'base64'),
    cose_key: coseKey === null ? null : Buffer.from(coseKey, 'base64'),
  };
}

function contextOf(id: CredentialId): string {
  return `wallet_credentials.details:${id}`;
}

/** Seals the nickname for a credential's sessions: all of them have the same value. */
export function sealSessionNickname(
  vault: PersonVault,
  ownerId: CustomerId,
  credentialId: CredentialId,
  nickname: string,
): Buffer {
  return vault.sealFor([ownerId], nickname, sessionContextOf(credentialId));
}

export function openSessionNickname(vault: Vault, credentialId: CredentialId, sealed: Buffer): string {
  return vault.openText(sealed, sessionContextOf(credentialId));
}

function sessionContextOf(credentialId: CredentialId): string {
  return `wallet_sessions.nickname_sealed:${credentialId}`;
}
