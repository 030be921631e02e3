import Type, { type Static } from 'typebox';
import { IncomingPayment, OutgoingPayment, TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { component, dateTime, oneOf, page, pageQuery } from '#foundation/http/schema.ts';

const account = (side: string) =>
  Type.Optional(Type.String({ description: `Id of an account, or a UMA address, ${side}.` }));

const PARTIES = {
  accountIdentifier: account('that the money leaves or reaches'),
  senderAccountIdentifier: account('that the money leaves'),
  receiverAccountIdentifier: account('that the money reaches'),
};

const DATES = {
  reference: Type.Optional(
    Type.String({ description: 'What stands on a statement: of the payment, or of its refund.' }),
  ),
  startDate: Type.Optional(dateTime({ description: 'Created then or later.' })),
  endDate: Type.Optional(dateTime({ description: 'Created then or earlier.' })),
  sortOrder: Type.Optional(
    oneOf(['asc', 'desc'], { default: 'desc', description: '`desc`: the newest first.' }),
  ),
};

export const TransactionQuery = pageQuery({
  customerId: Type.Optional(
    Type.String({ description: 'Only those of this customer; the platform’s id for its own.' }),
  ),
  platformCustomerId: Type.Optional(
    Type.String({ description: 'The same by the platform’s own reference of the customer.' }),
  ),
  ...PARTIES,
  status: Type.Optional(
    oneOf(TRANSACTION_STATUSES, {
      description: 'Only payments in this status; not together with card transactions.',
    }),
  ),
  type: Type.Optional(oneOf(['INCOMING', 'OUTGOING', 'CARD'], { description: 'Only those of this type.' })),
  ...DATES,
  cardId: Type.Optional(Type.String({ description: 'Only what was paid with this card.' })),
});

export type TransactionQuery = Static<typeof TransactionQuery>;

/** Of an agent, which sees payments of its customer only. */
export const AgentTransactionsQuery = pageQuery({
  ...PARTIES,
  status: Type.Optional(oneOf(TRANSACTION_STATUSES, { description: 'Only those in this status.' })),
  type: Type.Optional(oneOf(['INCOMING', 'OUTGOING'], { description: 'Only those of this type.' })),
  ...DATES,
  // Named so that it is refused: ignored like an unknown one, it would seem to list what was paid with the card (C.3.4).
  cardId: Type.Optional(Type.String({ description: 'Refused: agents do not see card transactions.' })),
});

export const TransactionListResponse = page('TransactionListResponse', TransactionOneOf);

export const ConfirmReceiptDeliveryRequest = component(
  'ConfirmReceiptDeliveryRequest',
  {
    receiptDeliveryConfirmedAt: Type.Optional(
      dateTime({ description: 'When the receipt was handed over; default: now.' }),
    ),
  },
  { description: 'That the customer has the receipt.' },
);

const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const ApprovePaymentRequest = component(
  'ApprovePaymentRequest',
  {
    receiverCustomerInfo: Type.Optional(
      anyFields('What the sender’s provider asked to know of the receiver, by field name.'),
    ),
  },
  { description: 'What goes with an approval.' },
);

export const RejectPaymentRequest = component(
  'RejectPaymentRequest',
  { reason: Type.Optional(Type.String({ maxLength: 500, description: 'Why, for the audit log.' })) },
  { description: 'What goes with a rejection.' },
);

export const CancelTransactionRequest = component(
  'CancelTransactionRequest',
  { reason: Type.Optional(Type.String({ maxLength: 500, description: 'Why, for the audit log.' })) },
  { description: 'What goes with a cancellation.' },
);

/** Payments in either direction may wait for the platform. */
export const DecidedPayment = Type.Union([IncomingPayment, OutgoingPayment]);
