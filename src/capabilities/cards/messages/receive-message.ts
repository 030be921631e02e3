import { authorize } from '#capabilities/cards/messages/authorize.ts';
import { changeRows, type RowMessage } from '#capabilities/cards/messages/change-rows.ts';
import { type Attempt, newAttempt } from '#capabilities/cards/messages/decision.ts';
import { increase } from '#capabilities/cards/messages/increase.ts';
import {
  type Authorization,
  type CardMessage,
  type Increment,
  MESSAGE_AMOUNT_MAX,
  type MessageAnswer,
} from '#capabilities/cards/messages/message.ts';
import { correctAnswer } from '#capabilities/cards/messages/message-store.ts';
import type { Work } from '#foundation/database/work.ts';
import { withTimeout } from '#foundation/lib/promises.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/**
 * The only entry point for the card network's messages, from a processor's adapter or, through the queue, from the
 * sandbox's simulators. Each message is applied once, however often it arrives (cards.md §6.10).
 */
export async function receiveMessage(work: Work, message: CardMessage): Promise<MessageAnswer> {
  if ('amount' in message && message.amount !== undefined) requireAmount(message.amount);
  return message.type === 'authorization' || message.type === 'increment'
    ? answerInTime(work, message)
    : takeEffect(work, message, false);
}

/** The same without a deadline. `isQueued`: the message was accepted before, and is now due. */
export async function takeEffect(
  work: Work,
  message: CardMessage,
  isQueued: boolean,
): Promise<MessageAnswer> {
  switch (message.type) {
    case 'authorization':
      return authorize(work, message);
    case 'increment':
      return increase(work, message);
    default:
      return work.write((tx) => changeRows(tx, message, isQueued));
  }
}

function requireAmount(amount: bigint): void {
  if (amount >= 0n && amount <= MESSAGE_AMOUNT_MAX) return;
  throw invalidFields([{ field: 'amount', message: `must be from 0 to ${MESSAGE_AMOUNT_MAX}` }]);
}

const DECLINED = { isApproved: false, reason: 'OTHER' } as const;
const LATE = Symbol('late');

/**
 * The network waits for its answer, and takes silence for a decline. So a message that is not decided in time, or cannot
 * be decided, is declined (cards.md §6.6.8). An approval that came too late for the network is undone.
 */
async function answerInTime(work: Work, message: Authorization | Increment): Promise<MessageAnswer> {
  const attempt = newAttempt();
  const decision = decide(work, message, attempt).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    attempt.isLate = true;
    return decide(work, message, attempt);
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
  decision.then((late) => reverseLateApproval(work, message, attempt, late)).catch(() => undefined);
  return DECLINED;
}

function decide(work: Work, message: Authorization | Increment, attempt: Attempt): Promise<MessageAnswer> {
  return message.type === 'authorization'
    ? authorize(work, message, attempt)
    : increase(work, message, attempt);
}

/** An approval that only repeats an earlier one is not undone (cards.md §6.10). */
async function reverseLateApproval(
  work: Work,
  message: Authorization | Increment,
  { mayHaveApproved }: Attempt,
  answer: MessageAnswer,
): Promise<void> {
  if (!mayHaveApproved || !('isApproved' in answer) || !answer.isApproved) return;
  await work.write(async (tx) => {
    await changeRows(tx, buildReversal(message), false);
    await correctAnswer(tx, message.id, DECLINED);
  });
}

/** The message that undoes an approval. A single message has moved money, which moves back by a row of its own. */
function buildReversal(message: Authorization | Increment): RowMessage {
  const { cardId, token, amount, merchant } = message;
  const id = `${message.id}:late`;
  if (message.type === 'increment') return { type: 'reversal', id, cardId, token, amount };
  if (!message.isFinal) return { type: 'reversal', id, cardId, token };
  return message.asks === 'CREDIT'
    ? { type: 'clearing', direction: 'DEBIT', id, cardId, token: id, amount, merchant }
    : { type: 'return', id, cardId, token: id, purchaseToken: token, amount, merchant };
}
