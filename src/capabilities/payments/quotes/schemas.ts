import Type, { type Static } from 'typebox';
import { PURPOSES_OF_PAYMENT, QuoteDestination, QuoteSource } from '#capabilities/payments/schemas.ts';
import { ScaFactor } from '#capabilities/sca/schemas.ts';
import { component, idOf, minorUnits, namedSchema, oneOf } from '#foundation/http/schema.ts';

export const PurposeOfPayment = namedSchema(
  'PurposeOfPayment',
  oneOf(PURPOSES_OF_PAYMENT, { description: 'What the payment is for.' }),
);

export const remittanceInformation = Type.String({
  maxLength: 80,
  description: 'Goes with the payment to the receiver’s statement.',
  examples: ['Invoice 2041'],
});

export const QuoteLockSide = namedSchema(
  'QuoteLockSide',
  oneOf(['SENDING', 'RECEIVING'], { description: 'Which of the two amounts is given; the other follows.' }),
);

const PlatformFeeOverride = component(
  'PlatformFeeOverride',
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
      description: 'Share of what is sent after fixed fees, in hundredths of a percent.',
    }),
  },
  { description: 'What the platform charges on this quote alone, in place of its configured fee.' },
);

export const QuoteRequest = component(
  'QuoteRequest',
  {
    lookupId: Type.Optional(
      idOf('Lookup', {
        description: 'The look-up of the receiver, not older than an hour. Required for a UMA address.',
      }),
    ),
    source: QuoteSource,
    destination: QuoteDestination,
    lockedCurrencySide: QuoteLockSide,
    // Zero and below have a code of their own, once all other fields are well (money.md §2.13).
    lockedCurrencyAmount: Type.Integer({
      'x-minor-units': true,
      maximum: 9_000_000_000_000_000,
      description: 'Above zero, in the smallest unit of the locked side’s currency.',
      examples: [25_000],
    }),
    immediatelyExecute: Type.Optional(
      Type.Boolean({
        description:
          'Execute in the same call, at the rate of this moment. Either both happen or neither. Without effect ' +
          'for real-time funding, whose funds execute it.',
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'A note of your own, shown on the transaction.' }),
    ),
    remittanceInformation: Type.Optional(remittanceInformation),
    purposeOfPayment: Type.Optional(PurposeOfPayment),
    platformFeeOverride: Type.Optional(PlatformFeeOverride),
    scaFactor: Type.Optional(ScaFactor),
    senderCustomerInfo: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'What the receiver’s provider asked to know about the sender, by field name.',
      }),
    ),
  },
  { description: 'A payment to be priced.' },
);

export type QuoteRequest = Static<typeof QuoteRequest>;
