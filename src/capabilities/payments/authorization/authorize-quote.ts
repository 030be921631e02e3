import { checkReadiness } from '#capabilities/payments/execution/check-execution.ts';
import { findExecution } from '#capabilities/payments/execution/store.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import {
  draftPaymentChallenge,
  nextLabel,
  type PaymentChallenge,
} from '#capabilities/payments/parties/authentication.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { Quote, ScaAuthorization } from '#capabilities/payments/schemas.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findQuote } from '#capabilities/payments/store.ts';
import { openChallenge } from '#capabilities/sca/challenges/challenges.ts';
import { checkAnswer } from '#capabilities/sca/challenges/check-answer.ts';
import {
  type Challenge,
  deleteChallenge,
  findChallenge,
  lockChallenge,
  markVoided,
  recordWrongTry,
  setCalls,
} from '#capabilities/sca/challenges/store.ts';
import { type Authentication, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import {
  fieldOf,
  parseProof,
  problemsOfAddress,
  type SentProof,
  type WrongProof,
} from '#capabilities/sca/proofs.ts';
import { checkLocked, countWrongProof } from '#capabilities/sca/standing/lockout.ts';
import { sessionRequired } from '#capabilities/sca/standing/rules.ts';
import { lockStanding, type Standing } from '#capabilities/sca/standing/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS, recentAttempts, waitMs } from '#foundation/lib/code-kinds.ts';
import { invalidFields, notFound, Refusal, rateLimited } from '#foundation/lib/refusals.ts';

/** customers.md §7.11. */
const {
  wrongTriesMax: WRONG_TRIES_MAX,
  limits: { calls: CALLS },
} = CODE_KINDS.SCA;

/**
 * POST …/authorize (customers.md §7.11). The customer's standing and the challenge are locked first, so that calls and
 * failures are counted exactly, and one right answer counts once. Later refusals are returned and not thrown, so that
 * the counts are committed.
 */
export async function authorizeQuote(
  tx: Tx,
  quoteId: QuoteId,
  body: ScaAuthorization,
): Promise<Quote | Refusal> {
  const proof = readAnswer(body);
  const row = await loadQuote(tx, quoteId);
  const { standing, challenge } = await lockAsked(tx, row);
  const authentication = await loadAuthentication(tx, challenge.customerId);
  await takeCall(tx, challenge, authentication.sessionFactor !== null);
  const refusal = checkLocked(standing, tx.now) ?? checkSession(authentication);
  if (refusal) return refusal;
  if (challenge.expiresAt <= tx.now) return lapse(tx, row, challenge);
  const result = await checkAnswer(tx, challenge, authentication, proof);
  if ('reason' in result) {
    return refuseAnswer(tx, { row, standing, challenge }, proof, result, body.endUserIpAddress);
  }
  const next = nextChallenge(tx, row, challenge, authentication);
  const refused = next ? undefined : await checkAgain(tx, quoteId);
  if (refused) return refused;
  const after = await applyToPayment(tx, row, { kind: 'authorized', nextBy: next?.by });
  if (!after) return lapse(tx, row, challenge);
  await result.accept(tx);
  if (next) openChallenge(tx, next.draft);
  else await deleteChallenge(tx, challenge);
  return presentQuote(tx, after, tx.now, next?.shown);
}

export async function loadQuote(tx: Tx, quoteId: QuoteId): Promise<TransactionRow> {
  const row = await findQuote(tx, quoteId);
  if (!row) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return row;
}

/** Reports every invalid field at once. */
function readAnswer(body: ScaAuthorization): SentProof {
  const parsed = parseProof(body);
  const problems = problemsOfAddress(body.endUserIpAddress);
  if ('problems' in parsed) throw invalidFields([...parsed.problems, ...problems]);
  if (problems.length > 0) throw invalidFields(problems);
  return parsed.proof;
}

interface ChallengeSnapshot {
  readonly standing: Standing;
  readonly challenge: Challenge;
}

/** Locks the payment's challenge, even if the answer comes too late. 409 if there is none, or it was voided. */
export async function lockAsked(tx: Tx, row: TransactionRow): Promise<ChallengeSnapshot> {
  const place = { purpose: 'PAYMENT', target: row.id } as const;
  const seen = await findChallenge(tx, place);
  if (!seen) throw notAsked(row, tx.now);
  const standing = await lockStanding(tx, seen.customerId);
  const challenge = await lockChallenge(tx, place);
  if (!challenge || challenge.voidedAt) throw notAsked(row, tx.now);
  return { standing, challenge };
}

export function notAsked(row: TransactionRow, now: Date): Refusal {
  const status = shownStatus(row, now);
  const reason = `The quote does not wait for authorization; it is ${status}.`;
  return new Refusal('CONFLICT', reason, { status });
}

/** Every call for a logged-in customer counts, whatever its outcome. Other calls cannot be used to guess a code. */
async function takeCall(tx: Tx, challenge: Challenge, isLoggedIn: boolean): Promise<void> {
  const now = tx.now.getTime();
  const calls = challenge.calls.map((at) => at.getTime());
  const wait = waitMs(calls, CALLS, now);
  if (wait > 0)
    throw rateLimited(wait, (s) => `This challenge was answered too often. Try again in ${s} seconds.`);
  const recent = recentAttempts(calls, CALLS, now).map((at) => new Date(at));
  if (isLoggedIn) await setCalls(tx, challenge, [...recent, tx.now]);
}

function checkSession({ sessionFactor, customerId }: Authentication): Refusal | undefined {
  return sessionFactor === null ? sessionRequired(customerId) : undefined;
}

/** The answer came too late, even if the timer has not run. */
async function lapse(tx: Tx, row: TransactionRow, { expiresAt }: Challenge): Promise<Refusal> {
  await applyToPayment(tx, row, { kind: 'authorizationLapsed' });
  return new Refusal('QUOTE_EXPIRED', 'The payment was not authorized in time. Create a new quote.', {
    expiresAt: expiresAt.toISOString(),
  });
}

/** Counts a wrong answer; the fifth voids the challenge, and the payment fails. */
async function refuseAnswer(
  tx: Tx,
  { row, standing, challenge }: ChallengeSnapshot & { readonly row: TransactionRow },
  proof: SentProof,
  wrong: WrongProof,
  endUserIpAddress: string | null | undefined,
): Promise<Refusal> {
  await recordWrongTry(tx, challenge);
  const isLast = challenge.wrongTries + 1 >= WRONG_TRIES_MAX;
  if (isLast) {
    await markVoided(tx, { id: challenge.id });
    await applyToPayment(tx, row, { kind: 'authorizationLapsed' });
  }
  return countWrongProof(tx, standing, {
    field: fieldOf(proof),
    proof: challenge.factor,
    ...wrong,
    ...(isLast && { outcome: 'the payment has failed, because this was the fifth wrong answer' }),
    ...(endUserIpAddress != null && { endUserIpAddress }),
  });
}

function nextChallenge(
  tx: Tx,
  row: TransactionRow,
  { label, factor }: Challenge,
  authentication: Authentication,
): PaymentChallenge | undefined {
  const next = nextLabel(label);
  return next && draftPaymentChallenge(tx, row, { authentication, factor }, next);
}

/** customers.md §7.10c: a refusal changes nothing, and the challenge stays open. */
async function checkAgain(tx: Tx, quoteId: QuoteId): Promise<Refusal | undefined> {
  const execution = await findExecution(tx, quoteId);
  return execution && checkReadiness(tx, execution);
}

/** Returns the payment after the notice; undefined if it had already ended. */
export async function applyToPayment(
  tx: Tx,
  { id }: TransactionRow,
  notice: PaymentNotice,
): Promise<TransactionRow | undefined> {
  const { rows, ignored } = await applyNotices(tx, [{ reference: id, notices: [notice] }]);
  return ignored.length > 0 ? undefined : rows[0];
}
