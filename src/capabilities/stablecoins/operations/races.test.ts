// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { closeAccount, freezeAccount } from '#capabilities/accounts/change-status.ts';
import { bookDeposit } from '#capabilities/payments/operator/book-deposit.ts';
import { decideByOperator } from '#capabilities/stablecoins/coins/enablement.ts';
import { revokeLink } from '#capabilities/stablecoins/links/change-link.ts';
import { applyOperationNotice } from '#capabilities/stablecoins/operations/apply.ts';
import { operationJobs } from '#capabilities/stablecoins/operations/follow-operation.ts';
import { sandboxStablecoins } from '#edge/sandbox/stablecoins/stablecoins-table.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { ProviderNotice, StablecoinsPort, SubmitAnswer } from '#foundation/ports/stablecoins.ts';
import { supports } from '#tests/given/accounts.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  askBurn,
  askMint,
  COIN,
  DONE_SECONDS,
  givenBank,
  givenCoins,
  givenSparkWallet,
  loadCoinBooks,
  operationRows,
  readOperation,
} from '#tests/given/mints.ts';
import { advance, fetchBalance, givenPayer, givenPlatform, postedKinds } from '#tests/given/payments.ts';
import { decideOn, givenCoin, playProvider, readCoin } from '#tests/given/stablecoins.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const QUARTER_OF_AN_HOUR = 15 * 60;
/** Longer than a request may take. */
const LEASE_SECONDS = 91;

describe('mints and burns at the same moment, in two processes', () => {
  const world = testWorld();
  const restores: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restores.splice(0)) restore();
  });

  async function givenScene(usd = 10_000) {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const other = await world.elsewhere(platform);
    const payer = await givenPayer(platform, usd);
    const [wallet, bank] = [await givenSparkWallet(platform), await givenBank(platform)];
    const [dollars, coins] = [payer.account('USD').id, payer.account(coin.symbol).id];
    const to = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' };
    return { platform, other, coin, payer, wallet, bank, dollars, coins, to };
  }
  type Scene = Awaited<ReturnType<typeof givenScene>>;

  const textOf = ({ status, body }: Answered<unknown>) =>
    `${status} ${(body as { code?: string }).code ?? ''}`.trim();
  function counted(names: readonly string[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }
  /** Alternates between this process and another one on the same database. */
  const times = <T>(
    count: number,
    { platform, other }: Scene,
    call: (on: TestPlatform, i: number) => Promise<T>,
  ) => Promise.all(Array.from({ length: count }, (_, i) => call(i % 2 === 0 ? platform : other, i)));
  const statuses = async ({ platform, coin }: Scene) =>
    counted((await operationRows(platform, coin)).map(({ status }) => status));

  /** The sources of a burn's coins, and how that many coins get there. */
  const SOURCES: Record<string, (scene: Scene, i: number) => object> = {
    'an internal account': ({ coins }) => ({ type: 'SVC_INTERNAL_ACCOUNT', accountId: coins }),
    'external wallets': () => ({ type: 'EXTERNAL_ACCOUNT' }),
    'the provider': () => ({ type: 'PROVIDER_INTERNAL_BALANCE' }),
    'external wallets and the provider': (_, i) => ({
      type: i % 4 < 2 ? 'EXTERNAL_ACCOUNT' : 'PROVIDER_INTERNAL_BALANCE',
    }),
  };

  for (const [where, sourceOf] of Object.entries(SOURCES)) {
    it(`stablecoins.md §7.1: one of two burns of the same coins in ${where} is made`, async () => {
      const scene = await givenScene();
      const { platform, coin, coins, to: destination } = scene;
      await givenCoins(platform, coin, COIN, where === 'an internal account' ? coins : undefined);
      const replies = await times(2, scene, (on, i) =>
        askBurn(on, coin, { amount: String(COIN), source: sourceOf(scene, 2 * i), destination }),
      );
      assert.deepEqual(replies.map(textOf).sort(), ['201', '400 INSUFFICIENT_FUNDS']);
      await advance(platform, DONE_SECONDS);
      assert.deepEqual(await loadCoinBooks(platform, coin), { issued: 0n, reserve: 0n, outside: 0n });
    });

    it(`stablecoins.md §7.1: of ten concurrent burns with coins for four in ${where}, four are made and complete`, async () => {
      const scene = await givenScene();
      const { platform, coin, coins, to: destination } = scene;
      await givenCoins(
        platform,
        coin,
        4n * COIN + 990_000n,
        where === 'an internal account' ? coins : undefined,
      );
      const replies = await times(10, scene, (on, i) =>
        askBurn(on, coin, { amount: String(COIN), source: sourceOf(scene, i), destination }),
      );
      assert.deepEqual(counted(replies.map(textOf)), { 201: 4, '400 INSUFFICIENT_FUNDS': 6 });
      await advance(platform, DONE_SECONDS);
      assert.deepEqual(await statuses(scene), { COMPLETED: 5 });
      const { issued, reserve } = await loadCoinBooks(platform, coin);
      assert.deepEqual([issued, reserve], [990_000n, 99n]);
    });
  }

  it('stablecoins.md §5.43, money.md §11.L26: of ten concurrent mints with dollars for four, four are made', async () => {
    const scene = await givenScene(450);
    const { platform, coin, payer, dollars, coins } = scene;
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
    const replies = await times(10, scene, (on) =>
      askMint(on, coin, { amount: String(COIN), fundingSource, destination: { accountId: coins } }),
    );
    assert.deepEqual(counted(replies.map(textOf)), { 201: 4, '400 INSUFFICIENT_FUNDS': 6 });
    await advance(platform, DONE_SECONDS);
    assert.equal(await fetchBalance(platform, payer, 'USD'), 50);
    assert.equal(await fetchBalance(platform, payer, coin.symbol), Number(4n * COIN));
  });

  it('stablecoins.md §7.1, money.md §12.14: burns and deposits of the same coins outside never take more coins than exist', async () => {
    for (const type of ['PROVIDER_INTERNAL_BALANCE', 'EXTERNAL_ACCOUNT']) {
      const scene = await givenScene();
      const { platform, coin, coins, payer, to: destination } = scene;
      await givenCoins(platform, coin, 4n * COIN);
      const replies = await times(12, scene, async (on, i) => {
        if (i % 4 < 2)
          return textOf(await askBurn(on, coin, { amount: String(COIN), source: { type }, destination }));
        return (await deposit(on, coin.symbol, coins, COIN)) ? 'deposit' : 'too many';
      });
      await advance(platform, DONE_SECONDS);
      const deposits = BigInt(replies.filter((reply) => reply === 'deposit').length);
      const { COMPLETED = 0, FAILED = 0, ...rest } = await statuses(scene);
      const burned = BigInt(COMPLETED - 1);
      assert.deepEqual(rest, {});
      assert.equal(burned + BigInt(FAILED), BigInt(replies.filter((reply) => reply === '201').length));
      assert.ok(deposits + burned <= 4n, `${deposits} came in and ${burned} were burned, of 4`);
      assert.equal((await loadCoinBooks(platform, coin)).outside, (4n - deposits - burned) * COIN);
      assert.equal(await fetchBalance(platform, payer, coin.symbol), Number(deposits * COIN));
    }
  });

  async function deposit(
    on: TestPlatform,
    currency: string,
    account: string,
    amount: bigint,
  ): Promise<boolean> {
    const wanted = {
      ...{ accountId: uuidOf(account), amount, currency, rail: 'SPARK' },
      ...{ sender: 'a wallet', bankReference: randomUUID(), reason: 'a test' },
    };
    try {
      assert.ok(!((await (await on.work()).write((tx) => bookDeposit(tx, wanted))) instanceof Refusal));
      return true;
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 'CONFLICT', String(error));
      return false;
    }
  }

  it('stablecoins.md §4.17, §8.4: no mint or burn of an internal account is made after the reply to the disabling', async () => {
    for (let round = 0; round < 4; round++) {
      const scene = await givenScene();
      const { platform, other, coin, coins, dollars, to: destination } = scene;
      await givenCoins(platform, coin, 10n * COIN, coins);
      const disabling = async () => {
        // A little later in each round.
        for (let i = 0; i < round; i++) await readCoin(other, coin);
        await decideOn(other, coin, 'disable');
        return operationRows(platform, coin);
      };
      const disabled = disabling();
      const replies = await times(10, scene, (on, i) =>
        i % 4 < 2
          ? askBurn(on, coin, {
              amount: '10000',
              source: { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins },
              destination,
            })
          : askMint(on, coin, {
              amount: '10000',
              fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars },
              destination: { accountId: coins },
            }),
      );
      const before = await disabled;
      const made = replies.filter(({ status }) => status === 201);
      assert.equal((await operationRows(platform, coin)).length, before.length);
      assert.equal(made.length, before.length - 1);
      const refused = new Set(replies.filter(({ status }) => status !== 201).map(textOf));
      refused.delete('400 STABLECOIN_SVC_OPERATIONS_NOT_ENABLED');
      assert.deepEqual([...refused], []);
      await advance(platform, DONE_SECONDS);
      assert.deepEqual(
        await statuses(scene),
        { COMPLETED: 1 + made.length },
        'stablecoins.md §8.4: operations under way are finished',
      );
    }
  });

  /** The event that comes first, and the refusal of a mint that waits for it. */
  const ENDS: readonly [string, (tx: Tx, scene: Scene) => Promise<unknown>, string][] = [
    [
      'stablecoins.md §4.17: the disabling of the coin',
      (tx, { coin }) => decideByOperator(tx, 'disable', { coinId: uuidOf(coin), reason: 'a test' }),
      '400 STABLECOIN_SVC_OPERATIONS_NOT_ENABLED',
    ],
    [
      'stablecoins.md §1.13, §5.26: the revocation of the link',
      (tx, { coin }) =>
        revokeLink(tx, { linkId: uuidOf(coin.stablecoinProviderAccountId), reason: 'a test' }),
      '400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
    ],
    [
      'stablecoins.md §5.2: the closing of its account',
      (tx, { coins }) => closeAccount(tx, { accountId: uuidOf(coins) }),
      '403 USER_NOT_READY',
    ],
    [
      'stablecoins.md §5.2: the freezing of its account',
      (tx, { coins }) => freezeAccount(tx, { accountId: uuidOf(coins) }),
      '403 USER_NOT_READY',
    ],
  ];

  for (const [name, end, expected] of ENDS) {
    const mintOf = ({ platform, coin, bank, coins }: Scene) =>
      askMint(platform, coin, {
        fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
        destination: { accountId: coins },
      });

    it(`${name} refuses a mint that waits for it`, async () => {
      const scene = await givenScene();
      const letGo = await holdOpen(scene.other, (tx) => end(tx, scene));
      const asked = mintOf(scene);
      await untilBlocked(world.databaseUrl, 1, asked);
      await letGo();
      assert.equal(textOf(await asked), expected);
      assert.deepEqual(await statuses(scene), {});
    });

    it(`${name} during the questions to the provider refuses the mint, which is not submitted`, async () => {
      const scene = await givenScene();
      const provider = new Provider();
      provider.isAsked = async () => {
        await (await scene.other.work()).write((tx) => end(tx, scene));
      };
      await play(provider, scene);
      assert.equal(textOf(await mintOf(scene)), expected);
      assert.deepEqual([await statuses(scene), provider.submissions.size], [{}, 0]);
    });
  }

  it('either an account is closed or a mint credits it, never both', async () => {
    for (let round = 0; round < 6; round++) {
      const scene = await givenScene();
      const { platform, other, coin, coins } = scene;
      const work = await other.work();
      const closing = work
        .write((tx) => closeAccount(tx, { accountId: uuidOf(coins) }))
        .then(
          () => 'closed',
          (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
        );
      const minting = askMint(platform, coin, { destination: { accountId: coins } }).then(textOf);
      const outcome = (await Promise.all([closing, minting])).join();
      assert.ok(['closed,403 USER_NOT_READY', 'CONFLICT,201'].includes(outcome), outcome);
      await advance(platform, DONE_SECONDS);
      const { issued, outside } = await loadCoinBooks(platform, coin);
      assert.deepEqual([issued, outside], [outcome.startsWith('closed') ? 0n : 25_000_000n, 0n]);
    }
  });

  for (const [name, places] of [
    ['one process', ['platform', 'platform']],
    ['two processes', ['platform', 'other']],
  ] as const) {
    it(`stablecoins.md §2: one key, sent ten times at once in ${name}, makes one operation, one submission and one reply`, async () => {
      const scene = await givenScene();
      const { coin, payer, platform, dollars, coins } = scene;
      const provider = await play(new Provider(), scene);
      const key = randomUUID();
      const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
      const body = { fundingSource, destination: { accountId: coins } };
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          askMint(scene[places[i % 2] ?? 'platform'], coin, body, { key }),
        ),
      );
      assert.deepEqual(counted(replies.map(({ status }) => String(status))), { 201: 10 });
      assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
      assert.deepEqual([...provider.submissions.values()], [1]);
      await advance(platform, DONE_SECONDS);
      assert.equal(await fetchBalance(platform, payer, 'USD'), 7_500);
      assert.equal(await fetchBalance(platform, payer, coin.symbol), 25_000_000);
    });
  }

  it('stablecoins.md §2, platform.md §2.4: while the first request with a key runs, the second is told so in either process', async () => {
    const scene = await givenScene();
    const { platform, other, coin, wallet } = scene;
    const provider = await play(new Provider(), scene);
    const { promise: silence, resolve: answer } = Promise.withResolvers<undefined>();
    provider.answers = () => silence;
    const key = randomUUID();
    const body = { destination: { accountId: wallet.id } };
    const first = askMint(platform, coin, body, { key });
    await provider.submitted;
    const seconds = await Promise.all([platform, other].map((on) => askMint(on, coin, body, { key })));
    for (const second of seconds) {
      assert.equal(textOf(second), '409 CONFLICT');
      assert.equal(second.headers['x-should-retry'], 'true');
    }
    answer(undefined);
    const { body: made } = await first;
    assert.equal(made.status, 'PENDING_FUNDING');
    for (const on of [platform, other]) assert.deepEqual((await askMint(on, coin, body, { key })).body, made);
    assert.deepEqual([...provider.submissions.values()], [1]);
  });

  /** What the provider got from a process that died during the submission, and the operation's outcome. */
  const DEATHS: Record<string, { takes: boolean; ends: string; usd: number }> = {
    'before it arrived': { takes: false, ends: 'FAILED', usd: 10_000 },
    'before the answer came': { takes: true, ends: 'COMPLETED', usd: 7_500 },
  };

  for (const [when, { takes, ends, usd }] of Object.entries(DEATHS)) {
    it(`stablecoins.md §6.2: a process that dies during the submission, ${when}, leaves 201 CREATED under the key; it is not submitted again`, async () => {
      const scene = await givenScene();
      const { platform, other, coin, payer, dollars, coins } = scene;
      const provider = await play(new Provider(), scene);
      provider.takes = takes;
      const { promise: silence, resolve: die } = Promise.withResolvers<void>();
      provider.answers = () => silence.then(() => Promise.reject(new Error('the process is dead')));
      const key = randomUUID();
      const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
      const body = { fundingSource, destination: { accountId: coins } };
      const dead = askMint(platform, coin, body, { key });
      await provider.submitted;
      assert.deepEqual(await statuses(scene), { CREATED: 1 });
      world.clock.advance(LEASE_SECONDS * 1_000);
      const again = await askMint(other, coin, body, { key });
      assert.deepEqual([again.status, again.body.status], [201, 'CREATED'], again.raw);
      assert.deepEqual((await askMint(other, coin, body, { key })).body, again.body);
      await advance(other, QUARTER_OF_AN_HOUR);
      const { status, failureReason } = await readOperation(other, again.body);
      assert.equal(status, ends);
      assert.equal(failureReason, takes ? undefined : 'PROVIDER_TRANSFER_FAILED');
      assert.equal(await fetchBalance(other, payer, 'USD'), usd);
      assert.deepEqual((await askMint(other, coin, body, { key })).body, again.body, 'the first reply');
      assert.deepEqual([...provider.submissions.values()], [1]);
      // The process was not dead after all: its result changes nothing.
      die();
      assert.deepEqual((await dead).body, again.body);
      assert.deepEqual(await statuses(scene), { [ends]: 1 });
    });
  }

  it('stablecoins.md §6.2: a process that dies before anything is stored leaves nothing, and the next request is told so once', async () => {
    const scene = await givenScene();
    const { platform, other, coin, wallet } = scene;
    const provider = await play(new Provider(), scene);
    const { promise: silence, resolve: die } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    provider.isAsked = () => {
      asked.resolve();
      return silence;
    };
    const key = randomUUID();
    const body = { destination: { accountId: wallet.id } };
    const dead = askMint(platform, coin, body, { key });
    await asked.promise;
    provider.isAsked = async () => undefined;
    world.clock.advance(LEASE_SECONDS * 1_000);
    assert.equal(textOf(await askMint(other, coin, body, { key })), '503 SERVICE_UNAVAILABLE');
    const made = await askMint(other, coin, body, { key });
    assert.equal(made.status, 201, made.raw);
    // The process was not dead after all, but it no longer owns the key.
    die();
    assert.equal(textOf(await dead), '503 SERVICE_UNAVAILABLE');
    assert.deepEqual((await askMint(other, coin, body, { key })).body, made.body);
    assert.deepEqual([...provider.submissions.values()], [1]);
    assert.deepEqual(await statuses(scene), { PENDING_FUNDING: 1 });
  });

  it('stablecoins.md §6.2: a provider’s answer that cannot be stored leaves 201 CREATED under the key, and no second operation', async () => {
    const scene = await givenScene();
    const { platform, coin, wallet } = scene;
    const provider = await play(new Provider(), scene);
    // An answer that no provider gives: our code for it throws.
    provider.answers = async () => ({ outcome: 'ACCEPTED' }) as never;
    const key = randomUUID();
    const body = { destination: { accountId: wallet.id } };
    await assert.rejects(askMint(platform, coin, body, { key }), /INTERNAL_ERROR, which it does not declare/);
    const again = await askMint(platform, coin, body, { key });
    assert.deepEqual([again.status, again.body.status], [201, 'CREATED'], again.raw);
    assert.deepEqual([...provider.submissions.values()], [1]);
    await advance(platform, 60);
    assert.deepEqual(await statuses(scene), { COMPLETED: 1 });
  });

  it('stablecoins.md §5.66, §7: an operation that several processes complete at once completes once', async () => {
    const scene = await givenScene();
    const { platform, coin, payer, dollars, coins, to: destination } = scene;
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
    const mint = await askMint(platform, coin, { fundingSource, destination: { accountId: coins } });
    const complete = (id: string) =>
      times(6, scene, async (on) => {
        const notice = { kind: 'completed', providerStatus: 'done' } as const;
        await (await on.work()).write((tx) => applyOperationNotice(tx, uuidOf(id), notice));
      });
    await complete(mint.body.id);
    assert.deepEqual(await postedKinds(platform, mint.body.id), ['L26', 'L27']);
    const source = { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins };
    const burn = await askBurn(platform, coin, { amount: String(COIN), source, destination });
    await complete(burn.body.id);
    assert.deepEqual(await postedKinds(platform, burn.body.id), ['L26', 'L28']);
    assert.equal(await fetchBalance(platform, payer, coin.symbol), 24_000_000);
    await advance(platform, DONE_SECONDS);
    assert.deepEqual(await statuses(scene), { COMPLETED: 2 });
  });

  it('stablecoins.md §5.66, §5.67: two concurrent follow-ups, and a failure meanwhile, end it once', async () => {
    const scene = await givenScene();
    const { platform, coin, dollars, coins } = scene;
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
    const follow = operationJobs['stablecoins.follow'];
    assert.ok(follow && 'call' in follow);
    for (const fails of [false, true]) {
      const mint = await askMint(platform, coin, { fundingSource, destination: { accountId: coins } });
      const id = uuidOf(mint.body);
      const provider = new Provider();
      provider.notice = { kind: 'completed', providerStatus: 'done' };
      const restore = await play(provider, scene).then(() => restores.pop());
      const job = {
        id: 0n,
        kind: 'stablecoins.follow',
        key: id,
        payload: { id },
        dueAt: new Date(),
        attempts: 0,
      };
      await times(6, scene, async (on, i) => {
        const work = await on.work();
        const effect = await follow.call(work, job);
        const notice = { kind: 'failed', providerStatus: 'failed' } as const;
        await work.write(async (tx) => {
          if (fails && i > 2) await applyOperationNotice(tx, id, notice);
          else await effect(tx);
        });
      });
      restore?.();
      const kinds = (await postedKinds(platform, mint.body.id)).join();
      assert.ok(kinds === 'L26,L27' || (fails && kinds === 'L26,L26'), kinds);
    }
  });

  /** Replaces the sandbox's provider in both processes. */
  async function play(provider: Provider, { platform, other }: Scene): Promise<Provider> {
    for (const on of [platform, other]) {
      const { runtime } = await on.work();
      restores.push(playProvider({ app: { runtime } as never }, provider.port));
    }
    return provider;
  }
});

/** A provider that counts its orders, and accepts them like the sandbox's unless told otherwise. */
class Provider {
  /** The number of submissions of each reference. */
  readonly submissions = new Map<string, number>();
  /** Called before it answers whether it knows an account. */
  isAsked: () => Promise<unknown> = async () => undefined;
  /** Its answer and when it comes; undefined for the sandbox's answer. */
  answers: () => Promise<SubmitAnswer | undefined> = async () => undefined;
  /** Whether a submission arrives at all. */
  takes = true;
  notice: ProviderNotice | undefined;
  readonly #first = Promise.withResolvers<void>();

  /** Resolves after the first submission. */
  get submitted(): Promise<void> {
    return this.#first.promise;
  }

  get port(): Partial<StablecoinsPort> {
    return {
      linkAccount: async (...asked) => {
        await this.isAsked();
        return sandboxStablecoins.linkAccount(...asked);
      },
      submit: async (login, order) => {
        this.submissions.set(order.reference, 1 + (this.submissions.get(order.reference) ?? 0));
        this.#first.resolve();
        return (await this.answers()) ?? sandboxStablecoins.submit(login, order);
      },
      follow: async (login, order) => {
        if (!this.takes) return { outcome: 'NOT_FOUND' };
        if (this.notice) return { outcome: 'FOUND', notice: this.notice };
        return sandboxStablecoins.follow(login, order);
      },
    };
  }
}
