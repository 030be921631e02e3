import { timingSafeEqual } from 'node:crypto';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { voidChallenges } from '#capabilities/sca/challenges/challenges.ts';
import {
  deleteEnrollment,
  type EnrolledFactor,
  type Enrollment,
  findEnrollment,
  storeEnrollment,
} from '#capabilities/sca/enrollment-store.ts';
import {
  deleteFactor,
  insertPasskey,
  insertTotp,
  loadAuthentication,
  replaceRecoveryCodes,
} from '#capabilities/sca/factor-store.ts';
import { confirmNumberProof, startNumberProof } from '#capabilities/sca/factors/prove-number.ts';
import { markReenrolled } from '#capabilities/sca/factors/reset-store.ts';
import {
  checkNewPasskey,
  creationOptions,
  newWebauthnChallenge,
  readNewPasskey,
  requireRelyingParty,
} from '#capabilities/sca/passkeys.ts';
import type {
  PasskeyEnrollmentConfirmRequest,
  PasskeyEnrollmentStart,
  ScaFactorConfirmRequest,
  ScaFactorConfirmResponse,
  ScaFactorEnrollRequest,
  SmsEnrollmentStart,
  TotpEnrollmentConfirmRequest,
  TotpEnrollmentStart,
} from '#capabilities/sca/schemas.ts';
import { lockLiveStanding, requireFactorChange } from '#capabilities/sca/standing/rules.ts';
import { newRecoveryCodes, recoveryHash } from '#capabilities/sca/totp.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import { newTotpSecret, totpSecretBase32, totpUri } from '#foundation/crypto/totp.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, notFound, type Refusal, refuse } from '#foundation/lib/refusals.ts';

/** customers.md §7.4. */
const ENROLLMENT_LIFE_MS = 10 * 60_000;

/** Returns the data that the authenticator needs; each start replaces the previous one. */
export async function startEnrollment(
  tx: Tx,
  customer: CustomerRow,
  { type }: ScaFactorEnrollRequest,
): Promise<TotpEnrollmentStart | PasskeyEnrollmentStart | SmsEnrollmentStart> {
  const standing = await lockLiveStanding(tx, customer.id);
  if (type === 'SMS_OTP') return startNumberProof(tx, standing, customer.phone_verification);
  await requireFactorChange(tx, standing);
  const { hasTotp, passkey } = await loadAuthentication(tx, customer.id);
  if (type === 'TOTP' && hasTotp) {
    refuse('CONFLICT', 'The customer already has an authenticator app; reset the factor to use another.');
  }
  if (type === 'PASSKEY' && passkey) {
    refuse('PASSKEY_ALREADY_ENROLLED', 'The customer already has a passkey; delete it to use another.');
  }
  return type === 'TOTP' ? startTotp(tx, customer) : startPasskey(tx, customer);
}

async function startTotp(tx: Tx, { id, email }: CustomerRow): Promise<TotpEnrollmentStart> {
  const secret = newTotpSecret();
  await store(tx, id, 'TOTP', secret);
  return {
    type: 'TOTP',
    secret: secret.toString('hex'),
    secretBase32Encoded: totpSecretBase32(secret),
    totpUri: totpUri(secret, tx.runtime.names.word, email ?? publicId('Customer', id)),
  };
}

async function startPasskey(tx: Tx, customer: CustomerRow): Promise<PasskeyEnrollmentStart> {
  const { rpId, origins } = requireRelyingParty(tx);
  const challenge = newWebauthnChallenge();
  await store(tx, customer.id, 'PASSKEY', challenge);
  return {
    type: 'PASSKEY',
    options: creationOptions(tx, customer, challenge, ENROLLMENT_LIFE_MS),
    allowedOrigins: [...origins],
    relyingPartyId: rpId,
  };
}

function store(tx: Tx, customerId: CustomerId, factor: EnrolledFactor, material: Buffer): Promise<void> {
  const expiresAt = new Date(tx.now.getTime() + ENROLLMENT_LIFE_MS);
  return storeEnrollment(tx, { customerId, factor, material, expiresAt });
}

/**
 * Refuses a wrong or late proof without counting it towards a lock (customers.md §7.5), because its sender has the
 * secret anyway. The proof of a phone number uses another factor, so a wrong one counts (customers.md §7.3a).
 */
export async function confirmEnrollment(
  tx: Tx,
  { id }: CustomerRow,
  body: ScaFactorConfirmRequest,
): Promise<ScaFactorConfirmResponse | Refusal> {
  if (body.type === 'SMS_OTP') return confirmNumberProof(tx, id, body);
  return body.type === 'TOTP' ? confirmTotp(tx, id, body) : confirmPasskey(tx, id, body);
}

async function confirmTotp(
  tx: Tx,
  customerId: CustomerId,
  { secret, code }: TotpEnrollmentConfirmRequest,
): Promise<ScaFactorConfirmResponse> {
  const { material } = await takeEnrollment(tx, customerId, 'TOTP', 'secret');
  const spellings = [material.toString('hex'), totpSecretBase32(material)];
  if (!spellings.some((spelling) => isSameText(secret, spelling))) {
    throw refused(customerId, 'TOTP', [{ field: 'secret', message: 'is not the secret of the last start' }]);
  }
  const accepted = tx.ports.authenticatorCodes.check(material, code, tx.now);
  if (!accepted) throw refused(customerId, 'TOTP', [{ field: 'code', message: 'is wrong or has expired' }]);
  await insertTotp(tx, customerId, { secret: material, lastStep: accepted.step ?? null });
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.map((one) => recoveryHash(tx, customerId, one));
  await replaceRecoveryCodes(tx, customerId, hashes);
  return { type: 'TOTP', recoveryCodes };
}

async function confirmPasskey(
  tx: Tx,
  customerId: CustomerId,
  body: PasskeyEnrollmentConfirmRequest,
): Promise<ScaFactorConfirmResponse> {
  const attestation = readNewPasskey(body);
  const { material } = await takeEnrollment(tx, customerId, 'PASSKEY', 'credential');
  const checked = await checkNewPasskey(tx, attestation, { origin: body.origin, challenge: material });
  if ('problems' in checked) throw refused(customerId, 'PASSKEY', checked.problems);
  await insertPasskey(tx, customerId, checked.passkey);
  const { credentialId } = checked.passkey;
  return { type: 'PASSKEY', factor: { factor: 'PASSKEY', credentialId } };
}

/** Takes the last start. A successful confirmation uses it up and ends a reset of the factor; a refusal undoes both. */
async function takeEnrollment(
  tx: Tx,
  customerId: CustomerId,
  factor: EnrolledFactor,
  field: string,
): Promise<Enrollment> {
  await requireFactorChange(tx, await lockLiveStanding(tx, customerId));
  const enrollment = await findEnrollment(tx, customerId, factor);
  if (!enrollment) {
    throw refused(customerId, factor, [{ field, message: 'belongs to no open enrolment; start one' }]);
  }
  await deleteEnrollment(tx, customerId, factor);
  await markReenrolled(tx, customerId, factor);
  return enrollment;
}

/** Thrown, so that only the audit row of the attempt is kept. */
function refused(
  customerId: CustomerId,
  proof: EnrolledFactor,
  problems: readonly FieldError[],
): RefusedProof {
  const refusal = invalidFields(problems);
  return new RefusedProof(refusal, {
    proof,
    resource: publicId('Customer', customerId),
    reason: `enrolment: ${refusal.message}`,
  });
}

/** Compares in constant time; hexadecimal and Base32 may be typed in either case. */
function isSameText(sent: string, expected: string): boolean {
  const [one, other] = [sent, expected].map((text) => Buffer.from(text.toUpperCase())) as [Buffer, Buffer];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Removes a passkey and voids its open challenges (customers.md §7.6, §7.10d). */
export async function removePasskey(tx: Tx, customerId: CustomerId, credentialId: string): Promise<void> {
  await requireFactorChange(tx, await lockLiveStanding(tx, customerId));
  const { passkey } = await loadAuthentication(tx, customerId);
  if (passkey?.credentialId !== credentialId) throw notFound('NOT_FOUND', 'passkey');
  await deleteFactor(tx, customerId, 'PASSKEY');
  await voidChallenges(tx, customerId, 'PASSKEY');
}
