import Type, { type Static } from 'typebox';
import { PurposeOfPayment, remittanceInformation } from '#capabilities/payments/quotes/schemas.ts';
import { component, idSchema, movedAmount, stringEnum } from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';

const ExternalAccountReference = component('ExternalAccountReference', 'An external account.', {
  accountId: idSchema('ExternalAccount', { description: 'The bank account to pull from.' }),
});

const InternalAccountReference = component('InternalAccountReference', 'An internal account.', {
  accountId: idSchema('InternalAccount', { description: 'The internal account.' }),
});

const ExternalAccountDestinationReference = component(
  'ExternalAccountDestinationReference',
  'An external account, and the rail to it.',
  {
    accountId: idSchema('ExternalAccount', { description: 'The external account that receives.' }),
    paymentRail: Type.Optional(
      stringEnum(PAYMENT_RAILS, { description: 'The rail to use; default: the account’s first one.' }),
    ),
  },
);

export const TransferInRequest = component('TransferInRequest', 'A pull from a bank account.', {
  source: ExternalAccountReference,
  destination: InternalAccountReference,
  amount: Type.Optional(
    movedAmount({
      description: 'In the smallest unit of the accounts’ currency. Required.',
      examples: [12_550],
    }),
  ),
});

export type TransferInRequest = Static<typeof TransferInRequest>;

export const TransferOutRequest = component(
  'TransferOutRequest',
  'A payment from an internal account, in its own currency.',
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
);

export type TransferOutRequest = Static<typeof TransferOutRequest>;
