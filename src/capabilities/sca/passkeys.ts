import { randomBytes } from 'node:crypto';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { readAttestation } from '#capabilities/sca/proofs.ts';
import type { PasskeyEnrollmentConfirmRequest } from '#capabilities/sca/schemas.ts';
import { isBase64url } from '#foundation/crypto/encodings.ts';
import {
  checkRegistration,
  type PasskeyAttestation,
  type RegisteredPasskey,
} from '#foundation/crypto/webauthn.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { PlatformSettings } from '#foundation/lib/platform.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';

type RelyingParty = Pick<PlatformSettings['sca'], 'rpId' | 'origins'>;

/** Returns the relying party and the origins of passkeys (customers.md §7.2); refuses with 501 if they are not set. */
export function requireRelyingParty({ platform }: ReadTx): RelyingParty {
  const { sca } = platform.settings;
  if (sca.origins.length === 0) {
    refuse(
      'NOT_IMPLEMENTED',
      'Passkeys are not set up for this platform: ask the operator to set sca.origins.',
    );
  }
  return sca;
}

export function newWebauthnChallenge(): Buffer {
  return randomBytes(32);
}

/** The supported algorithms: ES256, RS256 and EdDSA (COSE). */
const ALGORITHMS = [-7, -257, -8];

/** `PublicKeyCredentialCreationOptionsJSON` for browsers. */
export function creationOptions(
  { platform }: ReadTx,
  { id, email }: CustomerRow,
  challenge: Buffer,
  timeout: number,
): Record<string, unknown> {
  const name = email ?? platform.name;
  return {
    rp: { id: platform.settings.sca.rpId, name: platform.name },
    // Authenticators may reveal the id, so it contains nothing about the person.
    user: { id: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'), name, displayName: name },
    challenge: challenge.toString('base64url'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    // A customer has one passkey.
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  };
}

const SHOWN_FIELDS: Readonly<Record<keyof PasskeyAttestation, string>> = {
  credentialId: 'credential.id',
  clientDataJson: 'credential.response.clientDataJSON',
  attestationObject: 'credential.response.attestationObject',
};

/** Refuses a malformed passkey before the customer is considered. */
export function readNewPasskey({ credential }: PasskeyEnrollmentConfirmRequest): PasskeyAttestation {
  const attestation = readAttestation(credential);
  const problems = (Object.keys(SHOWN_FIELDS) as (keyof PasskeyAttestation)[])
    .filter((name) => !isBase64url(attestation[name]))
    .map((name) => ({ field: SHOWN_FIELDS[name], message: 'must be base64url' }));
  if (problems.length > 0) throw invalidFields(problems);
  return attestation;
}

/**
 * Checks that a passkey was created for this challenge and the platform's relying party, on the page that the request
 * names, which must be one of the platform's (customers.md §7.2).
 */
export async function checkNewPasskey(
  tx: ReadTx,
  attestation: PasskeyAttestation,
  asked: { readonly origin: string; readonly challenge: Buffer },
): Promise<{ passkey: RegisteredPasskey } | { problems: FieldError[] }> {
  const { rpId, origins } = tx.platform.settings.sca;
  if (!origins.includes(asked.origin)) {
    return { problems: [{ field: 'origin', message: 'is not one of the allowed origins' }] };
  }
  const listed = origins.map((origin) => ({ origin, rpId }));
  const registered = await checkRegistration(attestation, asked.challenge.toString('base64url'), listed);
  if ('problems' in registered) {
    return { problems: registered.problems.map((one) => ({ ...one, field: shownField(one.field) })) };
  }
  if (registered.origin !== asked.origin) {
    return { problems: [{ field: 'origin', message: 'is not the origin that created the passkey' }] };
  }
  return { passkey: registered.passkey };
}

function shownField(field: string): string {
  return SHOWN_FIELDS[field as keyof PasskeyAttestation] ?? 'credential';
}
