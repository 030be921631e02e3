import Type, { type Static } from 'typebox';
import { PurposeOfPayment, remittanceInformation } from '#capabilities/payments/quotes/schemas.ts';
import { component, idSchema, movedAmount, stringEnum } from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';

const ExternalAccountReference = component(
  'ExternalAccountReference',
  { accountId: idSchema('ExternalAccount', { description: 'The bank account to pull from.' }) },
  { description: 'An external account.' },
);

const InternalAccountReference = component(
  'InternalAccountReference',
  { accountId: idSchema('InternalAccount', { description: 'The internal account.' }) },
  { description: 'An internal account.' },
);

const ExternalAccountDestinationReference = component(
  'ExternalAccountDestinationReference',
  {
    accountId: idSchema('ExternalAccount', { description: 'The external account that receives.' }),
    paymentRail: Type.Optional(
      stringEnum(PAYMENT_RAILS, { description: 'The rail to use; default: the account’s first one.' }),
    ),
  },
  { description: 'An external account, and the rail to it.' },
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
  { description: 'A pull from a bank account.' },
);

export type TransferInRequest = Static<typeof TransferInRequest>;

export const TransferOutRequest = component(
  'TransferOutRequest',
  {
    source: InternalAccountReference,
    destination: ExternalAccountDestinationReference,
    amount: Type.Optional(
      movedAmount({
        description: 'In the smallest unit of the accounts’ currency. Default: the whole available balance.',
        examples: [12_550],
      }),
    ),
    remittanceInformation: Type.Optional(remittanceInformation),
    purposeOfPayment: Type.Optional(PurposeOfPayment),
  },
  { description: 'A payment from an internal account, in its own currency.' },
);

export type TransferOutRequest = Static<typeof TransferOutRequest>;
