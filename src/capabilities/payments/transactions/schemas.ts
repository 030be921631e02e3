import Type, { type Static } from 'typebox';
import { IncomingPayment, OutgoingPayment, TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { component, dateTime, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';

const account = (side: string) =>
  Type.Optional(Type.String({ description: `Id of an account, or a UMA address, ${side}.` }));

const PARTIES = {
  accountIdentifier: account('that the money leaves or reaches'),
  senderAccountIdentifier: account('that the money leaves'),
  receiverAccountIdentifier: account('that the money reaches'),
};

const DATES = {
  reference: Type.Optional(
    Type.String({ description: 'The reference on a statement, of the payment or of its refund.' }),
  ),
  startDate: Type.Optional(dateTime({ description: 'Created at this time or later.' })),
  endDate: Type.Optional(dateTime({ description: 'Created at this time or earlier.' })),
  sortOrder: Type.Optional(
    stringEnum(['asc', 'desc'], { default: 'desc', description: '`desc`: newest first.' }),
  ),
};

export const TransactionQuery = pageQuery({
  customerId: Type.Optional(
    Type.String({ description: 'Only transactions of this customer; give the platform’s id for its own.' }),
  ),
  platformCustomerId: Type.Optional(
    Type.String({ description: 'The same, by the platform’s own id for the customer.' }),
  ),
  ...PARTIES,
  status: Type.Optional(
    stringEnum(TRANSACTION_STATUSES, {
      description: 'Only payments in this status; cannot be combined with card transactions.',
    }),
  ),
  type: Type.Optional(
    stringEnum(['INCOMING', 'OUTGOING', 'CARD'], { description: 'Only transactions of this type.' }),
  ),
  ...DATES,
  cardId: Type.Optional(Type.String({ description: 'Only transactions of this card.' })),
});

export type TransactionQuery = Static<typeof TransactionQuery>;

/** For an agent, which sees only its customer's payments. */
export const AgentTransactionsQuery = pageQuery({
  ...PARTIES,
  status: Type.Optional(stringEnum(TRANSACTION_STATUSES, { description: 'Only payments in this status.' })),
  type: Type.Optional(stringEnum(['INCOMING', 'OUTGOING'], { description: 'Only payments of this type.' })),
  ...DATES,
  // Declared so that it is refused. If it were ignored as unknown, the reply would seem to list the card's payments
  // (agents.md §3.4).
  cardId: Type.Optional(Type.String({ description: 'Refused: agents do not see card transactions.' })),
});

export const TransactionListResponse = page('TransactionListResponse', TransactionOneOf);

export const ConfirmReceiptDeliveryRequest = component(
  'ConfirmReceiptDeliveryRequest',
  'The confirmation that the customer has the receipt.',
  {
    receiptDeliveryConfirmedAt: Type.Optional(
      dateTime({ description: 'When the receipt was delivered; default: now.' }),
    ),
  },
);

const anyFields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const ApprovePaymentRequest = component('ApprovePaymentRequest', 'The approval of a payment.', {
  receiverCustomerInfo: Type.Optional(
    anyFields('The data about the receiver that the sender’s provider requested, by field name.'),
  ),
});

export const RejectPaymentRequest = component('RejectPaymentRequest', 'The rejection of a payment.', {
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'The reason, for the audit log.' })),
});

export const CancelTransactionRequest = component(
  'CancelTransactionRequest',
  'The cancellation of a transaction.',
  { reason: Type.Optional(Type.String({ maxLength: 500, description: 'The reason, for the audit log.' })) },
);

/** Payments in either direction may wait for the platform. */
export const DecidedPayment = Type.Union([IncomingPayment, OutgoingPayment]);
