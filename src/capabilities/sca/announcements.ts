import { announcement } from '#foundation/events/reactions.ts';

/** Payments that waited for these challenges are not authorized any more (customers.md §7.10d). */
export const paymentChallengesVoided = announcement<{ transactionIds: readonly string[] }>(
  'paymentChallengesVoided',
);
