import { announcement } from '#foundation/events/reactions.ts';

/** Payments that waited for these challenges can no longer be authorized (customers.md §7.10d). */
export const paymentChallengesVoided = announcement<{ transactionIds: readonly TransactionId[] }>(
  'paymentChallengesVoided',
);
