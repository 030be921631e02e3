import { authorize } from '#cards/messages/authorize.ts';
import { changeRows } from '#cards/messages/change-rows.ts';
import { increase } from '#cards/messages/increase.ts';
import {
  type Authorization,
  type CardMessage,
  MESSAGE_AMOUNT_MAX,
  type MessageAnswer,
} from '#cards/messages/message.ts';
import { correctAnswer } from '#cards/messages/store.ts';
import type { Work } from '#database/work.ts';
import { withTimeout } from '#lib/promises.ts';
import { invalidFields, Refusal } from '#lib/refusals.ts';

/**
 * The one entrance of the card network's messages, whoever brings them: the adapter of a processor, or the sandbox's
 * simulators by way of the queue. Each takes effect once, however often it comes (A.6.10).
 */
export async function receiveMessage(work: Work, message: CardMessage): Promise<MessageAnswer> {
  if ('amount' in message && message.amount !== undefined) requireAmount(message.amount);
  return message.type === 'authorization' ? answerInTime(work, message) : takeEffect(work, message, false);
}

/** The same without a deadline. `isQueued`: the message was accepted before, and its time has come. */
export async function takeEffect(
  work: Work,
  message: CardMessage,
  isQueued: boolean,
): Promise<MessageAnswer> {
  switch (message.type) {
    case 'authorization':
      return authorize(work, message, () => false);
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
 * The network waits for its answer and takes silence for a decline. So an authorization that is not decided in time, or
 * cannot be, is declined (CD-8); one whose approval comes too late for anybody to hear of it is reversed.
 */
async function answerInTime(work: Work, message: Authorization): Promise<MessageAnswer> {
  let isLate = false;
  const decision = authorize(work, message, () => isLate).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    return authorize(work, message, () => true);
  });
  const answer = await withTimeout(decision, work.platform.settings.cards.decisionMs, LATE).catch(
    (error: unknown) => {
      if (error instanceof Refusal) throw error;
      return DECLINED;
    },
  );
  if (answer !== LATE) return answer;
  isLate = true;
  // If this fails as well, the database is out of reach, and what is on hold is released when it expires.
  decision.then((late) => reverseLate(work, message, late)).catch(() => undefined);
  return DECLINED;
}

async function reverseLate(
  work: Work,
  { id, cardId, token }: Authorization,
  answer: MessageAnswer,
): Promise<void> {
  if (!('isApproved' in answer) || !answer.isApproved) return;
  await work.write(async (tx) => {
    await changeRows(tx, { type: 'reversal', id: `${id}:late`, cardId, token }, false);
    await correctAnswer(tx, id, DECLINED);
  });
}
