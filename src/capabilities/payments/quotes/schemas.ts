import Type, { type Static } from 'typebox';
import { PURPOSES_OF_PAYMENT, QuoteDestination, QuoteSource } from '#capabilities/payments/schemas.ts';
import { ScaFactor } from '#capabilities/sca/schemas.ts';
import { component, idSchema, minorUnits, namedEnum } from '#foundation/http/schema.ts';

export const PurposeOfPayment = namedEnum(
  'PurposeOfPayment',
  'The purpose of the payment.',
  PURPOSES_OF_PAYMENT,
);

export const remittanceInformation = Type.String({
  maxLength: 80,
  description: 'A text for the receiver’s statement.',
  examples: ['Invoice 2041'],
});

export const QuoteLockSide = namedEnum(
  'QuoteLockSide',
  'The side whose amount is fixed; the other amount is computed.',
  ['SENDING', 'RECEIVING'],
);

const PlatformFeeOverride = component(
  'PlatformFeeOverride',
  'The platform’s fee for this quote only, in place of its configured fee.',
  {
    platformFixedFee: Type.Object(
      {
        amount: minorUnits({ description: 'In the smallest unit.', examples: [50] }),
        currency: Type.String({ description: 'Must be the currency that is sent.', examples: ['USD'] }),
      },
      { description: 'An amount per payment.' },
    ),
    platformVariableFeeBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Share of the amount sent after fixed fees, in hundredths of a percent.',
    }),
  },
);

export const QuoteRequest = component('QuoteRequest', 'The payment to price.', {
  lookupId: Type.Optional(
    idSchema('Lookup', {
      description: 'The look-up of the receiver, at most an hour old. Required for a UMA address.',
    }),
  ),
  source: QuoteSource,
  destination: QuoteDestination,
  lockedCurrencySide: QuoteLockSide,
  // Zero and below have their own code, after all other fields were checked (money.md §2.13).
  lockedCurrencyAmount: Type.Integer({
    'x-minor-units': true,
    maximum: 9_000_000_000_000_000,
    description: 'Above zero, in the smallest unit of the locked side’s currency.',
    examples: [25_000],
  }),
  immediatelyExecute: Type.Optional(
    Type.Boolean({
      description:
        'Execute the quote in the same request, at the current rate. Either both happen or neither. Has no effect ' +
        'with real-time funding, where the arrival of the funds executes the quote.',
    }),
  ),
  description: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Your own note, shown on the transaction.' }),
  ),
  remittanceInformation: Type.Optional(remittanceInformation),
  purposeOfPayment: Type.Optional(PurposeOfPayment),
  platformFeeOverride: Type.Optional(PlatformFeeOverride),
  scaFactor: Type.Optional(ScaFactor),
  senderCustomerInfo: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The data about the sender that the receiver’s provider requested, by field name.',
    }),
  ),
});

export type QuoteRequest = Static<typeof QuoteRequest>;
