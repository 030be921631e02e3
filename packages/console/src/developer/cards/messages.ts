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
  /** For messages about an earlier transaction: which of them can be meant. */
  readonly fits?: (purchase: CardTransaction) => boolean;
  /** What has to be there first. */
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
    hint: 'The shop asks for money. If the card may pay, the amount is held.',
    fields: ['amount', 'merchant'],
    build: (card, values) => callOf('sandboxSimulateCardAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'clearing',
    word: 'Clear',
    hint: 'The shop takes the money: all of it, a part, or a little more.',
    fields: ['amount'],
    fits: isOpen,
    needs: OPEN,
    build: (card, values) =>
      callOf('sandboxSimulateCardClearing', card.id, { ...parentIn(values), amount: amountIn(card, values) }),
  },
  {
    name: 'advice',
    word: 'Increase or lower',
    hint: 'The shop changes what it authorized, to a new total: a tip, or an item less. This is never declined.',
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
    hint: 'The shop takes no more: what is still on hold is released. This is a clearing of 0.',
    fields: [],
    fits: isOpen,
    needs: OPEN,
    build: (card, values) =>
      callOf('sandboxSimulateCardClearing', card.id, { ...parentIn(values), amount: 0 }),
  },
  {
    name: 'return',
    word: 'Return',
    hint: 'The shop gives money back, at most what it took.',
    fields: ['amount'],
    fits: (purchase) => isDebit(purchase) && (purchase.settledAmount?.amount ?? 0) > 0,
    needs: 'Clear a purchase first.',
    build: (card, values) =>
      callOf('sandboxSimulateCardReturn', card.id, { ...parentIn(values), amount: amountIn(card, values) }),
  },
  {
    name: 'return_reversal',
    word: 'Take a return back',
    hint: 'The return was a mistake: its amount is taken again.',
    fields: [],
    fits: ({ direction, originalTransactionId }) =>
      direction === 'CREDIT' && originalTransactionId !== undefined,
    needs: 'Return something first.',
    build: (card, values) => callOf('sandboxSimulateCardReturnReversal', card.id, parentIn(values)),
  },
  {
    name: 'financial_authorization',
    word: 'Pay in one message',
    hint: 'Authorized and taken at once, as at a cash machine.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardFinancialAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'credit_authorization',
    word: 'Announce a credit',
    hint: 'Money will come in, without an earlier purchase. It can be spent once it is cleared.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardCreditAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'credit_authorization_advice',
    word: 'Advise of a credit',
    hint: 'The same as an announced credit, as an advice.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardCreditAuthorizationAdvice', card.id, paymentIn(card, values)),
  },
  {
    name: 'financial_credit_authorization',
    word: 'Credit in one message',
    hint: 'Money comes in at once, without an earlier purchase.',
    fields: ['amount', 'merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardFinancialCreditAuthorization', card.id, paymentIn(card, values)),
  },
  {
    name: 'balance_inquiry',
    word: 'Ask for the balance',
    hint: 'A purchase of nothing, which shows whether the card would pay.',
    fields: ['merchant'],
    build: (card, values) =>
      callOf('sandboxSimulateCardBalanceInquiry', card.id, { merchant: merchantIn(values) }),
  },
  {
    name: 'tokenization',
    word: 'Add to a phone’s wallet',
    hint: 'The phone asks for a code that is sent to the customer, and then gives it back.',
    fields: ['token'],
    build: (card, values) =>
      callOf(
        'sandboxSimulateCardTokenization',
        card.id,
        given({ channel: values.text('channel') as 'EMAIL' | 'SMS' | undefined, code: values.text('code') }),
      ),
  },
];
