import fc from 'fast-check';

/** Customers and the platform itself. C comes and goes: it is deleted, and another one takes its place. */
export type Customer = 'A' | 'B' | 'C';
export type Who = Customer | 'P';
/** A customer's USDB is in an embedded wallet: its owner signs what is paid out of it. */
export type Currency = 'USD' | 'EUR' | 'USDC' | 'USDB';

export interface Inside {
  readonly kind: 'INSIDE';
  readonly who: Who;
  readonly currency: Currency;
}

/** An account outside; its suffix decides what becomes of payments (money.md §9). */
export interface ProviderChecks {
  readonly kind: 'OUTSIDE';
  readonly who: Who;
  readonly currency: 'USD' | 'EUR';
  readonly suffix: string;
}

export interface Realtime {
  readonly kind: 'REALTIME';
  readonly who: Customer;
  readonly currency: Currency;
}

export interface Uma {
  readonly kind: 'UMA';
  readonly scenario: (typeof RECEIVERS)[number];
}

/** A customer by its UMA address: paid where its money lands (money.md §7.4). */
export interface Addressed {
  readonly kind: 'ADDRESSED';
  readonly who: Customer;
  readonly currency: Currency;
}

export interface DrawnFee {
  readonly bps: number;
  readonly fixed: number;
}

/** Whom a step means is drawn as a number and taken modulo what there is, so that a sequence can shrink. */
export type Step =
  | { readonly does: 'fund'; readonly to: Inside; readonly amount: number }
  | {
      readonly does: 'quote';
      readonly from: Inside | ProviderChecks | Realtime;
      readonly to: Inside | ProviderChecks | Uma | Addressed;
      readonly side: 'SENDING' | 'RECEIVING';
      readonly amount: number;
      readonly fee: DrawnFee | null;
      readonly atOnce: boolean;
    }
  | {
      readonly does: 'execute';
      readonly which: number;
      readonly how: 'once' | 'twice at once' | 'with a key';
      readonly stamp?: StampKind;
    }
  /** The owner of a wallet gets a session, or ends the last one. */
  | { readonly does: 'logIn' | 'logOut'; readonly who: Customer }
  | { readonly does: 'replay'; readonly which: number }
  | { readonly does: 'send'; readonly which: number; readonly off: number }
  | {
      readonly does: 'transferOut';
      readonly from: Inside;
      readonly to: ProviderChecks;
      readonly amount: number | null;
    }
  | {
      readonly does: 'transferIn';
      readonly from: ProviderChecks;
      readonly to: Inside;
      readonly amount: number;
    }
  | { readonly does: 'cancel'; readonly which: number }
  | {
      readonly does: 'receive';
      readonly who: Customer;
      readonly currency: 'USD' | 'EUR';
      readonly scenario: (typeof SCENARIOS)[number];
      readonly amount: number;
      readonly answer: number;
    }
  | { readonly does: 'decide'; readonly which: number; readonly decision: 'approve' | 'reject' }
  /** UMA money of a customer lands outside from now on; null: the account where it did is deleted. */
  | { readonly does: 'deposit'; readonly who: Customer; readonly at: DepositAccount | null }
  /** C is deleted; where that succeeds, a new customer is C from then on. */
  | { readonly does: 'remove' }
  | { readonly does: 'confirm'; readonly which: number }
  | { readonly does: 'advance'; readonly seconds: number }
  | {
      /** Somebody outside reports about a payment: late, again, out of order. */
      readonly does: 'notice';
      readonly which: number;
      readonly kinds: readonly NoticeKind[];
      readonly how: 'one by one' | 'each twice at once' | 'in one report';
    }
  /** The same about a payment that nobody here knows of. */
  | { readonly does: 'stray'; readonly kinds: readonly NoticeKind[] }
  /** Two things at the same moment, of which either may come first. */
  | { readonly does: 'race'; readonly which: number; readonly between: Race }
  /** Every connection is cut during the step's first call, a new process takes over, and the call is repeated. */
  | { readonly does: 'kill'; readonly which: number; readonly after: number; readonly during: Interruptible };

/** What a quote is executed with; absent: what the sandbox always takes. Other quotes than those of wallets ignore it. */
export const STAMPS = [
  'sandbox',
  'of a new session',
  'of the last session',
  'missing',
  'malformed',
  'of somebody else',
  'over other bytes',
] as const;

export type StampKind = (typeof STAMPS)[number];

export interface DepositAccount {
  readonly currency: 'USD' | 'EUR';
  readonly suffix: string;
}

export type Race =
  | 'cancellation and delivery'
  | 'expiry and funding'
  | 'payment and deletion of its receiver';

/** Steps that are one call under an idempotency key. */
export type Interruptible = Extract<
  Step,
  { does: 'fund' | 'quote' | 'execute' | 'send' | 'transferOut' | 'transferIn' | 'cancel' }
>;

export const NOTICES = [
  'delivered',
  'payoutFailed',
  'returned',
  'collected',
  'collectionFailed',
  'collectionReversed',
  'refunded',
  'refundFailed',
] as const;

export type NoticeKind = (typeof NOTICES)[number];

export const SCENARIOS = ['success.usd', 'success.eur', 'pending.long.usd', 'fail.compliance.usd'] as const;

/** Those that can be paid, or at least asked for a quote. */
export const RECEIVERS = [...SCENARIOS, 'success.mxn', 'needinfo.usd', 'fail.payreq.usd'] as const;

const who = fc.constantFrom<Who>('A', 'A', 'B', 'B', 'C', 'P', 'P');
const customer = fc.constantFrom<Customer>('A', 'A', 'B', 'B', 'C');
const currency = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Currency>('USD') },
  { weight: 3, arbitrary: fc.constant<Currency>('EUR') },
  { weight: 1, arbitrary: fc.constant<Currency>('USDC') },
);
const fiat = fc.constantFrom<'USD' | 'EUR'>('USD', 'EUR');
const suffix = fc.constantFrom('115', '115', '002', '003', '004', '005', '006', '007');

/** C has no USDB, so that it can be deleted: a wallet is not emptied in one call. */
const walleted = fc.constantFrom<Customer>('A', 'B');
const usdb = (of: fc.Arbitrary<Who>): fc.Arbitrary<Inside> =>
  fc.record({ kind: fc.constant('INSIDE'), who: of, currency: fc.constant('USDB') });
const wallet = usdb(walleted);
const inside: fc.Arbitrary<Inside> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('INSIDE'), who, currency }) },
  { weight: 2, arbitrary: wallet },
  { weight: 1, arbitrary: usdb(fc.constant('P')) },
);
const outside: fc.Arbitrary<ProviderChecks> = fc.record({
  kind: fc.constant('OUTSIDE'),
  who,
  currency: fiat,
  suffix,
});
const realtime: fc.Arbitrary<Realtime> = fc.record({
  kind: fc.constant('REALTIME'),
  who: customer,
  currency,
});
const scenario = fc.constantFrom(...SCENARIOS);
const uma: fc.Arbitrary<Uma> = fc.record({
  kind: fc.constant('UMA'),
  scenario: fc.constantFrom(...RECEIVERS),
});
const addressed: fc.Arbitrary<Addressed> = fc.record({
  kind: fc.constant('ADDRESSED'),
  who: customer,
  currency,
});

/** Where fees eat everything, everyday amounts, and amounts at the limits. */
const amount = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 200 }) },
  { weight: 6, arbitrary: fc.integer({ min: 201, max: 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_001, max: 3_000_000 }) },
);
const which = fc.nat(999);
const fee: fc.Arbitrary<DrawnFee | null> = fc.option(
  fc.record({ bps: fc.constantFrom(0, 30, 333, 9_990), fixed: fc.constantFrom(0, 1, 50) }),
  { freq: 2 },
);
const toOut = fc.oneof(
  { weight: 2, arbitrary: inside },
  { weight: 4, arbitrary: outside },
  { weight: 1, arbitrary: uma },
  { weight: 2, arbitrary: addressed },
);
const fromIn = fc.oneof(
  { weight: 5, arbitrary: inside },
  { weight: 2, arbitrary: wallet },
  { weight: 2, arbitrary: outside },
  { weight: 2, arbitrary: realtime },
);

/** Most quotes stay with one customer: its money, its accounts. */
const quote: fc.Arbitrary<Step> = fc
  .record({
    does: fc.constant('quote' as const),
    from: fromIn,
    to: toOut,
    side: fc.constantFrom<'SENDING' | 'RECEIVING'>('SENDING', 'RECEIVING'),
    amount,
    fee,
    atOnce: fc.boolean(),
    isOwn: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ isOwn, to, from, ...step }) => {
    const isOutside = to.kind === 'OUTSIDE' || (to.kind === 'INSIDE' && from.kind === 'OUTSIDE');
    const isUsdb = from.currency === 'USDB';
    return {
      ...step,
      from,
      to: isOwn > 0 && isOutside ? { ...to, who: from.who } : to,
      amount: isUsdb && step.side === 'SENDING' ? step.amount * USDB_SCALE : step.amount,
      // Refused of a wallet, so tried less often.
      fee: isUsdb && isOwn > 0 ? null : step.fee,
      atOnce: step.atOnce && (!isUsdb || isOwn === 0),
    };
  });

/** Amounts are drawn as cents; so many of the smallest units of USDB are one. */
const USDB_SCALE = 1_000;

const transferOut: fc.Arbitrary<Step> = fc
  .record({ from: inside, to: outside, amount: fc.option(amount, { freq: 4 }) })
  .map(({ from, to, amount }) => ({
    does: 'transferOut',
    from,
    to: { ...to, who: from.who, ...(isFiat(from.currency) && { currency: from.currency }) },
    amount,
  }));

function isFiat(currency: Currency): currency is 'USD' | 'EUR' {
  return currency === 'USD' || currency === 'EUR';
}

const emptied = (step: Extract<Step, { does: 'transferOut' }>): Step => ({
  ...step,
  from: { ...step.from, who: 'C', currency: isFiat(step.from.currency) ? step.from.currency : 'USD' },
  to: { ...step.to, who: 'C', suffix: '115' },
  amount: null,
});

const transferIn: fc.Arbitrary<Step> = fc
  .record({ from: outside, to: inside, amount, isOwn: fc.integer({ min: 0, max: 2 }) })
  .map(({ from, to, amount, isOwn }) => ({
    does: 'transferIn',
    from,
    to: { ...to, currency: from.currency, ...(isOwn > 0 && { who: from.who }) },
    amount,
  }));

/** C has only what others pay it, so that it can be deleted now and then. */
const funded = inside.map((to) => (to.who === 'C' ? { ...to, who: 'A' as const } : to));
const fund = fc
  .record({ does: fc.constant('fund' as const), to: funded, amount })
  .map((step) => (step.to.currency === 'USDB' ? { ...step, amount: step.amount * USDB_SCALE } : step));
const execute = fc.record({
  does: fc.constant('execute' as const),
  which,
  how: fc.constantFrom('once' as const, 'twice at once' as const, 'with a key' as const),
  stamp: fc.oneof(
    { weight: 1, arbitrary: fc.constant('of a new session' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...STAMPS) },
  ),
});
const send = fc.record({
  does: fc.constant('send' as const),
  which,
  off: fc.constantFrom(0, 0, 0, 1, -1, 5_000),
});
const cancel = fc.record({ does: fc.constant('cancel' as const), which });
const kinds = fc.array(fc.constantFrom(...NOTICES), { minLength: 1, maxLength: 3 });

/** `which` is drawn once more outside, where the step that is interrupted needs none. */
const kill: fc.Arbitrary<Step> = fc.record({
  does: fc.constant('kill' as const),
  which,
  after: fc.nat(40),
  during: fc.oneof(
    fund,
    quote,
    execute,
    send,
    transferOut,
    transferIn,
    cancel,
  ) as fc.Arbitrary<Interruptible>,
});

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fund },
  { weight: 16, arbitrary: quote },
  { weight: 14, arbitrary: execute },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('logIn' as const, 'logOut' as const), who: walleted }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('replay' as const), which }) },
  { weight: 8, arbitrary: send },
  { weight: 6, arbitrary: transferOut },
  { weight: 4, arbitrary: transferIn },
  { weight: 6, arbitrary: cancel },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('receive' as const),
      who: customer,
      currency: fiat,
      scenario,
      amount,
      answer: fc.constantFrom(200, 200, 200, 202, 202, 403, 422, 500),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('decide' as const),
      which,
      decision: fc.constantFrom('approve' as const, 'reject' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('deposit' as const),
      who: customer,
      at: fc.option(fc.record({ currency: fiat, suffix }), { freq: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('confirm' as const), which }) },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      // The long ones pass midnights, ends of months and the days on which clocks are changed.
      seconds: fc.oneof(
        { weight: 10, arbitrary: fc.constantFrom(0, 1, 1, 2, 4, 5, 30, 299, 300, 360, 86_400) },
        { weight: 1, arbitrary: fc.integer({ min: 3_600, max: 3_000_000 }) },
      ),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('notice' as const),
      which,
      kinds,
      how: fc.constantFrom('one by one' as const, 'each twice at once' as const, 'in one report' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stray' as const), kinds }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('race' as const),
      which,
      between: fc.constantFrom<Race>(
        'cancellation and delivery',
        'expiry and funding',
        'payment and deletion of its receiver',
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ does: 'remove' as const }) },
  // All that C has leaves.
  { weight: 4, arbitrary: transferOut.map((step) => (step.does === 'transferOut' ? emptied(step) : step)) },
  { weight: 1, arbitrary: kill },
);

/**
 * Long sequences, so that few platforms have to be made, which shrink by leaving out ever shorter stretches. The
 * arrays of fast-check would not shrink below the length they must be drawn with.
 */
export class Sequences extends fc.Arbitrary<readonly Step[]> {
  readonly #drawn = fc.array(step, { minLength: 310, maxLength: 330, size: 'max' });

  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Step[]> {
    return new fc.Value(this.#drawn.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value);
  }

  shrink(steps: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(shorter(steps));
  }
}

function* shorter(steps: readonly Step[]): IterableIterator<fc.Value<readonly Step[]>> {
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = steps.length; end > 0; end -= size) {
      const kept = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
      yield new fc.Value(kept, undefined);
    }
  }
}

export const terms = fc.record({
  crossCurrencyBps: fc.constantFrom(50, 0, 125),
  sameCurrencyBps: fc.constantFrom(0, 0, 20),
  fixed: fc.constantFrom({}, { USD: 7 }),
  counterpartyFixed: fc.constantFrom({}, { EUR: 3 }),
  maxUsdCents: fc.constantFrom(10_000_000, 2_000_000),
  dailyUsdCents: fc.constantFrom(50_000_000, 100_000),
  /** The platform's own, on dollars that become another currency (money.md §1.5). */
  configured: fc.constantFrom({ bps: 0, fixed: 0 }, { bps: 0, fixed: 0 }, { bps: 30, fixed: 5 }),
});

export type DrawnTerms = typeof terms extends fc.Arbitrary<infer T> ? T : never;
