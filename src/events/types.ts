import type { TSchema } from 'typebox';
import Type from 'typebox';

/** Every type of event there is, in the order of platform.md §4.3. */
export const EVENT_TYPES = [
  'OUTGOING_PAYMENT.PENDING',
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
  'OUTGOING_PAYMENT.PROCESSING',
  'OUTGOING_PAYMENT.COMPLETED',
  'OUTGOING_PAYMENT.FAILED',
  'OUTGOING_PAYMENT.EXPIRED',
  'OUTGOING_PAYMENT.REFUND_PENDING',
  'OUTGOING_PAYMENT.REFUND_COMPLETED',
  'OUTGOING_PAYMENT.REFUND_FAILED',
  'INCOMING_PAYMENT.PENDING',
  'INCOMING_PAYMENT.COMPLETED',
  'INCOMING_PAYMENT.FAILED',
  'INCOMING_PAYMENT.REFUND_PENDING',
  'INCOMING_PAYMENT.REFUND_COMPLETED',
  'INCOMING_PAYMENT.REFUND_FAILED',
  'CUSTOMER.KYC_PENDING',
  'CUSTOMER.KYC_APPROVED',
  'CUSTOMER.KYC_REJECTED',
  'CUSTOMER.KYB_PENDING',
  'CUSTOMER.KYB_APPROVED',
  'CUSTOMER.KYB_REJECTED',
  'VERIFICATION.READY_FOR_VERIFICATION',
  'VERIFICATION.IN_PROGRESS',
  'VERIFICATION.RESOLVE_ERRORS',
  'VERIFICATION.PENDING_MANUAL_REVIEW',
  'VERIFICATION.APPROVED',
  'VERIFICATION.REJECTED',
  'EXTERNAL_ACCOUNT.STATUS_UPDATED',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  'INTERNAL_ACCOUNT.STATUS_UPDATED',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
  'INVITATION.CLAIMED',
  'BULK_UPLOAD.COMPLETED',
  'BULK_UPLOAD.FAILED',
  'AGENT_ACTION.PENDING_APPROVAL',
  'CARD.STATUS_CHANGE',
  'CARD.FUNDING_SOURCE_CHANGE',
  'CARD_TRANSACTION.AUTHORIZED',
  'CARD_TRANSACTION.PARTIALLY_SETTLED',
  'CARD_TRANSACTION.SETTLED',
  'CARD_TRANSACTION.DECLINED',
  'CARD_TRANSACTION.EXCEPTION',
  'TEST',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const WebhookType = {
  type: 'string',
  enum: [...EVENT_TYPES],
  description: 'What happened: the resource and the state it entered.',
  'x-component': 'WebhookType',
};

const BaseWebhook = Type.Object(
  {
    id: Type.String({
      description: 'The event: the same on every attempt, so deduplicate by it.',
      examples: ['Webhook:019542f5-b3e7-7d02-8000-000000000099'],
    }),
    type: Type.Unsafe<EventType>(WebhookType),
    timestamp: Type.String({
      format: 'date-time',
      description: 'When this attempt was sent. A repetition carries a later one and is signed anew.',
    }),
  },
  { description: 'What every webhook carries.', 'x-component': 'BaseWebhook' },
);

/** The body of one kind of webhook, for the OpenAPI document: the envelope with these types and this `data`. */
export function webhookBody(
  name: string,
  types: readonly EventType[],
  data: TSchema | undefined,
  description: string,
): TSchema {
  const own = Type.Object({
    type: Type.Unsafe<EventType>({ type: 'string', enum: [...types], description: 'What happened.' }),
    ...(data && { data: described(data) }),
  });
  return Type.Intersect([BaseWebhook, data ? own : Type.Partial(own)], { description, 'x-component': name });
}

function described(data: TSchema): TSchema {
  return 'description' in data ? data : { ...data, description: 'The resource as it was at that moment.' };
}
