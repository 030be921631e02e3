import { EXPIRE_ROW } from '#capabilities/cards/messages/apply.ts';
import { expireRow } from '#capabilities/cards/messages/change-rows.ts';
import { findDueMessage } from '#capabilities/cards/messages/message-store.ts';
import { RECEIVE_MESSAGES } from '#capabilities/cards/messages/queue.ts';
import { takeEffect } from '#capabilities/cards/messages/receive-message.ts';
import type { CallHandler, JobHandlers, RunHandler } from '#foundation/jobs/handlers.ts';

/**
 * Applies a card's due messages in the order they were accepted, each in a commit of its own. Another worker that does the
 * same at that moment starts with the same message, and only one of the two commits it.
 */
const receiveDue: CallHandler = {
  async call(work, job) {
    const { cardId } = job.payload as { cardId: string };
    for (;;) {
      const due = await work.read((tx) => findDueMessage(tx, cardId));
      if (!due) return async () => undefined;
      await takeEffect(work, due, true);
    }
  },
};

const expire: RunHandler = { run: (tx, job) => expireRow(tx, (job.payload as { id: string }).id) };

export const cardMessageJobs: JobHandlers = { [RECEIVE_MESSAGES]: receiveDue, [EXPIRE_ROW]: expire };
