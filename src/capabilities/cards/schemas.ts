import Type, { type Static } from 'typebox';
import { CARD_STATUSES, STATUS_REASONS } from '#capabilities/cards/card-row.ts';
import {
  type BareQuery,
  clearable,
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  queryId,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';

const CardForm = namedEnum('CardForm', 'Only virtual cards exist.', ['VIRTUAL']);
const CardBrand = namedEnum('CardBrand', 'The network of the card.', ['VISA', 'MASTERCARD']);
export const CardStatus = namedEnum(
  'CardStatus',
  '`PROCESSING` until the issuer has made the card, `ACTIVE`, `FROZEN` while new purchases are declined, `CLOSED` for good.',
  CARD_STATUSES,
);
const CardStatusReason = namedEnum('CardStatusReason', 'Why a card is closed.', STATUS_REASONS);

const limit = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const PER_TRANSACTION = limit(
  'The most that one purchase may cost, in cents; exactly this amount is still approved.',
);
const PER_DAY = limit('The most that purchases of one day (UTC) may cost together, in cents.');
const COUNT_PER_DAY = limit('How many purchases may be approved in one day (UTC).');
const FUNDING_SOURCE = idSchema('InternalAccount', {
  description: 'The internal account, in USD or USDB, that pays for purchases.',
});

export const Card = component(
  'Card',
  'A card of a customer. Its number is shown on a page only: POST /cards/{id}/reveal.',
  {
    id: idSchema('Card', { description: 'Id of the card.' }),
    customerId: idSchema('Customer', { description: 'The cardholder.' }),
    platformCardId: Type.Optional(text(1, 255, { description: 'Your own id for the card.' })),
    status: CardStatus,
    statusReason: Type.Optional(CardStatusReason),
    form: CardForm,
    brand: Type.Optional(CardBrand),
    last4: Type.Optional(
      Type.String({ description: 'The last four digits of its number.', examples: ['4242'] }),
    ),
    expMonth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 12, description: 'The month in which it expires.' }),
    ),
    expYear: Type.Optional(Type.Integer({ description: 'The year in which it expires.' })),
    fundingSource: FUNDING_SOURCE,
    currency: Type.Optional(
      Type.String({ description: 'The currency of the card’s amounts: USD.', examples: ['USD'] }),
    ),
    maxSpendPerTransaction: Type.Optional(clearable(PER_TRANSACTION)),
    maxSpendPerDay: Type.Optional(clearable(PER_DAY)),
    maxTransactionsPerDay: Type.Optional(clearable(COUNT_PER_DAY)),
    processorRef: Type.Optional(Type.String({ description: 'The processor’s id for the card.' })),
    issuerRef: Type.Optional(Type.String({ description: 'The issuer’s id for the card.' })),
    createdAt: dateTime({ description: 'When it was requested.' }),
    updatedAt: dateTime({ description: 'When it last changed.' }),
  },
);
export type Card = Static<typeof Card>;

/** Older names that requests may use as well (cards.md §0.1). */
const OLD_NAMES = {
  cardholderId: Type.Optional(
    idSchema('Customer', { description: 'The older name of `customerId`.', deprecated: true }),
  ),
  fundingSources: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The older form of `fundingSource`: only the first element is used.',
      deprecated: true,
    }),
  ),
};

export const CardCreateRequest = component('CardCreateRequest', 'A card to be issued.', {
  customerId: idSchema('Customer', { description: 'The cardholder, who must be approved.' }),
  platformCardId: Type.Optional(
    text(1, 255, { description: 'Your own id for the card; generated if you send none.' }),
  ),
  form: CardForm,
  fundingSource: FUNDING_SOURCE,
  maxSpendPerTransaction: Type.Optional(PER_TRANSACTION),
  maxSpendPerDay: Type.Optional(PER_DAY),
  maxTransactionsPerDay: Type.Optional(COUNT_PER_DAY),
  threeDSecurePassword: Type.Optional(
    Type.String({ description: 'Not supported by this card program: leave it out.', deprecated: true }),
  ),
  ...OLD_NAMES,
});
export type CardCreateRequest = Static<typeof CardCreateRequest>;

export const CardUpdateRequest = component(
  'CardUpdateRequest',
  'The changes of a card; fields that are left out stay as they are.',
  {
    status: Type.Optional(stringEnum(['ACTIVE', 'FROZEN', 'CLOSED'], { description: 'The new status.' })),
    fundingSource: Type.Optional(FUNDING_SOURCE),
    maxSpendPerTransaction: Type.Optional(clearable(PER_TRANSACTION)),
    maxSpendPerDay: Type.Optional(clearable(PER_DAY)),
    maxTransactionsPerDay: Type.Optional(clearable(COUNT_PER_DAY)),
    substatus: Type.Optional(text(0, 255, { description: 'A note for the audit log.' })),
    reason: Type.Optional(text(0, 1000, { description: 'A note for the audit log.' })),
    state: Type.Optional(
      stringEnum(['ACTIVE', 'FROZEN', 'CLOSED'], {
        description: 'The older name of `status`.',
        deprecated: true,
      }),
    ),
    fundingSources: OLD_NAMES.fundingSources,
  },
);
export type CardUpdateRequest = Static<typeof CardUpdateRequest>;

export const CardsQuery = pageQuery({
  customerId: Type.Optional(queryId('Customer', { description: 'Cards of this customer.' })),
  cardholderId: Type.Optional(
    queryId('Customer', { description: 'The older name of `customerId`.', deprecated: true }),
  ),
  accountId: Type.Optional(
    queryId('InternalAccount', { description: 'Cards that this account pays for now.' }),
  ),
  platformCardId: Type.Optional(Type.String({ description: 'The card with this `platformCardId`.' })),
  status: Type.Optional(CardStatus),
  state: Type.Optional(
    stringEnum(CARD_STATUSES, { description: 'The older name of `status`.', deprecated: true }),
  ),
  sortOrder: Type.Optional(
    stringEnum(['asc', 'desc'], { default: 'desc', description: 'The order by time of creation.' }),
  ),
});
export type CardsQuery = BareQuery<Static<typeof CardsQuery>>;

export const CardListResponse = page('CardListResponse', Card, { total: true });

export const CardRevealResponse = component(
  'CardRevealResponse',
  'The address of the page that shows a card’s number, and when it expires.',
  {
    panEmbedUrl: Type.String({
      format: 'url',
      description:
        'The address of the page that shows number, expiry and security code, for an iframe. Keep it out of logs.',
    }),
    expiresAt: dateTime({ description: 'When the page stops showing the card: after five minutes.' }),
  },
);
export type CardRevealResponse = Static<typeof CardRevealResponse>;
