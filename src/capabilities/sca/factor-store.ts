import { openPerson } from '#capabilities/customers/sealed-customer.ts';
import type { EnrolledFactor } from '#capabilities/sca/enrollment-store.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import type { RegisteredPasskey } from '#foundation/crypto/webauthn.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** A customer's factors at one moment, and whether it is logged in. */
export interface Authentication {
  readonly customerId: CustomerId;
  /** The number that receives codes; null: it is not a factor, because it is not verified or not proved. */
  readonly phoneNumber: string | null;
  /** The number becomes a factor only after the customer has proved it (customers.md §7.3a). */
  readonly numberNeedsProof: boolean;
  readonly hasTotp: boolean;
  readonly passkey: RegisteredPasskey | null;
  /** The factor of the latest live session; null: none. */
  readonly sessionFactor: ScaFactor | null;
}

interface AuthenticationRow {
  /** Whether codes may be sent to the customer's number. */
  is_proven: boolean;
  phone_number: string | null;
  person: Buffer | null;
  needs_proof: boolean | null;
  has_totp: boolean;
  webauthn_id: Buffer | null;
  rp_id: string | null;
  cose_key: Buffer | null;
  /** The id and the key of the passkey, sealed. Rows of an earlier version have them in clear text. */
  passkey: Buffer | null;
  sign_count: bigint | null;
  session_factor: ScaFactor | null;
}

/** Reads everything in one statement, as of one moment. */
export async function loadAuthentication(tx: ReadTx, customerId: CustomerId): Promise<Authentication> {
  const [row] = await tx.sql<AuthenticationRow>`
    select c.phone_verification = 'VERIFIED' and st.number_needs_proof is not true as is_proven, c.phone_number,
           c.person,
           st.number_needs_proof as needs_proof,
           t.customer_id is not null as has_totp, p.webauthn_id, p.rp_id, p.cose_key, p.passkey, p.sign_count,
           (select s.factor from sca_sessions s
             where s.platform_id = c.platform_id and s.customer_id = c.id and s.revoked_at is null
               and s.expires_at > ${tx.now}
             order by s.expires_at desc, s.id desc
             limit 1) as session_factor
      from customers c
      left join sca_standings st on st.platform_id = c.platform_id and st.customer_id = c.id
      left join sca_factors t on t.platform_id = c.platform_id and t.customer_id = c.id and t.factor = 'TOTP'
      left join sca_factors p on p.platform_id = c.platform_id and p.customer_id = c.id and p.factor = 'PASSKEY'
     where c.platform_id = ${tx.platformId} and c.id = ${customerId} and c.deleted_at is null`;
  return {
    customerId,
    phoneNumber: row?.is_proven ? openPhoneNumber(tx, customerId, row) : null,
    numberNeedsProof: row?.needs_proof === true,
    hasTotp: row?.has_totp ?? false,
    passkey: row ? openPasskey(tx, customerId, row) : null,
    sessionFactor: row?.session_factor ?? null,
  };
}

function openPhoneNumber(
  { vault }: ReadTx,
  id: CustomerId,
  { person, phone_number: clear }: Pick<AuthenticationRow, 'person' | 'phone_number'>,
): string | null {
  return person === null ? clear : openPerson(vault, { id, person }).phoneNumber;
}

function openPasskey(tx: ReadTx, customerId: CustomerId, row: AuthenticationRow): RegisteredPasskey | null {
  const { rp_id: rpId, sign_count: counter } = row;
  const { webauthnId, coseKey } = openPasskeyKey(tx, customerId, row);
  if (!webauthnId || rpId === null || !coseKey || counter === null) return null;
  return {
    credentialId: webauthnId.toString('base64url'),
    rpId,
    publicKey: coseKey,
    counter: Number(counter),
  };
}

/** The id of a passkey and its public key, as JSON in base64. */
interface SealedPasskey {
  readonly webauthnId: string;
  readonly coseKey: string;
}

function openPasskeyKey(
  { vault }: ReadTx,
  customerId: CustomerId,
  { passkey, webauthn_id, cose_key }: Pick<AuthenticationRow, 'passkey' | 'webauthn_id' | 'cose_key'>,
): { readonly webauthnId: Buffer | null; readonly coseKey: Buffer<ArrayBufferLike> | null } {
  if (passkey === null) return { webauthnId: webauthn_id, coseKey: cose_key };
  const text = vault.openText(passkey, contextOf('passkey', customerId));
  const { webauthnId, coseKey } = JSON.parse(text) as SealedPasskey;
  return { webauthnId: Buffer.from(webauthnId, 'base64'), coseKey: Buffer.from(coseKey, 'base64') };
}

/** Returns the enrolled factors, in the order of the contract. */
export function factorsOf({ phoneNumber, hasTotp, passkey }: Authentication): ScaFactor[] {
  return [
    ...(phoneNumber === null ? [] : (['SMS_OTP'] as const)),
    ...(hasTotp ? (['TOTP'] as const) : []),
    ...(passkey ? (['PASSKEY'] as const) : []),
  ];
}

/** Called after a login or another proof with the passkey. */
export async function setSignCount(tx: Tx, customerId: CustomerId, counter: number): Promise<void> {
  await tx.sql`
    update sca_factors set sign_count = ${counter}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = 'PASSKEY'`;
}

export async function listEnrolled(tx: ReadTx, customerId: CustomerId): Promise<EnrolledRow[]> {
  const rows = await tx.sql<Pick<AuthenticationRow, 'passkey' | 'webauthn_id' | 'cose_key'> & EnrolledRow>`
    select factor, webauthn_id, cose_key, passkey from sca_factors
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
     order by created_at, factor`;
  return rows.map((row) => ({
    factor: row.factor,
    webauthn_id: openPasskeyKey(tx, customerId, row).webauthnId,
  }));
}

export interface EnrolledRow {
  factor: EnrolledFactor;
  /** Set for a passkey. */
  webauthn_id: Buffer | null;
}

export async function insertPasskey(
  tx: Tx,
  customerId: CustomerId,
  { credentialId, rpId, publicKey, counter }: RegisteredPasskey,
): Promise<void> {
  const passkey: SealedPasskey = {
    webauthnId: Buffer.from(credentialId, 'base64url').toString('base64'),
    coseKey: Buffer.from(publicKey).toString('base64'),
  };
  const sealed = tx.vault.sealFor([customerId], JSON.stringify(passkey), contextOf('passkey', customerId));
  await tx.sql`
    insert into sca_factors (platform_id, customer_id, factor, passkey, rp_id, sign_count, created_at)
    values (${tx.platformId}, ${customerId}, 'PASSKEY', ${sealed}, ${rpId}, ${counter}, ${tx.now})`;
}

/** The secret of an authenticator app. */
export interface Totp {
  readonly secret: Buffer;
  /** The time step of the last accepted code; codes up to it are not accepted again (customers.md §7.5a). */
  readonly lastStep: number | null;
}

export async function insertTotp(tx: Tx, customerId: CustomerId, { secret, lastStep }: Totp): Promise<void> {
  const sealed = tx.vault.sealFor([customerId], secret, contextOf('secret', customerId));
  await tx.sql`
    insert into sca_factors (platform_id, customer_id, factor, secret, last_step, created_at)
    values (${tx.platformId}, ${customerId}, 'TOTP', ${sealed}, ${lastStep}, ${tx.now})`;
}

export async function findTotp(tx: ReadTx, customerId: CustomerId): Promise<Totp | undefined> {
  const [row] = await tx.sql<{ secret: Buffer; last_step: bigint | null }>`
    select secret, last_step from sca_factors
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = 'TOTP'`;
  if (!row) return undefined;
  const secret = tx.vault.open(row.secret, contextOf('secret', customerId));
  return { secret, lastStep: row.last_step === null ? null : Number(row.last_step) };
}

export async function setLastStep(tx: Tx, customerId: CustomerId, step: number): Promise<void> {
  await tx.sql`
    update sca_factors set last_step = ${step}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = 'TOTP'`;
}

/** Deleting the app also deletes its recovery codes. */
export async function deleteFactor(tx: Tx, customerId: CustomerId, factor: EnrolledFactor): Promise<void> {
  await tx.sql`
    delete from sca_factors
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = ${factor}`;
  if (factor === 'TOTP') await deleteRecoveryCodes(tx, customerId);
}

export async function replaceRecoveryCodes(
  tx: Tx,
  customerId: CustomerId,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(tx, customerId);
  await tx.sql`
    insert into sca_recovery_codes (platform_id, customer_id, code_hash)
    select ${tx.platformId}, ${customerId}, unnest(${hashes}::bytea[])`;
}

export async function listRecoveryHashes(tx: ReadTx, customerId: CustomerId): Promise<Buffer[]> {
  const rows = await tx.sql<{ code_hash: Buffer }>`
    select code_hash from sca_recovery_codes
     where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
  return rows.map(({ code_hash }) => code_hash);
}

export async function deleteRecoveryCode(tx: Tx, customerId: CustomerId, codeHash: Buffer): Promise<void> {
  await tx.sql`
    delete from sca_recovery_codes
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and code_hash = ${codeHash}`;
}

async function deleteRecoveryCodes(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from sca_recovery_codes where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}

function contextOf(column: 'secret' | 'passkey', customerId: CustomerId): string {
  return `sca_factors.${column}:${customerId}`;
}
