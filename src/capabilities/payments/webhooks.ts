import Type from 'typebox';
import {
  FUNDING,
  LATE_PAYMENT,
  PAYMENT,
  PAYMENT_COMPLETED,
  RECEIPT_REFUND,
  RECEIPT_REFUNDED,
  RECEIPT_REFUNDING,
  REVIEWED_RECEIPT_FAILED,
  UMA_RECEIPT,
  WAITING_PAYMENT,
  WRONG_PAYMENT,
  WRONG_PAYMENT_REFUNDED,
  WRONG_PAYMENT_REFUNDING,
  WRONG_REFUND,
} from '#capabilities/payments/examples.ts';
import {
  IncomingPayment,
  IncomingTransaction,
  OutgoingPayment,
  type OutgoingTransaction,
} from '#capabilities/payments/schemas.ts';
import { CounterpartyFieldDefinition } from '#capabilities/platform/schemas.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import { component } from '#foundation/http/schema.ts';

const OUTGOING_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('OUTGOING_PAYMENT.'));
const INCOMING_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('INCOMING_PAYMENT.'));

const IncomingPaymentWebhookData = component(
  'IncomingPaymentWebhookData',
  {
    ...IncomingTransaction.properties,
    requestedReceiverCustomerInfoFields: Type.Optional(
      Type.Array(CounterpartyFieldDefinition, {
        description:
          'Data about the receiver that the sender’s provider requests and that is not on file; only in a question.',
      }),
    ),
  },
  { description: 'The incoming transaction, and the requested data about its receiver.' },
);

/** The webhooks of payments in the OpenAPI document (money.md §10). */
export const outgoingPaymentWebhook: WebhookDeclaration<OutgoingTransaction> = {
  name: 'outgoing-payment',
  summary: 'An outgoing payment changed',
  description:
    'Sent when an outgoing transaction, or its refund, enters a status. `data` is the whole transaction at that ' +
    'moment; in refund events `data.status` is the status of the payment, not of the refund.',
  body: webhookBody(
    'OutgoingPaymentWebhook',
    OUTGOING_EVENTS,
    OutgoingPayment,
    'An outgoing transaction, right after a change.',
  ),
  examples: {
    'OUTGOING_PAYMENT.PENDING': PAYMENT,
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': WAITING_PAYMENT,
    'OUTGOING_PAYMENT.PROCESSING': { ...PAYMENT, status: 'PROCESSING' },
    'OUTGOING_PAYMENT.COMPLETED': PAYMENT_COMPLETED,
    'OUTGOING_PAYMENT.FAILED': WRONG_PAYMENT,
    'OUTGOING_PAYMENT.EXPIRED': LATE_PAYMENT,
    'OUTGOING_PAYMENT.REFUND_PENDING': WRONG_PAYMENT_REFUNDING,
    'OUTGOING_PAYMENT.REFUND_COMPLETED': WRONG_PAYMENT_REFUNDED,
    'OUTGOING_PAYMENT.REFUND_FAILED': { ...WRONG_PAYMENT, refund: { ...WRONG_REFUND, status: 'FAILED' } },
  },
};

export const incomingPaymentWebhook: WebhookDeclaration<IncomingTransaction> = {
  name: 'incoming-payment',
  summary: 'An incoming payment changed, or has to be decided on',
  description:
    'Sent when an incoming transaction, or its refund, enters a status. `INCOMING_PAYMENT.PENDING` of a UMA payment ' +
    'is a question and is sent once. Answer 200 to accept the payment, 202 to decide by a call within five seconds, ' +
    'or 403 to refuse it.',
  body: webhookBody(
    'IncomingPaymentWebhook',
    INCOMING_EVENTS,
    Type.Intersect([IncomingPayment, IncomingPaymentWebhookData]),
    'An incoming transaction, right after a change.',
  ),
  examples: {
    'INCOMING_PAYMENT.PENDING': UMA_RECEIPT,
    'INCOMING_PAYMENT.COMPLETED': FUNDING,
    'INCOMING_PAYMENT.FAILED': REVIEWED_RECEIPT_FAILED,
    'INCOMING_PAYMENT.REFUND_PENDING': RECEIPT_REFUNDING,
    'INCOMING_PAYMENT.REFUND_COMPLETED': RECEIPT_REFUNDED,
    'INCOMING_PAYMENT.REFUND_FAILED': {
      ...RECEIPT_REFUNDING,
      refund: { ...RECEIPT_REFUND, status: 'FAILED' },
    },
  },
};
