import Type from 'typebox';
import { CardMerchant } from '#capabilities/card-transactions/schemas.ts';
import { NOTICE_AMOUNT_MAX } from '#capabilities/cards/machine/notice.ts';
import { Currency, component, minorUnits, movedAmount } from '#foundation/http/schema.ts';
import { alpha2Of } from '#foundation/lib/countries.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

const moved = (description: string, options: Record<string, unknown> = {}) =>
  movedAmount({ maximum: Number(NOTICE_AMOUNT_MAX), description, examples: [1_250], ...options });
const PARENT = Type.String({
  description: 'The card transaction that the message is about.',
  examples: [EXAMPLE_IDS.purchase],
});

export const SandboxCardAuthorizationRequest = component(
  'SandboxCardAuthorizationRequest',
  'A merchant requests money, or gives a credit.',
  {
    amount: moved('The amount, in cents.', { exclusiveMinimum: 0 }),
    currency: Currency,
    merchant: CardMerchant,
  },
);

export const SandboxCardClearingRequest = component(
  'SandboxCardClearingRequest',
  'A merchant takes the authorized amount, less or more.',
  {
    cardTransactionId: PARENT,
    amount: minorUnits({
      maximum: Number(NOTICE_AMOUNT_MAX),
      description:
        'The amount that the merchant takes, in cents; 0: nothing more, and the rest of the hold is released.',
      examples: [1_250],
    }),
  },
);

export const SandboxCardAuthorizationAdviceRequest = component(
  'SandboxCardAuthorizationAdviceRequest',
  'A new total of an authorization.',
  { cardTransactionId: PARENT, amount: moved('The new total, in cents.', { exclusiveMinimum: 0 }) },
);

export const SandboxCardReturnRequest = component(
  'SandboxCardReturnRequest',
  'A merchant gives money back.',
  { cardTransactionId: PARENT, amount: moved('The returned amount, in cents.', { exclusiveMinimum: 0 }) },
);

export const SandboxCardTransactionRefRequest = component(
  'SandboxCardTransactionRefRequest',
  'A card transaction.',
  {
    cardTransactionId: Type.String({
      description: 'The row of the return.',
      examples: [EXAMPLE_IDS.bookReturn],
    }),
  },
);

export const SandboxCardBalanceInquiryRequest = component(
  'SandboxCardBalanceInquiryRequest',
  'A merchant asks whether the card works.',
  { merchant: CardMerchant },
);

export const SandboxCardSimulationResponse = component(
  'SandboxCardSimulationResponse',
  'The message is accepted; it takes effect within a second.',
  {
    issuerTransactionToken: Type.String({
      description: 'The issuer’s token of the card transaction that is created or changed.',
    }),
  },
);

/** The network accepts no notice whose merchant has a malformed category or country. */
export function requireMerchant({ mcc, country }: Merchant): void {
  const problems: FieldError[] = [];
  if (mcc !== undefined && !/^\d{4}$/.test(mcc)) {
    problems.push({ field: 'merchant.mcc', message: 'must have four digits' });
  }
  if (country !== undefined && alpha2Of(country) === undefined) {
    const message = 'must be an ISO 3166-1 country code of two or three letters';
    problems.push({ field: 'merchant.country', message });
  }
  if (problems.length > 0) throw invalidFields(problems);
}
