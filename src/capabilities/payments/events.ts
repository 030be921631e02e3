import Type from 'typebox';
import { STATE_COLUMNS } from '#capabilities/payments/columns.ts';
import { loadPrivate } from '#capabilities/payments/details.ts';
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
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import {
  IncomingPayment,
  IncomingTransaction,
  OutgoingPayment,
  type OutgoingTransaction,
} from '#capabilities/payments/schemas.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import { CounterpartyFieldDefinition } from '#capabilities/platform/schemas.ts';
import type { Renderer } from '#foundation/events/handlers.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import { component } from '#foundation/http/schema.ts';

/**
 * The part of a transaction that its event stores: the texts and times of its state. All other presented values never
 * change and are read from the row when the event is first sent (decision 0004).
 */
interface EventFacts {
  readonly id: TransactionId;
  readonly state: Readonly<Record<Exclude<Typed<'text' | 'timestamptz'>, 'expires_at'>, string | null>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

type Typed<Type extends string> = {
  [Name in keyof typeof STATE_COLUMNS]: (typeof STATE_COLUMNS)[Name] extends Type ? Name : never;
}[keyof typeof STATE_COLUMNS];

const NAMES = Object.keys(STATE_COLUMNS) as (keyof typeof STATE_COLUMNS)[];

const TEXTS = NAMES.filter((name): name is Typed<'text'> => STATE_COLUMNS[name] === 'text');

/** A transaction does not present its quote's expiry. */
const TIMES = NAMES.filter(
  (name): name is Exclude<Typed<'timestamptz'>, 'expires_at'> =>
    STATE_COLUMNS[name] === 'timestamptz' && name !== 'expires_at',
);

export function eventFacts(row: TransactionRow, extra?: Readonly<Record<string, unknown>>): EventFacts {
  const state: Record<string, string | null> = {};
  for (const name of TEXTS) if (row[name] !== null) state[name] = row[name];
  for (const name of TIMES) if (row[name] !== null) state[name] = row[name].toISOString();
  return { id: row.id, state: state as EventFacts['state'], ...(extra && { extra }) };
}

/** The row as it was when the event was emitted. */
function rowAt(row: TransactionRow, facts: EventFacts): TransactionRow {
  const at: Record<string, unknown> = { ...row };
  for (const name of TEXTS) at[name] = facts.state[name] ?? null;
  for (const name of TIMES) at[name] = facts.state[name] == null ? null : new Date(facts.state[name]);
  return at as unknown as TransactionRow;
}

/**
 * `data` of OUTGOING_PAYMENT and INCOMING_PAYMENT events: the transaction as it was when the event was emitted
 * (money.md §10.2).
 */
export const renderPaymentEvents: Renderer = async (tx, events) => {
  const facts = events.map((event) => event.facts as EventFacts);
  const rows = await findTransactions(tx, [...new Set(facts.map(({ id }) => id))]);
  await loadPrivate(tx, rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return events.map((event, i) => {
    const { id, extra } = facts[i] as EventFacts;
    const row = byId.get(id);
    if (!row) throw new Error(`event ${event.id} is about a transaction that does not exist`);
    // At the time of the event: a quote that has expired since was not EXPIRED then.
    const at = presentTransaction(tx, rowAt(row, facts[i] as EventFacts), event.createdAt);
    return extra ? { ...at, ...extra } : at;
  });
};

const OUTGOING_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('OUTGOING_PAYMENT.'));
const INCOMING_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('INCOMING_PAYMENT.'));

const IncomingPaymentWebhookData = component(
  'IncomingPaymentWebhookData',
  'The incoming transaction, and the requested data about its receiver.',
  {
    ...IncomingTransaction.properties,
    requestedReceiverCustomerInfoFields: Type.Optional(
      Type.Array(CounterpartyFieldDefinition, {
        description:
          'Data about the receiver that the sender’s provider requests and that is not on file; only in a question.',
      }),
    ),
  },
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
