import Type from 'typebox';
import { showPayment } from '#capabilities/payments/operator/show-payments.ts';
import { TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import type { PresentedTransaction, TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { anyIdSchema } from '#foundation/http/schema.ts';
import type { PresentedAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { COUNTERPARTIES_DISCLOSED_TO, recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Payments';
const TYPES = ['INCOMING', 'OUTGOING', 'CARD'] as const;

/** Amounts have no index: a search by them alone reads the payments of this many days (money.md §6.3). */
export const AMOUNT_PERIOD_DAYS = 31;
const DAY_MS = 86_400_000;
const AMOUNT_PERIOD = `Without another filter, the last ${AMOUNT_PERIOD_DAYS} days are searched.`;

/** Payments and transactions of cards: every transaction that `GET /transactions` lists. */
export function paymentRecords(sources: readonly TransactionSource[]) {
  return { list: createList(sources), show: createShow(sources) };
}

const DECLARED = {
  filters: {
    status: filterBy.status(TRANSACTION_STATUSES),
    type: filterBy.type(TYPES),
    customer: filterBy.customer,
    card: filterBy.id('Card', 'Only those with this card.'),
    account: Type.Optional(
      anyIdSchema(['InternalAccount', 'ExternalAccount'], {
        description: 'Only those from or to this internal or external account.',
      }),
    ),
    units: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `The amount sent or received, in the smallest unit. ${AMOUNT_PERIOD}`,
      }),
    ),
    currency: Type.Optional(
      Type.String({ maxLength: 40, description: `The currency sent or received. ${AMOUNT_PERIOD}` }),
    ),
  },
  personal: {
    reference: Type.String({
      description: 'The reference on a bank statement, of the payment or its refund.',
    }),
    platformCustomerId: Type.String({ description: 'The platform’s own reference for the customer.' }),
    uma: Type.String({ description: 'The UMA address of the sender or receiver.' }),
  },
  item: Type.Object({
    transaction: shown.id('Transaction', 'The transaction.'),
    type: shown.code('Its type.', TYPES),
    status: shown.code('Its status.'),
    customer: shown.code('Its customer, or the platform.'),
    sent: shown.amount('The amount sent; of a purchase, what was settled or else authorized.'),
    received: shown.amount(
      'The amount received; of a credit to a card, what was settled or else authorized.',
    ),
    createdAt: shown.time('When it was created.'),
  }),
};

function createList(sources: readonly TransactionSource[]) {
  return recordList({
    name: 'payments',
    area: AREA,
    summary: 'Payments and transactions of cards',
    hasTimes: true,
    ...DECLARED,
    async page(tx, request, { units, currency, account, uma, customer, card, ...filters }) {
      const { createdAfter, createdBefore, ...same } = filters;
      if (account !== undefined && uma !== undefined) {
        throw invalidFields([{ field: 'uma', message: 'cannot be combined with account' }]);
      }
      const isPeriod =
        !createdAfter && isByAmountAlone({ ...same, units, currency, account, uma, customer, card });
      const after = isPeriod ? new Date(tx.now.getTime() - AMOUNT_PERIOD_DAYS * DAY_MS) : createdAfter;
      const query = given({
        ...same,
        accountIdentifier: account ?? uma,
        customerId: customer && publicId('Customer', customer),
        cardId: card && publicId('Card', card),
        startDate: after?.toISOString(),
        endDate: createdBefore?.toISOString(),
      });
      const amount = given({ units: units === undefined ? undefined : BigInt(units), currency });
      const list = { request, ...(Object.keys(amount).length > 0 && { amount }) };
      const found = await listTransactions(tx, query as TransactionQuery, sources, list);
      return { ...found, data: found.data.map(presentListed) };
    },
  });
}

/** Whether only an amount or a currency narrows a search. */
export function isByAmountAlone({
  units,
  currency,
  status: _status,
  type: _type,
  ...others
}: Readonly<Record<string, unknown>>): boolean {
  const isByAmount = units !== undefined || currency !== undefined;
  return isByAmount && Object.values(others).every((one) => one === undefined);
}

/** Filters that were given, without those that were not. */
function given<T extends Record<string, unknown>>(filters: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const some = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

function presentListed(item: PresentedTransaction) {
  return {
    ...item,
    transaction: item.id,
    customer: 'customerId' in item ? String(item.customerId) : null,
    ...amountsOf(item as PresentedTransaction & Amounts),
  };
}

interface Amounts {
  readonly direction?: string;
  readonly sentAmount?: PresentedAmount;
  readonly receivedAmount?: PresentedAmount;
  readonly authorizedAmount?: PresentedAmount;
  readonly settledAmount?: PresentedAmount;
}

/** A purchase sends what was settled so far, and before that what was authorized; a credit of a card receives it. */
function amountsOf({ direction, authorizedAmount, settledAmount = authorizedAmount, ...payment }: Amounts) {
  if (settledAmount === undefined) return { sent: payment.sentAmount, received: payment.receivedAmount };
  return direction === 'CREDIT' ? { received: settledAmount } : { sent: settledAmount };
}

function createShow(sources: readonly TransactionSource[]) {
  return recordShow({
    name: 'payments',
    area: AREA,
    summary: 'A payment or a transaction of a card, with its entries and pending work',
    type: 'Transaction',
    disclosedTo: COUNTERPARTIES_DISCLOSED_TO,
    load: (tx, transactionId: TransactionId) => showPayment(tx, sources, transactionId),
  });
}
