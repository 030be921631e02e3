import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { type CompleteTable, rowFor, type SandboxTable } from '#edge/sandbox/table.ts';
import type {
  CardsPort,
  IssueAnswer,
  IssuedCard,
  IssueRequest,
  IssuerVerdict,
} from '#foundation/ports/cards.ts';

type Issuance =
  | { readonly ends: 'ISSUED' | 'REJECTED'; readonly afterMs: number }
  | { readonly ends: 'NEVER' };

/** cards.md §1: the outcome of a card, by the last three characters of its `platformCardId`. */
export const CARD_ISSUANCE_TABLE: CompleteTable<Issuance> = {
  id: 'card-issuance',
  title: 'Issuing cards',
  intro:
    'The last three characters of `platformCardId` decide or, if you sent none, of `customerId`. The last four digits of the ' +
    'number are a 4, then the code point of each of these characters modulo 10.',
  column: 'Ends in',
  operations: ['createCard', 'getCardById'],
  rows: [
    {
      value: '001',
      example: 'card-001',
      effect: 'The issuer never decides.',
      shows: { status: 'PROCESSING' },
      does: { ends: 'NEVER' },
    },
    {
      value: '002',
      example: 'card-002',
      effect: 'The issuer rejects the card after a second.',
      shows: { status: 'CLOSED', statusReason: 'ISSUER_REJECTED' },
      overAfterMs: DELAYS.step.ms,
      does: { ends: 'REJECTED', afterMs: DELAYS.step.ms },
    },
    {
      value: '005',
      example: 'card-005',
      effect: 'The card is active after half a minute.',
      shows: { status: 'ACTIVE', last4: '4883' },
      overAfterMs: DELAYS.slowIssuer.ms,
      does: { ends: 'ISSUED', afterMs: DELAYS.slowIssuer.ms },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'card-abc',
    effect: 'The card is active after a second.',
    shows: { status: 'ACTIVE', brand: 'VISA' },
    overAfterMs: DELAYS.step.ms,
    does: { ends: 'ISSUED', afterMs: DELAYS.step.ms },
  },
};

/** cards.md §1: accounts that cannot fund a card. */
export const CARD_FUNDING_TABLE: SandboxTable<'REFUSED'> = {
  id: 'card-funding',
  title: 'Accounts that fund cards',
  intro: 'The last three characters of `fundingSource` decide, before the account is looked up.',
  column: 'Ends in',
  operations: ['createCard', 'updateCardById'],
  rows: ['002', '003'].map((value) => ({
    value,
    example: `InternalAccount:019542f5-b3e7-7d02-8000-000000000${value}`,
    effect: 'The issuer does not accept the account.',
    shows: { code: 'INVALID_INPUT', 'details.cause': 'FUNDING_SOURCE_INELIGIBLE' },
    does: 'REFUSED',
  })),
};

/** cards.md §8: the outcome of an authorization, by the last three characters of `merchant.descriptor`. */
export const CARD_MERCHANTS_TABLE: CompleteTable<IssuerVerdict> = {
  id: 'card-merchants',
  title: 'Purchases by card',
  intro:
    'The last three characters of `merchant.descriptor`, without trailing spaces, decide in the simulators that take an amount ' +
    'and a merchant. The later steps of 011 to 014 happen only after `authorization`; for the other simulators 011 to 013 ' +
    'are like anything else, and 014 is a decline. 013 and 014 make two transactions: the table shows the card’s list, ' +
    'newest first.',
  column: 'Ends in',
  operations: [
    'sandboxSimulateCardAuthorization',
    'sandboxSimulateCardCreditAuthorization',
    'sandboxSimulateCardCreditAuthorizationAdvice',
    'sandboxSimulateCardFinancialAuthorization',
    'sandboxSimulateCardFinancialCreditAuthorization',
    'listTransactions',
  ],
  rows: [
    {
      value: '002',
      example: 'CORNER BOOKS 002',
      effect: 'Declined, whatever the balance of the account.',
      shows: { status: 'DECLINED', cardDeclinedReason: 'INSUFFICIENT_FUNDS' },
      does: { declined: 'INSUFFICIENT_FUNDS' },
    },
    {
      value: '003',
      example: 'CORNER BOOKS 003',
      effect: 'Declined, whatever the status of the card.',
      shows: { status: 'DECLINED', cardDeclinedReason: 'CARD_NOT_ACTIVE' },
      does: { declined: 'CARD_NOT_ACTIVE' },
    },
    {
      value: '005',
      example: 'CORNER BOOKS 005',
      effect: 'Approved at once; the pull is confirmed after half a minute, and clearings wait for that.',
      shows: { status: 'AUTHORIZED' },
      does: { pull: { outcome: 'CONFIRMED', afterMs: DELAYS.slowIssuer.ms } },
    },
    {
      value: '006',
      example: 'CORNER BOOKS 006',
      effect:
        'Approved, and after a second the pull fails: the network is paid, but the account is not debited.',
      shows: { status: 'EXCEPTION' },
      overAfterMs: DELAYS.step.ms,
      does: { pull: { outcome: 'FAILED', afterMs: DELAYS.step.ms } },
    },
    {
      value: '008',
      example: 'CORNER BOOKS 008',
      effect: 'Declined: the network is not supported.',
      shows: { status: 'DECLINED', cardDeclinedReason: 'UNSUPPORTED_NETWORK' },
      does: { declined: 'UNSUPPORTED_NETWORK' },
    },
    {
      value: '009',
      example: 'CORNER BOOKS 009',
      effect: 'Declined without a specific reason.',
      shows: { status: 'DECLINED', cardDeclinedReason: 'OTHER' },
      does: { declined: 'OTHER' },
    },
    {
      value: '011',
      example: 'CORNER BOOKS 011',
      effect: 'Approved, and after a second reversed by the merchant: all of the hold is released.',
      shows: { status: 'SETTLED', 'authorizedAmount.amount': 1_250, 'settledAmount.amount': 0 },
      overAfterMs: DELAYS.step.ms,
      does: { follows: [{ kind: 'reversal', afterMs: DELAYS.step.ms }] },
    },
    {
      value: '012',
      example: 'CORNER BOOKS 012',
      effect:
        'Approved; after a second the authorization expires, and a second later its clearing still arrives and is taken from ' +
        'the balance.',
      shows: { status: 'SETTLED', 'authorizedAmount.amount': 1_250, 'settledAmount.amount': 1_250 },
      overAfterMs: 2 * DELAYS.step.ms,
      does: {
        follows: [
          { kind: 'expiry', afterMs: DELAYS.step.ms },
          { kind: 'clearing', afterMs: 2 * DELAYS.step.ms },
        ],
      },
    },
    {
      value: '013',
      example: 'CORNER BOOKS 013',
      effect:
        'Approved; after a second the merchant asks for the same amount again, which is declined for lack of funds as a ' +
        'transaction of its own. The purchase stays unchanged.',
      shows: {
        'data.0.status': 'DECLINED',
        'data.0.cardDeclinedReason': 'INSUFFICIENT_FUNDS',
        'data.1.status': 'AUTHORIZED',
      },
      overAfterMs: DELAYS.step.ms,
      does: {
        declinedIncrement: 'INSUFFICIENT_FUNDS',
        follows: [{ kind: 'increment', afterMs: DELAYS.step.ms }],
      },
    },
    {
      value: '014',
      example: 'CORNER BOOKS 014',
      effect:
        'Declined; after a second the merchant still posts it: a force post, which is a transaction of its own.',
      shows: {
        'data.0.status': 'SETTLED',
        'data.1.status': 'DECLINED',
        'data.1.cardDeclinedReason': 'OTHER',
      },
      overAfterMs: DELAYS.step.ms,
      does: { declined: 'OTHER', follows: [{ kind: 'clearing', afterMs: DELAYS.step.ms }] },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'CORNER BOOKS',
    effect: 'Approved, if the card and its account allow it.',
    shows: { status: 'AUTHORIZED' },
    does: {},
  },
};

/** An issuer that makes its numbers itself. It approves no more than the account covers (cards.md §6.8). */
export const sandboxCards: CardsPort = {
  isConnected: true,
  approvesUncovered: false,
  refusesFunding: (accountId) => CARD_FUNDING_TABLE.rows.some(({ value }) => accountId.endsWith(value)),
  judge: ({ descriptor }) => rowFor(CARD_MERCHANTS_TABLE, descriptor.trimEnd().slice(-3)).does,
  async issue(request): Promise<IssueAnswer> {
    const issuance = rowFor(CARD_ISSUANCE_TABLE, suffixOf(request)).does;
    if (issuance.ends === 'NEVER') return { outcome: 'PENDING' };
    const waitMs = request.requestedAt.getTime() + issuance.afterMs - request.now.getTime();
    if (waitMs > 0) return { outcome: 'PENDING', askAgainAfterMs: waitMs };
    return issuance.ends === 'ISSUED'
      ? { outcome: 'ISSUED', card: buildCard(request) }
      : { outcome: 'REJECTED' };
  },
};

function suffixOf({ platformCardId, customerId }: IssueRequest): string {
  return [...(platformCardId ?? customerId)].slice(-3).join('');
}

const YEARS = 3;

/** cards.md §1.5: expires in the same month three years later. */
function buildCard(request: IssueRequest): IssuedCard {
  const { seed, now } = request;
  const hex = Buffer.from(seed).toString('hex');
  return {
    brand: 'VISA',
    pan: buildCardNumber(seed, last4Of(suffixOf(request))),
    expMonth: now.getUTCMonth() + 1,
    expYear: now.getUTCFullYear() + YEARS,
    processorRef: `card_${hex.slice(0, 8)}`,
    issuerRef: `iss_card_${hex.slice(8, 16)}`,
  };
}

function last4Of(suffix: string): string {
  const digits = [...suffix].map((character) => (character.codePointAt(0) ?? 0) % 10);
  return `4${digits.join('')}`.padEnd(4, '0');
}

const BIN = '400000';

/** Sixteen digits that begin with the BIN, end as given, and satisfy Luhn's check by a digit between. */
function buildCardNumber(seed: Uint8Array, last4: string): string {
  const middle = String(Buffer.from(seed).readUIntBE(16, 4) % 100_000).padStart(5, '0');
  const digit = [...'0123456789'].find((each) => luhnSum(`${BIN}${middle}${each}${last4}`) % 10 === 0);
  return `${BIN}${middle}${digit}${last4}`;
}

/** Every second digit from the right counts double, less nine where that has two digits. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}
