import Type from 'typebox';
import { MESSAGE_AMOUNT_MAX } from '#capabilities/cards/messages/message.ts';
import { CardMerchant } from '#capabilities/payments/schemas.ts';
import { Currency, component, minorUnits, movedAmount } from '#foundation/http/schema.ts';
import { alpha2Of } from '#foundation/lib/countries.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

const moved = (description: string, options: Record<string, unknown> = {}) =>
  movedAmount({ maximum: Number(MESSAGE_AMOUNT_MAX), description, examples: [1_250], ...options });
const PARENT = Type.String({
  description: 'The card transaction that it is about.',
  examples: [EXAMPLE_IDS.purchase],
});

export const SandboxCardAuthorizationRequest = component(
  'SandboxCardAuthorizationRequest',
  {
    amount: moved('How much, in cents.', { exclusiveMinimum: 0 }),
    currency: Currency,
    merchant: CardMerchant,
  },
  { description: 'A merchant asks for money, or gives some.' },
);

export const SandboxCardClearingRequest = component(
  'SandboxCardClearingRequest',
  {
    cardTransactionId: PARENT,
    amount: minorUnits({
      maximum: Number(MESSAGE_AMOUNT_MAX),
      description: 'What the merchant takes, in cents; 0: nothing more, the rest of the hold is released.',
      examples: [1_250],
    }),
  },
  { description: 'A merchant takes what was authorized, or part of it, or more.' },
);

export const SandboxCardAuthorizationAdviceRequest = component(
  'SandboxCardAuthorizationAdviceRequest',
  { cardTransactionId: PARENT, amount: moved('The new total, in cents.', { exclusiveMinimum: 0 }) },
  { description: 'Another total than was authorized.' },
);

export const SandboxCardReturnRequest = component(
  'SandboxCardReturnRequest',
  { cardTransactionId: PARENT, amount: moved('What comes back, in cents.', { exclusiveMinimum: 0 }) },
  { description: 'A merchant gives money back.' },
);

export const SandboxCardTransactionRefRequest = component(
  'SandboxCardTransactionRefRequest',
  {
    cardTransactionId: Type.String({
      description: 'The row of the return.',
      examples: [EXAMPLE_IDS.bookReturn],
    }),
  },
  { description: 'A card transaction.' },
);

export const SandboxCardBalanceInquiryRequest = component(
  'SandboxCardBalanceInquiryRequest',
  { merchant: CardMerchant },
  { description: 'Somebody asks whether the card works.' },
);

export const SandboxCardSimulationResponse = component(
  'SandboxCardSimulationResponse',
  {
    issuerTransactionToken: Type.String({
      description: 'How the issuer names the card transaction that is made or changed.',
    }),
  },
  { description: 'The message is accepted; it takes effect within a second.' },
);

/** The network takes no message whose merchant has a malformed category or country. */
export function requireMerchant({ mcc, country }: Merchant): void {
  const problems: FieldError[] = [];
  if (mcc !== undefined && !/^\d{4}$/.test(mcc)) {
    problems.push({ field: 'merchant.mcc', message: 'must have four digits' });
  }
  if (country !== undefined && alpha2Of(country) === undefined) {
    const message = 'must be a country as ISO 3166-1 writes it, with two letters or three';
    problems.push({ field: 'merchant.country', message });
  }
  if (problems.length > 0) throw invalidFields(problems);
}
