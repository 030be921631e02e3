import type { CardTransaction } from '#capabilities/card-transactions/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleAmount } from '#foundation/lib/examples.ts';

const dollars = (cents: number) => exampleAmount(cents, 'USD');

export const BOOKSHOP = { descriptor: 'CORNER BOOKS', mcc: '5942', country: 'US' };

/** Books, on hold. */
export const PURCHASE: CardTransaction = {
  type: 'CARD',
  id: EXAMPLE_IDS.purchase,
  cardId: EXAMPLE_IDS.card,
  customerId: EXAMPLE_IDS.ada,
  platformCustomerId: 'user-4711',
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000201',
  status: 'AUTHORIZED',
  direction: 'DEBIT',
  merchant: BOOKSHOP,
  authorizedAmount: dollars(1_250),
  accountId: EXAMPLE_IDS.adaUsd,
  authorizedAt: EXAMPLE_TIME,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  description: BOOKSHOP.descriptor,
};

/** One more book, and the first parcel leaves the shop. */
export const PURCHASE_PARTLY_CLEARED: CardTransaction = {
  ...PURCHASE,
  status: 'PARTIALLY_SETTLED',
  authorizedAmount: dollars(1_500),
  settledAmount: dollars(500),
};

export const PURCHASE_CLEARED: CardTransaction = {
  ...PURCHASE_PARTLY_CLEARED,
  status: 'SETTLED',
  settledAmount: dollars(1_500),
};

/** One of the books goes back. */
export const RETURN: CardTransaction = {
  ...PURCHASE,
  id: EXAMPLE_IDS.bookReturn,
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000202',
  status: 'SETTLED',
  direction: 'CREDIT',
  authorizedAmount: dollars(500),
  settledAmount: dollars(500),
  originalTransactionId: EXAMPLE_IDS.purchase,
};

/** The shop compensates her for her trouble. */
export const CREDIT: CardTransaction = {
  ...PURCHASE,
  id: EXAMPLE_IDS.credit,
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000203',
  direction: 'CREDIT',
  authorizedAmount: dollars(300),
};

export const SECOND_CREDIT: CardTransaction = {
  ...CREDIT,
  id: EXAMPLE_IDS.secondCredit,
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000204',
};

const DECLINING_SHOP = { ...BOOKSHOP, descriptor: 'CORNER BOOKS 002' };

export const DECLINED_PURCHASE: CardTransaction = {
  ...PURCHASE,
  id: EXAMPLE_IDS.declinedPurchase,
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000205',
  status: 'DECLINED',
  merchant: DECLINING_SHOP,
  description: DECLINING_SHOP.descriptor,
  cardDeclinedReason: 'INSUFFICIENT_FUNDS',
};

const FAILING_SHOP = { ...BOOKSHOP, descriptor: 'CORNER BOOKS 006' };

/** The network is paid, but her account was not debited. */
export const UNPAID_PURCHASE: CardTransaction = {
  ...PURCHASE,
  id: EXAMPLE_IDS.unpaidPurchase,
  issuerTransactionToken: 'itx_019542f5b3e77d028000000000000206',
  status: 'EXCEPTION',
  merchant: FAILING_SHOP,
  settledAmount: dollars(1_250),
  description: FAILING_SHOP.descriptor,
};
