import Type, { type Static } from 'typebox';
import { Currency, component, dateTime, minorUnits, namedEnum, stringEnum } from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';

export const PaymentRail = namedEnum('PaymentRail', 'A way in which a payment travels.', PAYMENT_RAILS);

export const ExchangeRateQuery = Type.Object({
  sourceCurrency: Type.Optional(Type.String({ description: 'Only rates from this currency.' })),
  destinationCurrency: Type.Optional(
    Type.Array(Type.String({ description: 'Currency code.' }), {
      maxItems: 200,
      description: 'Only rates into these currencies; repeat the parameter or separate by commas.',
    }),
  ),
  sendingAmount: Type.Optional(
    minorUnits({
      default: 10_000,
      description: 'Amount to price, in the smallest unit of each source currency.',
    }),
  ),
});

export const ExchangeRate = component('ExchangeRate', 'The price of one payment on one corridor and rail.', {
  sourceCurrency: Currency,
  destinationCurrency: Currency,
  destinationPaymentRail: stringEnum([...PAYMENT_RAILS, 'CRYPTO'], {
    description: 'Rail of the payout; CRYPTO for every network of a digital currency.',
  }),
  minSendingAmount: minorUnits({ description: 'Smallest amount that can be sent.' }),
  maxSendingAmount: minorUnits({ description: 'Largest amount that can be sent at once.' }),
  sendingAmount: minorUnits({ description: 'The amount that was priced.' }),
  receivingAmount: minorUnits({ description: 'Amount that would arrive, after all fees.' }),
  exchangeRate: Type.Number({
    exclusiveMinimum: 0,
    description: 'Units of the source per unit of the destination, before fees.',
    examples: [1.08695652],
  }),
  fees: component('ExchangeRateFees', 'Cost of the payment, including the platform’s fees.', {
    fixed: Type.Optional(minorUnits({ description: 'Fixed fees, in the source currency.' })),
    total: Type.Optional(minorUnits({ description: 'All fees at this amount, in the source currency.' })),
  }),
  updatedAt: dateTime({ description: 'When the rate was read; it is valid for about five minutes.' }),
});
export type ExchangeRate = Static<typeof ExchangeRate>;

export const ExchangeRateListResponse = component(
  'ExchangeRateListResponse',
  'Rates of all requested corridors.',
  { data: Type.Array(ExchangeRate, { description: 'By source, destination and rail.' }) },
);
