import fc from 'fast-check';

/**
 * Customers and the platform itself. C is deleted from time to time, and another one takes its place. D and E live in an
 * SCA region; D begins with a passkey.
 */
export type Customer = 'A' | 'B' | 'C' | ScaCustomer;
export type ScaCustomer = 'D' | 'E';
export type Who = Customer | 'P';
export const EVERYBODY = ['A', 'B', 'C', 'D', 'E', 'P'] as const satisfies readonly Who[];
/** A customer's USDB is in an embedded wallet: its owner signs payments out of it. */
export type Currency = 'USD' | 'EUR' | 'USDC' | 'USDB';

export interface Inside {
  readonly kind: 'INSIDE';
  readonly who: Who;
  readonly currency: Currency;
}

/** An external account; its suffix decides the outcome of payments (money.md §9). */
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

/** A customer by its UMA address: paid into its receiving account (money.md §7.4). */
export interface Addressed {
  readonly kind: 'ADDRESSED';
  readonly who: Customer;
  readonly currency: Currency;
}

export interface DrawnFee {
  readonly bps: number;
  readonly fixed: number;
}

/** The subject of a step is a random number modulo the number of candidates, so that a sequence can be shrunk. */
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
      readonly factor?: RequestedFactor;
    }
  | {
      readonly does: 'execute';
      readonly which: number;
      readonly how: 'once' | 'twice at once' | 'with a key';
      readonly stamp?: StampKind;
      readonly factor?: RequestedFactor;
    }
  /** The answer to a payment's question, this many times at once, perhaps after its customer has logged in. */
  | {
      readonly does: 'authorize';
      readonly which: number;
      readonly logsIn: boolean;
      readonly answer: Answer;
      readonly times: number;
    }
  | { readonly does: 'resend'; readonly which: number; readonly times: number }
  /** A login that is started or was before, and its completion. */
  | {
      readonly does: 'scaLogIn';
      readonly who: Customer;
      readonly factor: Factor;
      readonly starts: boolean;
      readonly answer: 'right' | 'wrong';
    }
  | { readonly does: 'passkey'; readonly who: ScaCustomer; readonly change: 'enrol' | 'remove' }
  /** The platform's report of its own login, this many times at once. */
  | {
      readonly does: 'record';
      readonly who: Customer;
      readonly event: 'FAILED_LOGIN_ATTEMPT' | 'RESET_PASSWORD_COMPLETED';
      readonly times: number;
    }
  /** Trust in an external account, or its end: requested now or before, and confirmed. */
  | {
      readonly does: 'trust';
      readonly change: TrustChange;
      readonly in: ProviderChecks;
      readonly starts: boolean;
      readonly answer: 'right' | 'wrong' | null;
    }
  /** An external account is deleted; the next payment to it creates another one. */
  | { readonly does: 'drop'; readonly account: ProviderChecks & { readonly who: Customer } }
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
  /** UMA money of a customer goes to this external account from now on; null: that account is deleted. */
  | { readonly does: 'deposit'; readonly who: Customer; readonly at: DepositAccount | null }
  /** C is deleted; if that succeeds, a new customer is C from then on. */
  | { readonly does: 'remove' }
  | { readonly does: 'confirm'; readonly which: number }
  | { readonly does: 'advance'; readonly seconds: number }
  | {
      /** A rail reports about a payment: late, again, out of order. */
      readonly does: 'notice';
      readonly which: number;
      readonly kinds: readonly NoticeKind[];
      readonly how: 'one by one' | 'each twice at once' | 'in one report';
    }
  /** The same about an unknown payment. */
  | { readonly does: 'stray'; readonly kinds: readonly NoticeKind[] }
  /** Two things at the same moment, of which either may come first. */
  | { readonly does: 'race'; readonly which: number; readonly between: Race }
  /** Every connection is cut during the step's first call, a new process takes over, and the call is repeated. */
  | { readonly does: 'kill'; readonly which: number; readonly after: number; readonly during: Interruptible };

/** The signature that executes a quote; absent: the sandbox's test stamp. Only quotes of wallets use it. */
export const STAMPS = [
  'sandbox',
  'of a new session',
  'of the last session',
  'missing',
  'malformed',
  'of another owner',
  'over other bytes',
] as const;

export type StampKind = (typeof STAMPS)[number];

export type Factor = 'SMS_OTP' | 'PASSKEY';

/** The requested factor: null is the default, and no customer here has enrolled TOTP. */
export type RequestedFactor = Factor | 'TOTP' | null;

export const ANSWERS = ['right', 'wrong', 'of the other factor', 'nothing'] as const;

export type Answer = (typeof ANSWERS)[number];

export type TrustChange = 'TRUST' | 'UNTRUST';

export interface DepositAccount {
  readonly currency: 'USD' | 'EUR';
  readonly suffix: string;
}

export type Race =
  | 'cancellation and delivery'
  | 'expiry and funding'
  | 'expiry and authorization'
  | 'payment and deletion of its receiver';

/** Steps that are one call under an idempotency key. */
export type Interruptible = Extract<
  Step,
  {
    does:
      | 'fund'
      | 'quote'
      | 'execute'
      | 'authorize'
      | 'resend'
      | 'send'
      | 'transferOut'
      | 'transferIn'
      | 'cancel';
  }
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

/** The accounts that can be paid, or at least named in a quote. */
export const RECEIVERS = [...SCENARIOS, 'success.mxn', 'needinfo.usd', 'fail.payreq.usd'] as const;

const who = fc.constantFrom<Who>('A', 'A', 'B', 'C', 'D', 'D', 'E', 'P', 'P');
const customer = fc.constantFrom<Customer>('A', 'A', 'B', 'C', 'D', 'D', 'E');
/** Sometimes a customer outside the SCA regions. */
const authenticated = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<Customer>('D', 'D', 'E') },
  { weight: 1, arbitrary: fc.constant<Customer>('A') },
);
const currency = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Currency>('USD') },
  { weight: 3, arbitrary: fc.constant<Currency>('EUR') },
  { weight: 1, arbitrary: fc.constant<Currency>('USDC') },
);
const fiat = fc.constantFrom<'USD' | 'EUR'>('USD', 'EUR');
const suffix = fc.constantFrom('115', '115', '002', '003', '004', '005', '006', '007');

/** C has no USDB, so that it can be deleted: a wallet is not emptied in one call. */
const walleted = fc.constantFrom<Customer>('A', 'B', 'D');
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

/** Amounts that fees use up, everyday amounts, and amounts at the limits. */
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

const factor = fc.oneof(
  { weight: 7, arbitrary: fc.constant<RequestedFactor>(null) },
  { weight: 3, arbitrary: fc.constantFrom<RequestedFactor>('SMS_OTP', 'PASSKEY', 'PASSKEY', 'TOTP') },
);

/** Most quotes use the money and the accounts of one customer. */
const quote: fc.Arbitrary<Step> = fc
  .record({
    does: fc.constant('quote' as const),
    from: fromIn,
    to: toOut,
    side: fc.constantFrom<'SENDING' | 'RECEIVING'>('SENDING', 'RECEIVING'),
    amount,
    fee,
    atOnce: fc.boolean(),
    factor,
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
      // Refused for a wallet, so tried less often.
      fee: isUsdb && isOwn > 0 ? null : step.fee,
      atOnce: step.atOnce && (!isUsdb || isOwn === 0),
    };
  });

/** Random amounts are cents; this many of the smallest units of USDB are one cent. */
const USDB_SCALE = 1_000;
const MICROS_PER_CENT = 10_000;

const asker = fc.constantFrom<ScaCustomer>('D', 'D', 'E');

/** Quotes that their customer usually has to authorize: affordable, to an external account or another customer. */
const asking: fc.Arbitrary<Step> = fc
  .record({
    does: fc.constant('quote' as const),
    who: asker,
    from: fc.oneof(
      { weight: 5, arbitrary: inside.map((from) => ({ ...from, currency: 'USD' as const })) },
      { weight: 3, arbitrary: outside },
      { weight: 4, arbitrary: realtime },
    ),
    to: toOut,
    side: fc.constant<'SENDING' | 'RECEIVING'>('SENDING'),
    amount: fc.integer({ min: 500, max: 40_000 }),
    fee: fc.constant(null),
    atOnce: fc.constantFrom(true, true, true, false),
    factor,
    isPlain: fc.constantFrom(true, true, true, false),
  })
  .map(({ who, from, to, isPlain, ...step }) => {
    const plain = isPlain ? { suffix: '115' } : {};
    const other = from.currency === 'USD' ? ('EUR' as const) : ('USD' as const);
    const own = { ...to, who, ...plain, ...(from.kind === 'OUTSIDE' && { currency: other }) };
    return {
      ...step,
      from: from.kind === 'OUTSIDE' ? { ...from, who, ...plain } : { ...from, who },
      to: to.kind === 'OUTSIDE' ? (own as ProviderChecks) : to,
      amount: from.currency === 'USDC' ? step.amount * MICROS_PER_CENT : step.amount,
    };
  });

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

/** C has only money that others pay it, so that it can sometimes be deleted. */
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
  factor,
});
const authorize = fc.record({
  does: fc.constant('authorize' as const),
  which,
  logsIn: fc.boolean(),
  answer: fc.oneof(
    { weight: 5, arbitrary: fc.constant('right' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...ANSWERS) },
  ),
  // The sixth within a minute is one too many.
  times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 2, 6),
});
const resend = fc.record({
  does: fc.constant('resend' as const),
  which,
  times: fc.constantFrom(1, 1, 2),
});
const proof = fc.oneof(
  { weight: 6, arbitrary: fc.constant('right' as const) },
  { weight: 1, arbitrary: fc.constant('wrong' as const) },
);
const starts = fc.oneof(
  { weight: 7, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const scaLogIn = fc.record({
  does: fc.constant('scaLogIn' as const),
  who: authenticated,
  factor: fc.constantFrom<Factor>('SMS_OTP', 'SMS_OTP', 'PASSKEY'),
  starts,
  answer: proof,
});
const passkey = fc.record({
  does: fc.constant('passkey' as const),
  who: fc.constantFrom<ScaCustomer>('D', 'E'),
  change: fc.constantFrom('enrol' as const, 'remove' as const),
});
const record = fc.record({
  does: fc.constant('record' as const),
  who: authenticated,
  event: fc.constantFrom(
    'FAILED_LOGIN_ATTEMPT' as const,
    'FAILED_LOGIN_ATTEMPT' as const,
    'RESET_PASSWORD_COMPLETED' as const,
  ),
  times: fc.constantFrom(1, 1, 2, 4),
});
/** Usually an account of a customer who can trust it, and one of few, so that payments find it trusted. */
const beneficiary = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('OUTSIDE' as const),
      who: fc.constantFrom<Customer>('D', 'D', 'E'),
      currency: fiat,
      suffix: fc.constantFrom('115', '115', '004'),
    }),
  },
  { weight: 1, arbitrary: outside },
);
const trust = fc
  .record({
    does: fc.constant('trust' as const),
    change: fc.constantFrom<TrustChange>('TRUST', 'TRUST', 'TRUST', 'UNTRUST'),
    in: beneficiary,
    starts,
    answer: fc.oneof({ weight: 6, arbitrary: proof }, { weight: 1, arbitrary: fc.constant(null) }),
  })
  .map((step) => (step.answer === null ? { ...step, starts: true } : step));
const drop = fc.record({
  does: fc.constant('drop' as const),
  account: beneficiary.map((account) => ({
    ...account,
    who: account.who === 'P' || account.who === 'C' ? ('A' as const) : account.who,
  })),
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
    authorize,
    resend,
    send,
    transferOut,
    transferIn,
    cancel,
  ) as fc.Arbitrary<Interruptible>,
});

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fund },
  { weight: 14, arbitrary: quote },
  { weight: 12, arbitrary: asking },
  { weight: 14, arbitrary: execute },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('logIn' as const, 'logOut' as const), who: walleted }),
  },
  { weight: 16, arbitrary: authorize },
  { weight: 4, arbitrary: resend },
  { weight: 6, arbitrary: scaLogIn },
  { weight: 1, arbitrary: passkey },
  { weight: 3, arbitrary: record },
  { weight: 6, arbitrary: trust },
  { weight: 2, arbitrary: drop },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('replay' as const), which }) },
  { weight: 10, arbitrary: send },
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
        { weight: 10, arbitrary: fc.constantFrom(0, 1, 1, 2, 4, 5, 30, 60, 299, 300, 360, 900, 86_400) },
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
        'expiry and authorization',
        'payment and deletion of its receiver',
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ does: 'remove' as const }) },
  // C's whole balance leaves.
  { weight: 4, arbitrary: transferOut.map((step) => (step.does === 'transferOut' ? emptied(step) : step)) },
  { weight: 1, arbitrary: kill },
);

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
