import type { Capability } from '#capabilities/capability.ts';
import { waitingReviews } from '#capabilities/verification/attention.ts';
import { verificationWebhook } from '#capabilities/verification/events.ts';
import { verificationJobs } from '#capabilities/verification/jobs.ts';
import { reviewChanges } from '#capabilities/verification/operator-changes.ts';
import { verificationReactions } from '#capabilities/verification/reactions.ts';
import { REVIEW_LIST, reviewReads } from '#capabilities/verification/review-records.ts';
import { verificationOperations } from '#capabilities/verification/routes.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const verification = {
  name: 'verification',
  operatorOperations: [...recordOperations([REVIEW_LIST], []), ...reviewReads, ...reviewChanges],
  operations: verificationOperations,
  jobs: verificationJobs,
  reactions: verificationReactions,
  webhooks: [verificationWebhook],
  attention: [waitingReviews],
  searchPlaces: [{ type: 'Verification', table: 'verifications' }],
} satisfies Capability;
