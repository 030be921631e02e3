import type { Authorization, CardMessage } from '#capabilities/cards/messages/message.ts';
import { keepMessage } from '#capabilities/cards/messages/message-store.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { FollowUp, IssuerVerdict } from '#foundation/ports/cards.ts';

/** Scheduled work: applies a card's due messages. */
export const RECEIVE_MESSAGES = 'cards.messages';

/** Stores a message that is applied later, after all messages that were accepted for the card before it. */
export function queueMessage(changes: Changes, message: CardMessage, dueAt: Date): void {
  keepMessage(changes, { message, dueAt });
  schedule(changes, { kind: RECEIVE_MESSAGES, payload: { cardId: message.cardId }, dueAt });
}

/** Schedules the card's due messages for now. */
export function scheduleMessages(changes: Changes, cardId: string): void {
  schedule(changes, { kind: RECEIVE_MESSAGES, payload: { cardId }, afterMs: 0 });
}

/** The messages that follow a purchase, if it was decided as the issuer wanted. */
export function queueFollowUps(
  changes: Changes,
  purchase: Authorization,
  { declined, follows = [] }: IssuerVerdict,
  isDeclined: boolean,
): void {
  if (isDeclined !== (declined !== undefined)) return;
  for (const [n, { says, afterMs }] of follows.entries()) {
    // Messages of one commit are applied in the order of their ids.
    const message = followUp(purchase, says, `${purchase.id}:${n}:${says}`);
    queueMessage(changes, message, new Date(changes.now.getTime() + afterMs));
  }
}

function followUp(
  { cardId, token, amount, merchant }: Authorization,
  says: FollowUp['says'],
  id: string,
): CardMessage {
  const named = { id, cardId, token };
  switch (says) {
    case 'clearing':
      return { type: says, ...named, direction: 'DEBIT', amount, merchant };
    case 'increment':
      return { type: says, ...named, amount, merchant };
    default:
      return { type: says, ...named };
  }
}
