import Type from 'typebox';
import { CounterpartyFieldDefinition } from '#capabilities/platform/schemas.ts';
import { Currency, component, idSchema, queryId } from '#foundation/http/schema.ts';

export const SenderQuery = Type.Object({
  senderUmaAddress: Type.Optional(
    Type.String({
      description: 'The sender, by UMA address. Without this and `customerId`, the platform is the sender.',
    }),
  ),
  customerId: Type.Optional(queryId('Customer', { description: 'The sender, by id.' })),
});

const CurrencyPreference = component('CurrencyPreference', 'A currency that the receiver accepts.', {
  currency: Currency,
  estimatedExchangeRate: Type.Number({
    minimum: 0,
    description:
      'The amount received per unit of the sender’s currency, after the platform’s fee. Not locked: a quote has ' +
      'the final rate.',
    examples: [0.92],
  }),
  min: Type.Integer({
    minimum: 1,
    description: 'Smallest amount that can be received, in the smallest unit.',
  }),
  max: Type.Integer({
    minimum: 1,
    description: 'Largest amount that can be received, in the smallest unit.',
  }),
});

const LOOKUP = {
  supportedCurrencies: Type.Array(CurrencyPreference, {
    description: 'The currencies that the receiver accepts; the first one is used unless you choose another.',
  }),
  requiredPayerDataFields: Type.Array(CounterpartyFieldDefinition, {
    description: 'The data about the sender that the receiver’s provider requires.',
  }),
  lookupId: idSchema('Lookup', { description: 'Give this when you create a quote, within an hour.' }),
};

export const ReceiverUmaLookupResponse = component(
  'ReceiverUmaLookupResponse',
  'A receiver with a UMA address.',
  {
    ...LOOKUP,
    receiverUmaAddress: Type.String({ description: 'The address that was looked up, in lower case.' }),
  },
);

export const ReceiverExternalAccountLookupResponse = component(
  'ReceiverExternalAccountLookupResponse',
  'A receiver with an external account.',
  { ...LOOKUP, accountId: idSchema('ExternalAccount', { description: 'The account that was looked up.' }) },
);
