import fc from 'fast-check';

/** The random steps. The model resolves their subjects and amounts, so that a sequence can be shrunk. */
export type Step =
  | Asking
  | {
      readonly does: 'increase';
      readonly which: number;
      readonly amount: number;
      readonly aim: Aim;
      readonly merchant: Merchant;
    }
  | About
  | { readonly does: 'again'; readonly which: number; readonly isChanged: boolean }
  | { readonly does: 'patch'; readonly card: number; readonly change: Change }
  | { readonly does: 'fund'; readonly account: Currency; readonly cents: number; readonly odd: number }
  | { readonly does: 'withdraw'; readonly cents: number }
  | { readonly does: 'pull'; readonly cents: number }
  | { readonly does: 'claw'; readonly which: number }
  | { readonly does: 'freeze' | 'unfreeze'; readonly account: Currency }
  | { readonly does: 'key'; readonly card: number; readonly change: 'grant' | 'revoke' }
  | { readonly does: 'issue'; readonly account: Currency; readonly months: number }
  | { readonly does: 'advance'; readonly seconds: number }
  | { readonly does: 'settle' }
  | { readonly does: 'kill'; readonly turns: number; readonly during: Asking | About };

export type Currency = 'USD' | 'USDB';

/** A message that asks for a decision. */
export interface Asking {
  readonly does: 'ask';
  readonly via: Via;
  readonly card: number;
  readonly asks: 'DEBIT' | 'CREDIT' | 'INQUIRY';
  readonly isFinal: boolean;
  readonly amount: number;
  readonly merchant: Merchant;
  readonly network: 'VISA' | 'MASTERCARD' | null;
  /** A token of its own, one that was named before without a row, or one that a row has. */
  readonly token: 'new' | 'named' | 'taken';
  readonly settles: boolean;
}

/** A message that is usually about an existing row. */
export interface About {
  readonly does: 'clear' | 'advise' | 'reverse' | 'expire' | 'failPull' | 'return' | 'reverseReturn';
  readonly via: Via;
  readonly which: number;
  readonly aim: Aim;
  readonly size: 'all' | 'part' | 'more' | 'nothing' | 'drawn';
  readonly amount: number;
  readonly merchant: Merchant;
  readonly settles: boolean;
}

/** By the network's own entrance, or by a simulator. */
export type Via = 'network' | 'simulator';
/** The subject of a message: a matching row, any row, an unknown row, a row of another card, a taken token. */
export type Aim = 'fitting' | 'any' | 'stray' | 'foreign' | 'taken';

export interface Merchant {
  readonly descriptor: string;
  readonly mcc?: string;
  readonly country?: string;
}

export interface Change {
  readonly status?: 'ACTIVE' | 'FROZEN' | 'CLOSED';
  readonly fundingSource?: Currency;
  readonly maxSpendPerTransaction?: number | null;
  readonly maxSpendPerDay?: number | null;
  readonly maxTransactionsPerDay?: number | null;
}

const pick = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const which = fc.nat(1_000);
const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
  { weight: 1, arbitrary: fc.constant(1) },
);
const currency = pick<Currency>('USD', 'USD', 'USDB');
const card = fc.nat(11);
const via = pick<Via>('network', 'network', 'simulator');
const settles = pick(true, true, true, true, false);

const merchant: fc.Arbitrary<Merchant> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ descriptor: 'CORNER BOOKS' }) },
  { weight: 2, arbitrary: fc.constant({ descriptor: 'HARBOUR HOTEL', mcc: '7011', country: 'US' }) },
  {
    weight: 2,
    arbitrary: pick('002', '003', '008', '009').map((end) => ({ descriptor: `CORNER BOOKS ${end}  ` })),
  },
  { weight: 3, arbitrary: pick('005', '005', '006').map((end) => ({ descriptor: `CORNER BOOKS ${end}` })) },
  {
    weight: 1,
    arbitrary: pick({ descriptor: 'CASINO', mcc: '7995' }, { descriptor: 'CAFE', country: 'KP' }),
  },
);

const asking: fc.Arbitrary<Asking> = fc.record({
  does: fc.constant('ask' as const),
  via,
  card,
  asks: pick('DEBIT', 'DEBIT', 'DEBIT', 'DEBIT', 'DEBIT', 'CREDIT', 'INQUIRY'),
  isFinal: pick(false, false, false, true),
  amount: fc.oneof({ weight: 30, arbitrary: cents }, { weight: 1, arbitrary: fc.constant(0) }),
  merchant,
  network: pick(null, null, null, null, null, null, 'VISA', 'MASTERCARD'),
  token: pick('new', 'new', 'new', 'new', 'named', 'named', 'taken'),
  settles,
});

const aim = pick<Aim>(
  ...([
    'fitting',
    'fitting',
    'fitting',
    'fitting',
    'fitting',
    'fitting',
    'fitting',
    'fitting',
    'fitting',
  ] as const),
  ...(['any', 'any', 'stray', 'foreign', 'taken'] as const),
);

const about: fc.Arbitrary<About> = fc.record({
  does: pick(
    ...([
      'clear',
      'clear',
      'clear',
      'clear',
      'clear',
      'clear',
      'clear',
      'advise',
      'advise',
      'advise',
    ] as const),
    ...(['reverse', 'reverse', 'reverse', 'expire', 'failPull'] as const),
    ...(['return', 'return', 'return', 'return', 'reverseReturn', 'reverseReturn', 'reverseReturn'] as const),
  ),
  via,
  which,
  aim,
  size: pick('all', 'all', 'all', 'part', 'part', 'part', 'more', 'more', 'drawn', 'nothing'),
  amount: cents,
  merchant: pick({ descriptor: 'CORNER BOOKS' }, { descriptor: 'NIGHT MARKET', mcc: '5999' }),
  settles,
});

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 2 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: pick<Change>({ status: 'FROZEN' }, { status: 'ACTIVE' }, { status: 'ACTIVE' }) },
  { weight: 1, arbitrary: fc.constant<Change>({ status: 'CLOSED' }) },
  { weight: 2, arbitrary: currency.map((fundingSource): Change => ({ fundingSource })) },
  { weight: 1, arbitrary: currency.map((fundingSource): Change => ({ fundingSource, status: 'FROZEN' })) },
  {
    weight: 1,
    arbitrary: limit(4_000).map((maxSpendPerTransaction): Change => ({ maxSpendPerTransaction })),
  },
  { weight: 1, arbitrary: limit(9_000).map((maxSpendPerDay): Change => ({ maxSpendPerDay })) },
  { weight: 1, arbitrary: limit(5).map((maxTransactionsPerDay): Change => ({ maxTransactionsPerDay })) },
);

const DAY = 86_400;

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 34, arbitrary: asking },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('increase' as const), which, amount: cents, aim, merchant }),
  },
  { weight: 44, arbitrary: about },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('again' as const), which, isChanged: fc.boolean() }),
  },
  { weight: 7, arbitrary: fc.record({ does: fc.constant('patch' as const), card, change }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('fund' as const),
      account: currency,
      cents,
      odd: pick(0, 0, 7_777, 9_999),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('withdraw' as const), cents }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pull' as const), cents }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('claw' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: pick('freeze' as const, 'unfreeze' as const, 'unfreeze' as const, 'unfreeze' as const),
      account: currency,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('key' as const),
      card,
      change: pick('grant', 'grant', 'grant', 'revoke'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('issue' as const),
      account: currency,
      months: pick(0, 1, 36, 36),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      seconds: pick(
        ...[1, 1, 29, 30, 31, 3_600, 3_600, DAY / 2, DAY, DAY, 3 * DAY, 7 * DAY - 1, 7 * DAY, 30 * DAY],
      ),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ does: 'settle' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('kill' as const),
      turns: fc.nat(40),
      during: fc.oneof(asking, about),
    }),
  },
);

/** The initial state: five cards, two of them with a wallet as the source, and money. */
export const OPENING: readonly Step[] = [
  { does: 'issue', account: 'USD', months: 36 },
  { does: 'issue', account: 'USD', months: 36 },
  { does: 'issue', account: 'USDB', months: 36 },
  { does: 'issue', account: 'USD', months: 0 },
  { does: 'issue', account: 'USDB', months: 1 },
  { does: 'key', card: 2, change: 'grant' },
  { does: 'key', card: 4, change: 'grant' },
  { does: 'patch', card: 1, change: { maxSpendPerTransaction: 2_000, maxTransactionsPerDay: 4 } },
  { does: 'fund', account: 'USD', cents: 20_000, odd: 0 },
  { does: 'fund', account: 'USDB', cents: 20_000, odd: 9_999 },
];
