import fc from 'fast-check';

/** The random steps, executed as drawn. */
export type Step =
  | Submission
  /** This many quotes, executed at the same moment. */
  | {
      readonly does: 'payAtOnce';
      readonly who: Who;
      readonly from: Account;
      readonly to: Suffix;
      readonly amount: number;
      readonly times: number;
    }
  /** The agent executes one of its quotes again, or the platform does; or the agent repeats a call under its key. */
  | { readonly does: 'again' | 'own' | 'repeat'; readonly which: number }
  | Decision
  | Change
  /** The agent is deleted, and another one made. */
  | { readonly does: 'replace'; readonly who: Who }
  | { readonly does: 'fund'; readonly account: Account; readonly cents: number }
  | { readonly does: 'advance'; readonly by: number | Moment }
  /** The process dies this many turns of the event loop after the call began, and the call is repeated under its key. */
  | { readonly does: 'kill'; readonly turns: number; readonly during: Submission | Decision };

export type Submission = {
  readonly does: 'pay' | 'transferOut' | 'transferIn';
  readonly who: Who;
  /** The internal account that takes part. */
  readonly from: Account;
  /** The last digits of the account outside. */
  readonly to: Suffix;
  readonly amount: number;
};

/** About one of the actions so far, named by itself or by its transaction. */
export type Decision = {
  readonly does: 'approve' | 'reject';
  readonly which: number;
  readonly by: 'action' | 'transaction';
};

/** Changes of the facts that decide about an agent. */
export type Change =
  | { readonly does: 'pause' | 'resume'; readonly who: Who }
  | { readonly does: 'policy'; readonly who: Who; readonly change: PolicyChange }
  | { readonly does: 'currency'; readonly who: Who; readonly to: Account };

/** Two agents of one customer. */
export type Who = 'A' | 'B';
/** The customer's internal accounts, by their currencies. */
export type Account = 'USD' | 'EUR';
export const SUFFIXES = ['999', '002', '004', '005'] as const;
export type Suffix = (typeof SUFFIXES)[number];
/** The end of the running day or month, or the last second before it. */
export type Moment = 'last second of the day' | 'next day' | 'last second of the month' | 'next month';
export type Mode = 'AUTO' | 'APPROVAL_REQUIRED';

/** The policy's values from now on; absent: unchanged; null: none. */
export interface PolicyChange {
  readonly mode?: Mode | undefined;
  readonly perTransaction?: number | undefined;
  readonly count?: number | undefined;
  readonly daily?: number | null | undefined;
  readonly monthly?: number | null | undefined;
  readonly threshold?: Threshold | null | undefined;
  readonly allowed?: readonly Account[] | null | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** In addition to creating quotes. */
  readonly permissions?: readonly Permission[] | undefined;
}

export interface Threshold {
  readonly amount: number;
  readonly currency: Account;
}

export interface Rule {
  readonly account: Account;
  readonly mode?: Mode | undefined;
  readonly perTransaction?: number | undefined;
}

export type Permission = 'EXECUTE_QUOTES' | 'CREATE_TRANSFERS';
export const ALL_PERMISSIONS: readonly Permission[] = ['EXECUTE_QUOTES', 'CREATE_TRANSFERS'];

const pick = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
const one = <const T extends string>(does: T) => fc.constant(does);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const amount = fc.integer({ min: 1, max: 3_000 });
const which = fc.nat(1_000);
const who = pick<Who>('A', 'A', 'B');
const account = pick<Account>('USD', 'USD', 'EUR');
const suffix = pick<Suffix>('999', '999', '999', ...SUFFIXES);
const mode = pick<Mode>('AUTO', 'APPROVAL_REQUIRED');
const perTransaction = pick(1_500, 3_000, 3_000, 3_000);

const submission: fc.Arbitrary<Submission> = fc.record({
  does: pick('pay', 'pay', 'transferOut', 'transferIn'),
  who,
  from: account,
  to: suffix,
  amount,
});
const decision: fc.Arbitrary<Decision> = fc.record({
  does: pick('approve', 'approve', 'reject'),
  which,
  by: pick('action', 'action', 'transaction'),
});
const rule: fc.Arbitrary<Rule> = fc.record({
  account,
  mode: maybe(mode),
  perTransaction: maybe(pick(500, 2_500)),
});
const change: fc.Arbitrary<PolicyChange> = fc.record({
  mode: maybe(mode),
  perTransaction: maybe(perTransaction),
  count: maybe(pick(2, 5, 50)),
  daily: maybe(pick(null, 2_000, 5_000, 20_000)),
  monthly: maybe(pick(null, 10_000, 50_000)),
  threshold: maybe(fc.option(fc.record({ amount: pick(1_000, 2_000), currency: account }))),
  allowed: maybe(pick<readonly Account[] | null>(null, null, ['USD'], ['EUR', 'USD'], [])),
  rules: maybe(fc.uniqueArray(rule, { maxLength: 2, selector: ({ account }) => account })),
  permissions: maybe(
    pick<readonly Permission[]>(ALL_PERMISSIONS, ALL_PERMISSIONS, ['EXECUTE_QUOTES'], ['CREATE_TRANSFERS']),
  ),
});

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 18, arbitrary: submission },
  {
    weight: 2,
    arbitrary: fc.record({
      does: one('payAtOnce'),
      who,
      from: account,
      to: suffix,
      amount,
      times: fc.integer({ min: 2, max: 6 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: pick('again', 'own', 'repeat'), which }) },
  { weight: 14, arbitrary: decision },
  { weight: 4, arbitrary: fc.record({ does: pick('pause', 'resume', 'resume', 'resume'), who }) },
  { weight: 1, arbitrary: fc.record({ does: one('replace'), who }) },
  { weight: 5, arbitrary: fc.record({ does: one('policy'), who, change }) },
  { weight: 1, arbitrary: fc.record({ does: one('currency'), who, to: account }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: one('fund'), account, cents: fc.integer({ min: 1, max: 8_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: one('advance'),
      by: pick<number | Moment>(
        ...[1, 1, 2, 29, 60, 899, 900, 3_600, 604_800],
        ...(['last second of the day', 'next day', 'last second of the month', 'next month'] as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: one('kill'),
      turns: fc.integer({ min: 0, max: 60 }),
      during: fc.oneof(submission, decision),
    }),
  },
);

/** How far off a moment is, in seconds; at least one. */
export function secondsUntil(moment: number | Moment, now: number): number {
  if (typeof moment === 'number') return moment;
  const at = new Date(now);
  const end = moment.endsWith('month')
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
    : Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
  const last = moment.startsWith('last') ? 1 : 0;
  return Math.max(1, (end - now) / 1_000 - last);
}

const usual = { who: 'A', from: 'USD', to: '999', amount: 500 } as const;
const ask = (does: Submission['does'], more: Partial<Submission> = {}): Step => ({ ...usual, does, ...more });
const decide = (does: 'approve' | 'reject', place: number): Step => ({ does, which: place, by: 'action' });

/** Cases that random steps reach too rarely. The first actions are named by their place. */
export const OPENING: readonly Step[] = [
  { does: 'fund', account: 'USD', cents: 5_000 },
  { does: 'fund', account: 'EUR', cents: 5_000 },
  ask('transferOut', { amount: 3_000, from: 'EUR' }),
  { does: 'policy', who: 'A', change: { mode: 'APPROVAL_REQUIRED' } },
  ask('pay'),
  decide('reject', 0),
  { does: 'own', which: 0 },
  ask('transferOut'),
  decide('approve', 1),
  ask('transferIn', { amount: 3_000 }),
  { does: 'kill', turns: 3, during: { does: 'approve', which: 2, by: 'transaction' } },
  ask('transferOut', { amount: 2_000, from: 'EUR' }),
  { does: 'policy', who: 'A', change: { allowed: ['USD'] } },
  decide('approve', 3),
  ask('transferIn', { from: 'EUR' }),
  { does: 'policy', who: 'A', change: { mode: 'AUTO', allowed: null, daily: 9_000 } },
  ask('pay', { to: '004' }),
  { does: 'repeat', which: 4 },
  { does: 'currency', who: 'A', to: 'EUR' },
  ask('pay', { from: 'EUR' }),
  { does: 'advance', by: 'last second of the month' },
  ask('transferOut', { to: '005' }),
  { does: 'advance', by: 1 },
  ask('pay', { who: 'B', from: 'EUR', amount: 1_300 }),
  ask('transferOut', { who: 'B', from: 'EUR', amount: 1_300 }),
  ask('pay', { who: 'B', from: 'EUR', amount: 1_300 }),
  ask('pay', { who: 'B', from: 'EUR', amount: 1_300 }),
  { does: 'again', which: 1 },
  { does: 'policy', who: 'B', change: { permissions: ['CREATE_TRANSFERS'], mode: 'APPROVAL_REQUIRED' } },
  ask('pay', { who: 'B' }),
  ask('transferOut', { who: 'B' }),
  { does: 'replace', who: 'B' },
  { does: 'policy', who: 'B', change: { daily: 100 } },
  ask('transferIn', { who: 'B' }),
  { ...usual, does: 'payAtOnce', who: 'B', amount: 30, times: 4 },
  { does: 'policy', who: 'B', change: { daily: null } },
  { does: 'pause', who: 'A' },
  ask('pay', { amount: 1 }),
  { does: 'resume', who: 'A' },
];

/** The cases that a useful run must cover. */
export const EXPECTED = [
  ...['pay', 'transferIn', 'transferOut', 'payAtOnce', 'kill', 'replace', 'currency', 'the same'],
  ...['200 APPROVED', '201 APPROVED', '200 PENDING_APPROVAL', '201 PENDING_APPROVAL', '200 REJECTED'],
  ...['200 FAILED', '409 CONFLICT', '403 PAUSED', '403 PERMISSION', '400 INSUFFICIENT_FUNDS'],
  ...['200 PROCESSING', '403 PER_TRANSACTION_LIMIT', '403 DAILY_LIMIT', '403 ACCOUNT_RESTRICTION'],
];
