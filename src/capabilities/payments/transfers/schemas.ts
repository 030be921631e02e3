import Type, { type Static } from 'typebox';
import { PurposeOfPayment, remittanceInformation } from '#capabilities/payments/quotes/schemas.ts';
import { component, idOf, movedAmount, oneOf } from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';

const ExternalAccountReference = component(
  'ExternalAccountReference',
  { accountId: idOf('ExternalAccount', { description: 'The bank account to pull from.' }) },
  { description: 'An account outside.' },
);

const InternalAccountReference = component(
  'InternalAccountReference',
  { accountId: idOf('InternalAccount', { description: 'The internal account.' }) },
  { description: 'An account that the service keeps.' },
);

const ExternalAccountDestinationReference = component(
  'ExternalAccountDestinationReference',
  {
    accountId: idOf('ExternalAccount', { description: 'The account outside that receives.' }),
    paymentRail: Type.Optional(
      oneOf(PAYMENT_RAILS, { description: 'Over which rail; default: the first of the account.' }),
    ),
  },
  { description: 'An account outside, and the way to it.' },
);

export const TransferInRequest = component(
  'TransferInRequest',
  {
    source: ExternalAccountReference,
    destination: InternalAccountReference,
    amount: Type.Optional(
      movedAmount({
        description: 'In the smallest unit of the accounts’ currency. Required.',
        examples: [12_550],
      }),
    ),
  },
  { description: 'Money to be pulled from a bank account.' },
);

export type TransferInRequest = Static<typeof TransferInRequest>;

export const TransferOutRequest = component(
  'TransferOutRequest',
  {
    source: InternalAccountReference,
    destination: ExternalAccountDestinationReference,
    amount: Type.Optional(
      movedAmount({
        description: 'In the smallest unit of the accounts’ currency. Left out: all that can be spent.',
        examples: [12_550],
      }),
    ),
    remittanceInformation: Type.Optional(remittanceInformation),
    purposeOfPayment: Type.Optional(PurposeOfPayment),
  },
  { description: 'Money to be paid out of an internal account, in its own currency.' },
);

export type TransferOutRequest = Static<typeof TransferOutRequest>;
