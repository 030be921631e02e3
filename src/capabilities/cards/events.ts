import {
  DECLINED_PURCHASE,
  PURCHASE,
  PURCHASE_CLEARED,
  PURCHASE_PARTLY_CLEARED,
  UNPAID_PURCHASE,
} from '#capabilities/card-transactions/examples.ts';
import { CardTransaction } from '#capabilities/card-transactions/schemas.ts';
import { ACTIVE_CARD, WALLET_CARD } from '#capabilities/cards/examples.ts';
import { Card } from '#capabilities/cards/schemas.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

const STATUS_EVENTS = ['CARD.STATUS_CHANGE'] as const;
const FUNDING_EVENTS = ['CARD.FUNDING_SOURCE_CHANGE'] as const;
const TRANSACTION_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('CARD_TRANSACTION.'));

/** The events of cards in the OpenAPI document (cards.md §11). */
export const cardStatusWebhook: WebhookDeclaration<Card> = {
  name: 'card-status-change',
  summary: 'A card changed its status',
  description:
    'Sent when a card is activated, frozen, unfrozen or closed. `data` is the card after the change.',
  body: webhookBody('CardStateChangeWebhook', [...STATUS_EVENTS], Card, 'A card, right after a change.'),
  examples: { 'CARD.STATUS_CHANGE': ACTIVE_CARD },
};

export const cardFundingWebhook: WebhookDeclaration<Card> = {
  name: 'card-funding-source-change',
  summary: 'Another account pays for a card',
  description: 'Sent when the funding source of a card changes. `data` is the card after the change.',
  body: webhookBody(
    'CardFundingSourceChangeWebhook',
    [...FUNDING_EVENTS],
    Card,
    'A card, right after a change.',
  ),
  examples: { 'CARD.FUNDING_SOURCE_CHANGE': WALLET_CARD },
};

export const cardTransactionWebhook: WebhookDeclaration<CardTransaction> = {
  name: 'card-transaction',
  summary: 'A card transaction changed',
  description:
    'Sent when a card transaction is created and whenever it changes. `data` is the whole transaction at that moment. A ' +
    'return is a transaction of its own, and no event is sent for its purchase.',
  body: webhookBody(
    'CardTransactionWebhook',
    TRANSACTION_EVENTS,
    CardTransaction,
    'A card transaction, right after a change.',
  ),
  examples: {
    'CARD_TRANSACTION.AUTHORIZED': PURCHASE,
    'CARD_TRANSACTION.PARTIALLY_SETTLED': PURCHASE_PARTLY_CLEARED,
    'CARD_TRANSACTION.SETTLED': PURCHASE_CLEARED,
    'CARD_TRANSACTION.DECLINED': DECLINED_PURCHASE,
    'CARD_TRANSACTION.EXCEPTION': UNPAID_PURCHASE,
  },
};
