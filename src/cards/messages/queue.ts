import type { CardMessage } from '#cards/messages/message.ts';
import { keepMessage } from '#cards/messages/message-store.ts';
import type { Changes } from '#database/tx.ts';
import { schedule } from '#jobs/schedule.ts';

/** Has a card's messages take effect that are due by then. */
export const RECEIVE_MESSAGES = 'cards.messages';

/** Keeps a message that takes effect later, after everything that was accepted for the card before it. */
export function queueMessage(changes: Changes, message: CardMessage, dueAt: Date): void {
  keepMessage(changes, { message, dueAt });
  schedule(changes, { kind: RECEIVE_MESSAGES, payload: { cardId: message.cardId }, dueAt });
}

/** Something of the card is due now. */
export function scheduleMessages(changes: Changes, cardId: string): void {
  schedule(changes, { kind: RECEIVE_MESSAGES, payload: { cardId }, afterMs: 0 });
}
