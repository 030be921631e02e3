import { lockCard } from '#capabilities/cards/card-store.ts';
import * as machine from '#capabilities/cards/machine/machine.ts';
import { applyCardTransition } from '#capabilities/cards/messages/apply.ts';
import { authorize } from '#capabilities/cards/messages/authorize.ts';
import {
  type Attempt,
  answerOf,
  countSpending,
  judgeAuthorization,
  newAttempt,
  uncoveredMax,
  type Verdict,
  verdictForReason,
} from '#capabilities/cards/messages/decision.ts';
import { lockFacts } from '#capabilities/cards/messages/facts.ts';
import type { Increment, MessageAnswer } from '#capabilities/cards/messages/message.ts';
import { keepMessage } from '#capabilities/cards/messages/message-store.ts';
import { newRow } from '#capabilities/cards/messages/new-row.ts';
import {
  boundUncovered,
  findAuthorization,
  findRowByToken,
  type LoadedAuthorization,
} from '#capabilities/cards/messages/store.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isStale, type Work } from '#foundation/database/work.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/**
 * Decides on an increase of an open purchase (cards.md §6.9.4) like on any authorization, but with the card and the
 * balances locked. If the purchase is unknown, the message counts as its authorization.
 */
export async function increase(
  work: Work,
  message: Increment,
  attempt: Attempt = newAttempt(),
): Promise<MessageAnswer> {
  let verdict: Verdict | undefined;
  for (;;) {
    const answer = await increaseOnce(work, message, { attempt, decided: verdict });
    if (answer === 'unknown purchase') {
      return authorize(work, { ...message, type: 'authorization', asks: 'DEBIT', isFinal: false }, attempt);
    }
    if ('isApproved' in answer || 'isApplied' in answer) return answer;
    verdict = answer;
  }
}

interface Deciding {
  readonly attempt: Attempt;
  /** The verdict to try after the commit of another one failed. */
  readonly decided: Verdict | undefined;
}

/** Returns a verdict if the commit failed and this verdict is to be tried instead. */
async function increaseOnce(
  work: Work,
  message: Increment,
  deciding: Deciding,
): Promise<MessageAnswer | Verdict | 'unknown purchase'> {
  try {
    return await work.write((tx) => decideUnderLock(tx, message, deciding));
  } catch (error) {
    const reason = error instanceof CommitRefused && !isStale(error) ? error.reason : undefined;
    const next = reason && (await work.read(async (tx) => verdictForReason(tx, reason)));
    if (next) return next;
    throw error;
  }
}

const LATE: Verdict = { declined: 'OTHER' };

async function decideUnderLock(
  tx: Tx,
  message: Increment,
  { attempt, decided }: Deciding,
): Promise<MessageAnswer | 'unknown purchase'> {
  attempt.mayHaveApproved = false;
  const card = await lockCard(tx, message.cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const row = await findRowByToken(tx, message.token);
  if (row?.card_id !== card.id) return 'unknown purchase';
  const { facts } = await lockFacts(tx, card, row.account_id, () => 0n);
  const loaded = await findAuthorization(tx, message, uncoveredMax(tx) !== null);
  if (!loaded) throw new Error('a card that is locked is there');
  if (loaded.answer) return loaded.answer;
  const verdict = attempt.isLate ? LATE : (decided ?? judgeIncrement(tx, message, row, loaded));
  attempt.mayHaveApproved = !('declined' in verdict);
  keepMessage(tx, { message, answer: answerOf(verdict) });
  if ('declined' in verdict) declineIncrease(tx, message, row, verdict.declined);
  else {
    const total = row.authorized_amount + message.amount;
    // An uncovered increase is approved without a hold (cards.md §6.8).
    const available = verdict.cover === 'HELD' ? facts.available : 0n;
    const transition = machine.advise(row, total, { ...facts, available });
    if (!transition) throw new Error('an open purchase can be increased');
    applyCardTransition(tx, transition);
    countSpending(tx, card, { amount: message.amount, increases: row.authorized_amount });
    const max = uncoveredMax(tx);
    if (verdict.cover === 'UNCOVERED' && max !== null) boundUncovered(tx, row.account_id, max);
  }
  return answerOf(verdict);
}

function judgeIncrement(
  tx: Tx,
  { amount, merchant }: Increment,
  row: CardTransactionRow,
  loaded: LoadedAuthorization,
): Verdict {
  if (!isOpenRow(row) || row.direction !== 'DEBIT') return { declined: 'OTHER' };
  // The account that the purchase was approved on keeps paying for it, even if the card has another source now
  // (cards.md §3.2).
  if (row.account_id !== loaded.account.id) return { declined: 'NO_ELIGIBLE_FUNDING_SOURCE' };
  return judgeAuthorization(
    tx,
    { asks: 'DEBIT', amount, merchant, increases: row.authorized_amount },
    loaded,
  );
}

/** The purchase stays unchanged, and the declined amount becomes a row of its own. */
function declineIncrease(
  tx: Tx,
  { id, amount }: Increment,
  row: CardTransactionRow,
  reason: Extract<Verdict, { declined: unknown }>['declined'],
): void {
  const owner = {
    card: { id: row.card_id, customer_id: row.customer_id, currency: row.currency },
    platformCustomerId: row.platform_customer_id,
    account: { id: row.account_id, currency: row.account_currency },
  };
  const { merchant } = row;
  const fixed = newRow(tx, tx.newId(), owner, { direction: 'DEBIT', kind: 'PURCHASE', token: id, merchant });
  applyCardTransition(tx, machine.decline(fixed, amount, reason));
}
