import { loadQuote, notAsked } from '#capabilities/payments/authorization/authorize-quote.ts';
import { showPaymentChallenge } from '#capabilities/payments/parties/authentication.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { awaitsAuthorization, isPastAuthorization, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { sendCode } from '#capabilities/sca/challenges/challenges.ts';
import {
  type Challenge,
  findChallenge,
  lockChallenge,
  recordResend,
} from '#capabilities/sca/challenges/store.ts';
import { loadAuthentication } from '#capabilities/sca/factor-store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS, waitMs } from '#foundation/lib/code-kinds.ts';
import { rateLimited, refuse } from '#foundation/lib/refusals.ts';

/** customers.md §7.12. */
const { pause: PAUSE, resends: RESENDS } = CODE_KINDS.SCA.limits;

/** POST …/authorize/resend: sends the same code again while the challenge is open. */
export async function resendCode(tx: Tx, quoteId: QuoteId): Promise<void> {
  const row = await loadQuote(tx, quoteId);
  const challenge = await lockChallenge(tx, { purpose: 'PAYMENT', target: row.id });
  const isOpen = challenge && awaitsAuthorization(row) && !isPastAuthorization(row, tx.now);
  if (!isOpen || challenge.voidedAt) throw notAsked(row, tx.now);
  if (challenge.factor !== 'SMS_OTP') {
    refuse(
      'CONFLICT',
      `The customer authorizes this payment by ${challenge.factor}; there is no code to send.`,
    );
  }
  requirePause(tx, challenge);
  await recordResend(tx, challenge);
  sendCode(tx, { id: challenge.id, resends: challenge.resends + 1 });
}

/** Refuses another text message for this payment if it comes too soon after the last, or after too many. */
export function requirePause(tx: ReadTx, { resends, resentAt, expiresAt }: Challenge): void {
  if (resends >= RESENDS.max) {
    const left = expiresAt.getTime() - tx.now.getTime();
    throw rateLimited(left, () => 'The code cannot be sent again. Create a new quote.');
  }
  const wait = resentAt ? waitMs([resentAt.getTime()], PAUSE, tx.now.getTime()) : 0;
  if (wait > 0) throw rateLimited(wait, (seconds) => `The code can be sent again in ${seconds} seconds.`);
}

/** The quote as it reads now, with its open challenge if it waits for its customer. */
export async function presentCurrentQuote(tx: ReadTx, row: TransactionRow): Promise<Quote> {
  if (!awaitsAuthorization(row) || isPastAuthorization(row, tx.now) || row.customer_id === null) {
    return presentQuote(tx, row, tx.now);
  }
  const [challenge, authentication] = await Promise.all([
    findChallenge(tx, { purpose: 'PAYMENT', target: row.id }),
    loadAuthentication(tx, row.customer_id),
  ]);
  return presentQuote(tx, row, tx.now, challenge && showPaymentChallenge(challenge, authentication));
}
