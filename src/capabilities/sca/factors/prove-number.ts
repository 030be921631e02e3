import {
  CHALLENGE_LIFE_MS,
  draftChallenge,
  openChallenge,
  presentChallenge,
  voidChallenges,
} from '#capabilities/sca/challenges/challenges.ts';
import { checkStarted, staleProof } from '#capabilities/sca/challenges/check-answer.ts';
import { lockChallenge } from '#capabilities/sca/challenges/store.ts';
import { type Authentication, factorsOf, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import { requireRelyingParty } from '#capabilities/sca/passkeys.ts';
import { fieldOf, type ProofResult, parseProof, type SentProof } from '#capabilities/sca/proofs.ts';
import type {
  ScaFactor,
  SmsEnrollmentConfirmRequest,
  SmsEnrollmentConfirmResponse,
  SmsEnrollmentStart,
} from '#capabilities/sca/schemas.ts';
import { countWrongProof } from '#capabilities/sca/standing/lockout.ts';
import { lockLiveStanding, requireFactorChange } from '#capabilities/sca/standing/rules.ts';
import { revokeSessions, type Standing, setNumberNeedsProof } from '#capabilities/sca/standing/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, type Refusal, refuse } from '#foundation/lib/refusals.ts';

/**
 * A new phone number ends all of the customer's sessions and voids its challenges in the same commit. If the old
 * number was a factor, the new one is not a factor until it is proved (customers.md §7.3a). The caller has locked the
 * customer's standing.
 */
export async function retireNumber(tx: Tx, customerId: CustomerId, wasFactor: boolean): Promise<void> {
  if (wasFactor) await setNumberNeedsProof(tx, customerId, true);
  await revokeSessions(tx, customerId);
  await voidChallenges(tx, customerId);
}

/** Requests a proof by another factor, so that the verified number becomes a factor (customers.md §7.3a). */
export async function startNumberProof(
  tx: Tx,
  standing: Standing,
  phoneVerification: string | null,
): Promise<SmsEnrollmentStart> {
  const { customerId } = standing;
  if (!standing.numberNeedsProof) throw badType('needs no enrolment: a verified phone number suffices');
  if (phoneVerification !== 'VERIFIED') {
    throw badType('needs a verified phone number: POST /customers/{customerId}/verify-phone');
  }
  await requireFactorChange(tx, standing);
  const authentication = await loadAuthentication(tx, customerId);
  const factor = chooseFactor(authentication);
  const origins = factor === 'PASSKEY' ? requireRelyingParty(tx).origins : undefined;
  const draft = draftChallenge(tx, authentication, {
    customerId,
    ...numberOf(customerId),
    factor,
    expiresAt: new Date(tx.now.getTime() + CHALLENGE_LIFE_MS),
    about: 'to use a new phone number',
  });
  openChallenge(tx, draft);
  return { type: 'SMS_OTP', scaChallenge: presentChallenge(draft.challenge, authentication, origins) };
}

/** Chooses the live session's factor if it is still enrolled, else another one, but never the number itself. */
function chooseFactor(authentication: Authentication): ScaFactor {
  const others = factorsOf(authentication).filter((factor) => factor !== 'SMS_OTP');
  const factor = others.find((each) => each === authentication.sessionFactor) ?? others[0];
  return (
    factor ??
    refuse(
      'CONFLICT',
      'The customer has no other factor to prove the number: reset SMS_OTP with a liveness check (POST /sca/factors/reset).',
    )
  );
}

/** The right proof makes the number a factor. A wrong one is returned as a refusal, so that it is counted. */
export async function confirmNumberProof(
  tx: Tx,
  customerId: CustomerId,
  body: SmsEnrollmentConfirmRequest,
): Promise<SmsEnrollmentConfirmResponse | Refusal> {
  const parsed = parseProof(body);
  if ('problems' in parsed) throw invalidFields(parsed.problems);
  const { proof } = parsed;
  const standing = await lockLiveStanding(tx, customerId);
  await requireFactorChange(tx, standing);
  const result = await checkNumberProof(tx, customerId, proof, body.challengeId);
  if ('reason' in result) {
    const name = proof.kind === 'CODE' ? 'TOTP' : 'PASSKEY';
    return countWrongProof(tx, standing, { field: fieldOf(proof), proof: name, ...result });
  }
  await result.accept(tx);
  await setNumberNeedsProof(tx, customerId, false);
  return { type: 'SMS_OTP', factor: { factor: 'SMS_OTP' } };
}

/** A change of the number voids the challenge, so a proof always concerns the number of its start. */
async function checkNumberProof(
  tx: Tx,
  customerId: CustomerId,
  proof: SentProof,
  challengeId: string,
): Promise<ProofResult> {
  const challenge = await lockChallenge(tx, numberOf(customerId));
  const field = 'challengeId';
  if (challenge?.id !== parseId('ScaChallenge', challengeId, 'full') || !challenge)
    return { field, ...staleProof('the challenge is not that of the last start, or it was answered') };
  return checkStarted(tx, challenge, await loadAuthentication(tx, customerId), proof, field);
}

function numberOf(customerId: CustomerId) {
  return { purpose: 'NUMBER', target: customerId } as const;
}

function badType(message: string): Refusal {
  return invalidFields([{ field: 'type', message }]);
}
