import { findCard, listCards } from '#capabilities/cards/card-store.ts';
import { checkCardsAvailable, createCard } from '#capabilities/cards/create-card.ts';
import {
  ACTIVE_CARD,
  CARD_REQUEST,
  CLOSED_CARD,
  FROZEN_CARD,
  NEW_CARD,
  WALLET_CARD,
} from '#capabilities/cards/examples.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import { readFilters, readNewCard, readNotes } from '#capabilities/cards/read-request.ts';
import {
  Card,
  CardCreateRequest,
  CardListResponse,
  CardsQuery,
  CardUpdateRequest,
} from '#capabilities/cards/schemas.ts';
import { updateCard } from '#capabilities/cards/update-card.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const AREA = 'Cards';
const CARD = { id: EXAMPLE_IDS.card };
export const CARD_PARAM: { id: IdParam<'Card'> } = { id: { id: 'Card', missing: 'NOT_FOUND' } };

const create = operation('createCard', {
  route: 'POST /cards',
  area: AREA,
  summary: 'Issue a card',
  description:
    'Asks the issuer for a virtual card for an approved customer. The reply is `PROCESSING`; `CARD.STATUS_CHANGE` is sent ' +
    'when the card can be used, or when the issuer has rejected it.',
  access: 'manage',
  checkAvailable: checkCardsAvailable,
  body: CardCreateRequest,
  checksBody: true,
  status: 201,
  reply: Card,
  codes: [
    'CARDHOLDER_KYC_NOT_APPROVED',
    'ACCOUNT_NOT_FOUND',
    'CUSTOMER_NOT_FOUND',
    'CONFLICT',
    'CARD_LIMIT_REACHED',
    'NOT_IMPLEMENTED',
  ],
  examples: { 'A virtual card': { body: CARD_REQUEST, reply: NEW_CARD } },
  async write(tx, { body, problems }) {
    return createCard(tx, readNewCard(body, problems));
  },
});

const list = operation('listCards', {
  route: 'GET /cards',
  area: AREA,
  summary: 'List cards',
  description: 'Lists cards, the newest first, closed ones included.',
  access: 'view',
  checkAvailable: checkCardsAvailable,
  query: CardsQuery,
  reply: CardListResponse,
  codes: ['NOT_IMPLEMENTED'],
  examples: {
    'The cards of a customer': {
      query: { customerId: EXAMPLE_IDS.ada },
      reply: exampleList(ACTIVE_CARD),
    },
  },
  async read(tx, { query }) {
    return listCards(tx, pageRequest('cards', query), readFilters(query), presentCard);
  },
});

const get = operation('getCardById', {
  route: 'GET /cards/:id',
  area: AREA,
  summary: 'Get a card',
  description: 'Returns the card in its current state. Its number is shown on a separate page only.',
  access: 'view',
  checkAvailable: checkCardsAvailable,
  params: CARD_PARAM,
  reply: Card,
  codes: ['NOT_FOUND', 'NOT_IMPLEMENTED'],
  examples: { 'A card that the issuer has activated': { params: CARD, reply: ACTIVE_CARD } },
  async read(tx, { params }) {
    const card = await findCard(tx, params.id);
    return card ? presentCard(card) : notFound('NOT_FOUND', 'Card');
  },
});

const update = operation('updateCardById', {
  route: 'PATCH /cards/:id',
  area: AREA,
  summary: 'Freeze, unfreeze or close a card, or change its limits and its funding source',
  description:
    'Freezing stops new purchases only; authorized purchases are cleared, released or returned as usual. Closing is for ' +
    'good. If a call changes both the status and the funding source, either both changes apply or neither.',
  access: 'manage',
  checkAvailable: checkCardsAvailable,
  params: CARD_PARAM,
  body: CardUpdateRequest,
  checksBody: true,
  auditDetails: ({ body }) => readNotes(body),
  reply: Card,
  codes: [
    'NOT_FOUND',
    'ACCOUNT_NOT_FOUND',
    'CARD_ALREADY_CLOSED',
    'INVALID_STATE_TRANSITION',
    'CARD_NOT_MUTABLE',
    'NOT_IMPLEMENTED',
  ],
  examples: {
    'Frozen while it is mislaid': {
      params: CARD,
      body: { status: 'FROZEN', reason: 'mislaid' },
      reply: FROZEN_CARD,
    },
    'Unfrozen, with another account and other limits': {
      params: CARD,
      body: {
        status: 'ACTIVE',
        fundingSource: EXAMPLE_IDS.adaUsdb,
        maxSpendPerTransaction: null,
        maxSpendPerDay: 100_000,
      },
      reply: WALLET_CARD,
    },
    'Closed for good': { params: CARD, body: { status: 'CLOSED' }, reply: CLOSED_CARD },
  },
  async write(tx, { params, body, problems }) {
    return updateCard(tx, params.id, body, problems);
  },
});

/** In contract order; the operation of src/capabilities/cards/reveal follows them. */
export const cardOperations = [create, list, get, update];
