import type { Static } from 'typebox';
import { PAYMENT_COMPLETED } from '#capabilities/payments/examples.ts';
import type { EventAttempt, EventSummary, ResentEvent } from '#edge/webhooks/events/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, EXAMPLE_WEBHOOK_ENDPOINT } from '#foundation/lib/examples.ts';

/** The event of the completed first payment. */
export const EVENT: EventSummary = {
  id: EXAMPLE_IDS.paymentEvent,
  type: 'OUTGOING_PAYMENT.COMPLETED',
  resourceId: EXAMPLE_IDS.payment,
  state: 'DELIVERED',
  attemptCount: 1,
  createdAt: EXAMPLE_TIME,
};

export const EVENT_DETAIL = { ...EVENT, data: { ...PAYMENT_COMPLETED } };

export const EVENT_ATTEMPT: EventAttempt = {
  attempt: 1,
  at: EXAMPLE_TIME,
  url: EXAMPLE_WEBHOOK_ENDPOINT,
  durationMs: 48,
  status: 200,
};

export const RESENT_EVENT = {
  ...EVENT,
  state: 'PENDING',
  nextAttemptAt: EXAMPLE_TIME,
  sentTo: ['ENDPOINT'],
} satisfies Static<typeof ResentEvent>;

/** Asks whether to accept a payment. The platform has no endpoint, so a listener answers. */
export const OPEN_QUESTION: EventSummary = {
  id: EXAMPLE_IDS.questionEvent,
  type: 'INCOMING_PAYMENT.PENDING',
  resourceId: EXAMPLE_IDS.failedReceipt,
  state: 'PENDING',
  attemptCount: 0,
  createdAt: EXAMPLE_TIME,
};

export const ANSWERED_QUESTION: EventSummary = {
  id: OPEN_QUESTION.id,
  type: OPEN_QUESTION.type,
  resourceId: OPEN_QUESTION.resourceId,
  state: 'DELIVERED',
  attemptCount: 1,
  createdAt: EXAMPLE_TIME,
};
