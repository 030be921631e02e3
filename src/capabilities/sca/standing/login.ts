import {
  assertionOptions,
  CHALLENGE_LIFE_MS,
  draftChallenge,
  openChallenge,
  takeCodeSend,
} from '#capabilities/sca/challenges/challenges.ts';
import { checkStarted, staleProof } from '#capabilities/sca/challenges/check-answer.ts';
import { dropChallenges, lockChallenge } from '#capabilities/sca/challenges/store.ts';
import { type Authentication, factorsOf, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import { requireRelyingParty } from '#capabilities/sca/passkeys.ts';
import {
  fieldOf,
  type ProofResult,
  parseProof,
  problemsOfAddress,
  type SentProof,
} from '#capabilities/sca/proofs.ts';
import type {
  ScaFactor,
  ScaLoginComplete,
  ScaLoginCompleteRequest,
  ScaLoginStart,
} from '#capabilities/sca/schemas.ts';
import { checkLocked, countWrongProof } from '#capabilities/sca/standing/lockout.ts';
import { checkEnrolled, checkNumberProved, lockLiveStanding } from '#capabilities/sca/standing/rules.ts';
import { insertSession, setNumberNeedsProof, updateStanding } from '#capabilities/sca/standing/store.ts';
import { checkTotp } from '#capabilities/sca/totp.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, type Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** customers.md §7.8. */
const SESSION_LIFE_MS = 180 * 24 * 60 * 60_000;

/** Requests a proof and voids an earlier start. A locked customer may start as well (customers.md §7.7). */
export async function startLogin(tx: Tx, customerId: CustomerId, factor: ScaFactor): Promise<ScaLoginStart> {
  await lockLiveStanding(tx, customerId);
  const authentication = await loadAuthentication(tx, customerId);
  refuseIf(checkEnrolled(authentication, factor));
  await dropChallenges(tx, customerId, ['LOGIN']);
  // An authenticator app's code needs no challenge.
  return factor === 'TOTP' ? { factor } : challengeLogin(tx, authentication, factor);
}

async function challengeLogin(
  tx: Tx,
  authentication: Authentication,
  factor: Exclude<ScaFactor, 'TOTP'>,
): Promise<ScaLoginStart> {
  const { customerId } = authentication;
  const origins = factor === 'PASSKEY' ? requireRelyingParty(tx).origins : [];
  const expiresAt = new Date(tx.now.getTime() + CHALLENGE_LIFE_MS);
  const question = { customerId, ...loginOf(customerId), factor, expiresAt, about: 'to log in' };
  const draft = draftChallenge(tx, authentication, question);
  if (factor === 'SMS_OTP') await takeCodeSend(tx, customerId);
  openChallenge(tx, draft);
  if (factor === 'SMS_OTP') {
    const challengeId = publicId('ScaChallenge', draft.challenge.id);
    return { factor, challengeId, expiresAt: expiresAt.toISOString() };
  }
  return {
    factor,
    passkeyOptions: assertionOptions(draft.challenge, authentication),
    allowedOrigins: [...origins],
    relyingPartyId: authentication.passkey?.rpId ?? null,
  };
}

/** A login with all required fields. */
interface ParsedLogin {
  readonly factor: ScaFactor;
  readonly proof: SentProof;
  /** For a text message: the bare UUID, or undefined if it is not the id of a challenge. */
  readonly challengeId: Id<'ScaChallenge'> | undefined;
  readonly endUserIpAddress: string;
}

/** The right proof creates a session. A wrong one is returned as a refusal, so that it is counted (customers.md §7.8). */
export async function completeLogin(
  tx: Tx,
  customerId: CustomerId,
  body: ScaLoginCompleteRequest,
): Promise<ScaLoginComplete | Refusal> {
  const login = readLogin(body);
  const standing = await lockLiveStanding(tx, customerId);
  refuseIf(checkLocked(standing, tx.now));
  const { factor, proof, endUserIpAddress } = login;
  const authentication = await loadAuthentication(tx, customerId);
  if (factor === 'SMS_OTP') refuseIf(checkNumberProved(authentication));
  const result = await checkLogin(tx, authentication, login);
  if ('reason' in result) {
    const wrong = { field: fieldOf(proof), proof: factor, endUserIpAddress, ...result };
    return countWrongProof(tx, standing, wrong);
  }
  await result.accept(tx);
  const expiresAt = new Date(tx.now.getTime() + SESSION_LIFE_MS);
  await insertSession(tx, { customerId, factor, expiresAt });
  // After the first login, an unverified number can no longer become the first factor by itself (customers.md §7.3a).
  const isFirst = standing.firstLoginAt === null;
  if (isFirst && authentication.phoneNumber === null) await setNumberNeedsProof(tx, customerId, true);
  const firstLoginAt = standing.firstLoginAt ?? tx.now;
  await updateStanding(tx, { ...standing, failedAttempts: 0, lockedUntil: null, firstLoginAt });
  return { status: 'SUCCESS', sessionExpiresAt: expiresAt.toISOString() };
}

function readLogin(body: ScaLoginCompleteRequest): ParsedLogin {
  const { factor, endUserIpAddress, challengeId } = body;
  const parsed = parseProof(body);
  const problems = problemsOfAddress(endUserIpAddress);
  if (factor === 'SMS_OTP' && typeof challengeId !== 'string') {
    problems.push({ field: 'challengeId', message: 'is required with SMS_OTP' });
  }
  if ('problems' in parsed) throw invalidFields([...problems, ...parsed.problems]);
  const { proof } = parsed;
  const needed = factor === 'PASSKEY' ? 'passkeyAssertion' : 'code';
  if (fieldOf(proof) !== needed) {
    problems.push({ field: needed, message: `is required for a login with ${factor}` });
  }
  if (problems.length > 0) throw invalidFields(problems);
  return {
    factor,
    proof,
    challengeId: challengeId == null ? undefined : parseId('ScaChallenge', challengeId, 'full'),
    endUserIpAddress,
  };
}

async function checkLogin(
  tx: Tx,
  authentication: Authentication,
  { factor, proof, challengeId }: ParsedLogin,
): Promise<ProofResult> {
  const { customerId } = authentication;
  if (!factorsOf(authentication).includes(factor)) {
    const message = 'is not enrolled for this customer';
    return { field: 'factor', reason: `${factor} ${message}`, message };
  }
  if (factor === 'TOTP') return checkTotp(tx, customerId, proof);
  const challenge = await lockChallenge(tx, loginOf(customerId));
  const field = factor === 'SMS_OTP' ? 'challengeId' : 'passkeyAssertion';
  if (challenge?.factor !== factor)
    return { field, ...staleProof(`the last login start was not with ${factor}, or it was completed`) };
  if (factor === 'SMS_OTP' && challenge.id !== challengeId)
    return { field, ...staleProof('the challenge is not that of the last start') };
  return checkStarted(tx, challenge, authentication, proof, field);
}

function loginOf(customerId: CustomerId) {
  return { purpose: 'LOGIN', target: customerId } as const;
}
