import type { Static } from 'typebox';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import type { NetworkNotice } from '#capabilities/cards/machine/notice.ts';
import { queueNotice } from '#capabilities/cards/notices/queue.ts';
import { type CardTransactionRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import {
  ADVICES,
  AUTHORIZATIONS,
  CLEARINGS,
  CREDIT_ADVICES,
  CREDITS,
  INQUIRIES,
  RETURN_REVERSALS,
  RETURNS,
  SINGLE_CREDITS,
  SINGLE_DEBITS,
} from '#edge/sandbox/cards/examples.ts';
import { loadParent, requireOpen, requireReturn, requireReturnable } from '#edge/sandbox/cards/parents.ts';
import {
  requireMerchant,
  SandboxCardAuthorizationAdviceRequest,
  SandboxCardAuthorizationRequest,
  SandboxCardBalanceInquiryRequest,
  SandboxCardClearingRequest,
  SandboxCardReturnRequest,
  SandboxCardSimulationResponse,
  SandboxCardTransactionRefRequest,
} from '#edge/sandbox/cards/schemas.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Examples } from '#foundation/http/declare/example.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import type { Currency } from '#foundation/http/schema.ts';
import { tokenOfId } from '#foundation/lib/issuer-tokens.ts';
import { type FieldError, invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** Calls that play the card network (cards.md §8): each is one notice, which is applied right after the reply. */

/** The notice and the row that it is about. It waits until the row's pull is confirmed (cards.md §8). */
interface Prepared {
  readonly notice: DistributiveOmit<NetworkNotice, 'id' | 'cardId'>;
  readonly parent?: CardTransactionRow;
}

type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;

const CARD_PARAM: { id: IdParam<'Card'> } = { id: { id: 'Card', missing: 'NOT_FOUND' } };

const COMMON = {
  area: 'Sandbox',
  access: 'transact',
  sandboxOnly: true,
  params: CARD_PARAM,
  status: 202,
  reply: SandboxCardSimulationResponse,
} as const;

/** The card is locked, so that notices are accepted one after the other. */
async function accept(tx: Tx, cardId: CardId, prepare: (card: CardRow) => Promise<Prepared>) {
  const card = await lockCard(tx, cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const { notice, parent } = await prepare(card);
  const waitsUntil = parent?.confirmed_at ?? tx.now;
  queueNotice(
    tx,
    card,
    { ...notice, id: tx.newId(), cardId } as NetworkNotice,
    waitsUntil > tx.now ? waitsUntil : tx.now,
  );
  return { issuerTransactionToken: notice.token };
}

function newToken(tx: Tx): string {
  return tokenOfId(tx.newId());
}

/** A card pays only in its own currency. */
function requireCurrency(card: CardRow, { code }: Static<typeof Currency>): void {
  if (code === undefined) {
    const missing: FieldError = { field: 'currency.code', message: 'is required' };
    throw invalidFields([missing]);
  }
  if (code === card.currency) return;
  throw new Refusal('INVALID_CURRENCY', `The card is in ${card.currency}.`, { currency: code });
}

type Asks = Pick<Extract<NetworkNotice, { kind: 'authorization' }>, 'asks' | 'isFinal'>;

interface Words {
  readonly summary: string;
  readonly description: string;
  readonly examples: Examples<{ id: string }, object, Static<typeof SandboxCardAuthorizationRequest>, Token>;
}

type Token = Static<typeof SandboxCardSimulationResponse>;

/** A simulator that asks for a decision. */
function asking<const Id extends string>(id: Id, path: string, asks: Asks, words: Words) {
  return operation(id, {
    ...COMMON,
    ...words,
    route: `POST /sandbox/cards/:id/simulate/${path}`,
    body: SandboxCardAuthorizationRequest,
    codes: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'NOT_FOUND'],
    write: (tx, { params, body }) =>
      accept(tx, params.id, async (card) => {
        const { amount, currency, merchant } = body;
        requireCurrency(card, currency);
        return { notice: asked(tx, asks, BigInt(amount), merchant) };
      }),
  });
}

function asked(tx: Tx, asks: Asks, amount: bigint, merchant: Merchant): Prepared['notice'] {
  requireMerchant(merchant);
  return { kind: 'authorization', ...asks, token: newToken(tx), amount, merchant };
}

const authorization = asking(
  'sandboxSimulateCardAuthorization',
  'authorization',
  { asks: 'DEBIT', isFinal: false },
  {
    summary: 'Buy something with a card',
    description:
      'Asks whether the card may pay: the transaction is `AUTHORIZED` with the amount on hold, or `DECLINED`. The end of ' +
      '`merchant.descriptor` chooses other outcomes.',
    examples: AUTHORIZATIONS,
  },
);

const clearing = operation('sandboxSimulateCardClearing', {
  ...COMMON,
  route: 'POST /sandbox/cards/:id/simulate/clearing',
  summary: 'Clear a purchase',
  description:
    'The merchant takes the money, first from the hold, then from the balance. An amount of 0 makes the authorization ' +
    'expire.',
  body: SandboxCardClearingRequest,
  codes: ['INVALID_AMOUNT', 'NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  examples: CLEARINGS,
  write: (tx, { params, body }) =>
    accept(tx, params.id, async (card) => {
      const { cardTransactionId, amount } = body;
      const parent = await loadParent(tx, card.id, cardTransactionId);
      requireOpen(parent);
      const { token, direction, merchant } = parent;
      return { parent, notice: { kind: 'clearing', token, direction, merchant, amount: BigInt(amount) } };
    }),
});

const advice = operation('sandboxSimulateCardAuthorizationAdvice', {
  ...COMMON,
  route: 'POST /sandbox/cards/:id/simulate/authorization_advice',
  summary: 'Change the authorized amount',
  description:
    'Raises or lowers the authorized total to the amount. It is never declined: an increase that the account does not ' +
    'cover is authorized without a hold.',
  body: SandboxCardAuthorizationAdviceRequest,
  codes: ['INVALID_AMOUNT', 'NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  examples: ADVICES,
  write: (tx, { params, body }) =>
    accept(tx, params.id, async (card) => {
      const { cardTransactionId, amount } = body;
      const parent = await loadParent(tx, card.id, cardTransactionId);
      requireOpen(parent);
      return { parent, notice: { kind: 'advice', token: parent.token, amount: BigInt(amount) } };
    }),
});

const returned = operation('sandboxSimulateCardReturn', {
  ...COMMON,
  route: 'POST /sandbox/cards/:id/simulate/return',
  summary: 'Return a purchase',
  description:
    'The merchant gives money back, as a `CREDIT` transaction of its own: at most the amount that was cleared and not yet ' +
    'returned. Works for frozen and closed cards, too.',
  body: SandboxCardReturnRequest,
  codes: ['INVALID_AMOUNT', 'NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  examples: RETURNS,
  write: (tx, { params, body }) =>
    accept(tx, params.id, async (card) => {
      const { cardTransactionId, amount } = body;
      const parent = await loadParent(tx, card.id, cardTransactionId);
      requireReturnable(parent, BigInt(amount));
      const { token: purchaseToken, merchant } = parent;
      return {
        parent,
        notice: { kind: 'return', token: newToken(tx), purchaseToken, merchant, amount: BigInt(amount) },
      };
    }),
});

const returnReversal = operation('sandboxSimulateCardReturnReversal', {
  ...COMMON,
  route: 'POST /sandbox/cards/:id/simulate/return_reversal',
  summary: 'Reverse a return',
  description:
    'Creates a `DEBIT` transaction of the same amount. The return stays as it is, and the amount can be returned again.',
  body: SandboxCardTransactionRefRequest,
  codes: ['NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  examples: RETURN_REVERSALS,
  write: (tx, { params, body }) =>
    accept(tx, params.id, async (card) => {
      const { cardTransactionId } = body;
      const parent = await loadParent(tx, card.id, cardTransactionId);
      requireReturn(parent);
      const purchase =
        parent.original_id === null ? undefined : await findCardTransaction(tx, parent.original_id);
      const { token: returnToken, merchant } = parent;
      const amount = settledAmountOf(parent);
      const purchaseToken = purchase?.token;
      return {
        parent,
        notice: {
          kind: 'return_reversal',
          token: newToken(tx),
          returnToken,
          purchaseToken,
          amount,
          merchant,
        },
      };
    }),
});

const balanceInquiry = operation('sandboxSimulateCardBalanceInquiry', {
  ...COMMON,
  route: 'POST /sandbox/cards/:id/simulate/balance_inquiry',
  summary: 'Ask whether a card works',
  description: 'Creates a transaction with amount 0, `SETTLED` or `DECLINED`.',
  body: SandboxCardBalanceInquiryRequest,
  codes: ['NOT_FOUND'],
  examples: INQUIRIES,
  write: (tx, { params, body }) =>
    accept(tx, params.id, async () => ({
      notice: asked(tx, { asks: 'INQUIRY', isFinal: false }, 0n, body.merchant),
    })),
});

const creditAuthorization = asking(
  'sandboxSimulateCardCreditAuthorization',
  'credit_authorization',
  { asks: 'CREDIT', isFinal: false },
  {
    summary: 'Announce a credit',
    description:
      'Creates a `CREDIT` transaction, `AUTHORIZED`: the account is credited only when it is cleared.',
    examples: CREDITS,
  },
);

const creditAuthorizationAdvice = asking(
  'sandboxSimulateCardCreditAuthorizationAdvice',
  'credit_authorization_advice',
  { asks: 'CREDIT', isFinal: false },
  {
    summary: 'Announce a credit that was decided elsewhere',
    description: 'Does the same as the announcement of a credit.',
    examples: CREDIT_ADVICES,
  },
);

const financialAuthorization = asking(
  'sandboxSimulateCardFinancialAuthorization',
  'financial_authorization',
  { asks: 'DEBIT', isFinal: true },
  {
    summary: 'Pay with a card in one message',
    description: 'Approves and takes the money at once: the transaction is `SETTLED`, or `DECLINED`.',
    examples: SINGLE_DEBITS,
  },
);

const financialCreditAuthorization = asking(
  'sandboxSimulateCardFinancialCreditAuthorization',
  'financial_credit_authorization',
  { asks: 'CREDIT', isFinal: true },
  {
    summary: 'Credit a card in one message',
    description: 'Creates a `CREDIT` transaction, `SETTLED` at once.',
    examples: SINGLE_CREDITS,
  },
);

/** In contract order. */
export const sandboxCardOperations = [
  authorization,
  clearing,
  returned,
  balanceInquiry,
  creditAuthorization,
  financialAuthorization,
  financialCreditAuthorization,
  advice,
  creditAuthorizationAdvice,
  returnReversal,
];
