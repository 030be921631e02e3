import Type, { type Static } from 'typebox';
import { CounterpartyFieldDefinition } from '#capabilities/platform/schemas.ts';
import { Currency, component, idOf, queryId } from '#foundation/http/schema.ts';

export const SenderQuery = Type.Object({
  senderUmaAddress: Type.Optional(
    Type.String({ description: 'Who would send, by UMA address. Left out with `customerId`: the platform.' }),
  ),
  customerId: Type.Optional(queryId('Customer', { description: 'Who would send, by id.' })),
});

const CurrencyPreference = component(
  'CurrencyPreference',
  {
    currency: Currency,
    estimatedExchangeRate: Type.Number({
      minimum: 0,
      description:
        'What one unit of the sender’s currency would bring, the platform’s fee taken off. Not locked: a ' +
        'quote says what it will be.',
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
  },
  { description: 'A currency that the receiver takes.' },
);

const LOOKUP = {
  supportedCurrencies: Type.Array(CurrencyPreference, {
    description: 'What the receiver takes; the first is what is paid unless you choose.',
  }),
  requiredPayerDataFields: Type.Array(CounterpartyFieldDefinition, {
    description: 'What the receiver wants to know about the sender.',
  }),
  lookupId: idOf('Lookup', { description: 'Hand this in when you ask for a quote, within an hour.' }),
};

export const ReceiverUmaLookupResponse = component(
  'ReceiverUmaLookupResponse',
  {
    ...LOOKUP,
    receiverUmaAddress: Type.String({ description: 'The address that was looked up, in lower case.' }),
  },
  { description: 'A receiver with a UMA address.' },
);

export type ReceiverUmaLookupResponse = Static<typeof ReceiverUmaLookupResponse>;

export const ReceiverExternalAccountLookupResponse = component(
  'ReceiverExternalAccountLookupResponse',
  { ...LOOKUP, accountId: idOf('ExternalAccount', { description: 'The account that was looked up.' }) },
  { description: 'A receiver with an external account.' },
);

export type ReceiverExternalAccountLookupResponse = Static<typeof ReceiverExternalAccountLookupResponse>;
