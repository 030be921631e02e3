import { findLiveCustomer } from '#capabilities/customers/store.ts';
import type {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
} from '#capabilities/external-accounts/schemas.ts';
import { openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import {
  type ExternalAccountRow,
  externalAccountNotFound,
  findExternalAccount,
  lockExternalAccount,
  setTrusted,
} from '#capabilities/external-accounts/store.ts';
import { identifierOf } from '#capabilities/external-accounts/types/account-rules.ts';
import {
  CHALLENGE_LIFE_MS,
  draftChallenge,
  isOpen,
  openChallenge,
  presentChallenge,
  takeCodeSend,
} from '#capabilities/sca/challenges/challenges.ts';
import { checkAnswer, staleProof } from '#capabilities/sca/challenges/check-answer.ts';
import {
  type Challenge,
  type ChallengePurpose,
  deleteChallenge,
  dropChallenges,
  lockChallenge,
} from '#capabilities/sca/challenges/store.ts';
import { type Authentication, factorsOf, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import { requireRelyingParty } from '#capabilities/sca/passkeys.ts';
import { fieldOf, type ProofResult, parseProof, type SentProof } from '#capabilities/sca/proofs.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import { checkLocked, countWrongProof } from '#capabilities/sca/standing/lockout.ts';
import { checkScaRegion, NUMBER_NEEDS_PROOF } from '#capabilities/sca/standing/rules.ts';
import { lockStanding } from '#capabilities/sca/standing/store.ts';
import { checkTotp } from '#capabilities/sca/totp.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, type Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

/** The change that a customer confirms: it trusts an account from now on, or no longer (accounts.md §3.4). */
export type TrustChange = Extract<ChallengePurpose, 'TRUST' | 'UNTRUST'>;

type OwnedAccount = ExternalAccountRow & { customer_id: CustomerId };

/** Asks the customer for a proof, by the factor of its session. The challenge of an earlier start is voided. */
export async function startTrustChange(
  tx: Tx,
  accountId: ExternalAccountId,
  change: TrustChange,
): Promise<BeneficiaryTrustStart> {
  const account = await loadChangeable(tx, accountId, change);
  const { customer_id: customerId, id: target } = account;
  await lockStanding(tx, customerId);
  const authentication = await loadAuthentication(tx, customerId);
  const factor = chooseFactor(authentication);
  if (factor === 'TOTP') {
    // The app's code needs no challenge.
    await dropChallenges(tx, target, [change]);
    return {};
  }
  const origins = factor === 'PASSKEY' ? requireRelyingParty(tx).origins : undefined;
  const draft = draftChallenge(tx, authentication, {
    customerId,
    purpose: change,
    target,
    factor,
    expiresAt: new Date(tx.now.getTime() + CHALLENGE_LIFE_MS),
    about: describeChange(tx, account, change),
  });
  if (factor === 'SMS_OTP') await takeCodeSend(tx, customerId);
  openChallenge(tx, draft);
  return { scaChallenge: presentChallenge(draft.challenge, authentication, origins) };
}

/** The latest session's factor if it is still enrolled; without a session a code to the phone (customers.md §7.14). */
function chooseFactor(authentication: Authentication): ScaFactor {
  const enrolled = factorsOf(authentication);
  const { sessionFactor } = authentication;
  if (sessionFactor !== null && enrolled.includes(sessionFactor)) return sessionFactor;
  if (enrolled.includes('SMS_OTP')) return 'SMS_OTP';
  const why = authentication.numberNeedsProof
    ? `a text message ${NUMBER_NEEDS_PROOF}`
    : 'the customer’s phone number is not verified';
  const reason = `No code can be sent, because ${why}. The customer can also log in by another factor first.`;
  return refuse('INVALID_INPUT', reason, { availableFactors: enrolled });
}

/** Describes the account in the text message: enough to recognize it, but not its whole number. */
function describeChange(tx: ReadTx, account: ExternalAccountRow, change: TrustChange): string {
  const ending = identifierOf(openDetails(tx, account).info).slice(-4);
  return `to ${change === 'TRUST' ? 'trust' : 'stop trusting'} the ${account.currency} account ending in ${ending}`;
}

/**
 * Changes the trust if the proof is right. A wrong proof is returned and not thrown, so that it is counted. Locks the
 * customer's standing, then the challenge, then the account.
 */
export async function confirmTrustChange(
  tx: Tx,
  accountId: ExternalAccountId,
  change: TrustChange,
  body: BeneficiaryTrustConfirmRequest,
  schemaProblems: readonly FieldError[],
): Promise<BeneficiaryTrustConfirm | Refusal> {
  const { customer_id: customerId } = await loadChangeable(tx, accountId, change);
  const answer = readAnswer(body, schemaProblems);
  if (answer.challengeId === undefined) await requireApp(tx, customerId);
  const standing = await lockStanding(tx, customerId);
  refuseIf(checkLocked(standing, tx.now));
  const challenge = await lockChallenge(tx, { purpose: change, target: accountId });
  // Another request may have changed or deleted the account while this one waited.
  requireChangeable(await lockExternalAccount(tx, accountId), change);
  const authentication = await loadAuthentication(tx, customerId);
  const result = await checkTrustAnswer(tx, answer, challenge, authentication);
  if ('reason' in result) {
    const field = fieldOf(answer.proof);
    return countWrongProof(tx, standing, { field, proof: factorOf(answer), ...result });
  }
  await result.accept(tx);
  if (challenge) await deleteChallenge(tx, challenge);
  const trusted = change === 'TRUST';
  await setTrusted(tx, accountId, trusted);
  return { trusted };
}

/** A customer's answer; a code without a challenge is an authenticator app's. */
interface TrustAnswer {
  readonly challengeId: string | undefined;
  readonly proof: SentProof;
}

const CHALLENGE_ID_NEEDED: FieldError = {
  field: 'challengeId',
  message: 'is required, except with the code of an authenticator app',
};

function readAnswer(
  body: BeneficiaryTrustConfirmRequest,
  schemaProblems: readonly FieldError[],
): TrustAnswer {
  if (schemaProblems.length > 0) throw invalidFields(schemaProblems);
  const challengeId = body.challengeId ?? undefined;
  const parsed = parseProof(body);
  const missing = body.passkeyAssertion != null && challengeId === undefined ? [CHALLENGE_ID_NEEDED] : [];
  if ('problems' in parsed) throw invalidFields([...missing, ...parsed.problems]);
  if (missing.length > 0) throw invalidFields(missing);
  return { challengeId, proof: parsed.proof };
}

/**
 * A customer without an authenticator app was given a challenge, so its id is missing here. This counts as no guess.
 */
async function requireApp(tx: ReadTx, customerId: CustomerId): Promise<void> {
  const { hasTotp } = await loadAuthentication(tx, customerId);
  if (!hasTotp) throw invalidFields([CHALLENGE_ID_NEEDED]);
}

function factorOf({ challengeId, proof }: TrustAnswer): ScaFactor {
  if (proof.kind === 'ASSERTION') return 'PASSKEY';
  return challengeId === undefined ? 'TOTP' : 'SMS_OTP';
}

async function checkTrustAnswer(
  tx: ReadTx,
  { challengeId, proof }: TrustAnswer,
  challenge: Challenge | undefined,
  authentication: Authentication,
): Promise<ProofResult> {
  if (challengeId === undefined) return checkTotp(tx, authentication.customerId, proof);
  // A challenge of another account, customer or direction has another id.
  if (!challenge || challenge.id !== parseId('ScaChallenge', challengeId, 'full'))
    return { field: 'challengeId', ...staleProof('the challenge is unknown, was answered or was replaced') };
  if (!isOpen(challenge, tx.now))
    return { field: 'challengeId', ...staleProof('the challenge has expired or was voided') };
  return checkAnswer(tx, challenge, authentication, proof, tx.platform.settings.sca.origins);
}

/**
 * The account, if its customer can make this change: otherwise 404, 409 and 409, in this order (customers.md §7.14).
 */
async function loadChangeable(
  tx: ReadTx,
  accountId: ExternalAccountId,
  change: TrustChange,
): Promise<OwnedAccount> {
  const account = await findExternalAccount(tx, accountId);
  const owner = account?.customer_id == null ? undefined : await findLiveCustomer(tx, account.customer_id);
  if (!owner) throw externalAccountNotFound();
  refuseIf(checkScaRegion(owner));
  return requireChangeable(account, change);
}

function requireChangeable(account: ExternalAccountRow | undefined, change: TrustChange): OwnedAccount {
  if (!account || !hasOwner(account)) throw externalAccountNotFound();
  if (account.trusted === (change === 'TRUST'))
    refuse(
      'CONFLICT',
      account.trusted
        ? 'The customer already trusts this account.'
        : 'The customer does not trust this account.',
    );
  return account;
}

function hasOwner(account: ExternalAccountRow): account is OwnedAccount {
  return account.customer_id !== null;
}
