import Type, { type Static } from 'typebox';
import { CurrencyAmount, component, dateTime, idSchema, stringEnum, text } from '#foundation/http/schema.ts';

export const CARD_TRANSACTION_STATUSES = [
  'AUTHORIZED',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'DECLINED',
  'EXCEPTION',
] as const;

export type CardTransactionStatus = (typeof CARD_TRANSACTION_STATUSES)[number];

export const DECLINED_REASONS = [
  'CARD_NOT_ACTIVE',
  'SPEND_LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
  'NO_ELIGIBLE_FUNDING_SOURCE',
  'BLOCKED',
  'UNSUPPORTED_NETWORK',
  'OTHER',
] as const;

export type DeclinedReason = (typeof DECLINED_REASONS)[number];

const amountSchema = (description: string) => Type.Object(CurrencyAmount.properties, { description });

export const CardMerchant = component('CardMerchant', 'The merchant that accepted the card.', {
  descriptor: text(1, 255, {
    description: 'The merchant’s name on the statement.',
    examples: ['CORNER BOOKS'],
  }),
  mcc: Type.Optional(text(1, 16, { description: 'Merchant category code.', examples: ['5942'] })),
  country: Type.Optional(text(1, 64, { description: 'Country of the merchant.', examples: ['US'] })),
  city: Type.Optional(text(1, 255, { description: 'City of the merchant.' })),
  state: Type.Optional(text(1, 255, { description: 'State or region of the merchant.' })),
});

export const CardTransaction = component('CardTransaction', 'A payment by card.', {
  type: stringEnum(['CARD'], { description: 'A payment by card.' }),
  id: idSchema('Transaction', { description: 'Id of the transaction.' }),
  cardId: Type.Optional(idSchema('Card', { description: 'The card that paid.' })),
  customerId: Type.String({
    description: 'The owner of the card.',
    examples: ['Customer:019542f5-b3e7-7d02-8000-000000000099'],
  }),
  platformCustomerId: Type.String({ description: 'The platform’s own id for that customer.' }),
  issuerTransactionToken: Type.Optional(Type.String({ description: 'The issuer’s id for the transaction.' })),
  status: stringEnum(CARD_TRANSACTION_STATUSES, {
    description: 'Current status.',
  }),
  direction: stringEnum(['CREDIT', 'DEBIT'], { description: 'Whether money comes in or goes out.' }),
  merchant: CardMerchant,
  authorizedAmount: amountSchema('The amount that the merchant requested.'),
  settledAmount: Type.Optional(amountSchema('The amount settled so far.')),
  accountId: Type.String({
    description: 'The account behind the card.',
    examples: ['InternalAccount:019542f5-b3e7-7d02-8000-000000000099'],
  }),
  authorizedAt: dateTime({ description: 'When the card was used.' }),
  createdAt: dateTime({ description: 'When the transaction was created.' }),
  updatedAt: dateTime({ description: 'When the transaction last changed.' }),
  description: Type.Optional(Type.String({ description: 'The text on the statement.' })),
  originalTransactionId: Type.Optional(
    idSchema('Transaction', {
      description: 'For a return, the purchase; for the reversal of a return, the return.',
    }),
  ),
  cardDeclinedReason: Type.Optional(
    stringEnum(DECLINED_REASONS, { description: 'Why the card was declined.' }),
  ),
});

export type CardTransaction = Static<typeof CardTransaction>;
