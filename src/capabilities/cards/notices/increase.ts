import { lockCard } from '#capabilities/cards/card-store.ts';
import { newRow } from '#capabilities/cards/machine/new-row.ts';
import { type Increment, NO_FACTS, type NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { applyCardTransition } from '#capabilities/cards/notices/apply.ts';
import { authorize } from '#capabilities/cards/notices/authorize.ts';
import {
  type Attempt,
  answerOf,
  countSpending,
  judgeAuthorization,
  newAttempt,
  uncoveredMax,
  type Verdict,
  verdictForReason,
} from '#capabilities/cards/notices/decision.ts';
import { lockFacts } from '#capabilities/cards/notices/facts.ts';
import { keepNotice } from '#capabilities/cards/notices/notice-store.ts';
import {
  boundUncovered,
  findAuthorization,
  type LoadedAuthorization,
} from '#capabilities/cards/notices/store.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { findRowByToken } from '#capabilities/cards/transaction-store.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isStale, type Work } from '#foundation/database/work.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/**
 * Decides on an increase of an open purchase (cards.md §6.9.4) like on any authorization, but with the card and the
 * balances locked. If the purchase is unknown, the notice counts as its authorization.
 */
export async function increase(
  work: Work,
  notice: Increment,
  attempt: Attempt = newAttempt(),
): Promise<NoticeAnswer> {
  let verdict: Verdict | undefined;
  for (;;) {
    const answer = await increaseOnce(work, notice, { attempt, decided: verdict });
    if (answer === 'unknown purchase') {
      return authorize(work, { ...notice, kind: 'authorization', asks: 'DEBIT', isFinal: false }, attempt);
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
  notice: Increment,
  deciding: Deciding,
): Promise<NoticeAnswer | Verdict | 'unknown purchase'> {
  try {
    return await work.write((tx) => decideUnderLock(tx, notice, deciding));
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
  notice: Increment,
  { attempt, decided }: Deciding,
): Promise<NoticeAnswer | 'unknown purchase'> {
  attempt.mayHaveApproved = false;
  const card = await lockCard(tx, notice.cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const row = await findRowByToken(tx, notice.token);
  if (row?.card_id !== card.id) return 'unknown purchase';
  const { facts } = await lockFacts(tx, card, row.account_id, () => 0n);
  const loaded = await findAuthorization(tx, notice, uncoveredMax(tx) !== null);
  if (!loaded) throw new Error('a card that is locked is there');
  if (loaded.answer) return loaded.answer;
  // A verdict of the attempt before holds only while the purchase is open.
  const kept = isOpenRow(row) ? decided : undefined;
  const verdict = attempt.isLate ? LATE : (kept ?? judgeIncrement(tx, notice, row, loaded));
  attempt.mayHaveApproved = !('declined' in verdict);
  keepNotice(tx, card, { notice, answer: answerOf(verdict) });
  if ('declined' in verdict) declineIncrease(tx, notice, row, verdict.declined);
  else {
    // An approved increment is like an advice, but an uncovered one is not held (cards.md §6.8).
    const available = verdict.cover === 'HELD' ? facts.available : 0n;
    const advice = { kind: 'advice', amount: row.authorized_amount + notice.amount } as const;
    const transition = CARD_TRANSACTIONS_MACHINE.require(row, advice, tx.now, { ...facts, available });
    applyCardTransition(tx, transition);
    countSpending(tx, card, { amount: notice.amount, increases: row.authorized_amount });
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
  const traits = { direction: 'DEBIT', kind: 'PURCHASE', token: id, merchant, amount } as const;
  const declined = newRow(tx, tx.newId(), owner, traits);
  const notice = { kind: 'declined', reason } as const;
  applyCardTransition(tx, CARD_TRANSACTIONS_MACHINE.require(declined, notice, tx.now, NO_FACTS));
}
