import fc from 'fast-check';

/** The random steps, executed as drawn. */
export type Step =
  | Making
  | { readonly does: 'again'; readonly which: number; readonly isChanged: boolean }
  | { readonly does: 'fund'; readonly cents: number }
  | { readonly does: 'pay'; readonly units: number }
  | { readonly does: 'payOut'; readonly units: number; readonly fails: boolean }
  | { readonly does: 'deposit'; readonly to: Owner; readonly units: number }
  | { readonly does: 'disable' | 'enable' }
  | { readonly does: 'advance'; readonly seconds: number }
  | { readonly does: 'kill'; readonly turns: number; readonly during: Making };

/** Whose account in the coin; A has one in dollars as well. */
export type Owner = 'A' | 'B';

export type Making = Minting | Burning;

interface Wish {
  readonly amount: bigint;
  /** The last digits of the number of its bank account, if it has one. */
  readonly bank: (typeof BANKS)[number];
  /** The end of its description. */
  readonly ending: Ending;
}

export interface Minting extends Wish {
  readonly does: 'mint';
  readonly source:
    | 'WIRE'
    | 'ACH_DEBIT'
    | 'SAME_DAY_ACH_DEBIT'
    | 'SVC_INTERNAL_ACCOUNT'
    | 'PROVIDER_INTERNAL_BALANCE';
  readonly to: Owner | 'wallet';
}

export interface Burning extends Wish {
  readonly does: 'burn';
  readonly source: 'EXTERNAL_ACCOUNT' | 'SVC_INTERNAL_ACCOUNT' | 'PROVIDER_INTERNAL_BALANCE';
}

export const BANKS = ['890', '002', '003', '004', '005', '201', '202', '203', '204', '205'] as const;
export type Ending = '999' | '001' | '002' | '004' | '005' | '006' | '007' | '009';

const pick = <const T>(...values: readonly T[]) => fc.constantFrom(...values);

const UNITS_PER_CENT = 10_000n;
const whole = fc
  .oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 3_000 }))
  .map((cents) => BigInt(cents) * UNITS_PER_CENT);
const amount = fc.oneof(
  { weight: 40, arbitrary: whole },
  { weight: 1, arbitrary: whole.map((units) => units + 1n) },
  { weight: 1, arbitrary: fc.constant(0n) },
);
const wish = {
  amount,
  bank: fc.oneof(
    { weight: 5, arbitrary: fc.constant('890' as const) },
    { weight: 3, arbitrary: pick(...BANKS) },
  ),
  ending: pick<Ending>(
    ...(['999', '999', '999', '999', '999', '999', '999', '999', '999', '999'] as const),
    ...(['001', '002', '004', '005', '005', '006', '006', '007', '009'] as const),
  ),
};
const making: fc.Arbitrary<Making> = fc.oneof(
  fc.record({
    does: fc.constant('mint' as const),
    source: pick<Minting['source']>(
      ...(['WIRE', 'WIRE', 'WIRE', 'ACH_DEBIT', 'ACH_DEBIT', 'SAME_DAY_ACH_DEBIT'] as const),
      ...([
        'SVC_INTERNAL_ACCOUNT',
        'SVC_INTERNAL_ACCOUNT',
        'SVC_INTERNAL_ACCOUNT',
        'PROVIDER_INTERNAL_BALANCE',
      ] as const),
    ),
    to: pick<Minting['to']>('A', 'A', 'A', 'B', 'wallet', 'wallet', 'wallet'),
    ...wish,
  }),
  fc.record({
    does: fc.constant('burn' as const),
    source: pick<Burning['source']>(
      ...([
        'EXTERNAL_ACCOUNT',
        'EXTERNAL_ACCOUNT',
        'SVC_INTERNAL_ACCOUNT',
        'PROVIDER_INTERNAL_BALANCE',
      ] as const),
    ),
    ...wish,
  }),
);

const units = fc.integer({ min: 1, max: 15_000_000 });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: making },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('again' as const),
      which: fc.nat(1_000),
      isChanged: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('fund' as const), cents: fc.integer({ min: 1, max: 4_000 }) }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('pay' as const), units }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('payOut' as const), units, fails: pick(false, false, true) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ does: fc.constant('deposit' as const), to: pick<Owner>('A', 'B'), units }),
  },
  { weight: 4, arbitrary: fc.record({ does: pick('disable', 'enable', 'enable', 'enable') }) },
  {
    weight: 22,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      seconds: pick(1, 1, 2, 3, 5, 5, 8, 10, 10, 15, 29, 31, 40, 60, 120, 900, 90_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('kill' as const), turns: fc.nat(300), during: making }),
  },
);

/** The initial state, and cases that random steps reach too rarely. */
export const OPENING: readonly Step[] = [
  { does: 'fund', cents: 20_000 },
  { does: 'mint', source: 'WIRE', to: 'A', amount: 20_000_000n, bank: '890', ending: '999' },
  { does: 'mint', source: 'ACH_DEBIT', to: 'wallet', amount: 30_000_000n, bank: '890', ending: '999' },
  { does: 'mint', source: 'WIRE', to: 'wallet', amount: 10_000n, bank: '890', ending: '001' },
  { does: 'mint', source: 'ACH_DEBIT', to: 'wallet', amount: 10_000n, bank: '004', ending: '999' },
  { does: 'advance', seconds: 60 },
  { does: 'mint', source: 'WIRE', to: 'wallet', amount: 10_000n, bank: '890', ending: '004' },
  { does: 'mint', source: 'WIRE', to: 'wallet', amount: 10_000n, bank: '890', ending: '009' },
  { does: 'disable' },
  { does: 'pay', units: 1 },
  { does: 'mint', source: 'WIRE', to: 'A', amount: 10_000n, bank: '890', ending: '999' },
  { does: 'enable' },
  { does: 'advance', seconds: 5 },
];

/** The cases that a useful run must cover. */
export const EXPECTED = [
  ...['mint', 'burn', 'pay', 'payOut', 'deposit', 'disable', 'enable', 'kill', 'again'],
  ...['201 CREATED', '201 PENDING_FUNDING', '201 PENDING_PROVIDER', '409 CONFLICT', 'OK', 'CONFLICT'],
  ...['400 INSUFFICIENT_FUNDS', '400 STABLECOIN_SVC_OPERATIONS_NOT_ENABLED', '400 STABLECOIN_PROVIDER_ERROR'],
  ...['503 SERVICE_UNAVAILABLE', '400 STABLECOIN_OPERATION_NOT_SUPPORTED', '400 INVALID_CURRENCY'],
  ...['ended COMPLETED', 'ended EXPIRED', 'ended PROVIDER_TRANSFER_FAILED', 'ended FUNDING_REJECTED'],
];
