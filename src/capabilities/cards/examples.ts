import type { Card } from '#capabilities/cards/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

/** Ada's card, paid from her dollar account. */
export const CARD_REQUEST = {
  customerId: EXAMPLE_IDS.ada,
  platformCardId: 'card-ada-1',
  form: 'VIRTUAL' as const,
  fundingSource: EXAMPLE_IDS.adaUsd,
  maxSpendPerTransaction: 50_000,
};

export const NEW_CARD: Card = {
  id: EXAMPLE_IDS.card,
  customerId: EXAMPLE_IDS.ada,
  platformCardId: CARD_REQUEST.platformCardId,
  status: 'PROCESSING',
  form: 'VIRTUAL',
  fundingSource: EXAMPLE_IDS.adaUsd,
  currency: 'USD',
  maxSpendPerTransaction: 50_000,
  maxSpendPerDay: null,
  maxTransactionsPerDay: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const ACTIVE_CARD: Card = {
  ...NEW_CARD,
  status: 'ACTIVE',
  brand: 'VISA',
  last4: '4759',
  expMonth: 3,
  expYear: 2029,
  processorRef: 'card_7f3a91c2',
  issuerRef: 'iss_card_0b44de19',
};

/** She mislaid it. */
export const FROZEN_CARD: Card = { ...ACTIVE_CARD, status: 'FROZEN' };

/** Found again; from now on her wallet pays. */
export const WALLET_CARD: Card = {
  ...ACTIVE_CARD,
  fundingSource: EXAMPLE_IDS.adaUsdb,
  maxSpendPerTransaction: null,
  maxSpendPerDay: 100_000,
};

export const CLOSED_CARD: Card = { ...WALLET_CARD, status: 'CLOSED', statusReason: 'CLOSED_BY_PLATFORM' };
