import { EXPIRE_ROW } from '#capabilities/cards/machine/draft.ts';
import { expireRow } from '#capabilities/cards/notices/change-rows.ts';
import { findDueNotice } from '#capabilities/cards/notices/notice-store.ts';
import { RECEIVE_NOTICES } from '#capabilities/cards/notices/queue.ts';
import { takeEffect } from '#capabilities/cards/notices/receive-notice.ts';
import {
  type CallHandler,
  concerning,
  type JobDeclarations,
  type RunHandler,
} from '#foundation/jobs/handlers.ts';

/**
 * Applies a card's due notices in the order they were accepted, each in a commit of its own. Another worker that does the
 * same at that moment starts with the same notice, and only one of the two commits it.
 */
const receiveDue: CallHandler = {
  async call(work, job) {
    const { cardId } = job.payload as { cardId: CardId };
    for (;;) {
      const due = await work.read((tx) => findDueNotice(tx, cardId));
      if (!due) return async () => undefined;
      await takeEffect(work, due, true);
    }
  },
};

const expire: RunHandler = { run: (tx, job) => expireRow(tx, (job.payload as { id: TransactionId }).id) };

export const cardNoticeJobs: JobDeclarations = {
  [RECEIVE_NOTICES]: {
    ...receiveDue,
    due: concerning('Card', (id) => `A notice from the card network about ${id} takes effect.`, 'cardId'),
  },
  [EXPIRE_ROW]: {
    ...expire,
    due: concerning(
      'Transaction',
      (id) => `The hold of the card purchase ${id} is released, unless it is cleared first.`,
    ),
  },
};
