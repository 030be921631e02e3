// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  listEventTypes,
  type Payer,
  platformBalance,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** The state of a payment at a moment: status, reason, refund. */
type Standing = readonly [status: string, reason?: string | undefined, refund?: string];

interface Course {
  readonly suffix: string;
  /** Seconds after the execution, and the state read then. */
  readonly stands: readonly (readonly [seconds: number, standing: Standing])[];
  readonly events: readonly string[];
  readonly postings: readonly string[];
  readonly refundReason?: string;
  /** Whether the payer gets everything back in the end. */
  readonly isRefunded: boolean;
}

const REFUNDED = ['FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'];

/** money.md §9.2, quote table: one row each. */
const QUOTES: readonly Course[] = [
  {
    suffix: '002',
    stands: [
      [0, ['PROCESSING']],
      [1, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'PENDING']],
      [2, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L6', 'L9', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '003',
    stands: [
      [0, ['PROCESSING']],
      [359, ['PROCESSING']],
      [360, ['COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', 'COMPLETED'],
    postings: ['L2', 'L6', 'L7'],
    isRefunded: false,
  },
  {
    suffix: '004',
    stands: [
      [1, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'PENDING']],
      [2, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L6', 'L9', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '005',
    stands: [
      [1, ['COMPLETED']],
      [5, ['COMPLETED']],
      [6, ['FAILED', 'PAYOUT_RETURNED', 'PENDING']],
      [7, ['FAILED', 'PAYOUT_RETURNED', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', 'COMPLETED', ...REFUNDED],
    postings: ['L2', 'L6', 'L7', 'L8', 'L9', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '006',
    stands: [
      [1, ['PROCESSING', undefined, 'PENDING']],
      [2, ['COMPLETED', undefined, 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', 'REFUND_PENDING', 'REFUND_COMPLETED', 'COMPLETED'],
    postings: ['L2', 'L6', 'L9', 'L10', 'L11'],
    refundReason: 'USER_CANCELLATION',
    isRefunded: true,
  },
  {
    suffix: '007',
    stands: [
      [1, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'PENDING']],
      [2, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'FAILED']],
    ],
    events: ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_FAILED'],
    postings: ['L2', 'L6', 'L9', 'L10', 'L12'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: false,
  },
  ...['102', '008', 'abc'].map((suffix) => ({
    suffix,
    stands: [
      [0, ['PROCESSING']],
      [1, ['COMPLETED']],
    ] as const,
    events: ['PENDING', 'PROCESSING', 'COMPLETED'],
    postings: ['L2', 'L6', 'L7'],
    isRefunded: false,
  })),
];

/** money.md §9.2, transfer table, payout column, by a quote within one currency. */
const SAME_CURRENCY: readonly Course[] = [
  {
    suffix: '002',
    stands: [
      [0, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'PENDING']],
      [1, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '003',
    stands: [
      [0, ['FAILED', 'ACCOUNT_INVALID', 'PENDING']],
      [1, ['FAILED', 'ACCOUNT_INVALID', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '004',
    stands: [
      [0, ['PROCESSING']],
      [1, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'PENDING']],
      [2, ['FAILED', 'ACCOUNT_CANNOT_RECEIVE', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L10', 'L11'],
    refundReason: 'TRANSACTION_FAILED',
    isRefunded: true,
  },
  {
    suffix: '005',
    stands: [
      [0, ['PROCESSING']],
      [29, ['PROCESSING']],
      [30, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'PENDING']],
      [31, ['FAILED', 'QUOTE_EXECUTION_FAILED', 'COMPLETED']],
    ],
    events: ['PENDING', 'PROCESSING', ...REFUNDED],
    postings: ['L2', 'L10', 'L11'],
    refundReason: 'TIMEOUT',
    isRefunded: true,
  },
  ...['006', '007', '115'].map((suffix) => ({
    suffix,
    stands: [
      [0, ['PROCESSING']],
      [1, ['COMPLETED']],
    ] as const,
    events: ['PENDING', 'PROCESSING', 'COMPLETED'],
    postings: ['L2', 'L7'],
    isRefunded: false,
  })),
];

describe('the sandbox’s rails', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000_000);
  });

  async function runCourse(course: Course, accountType: 'EUR_ACCOUNT' | 'USD_ACCOUNT'): Promise<void> {
    const to = await givenOutside(platform, payer.id, course.suffix, accountType);
    const before = await fetchBalance(platform, payer, 'USD');
    const feesBefore = await platformBalance(platform, 'USD');
    const earnedBefore = await feesAndExchange();
    const platformFee = { variableBps: 30, fixed: 50n };
    const isCrossing = accountType === 'EUR_ACCOUNT';
    const quote = await givenQuote(world, platform, {
      from: payer.account('USD').id,
      to,
      send: 10_000n,
      ...(isCrossing && { platformFee }),
    });
    const executed = await execute(platform, quote.id);
    assert.equal(executed.status, 200, executed.raw);
    assert.equal(executed.body.status, course.stands[0]?.[0] === 0 ? course.stands[0][1][0] : 'PROCESSING');
    assert.equal(await fetchBalance(platform, payer, 'USD'), before - 10_000);
    let now = 0;
    for (const [seconds, standing] of course.stands) {
      if (seconds > now) await advance(platform, seconds - now);
      now = seconds;
      await assertStands(quote.transactionId, standing);
    }
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), course.events);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), course.postings);
    const { refund } = await readTransaction(platform, quote.transactionId);
    assert.equal(refund?.reason, course.refundReason);
    assert.equal(await fetchBalance(platform, payer, 'USD'), course.isRefunded ? before : before - 10_000);
    const isPaid = course.postings.includes('L7') && !course.postings.includes('L8');
    // 50, and 30 basis points of the other 9,950, rounded: computed by hand, independently of the service's pricing.
    const fee = isPaid && isCrossing ? 80 : 0;
    assert.equal(await platformBalance(platform, 'USD'), feesBefore + fee);
    if (course.isRefunded) assert.deepEqual(await feesAndExchange(), earnedBefore);
    await assertQuoteFollows(quote.id, quote.transactionId);
  }

  /** The sums that all payments left in the service's fees and exchange positions. */
  async function feesAndExchange() {
    const work = await platform.work();
    return work.read(
      (tx) => tx.sql`
        select account, sum(case side when 'DEBIT' then amount else -amount end) as sum
          from ledger_lines
         where platform_id = ${tx.platformId} and (starts_with(account, 'FEES:') or starts_with(account, 'FX:'))
         group by account having sum(case side when 'DEBIT' then amount else -amount end) <> 0 order by account`,
    );
  }

  async function assertStands(transactionId: string, [status, reason, refund]: Standing): Promise<void> {
    const transaction = await readTransaction(platform, transactionId);
    const seen = [transaction.status, transaction.failureReason, transaction.refund?.status];
    assert.deepEqual(seen, [status, reason, refund]);
  }

  async function assertQuoteFollows(quoteId: string, transactionId: string): Promise<void> {
    const quote = await platform.call('getQuoteById', { params: { quoteId } });
    assert.equal(quote.body.status, (await readTransaction(platform, transactionId)).status);
  }

  // The rows post L2 and L6, then L7, L8, L9, L10, L11 or L12, as their column of postings says.
  for (const course of QUOTES) {
    it(`money.md §9.2, §12.7, quote table ${course.suffix}: ${course.events.join(', ')}`, () =>
      runCourse(course, 'EUR_ACCOUNT'));
  }

  for (const course of SAME_CURRENCY) {
    it(`money.md §9.2, transfer table ${course.suffix}, payout: ${course.events.join(', ')}`, () =>
      runCourse(course, 'USD_ACCOUNT'));
  }

  const HEX = /^[0-9a-f]{64}$/;
  const EVM = /^0x[0-9a-f]{64}$/;
  for (const [accountType, network, hash] of [
    ['ETHEREUM_WALLET', 'ETHEREUM', EVM],
    ['BASE_WALLET', 'BASE', EVM],
    ['POLYGON_WALLET', 'POLYGON', EVM],
    ['ARBITRUM_WALLET', 'ARBITRUM', EVM],
    ['PLASMA_WALLET', 'PLASMA', EVM],
    ['SOLANA_WALLET', 'SOLANA', /^[1-9A-HJ-NP-Za-km-z]{80,90}$/],
    ['TRON_WALLET', 'TRON', HEX],
    ['SPARK_WALLET', 'SPARK', HEX],
    ['LIGHTNING', undefined, undefined],
  ] as const) {
    it(`money.md §6.7: a payout to a ${accountType} has ${hash ? `a hash on ${network}` : 'no hash'}, once it is completed`, async () => {
      const account = await givenExternalAccount(platform, accountType, {}, { customerId: payer.id });
      const from = payer.account('USD').id;
      const more = { immediatelyExecute: true };
      const { transactionId } = await quoted(platform, { from, to: account.id, send: 10_000, more });
      const shown = async () => {
        const { status, destination, reconciliationInstructions } = await readTransaction(
          platform,
          transactionId,
        );
        return {
          status,
          chain: destination.onChainTransaction,
          copy: reconciliationInstructions?.transactionHash,
        };
      };
      assert.deepEqual(await shown(), { status: 'PROCESSING', chain: undefined, copy: undefined });
      await advance(platform, 1);
      const { status, chain, copy } = await shown();
      assert.deepEqual([status, chain?.network, chain?.transactionHash], ['COMPLETED', network, copy]);
      if (hash) assert.match(copy, hash);
      else assert.equal(copy, undefined);
    });
  }

  interface Pull {
    readonly suffix: string;
    readonly stands: readonly (readonly [seconds: number, status: string])[];
    readonly isCollected: boolean;
  }

  const PULLS: readonly Pull[] = [
    { suffix: '002', stands: [[0, 'FAILED']], isCollected: false },
    { suffix: '003', stands: [[0, 'FAILED']], isCollected: false },
    { suffix: '004', stands: [[0, 'PENDING'], [1, 'FAILED']], isCollected: false }, // biome-ignore format: a table
    { suffix: '005', stands: [[29, 'PENDING'], [30, 'FAILED']], isCollected: false }, // biome-ignore format: a table
    { suffix: '006', stands: [[0, 'PENDING'], [1, 'COMPLETED']], isCollected: true }, // biome-ignore format: a table
    { suffix: '555', stands: [[0, 'PENDING'], [1, 'COMPLETED']], isCollected: true }, // biome-ignore format: a table
  ];

  for (const { suffix, stands, isCollected } of PULLS) {
    it(`money.md §9.2, transfer table ${suffix}, pull into an internal account: ends ${stands.at(-1)?.[1]}`, async () => {
      const from = await givenOutside(platform, payer.id, suffix, 'USD_ACCOUNT');
      const before = await fetchBalance(platform, payer, 'USD');
      const quote = await givenQuote(world, platform, { from, to: payer.account('USD').id, send: 5_000n });
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), []);
      const executed = await execute(platform, quote.id);
      const isRefused = stands[0]?.[1] === 'FAILED';
      assert.equal(executed.body.status, isRefused ? 'FAILED' : 'PROCESSING', executed.raw);
      let now = 0;
      for (const [seconds, status] of stands) {
        if (seconds > now) await advance(platform, seconds - now);
        now = seconds;
        const transaction = await readTransaction(platform, quote.transactionId);
        assert.equal(transaction.type, 'INCOMING');
        assert.equal(transaction.status, status);
        assert.equal(transaction.failureReason, status === 'FAILED' ? 'COLLECTION_FAILED' : undefined);
        assert.equal(transaction.refund, undefined);
      }
      const last = isCollected ? 'COMPLETED' : 'FAILED';
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', last]);
      assert.deepEqual(await postedKinds(platform, quote.transactionId), isCollected ? ['L1'] : []);
      assert.equal(await fetchBalance(platform, payer, 'USD'), isCollected ? before + 5_000 : before);
    });

    it(`money.md §9.2, §11.L5: pull ${suffix} for a payment across currencies: ends ${isCollected ? 'COMPLETED' : 'FAILED'}`, async () => {
      const from = await givenOutside(platform, payer.id, suffix, 'USD_ACCOUNT');
      const to = await givenOutside(platform, payer.id, '115');
      const quote = await givenQuote(world, platform, { from, to, send: 5_000n });
      await execute(platform, quote.id);
      await advance(platform, 32);
      const transaction = await readTransaction(platform, quote.transactionId);
      assert.equal(transaction.status, isCollected ? 'COMPLETED' : 'FAILED');
      assert.equal(transaction.failureReason, isCollected ? undefined : 'QUOTE_EXECUTION_FAILED');
      assert.equal(transaction.refund, undefined);
      const last = isCollected ? 'COMPLETED' : 'FAILED';
      assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'PROCESSING', last]);
      assert.deepEqual(
        await postedKinds(platform, quote.transactionId),
        isCollected ? ['L5', 'L6', 'L7'] : [],
      );
    });
  }

  it('money.md §9.2: a pull is resolved first; only then a payout that is refused at once fails, and is refunded', async () => {
    const from = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
    const to = await givenOutside(platform, payer.id, '003', 'USD_ACCOUNT');
    const quote = await givenQuote(world, platform, { from, to, send: 5_000n });
    assert.equal((await execute(platform, quote.id)).body.status, 'PROCESSING');
    await advance(platform, 1);
    await assertStands(quote.transactionId, ['FAILED', 'ACCOUNT_INVALID', 'PENDING']);
    await advance(platform, 1);
    await assertStands(quote.transactionId, ['FAILED', 'ACCOUNT_INVALID', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L5', 'L10', 'L11']);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), [
      'PENDING',
      'PROCESSING',
      ...REFUNDED,
    ]);
  });

  it('money.md §9.2: a pull that was collected for a payout that then fails is refunded over its rail', async () => {
    const from = await givenOutside(platform, payer.id, '555', 'USD_ACCOUNT');
    const to = await givenOutside(platform, payer.id, '004');
    const before = await fetchBalance(platform, payer, 'USD');
    const quote = await givenQuote(world, platform, { from, to, send: 5_000n });
    await execute(platform, quote.id);
    await advance(platform, 5);
    const { status, refund } = await readTransaction(platform, quote.transactionId);
    assert.deepEqual([status, refund.status], ['FAILED', 'COMPLETED']);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L5', 'L6', 'L9', 'L10', 'L11']);
    assert.equal(await fetchBalance(platform, payer, 'USD'), before);
  });
});
