import type { Card, CardMerchant } from '@corridor/client';
import { type Call, callOf } from '../../api/call.ts';
import { given } from '../../api/given.ts';
import type { FormValues } from '../../ui/form.tsx';
import { parseAmount } from '../../ui/money.tsx';
import { type CardTransaction, isOpen } from './purchases.tsx';

/** One kind of message that the card network can send. */
export interface Message {
  readonly name: string;
  readonly word: string;
  readonly hint: string;
  readonly fields: readonly ('amount' | 'merchant' | 'token')[];
  readonly amountLabel?: string;
  /** For messages about an earlier transaction: the transactions that they can be about. */
  readonly fits?: (purchase: CardTransaction) => boolean;
  /** What has to happen first. */
  readonly needs?: string;
  readonly build: (card: Card, values: FormValues) => Call;
}

function amountIn(card: Card, values: FormValues): number {
  return parseAmount(values.text('amount') ?? '', card.currency ?? 'USD') ?? Number.NaN;
}

function merchantIn(values: FormValues): CardMerchant {
  return given({
    descriptor: values.text('merchant.descriptor') ?? '',
    mcc: values.text('merchant.mcc'),
    city: values.text('merchant.city'),
    country: values.text('merchant.country'),
  });
}

type Payment = Parameters<typeof callOf<'sandboxSimulateCardAuthorization'>>[2];

function paymentIn(card: Card, values: FormValues): NonNullable<Payment> {
  return {
    amount: amountIn(card, values),
    currency: { code: card.currency ?? 'USD' },
    merchant: merchantIn(values),
  };
}

function parentIn(values: FormValues): { cardTransactionId: string } {
  return { cardTransactionId: values.text('cardTransactionId') ?? '' };
}

function isDebit({ direction }: CardTransaction): boolean {
  return direction === 'DEBIT';
}

const OPEN = 'Authorize a purchase first.';

export const MESSAGES: readonly Message[] = [
  {
    name: 'authorization',
    word: 'Authorize',
    hint: 'The merchant asks for authorization. If the card may pay, the amount is put on hold.',
    fields: ['amount', 'merchant'],
    build: (card, values) => callOf('sandboxSimulateCardAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'clearing',
    word: 'Clear',
    hint: 'The merchant takes the money: all of it, a part, or a little more.',
    fields: ['amount'],
    fits: isOpen,
    needs: OPEN,
    build: (card, values) =>
      callOf('sandboxSimulateCardClearing', card.id, { ...parentIn(values), amount: amountIn(card, values) }),
  },
  {
    name: 'advice',
    word: 'Change the amount',
    hint: 'The merchant changes the authorized amount to a new total, for example after adding a tip. This is never declined.',
    fields: ['amount'],
    amountLabel: 'New total',
    fits: (purchase) => isOpen(purchase) && isDebit(purchase),
    needs: OPEN,
    build: (card, values) =>
      callOf('sandboxSimulateCardAuthorizationAdvice', card.id, {
        ...parentIn(values),
        amount: amountIn(card, values),
      }),
  },
  {
    name: 'reversal',
    word: 'Reverse the rest',
    hint: 'The merchant takes no more, and the rest of the hold is released. This is a clearing of 0.',
    fields: [],
    fits: isOpen,
    needs: OPEN,
    build: (card, values) =>
      callOf('sandboxSimulateCardClearing', card.id, { ...parentIn(values), amount: 0 }),
  },
  {
    name: 'return',
    word: 'Return',
    hint: 'The merchant gives back money, at most the amount that it took.',
    fields: ['amount'],
    fits: (purchase) => isDebit(purchase) && (purchase.settledAmount?.amount ?? 0) > 0,
    needs: 'Clear a purchase first.',
    build: (card, values) =>
      callOf('sandboxSimulateCardReturn', card.id, { ...parentIn(values), amount: amountIn(card, values) }),
  },
  {
    name: 'return_reversal',
    word: 'Reverse a return',
    hint: 'The return was a mistake, and its amount is taken again.',
    fields: [],
    fits: ({ direction, originalTransactionId }) =>
      direction === 'CREDIT' && originalTransactionId !== undefined,
    needs: 'Return a purchase first.',
    build: (card, values) => callOf('sandboxSimulateCardReturnReversal', card.id, parentIn(values)),
  },
  {
    name: 'financial_authorization',
    word: 'Authorize and clear at once',
    hint: 'The purchase is authorized and taken in one message, as at a cash machine.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardFinancialAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'credit_authorization',
    word: 'Announce a credit',
    hint: 'Money will come in without an earlier purchase. It becomes available when it is cleared.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardCreditAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'credit_authorization_advice',
    word: 'Announce a credit by advice',
    hint: 'The same as an announced credit, sent as an advice message.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardCreditAuthorizationAdvice', card.id, paymentIn(card, values)),
  },
  {
    name: 'financial_credit_authorization',
    word: 'Credit at once',
    hint: 'Money comes in at once without an earlier purchase.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardFinancialCreditAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'balance_inquiry',
    word: 'Ask for the balance',
    hint: 'The merchant asks for the balance, without a purchase.',
    fields: ['merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardBalanceInquiry', card.id, { merchant: merchantIn(values) }),
  },
  {
    name: 'tokenization',
    word: 'Add to a phone',
    hint: 'The customer receives a code, and enters it on the phone to add the card.',
    fields: ['token'],
    build: (card, values) =>
      callOf(
        'sandboxSimulateCardTokenization',
        card.id,
        given({ channel: values.text('channel') as 'EMAIL' | 'SMS' | undefined, code: values.text('code') }),
      ),
  },
];
