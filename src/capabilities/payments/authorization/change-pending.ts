import {
  applyToPayment,
  loadQuote,
  lockAsked,
  notAsked,
} from '#capabilities/payments/authorization/authorize-quote.ts';
import { requirePause } from '#capabilities/payments/authorization/waiting-quote.ts';
import {
  checkPaymentFactor,
  draftPaymentChallenge,
  showPaymentChallenge,
} from '#capabilities/payments/parties/authentication.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { isOpen, openChallenge } from '#capabilities/sca/challenges/challenges.ts';
import { type Challenge, markVoided } from '#capabilities/sca/challenges/store.ts';
import { loadAuthentication } from '#capabilities/sca/factor-store.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { refuse, refuseIf } from '#foundation/lib/refusals.ts';

/** POST …/authorize/cancel (customers.md §7.12a): the payment fails as if its challenge had been voided. */
export async function cancelWaiting(tx: Tx, quoteId: QuoteId): Promise<Quote> {
  const { row, challenge } = await lockWaiting(tx, quoteId);
  await markVoided(tx, { id: challenge.id });
  const after = await applyToPayment(tx, row, { kind: 'authorizationLapsed' });
  if (!after) throw notAsked(row, tx.now);
  return presentQuote(tx, after, tx.now);
}

/**
 * POST …/authorize/factor (customers.md §7.12b): a new challenge replaces the open one and keeps its deadline. Earlier
 * attempts and messages still count, so that changing the factor is no way around a limit.
 */
export async function moveWaiting(tx: Tx, quoteId: QuoteId, scaFactor: ScaFactor): Promise<Quote> {
  const { row, challenge } = await lockWaiting(tx, quoteId);
  const authentication = await loadAuthentication(tx, challenge.customerId);
  refuseIf(checkPaymentFactor(authentication, scaFactor));
  if (challenge.factor === scaFactor) {
    refuse('CONFLICT', `The payment already waits for ${scaFactor}.`, { scaFactor });
  }
  const sends = scaFactor === 'SMS_OTP';
  if (sends) requirePause(tx, challenge);
  const asked = { authentication, factor: scaFactor };
  const { draft } = draftPaymentChallenge(tx, row, asked, challenge.label ?? undefined);
  const { wrongTries, calls, expiresAt, resends, resentAt } = challenge;
  const moved: Challenge = {
    ...draft.challenge,
    expiresAt,
    wrongTries,
    calls,
    resends: sends ? resends + 1 : resends,
    resentAt: sends ? tx.now : resentAt,
  };
  openChallenge(tx, { ...draft, challenge: moved });
  return presentQuote(tx, row, tx.now, showPaymentChallenge(moved, authentication));
}

/** A payment whose challenge can still be answered, with the challenge locked; 409 for any other. */
async function lockWaiting(tx: Tx, quoteId: QuoteId): Promise<{ row: TransactionRow; challenge: Challenge }> {
  const row = await loadQuote(tx, quoteId);
  const { challenge } = await lockAsked(tx, row);
  if (!isOpen(challenge, tx.now)) throw notAsked(row, tx.now);
  return { row, challenge };
}
