import {
  type Authorization,
  type Increment,
  type NetworkNotice,
  NOTICE_AMOUNT_MAX,
  type NoticeAnswer,
  type RowNotice,
} from '#capabilities/cards/machine/notice.ts';
import { authorize } from '#capabilities/cards/notices/authorize.ts';
import { changeRows } from '#capabilities/cards/notices/change-rows.ts';
import { type Attempt, newAttempt } from '#capabilities/cards/notices/decision.ts';
import { increase } from '#capabilities/cards/notices/increase.ts';
import { correctAnswer } from '#capabilities/cards/notices/notice-store.ts';
import type { Work } from '#foundation/database/work.ts';
import { withTimeout } from '#foundation/lib/promises.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/**
 * The only entry point for the card network's notices, from a processor's adapter or, through the queue, from the
 * sandbox's simulators. Each notice is applied once, however often it arrives (cards.md §6.10).
 */
export async function receiveNotice(work: Work, notice: NetworkNotice): Promise<NoticeAnswer> {
  if ('amount' in notice && notice.amount !== undefined) requireAmount(notice.amount);
  return notice.kind === 'authorization' || notice.kind === 'increment'
    ? answerInTime(work, notice)
    : takeEffect(work, notice, false);
}

/** The same without a deadline. `isQueued`: the notice was accepted before, and is now due. */
export async function takeEffect(
  work: Work,
  notice: NetworkNotice,
  isQueued: boolean,
): Promise<NoticeAnswer> {
  switch (notice.kind) {
    case 'authorization':
      return authorize(work, notice);
    case 'increment':
      return increase(work, notice);
    default:
      return work.write((tx) => changeRows(tx, notice, isQueued));
  }
}

function requireAmount(amount: bigint): void {
  if (amount >= 0n && amount <= NOTICE_AMOUNT_MAX) return;
  throw invalidFields([{ field: 'amount', message: `must be from 0 to ${NOTICE_AMOUNT_MAX}` }]);
}

const DECLINED = { isApproved: false, reason: 'OTHER' } as const;
const LATE = Symbol('late');

/**
 * The network waits for its answer, and takes silence for a decline. So a notice that is not decided in time, or cannot
 * be decided, is declined (cards.md §6.6.8). An approval that came too late for the network is undone.
 */
async function answerInTime(work: Work, notice: Authorization | Increment): Promise<NoticeAnswer> {
  const attempt = newAttempt();
  const decision = decide(work, notice, attempt).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    attempt.isLate = true;
    return decide(work, notice, attempt);
  });
  const answer = await withTimeout(decision, work.platform.settings.cards.decisionMs, LATE).catch(
    (error: unknown) => {
      if (error instanceof Refusal) throw error;
      return DECLINED;
    },
  );
  if (answer !== LATE) return answer;
  attempt.isLate = true;
  // If this fails as well, the database is unreachable, and the hold is released when it expires.
  decision.then((late) => reverseLateApproval(work, notice, attempt, late)).catch(() => undefined);
  return DECLINED;
}

function decide(work: Work, notice: Authorization | Increment, attempt: Attempt): Promise<NoticeAnswer> {
  return notice.kind === 'authorization' ? authorize(work, notice, attempt) : increase(work, notice, attempt);
}

/** An approval that only repeats an earlier one is not undone (cards.md §6.10). */
async function reverseLateApproval(
  work: Work,
  notice: Authorization | Increment,
  { mayHaveApproved }: Attempt,
  answer: NoticeAnswer,
): Promise<void> {
  if (!mayHaveApproved || !('isApproved' in answer) || !answer.isApproved) return;
  await work.write(async (tx) => {
    await changeRows(tx, buildReversal(notice), false);
    await correctAnswer(tx, notice.id, DECLINED);
  });
}

/** The notice that undoes an approval. A single message has moved money, which moves back by a row of its own. */
function buildReversal(notice: Authorization | Increment): RowNotice {
  const { cardId, token, amount, merchant } = notice;
  const id = `${notice.id}:late`;
  if (notice.kind === 'increment') return { kind: 'reversal', id, cardId, token, amount };
  if (!notice.isFinal) return { kind: 'reversal', id, cardId, token };
  return notice.asks === 'CREDIT'
    ? { kind: 'clearing', direction: 'DEBIT', id, cardId, token: id, amount, merchant }
    : { kind: 'return', id, cardId, token: id, purchaseToken: token, amount, merchant };
}
