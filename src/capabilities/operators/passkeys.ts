import { createHash } from 'node:crypto';
import { checkRelyingParty, type RelyingParty } from '#capabilities/operators/address.ts';
import type { OpenChallenge } from '#capabilities/operators/challenges.ts';
import { type OperatorPasskey, PASSKEYS_MAX, usePasskey } from '#capabilities/operators/passkey-store.ts';
import { useChallenge } from '#capabilities/operators/session-store.ts';
import {
  checkAssertion,
  checkRegistration,
  type PasskeyAssertion,
  type PasskeyAttestation,
  parseAssertion,
  type RegisteredPasskey,
} from '#foundation/crypto/webauthn.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { invalidFields, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

/** Checks a new passkey: made on the console's own origin, for its host, by a user who was verified. */
export async function readNewPasskey(
  attestation: PasskeyAttestation,
  { bytes }: OpenChallenge,
  relyingParty: RelyingParty,
): Promise<RegisteredPasskey> {
  refuseIf(checkRelyingParty(relyingParty));
  const challenge = bytes.toString('base64url');
  const checked = await checkRegistration(attestation, challenge);
  if ('problems' in checked) throw invalidFields(checked.problems);
  const { passkey, origin, isUserVerified } = checked;
  if (origin !== relyingParty.origin || passkey.rpId !== relyingParty.id) {
    throw invalidFields([
      { field: 'clientDataJson', message: `must be made on ${relyingParty.origin} for ${relyingParty.id}` },
    ]);
  }
  if (!isUserVerified) {
    throw invalidFields([{ field: 'attestationObject', message: 'says that the user was not verified' }]);
  }
  return passkey;
}

/** Six digits of a key: the person who joined and the admin who confirms see the same (operator.md §1.5a). */
export function digitsOf({ publicKey }: RegisteredPasskey): string {
  const digest = createHash('sha256').update('corridor operator key').update(publicKey).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** Checks an answer with one of the operator's passkeys; returns its new counter, or undefined if it proves nothing. */
export async function readAnswer(
  sent: PasskeyAssertion,
  passkey: OperatorPasskey,
  { bytes }: OpenChallenge,
  relyingParty: RelyingParty,
): Promise<number | undefined> {
  const parsed = parseAssertion(sent);
  if ('problems' in parsed) throw invalidFields(parsed.problems);
  const { assertion } = parsed;
  const isOurs = assertion.clientData.origin === relyingParty.origin && passkey.rpId === relyingParty.id;
  if (!isOurs) return undefined;
  const checked = await checkAssertion(assertion, { passkey, challenge: bytes });
  return 'reason' in checked || !checked.isUserVerified ? undefined : checked.counter;
}

/**
 * Records that a challenge was answered with a passkey. Of two answers to one challenge, and of two with one counter, one
 * counts; false for the other.
 */
export async function recordAnswer(
  tx: Tx,
  passkey: OperatorPasskey,
  { challenge, counter }: { readonly challenge: OpenChallenge; readonly counter: number },
): Promise<boolean> {
  return (
    (await useChallenge(tx, challenge.hash, challenge.expiresAt)) &&
    (await usePasskey(tx, passkey.id, counter))
  );
}

/** The same refusal for every cause, so that it reveals nothing (operator.md §3.5). */
export function wrongPasskey(): Refusal {
  return new Refusal(
    'UNAUTHORIZED',
    'This passkey does not sign you in. Try again, or ask an administrator.',
  );
}

export function refuseNewPasskey(problem: 'full' | 'known'): never {
  if (problem === 'full') refuse('CONFLICT', `An operator has at most ${PASSKEYS_MAX} passkeys.`);
  refuse('CONFLICT', 'This passkey is registered already.');
}
