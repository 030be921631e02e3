import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Area, Client } from '#tests/drills/areas/area.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import type { Figures } from '#tests/drills/frame/drill.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { LEASE_LOOK_MS } from '#tests/drills/site.ts';
import { supports } from '#tests/given/accounts.ts';
import { askBurn, askMint, givenBank, givenCoins, givenSparkWallet } from '#tests/given/mints.ts';
import { advance, fetchBalance, givenPayer, type Payer } from '#tests/given/payments.ts';
import { type CoinReply, givenCoin } from '#tests/given/stablecoins.ts';

const OPENING_CENTS = 100_000_000;
const OPENING_COINS = 1_000_000_000n;
const CENT = 10_000n;
const RETRY_MS = 500;
const DEADLINE_MS = 300_000;

/**
 * Callers who mint and burn. Each accepted operation must exist once and be completed once (stablecoins.md §6.2): balances
 * equal those of an undisturbed run.
 */
export async function openCoins(deployment: Deployment, random: SeededRandom, count: number): Promise<Area> {
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(deployment, settings);
  const scene = await givenScene(platform);
  const callers = Array.from(
    { length: count },
    () => new Caller(scene, new SeededRandom(random.between(0, 2 ** 31))),
  );
  return {
    clients: callers,
    check: () => checkResult(scene, callers),
    close: () => platform.receiver.close(),
  };
}

interface Scene {
  readonly platform: RemotePlatform;
  readonly coin: CoinReply;
  readonly payer: Payer;
  readonly wallet: string;
  readonly bank: string;
}

/**
 * A payer with dollars and coins. The coin's name makes the sandbox enable it without an operator
 * (stablecoins.md §4.2).
 */
async function givenScene(platform: RemotePlatform): Promise<Scene> {
  const coin = await givenCoin(platform, { providerTokenIdentifier: 'drill-006' });
  await platform.call('requestStablecoinEnablement', { params: { stablecoinId: coin.id } });
  await advance(platform, 10);
  await supports(platform, ['USD', coin.symbol]);
  const payer = await givenPayer(platform, OPENING_CENTS);
  await givenCoins(platform, coin, OPENING_COINS, payer.account(coin.symbol).id);
  const [wallet, bank] = [await givenSparkWallet(platform), await givenBank(platform)];
  return { platform, coin, payer, wallet: wallet.id, bank: bank.id };
}

/** Mints and burns, one after the other. */
class Caller implements Client {
  readonly ids: string[] = [];
  /** The expected total change of the payer's balances. */
  cents = 0n;
  coins = 0n;
  readonly #scene: Scene;
  readonly #random: SeededRandom;

  constructor(scene: Scene, random: SeededRandom) {
    this.#scene = scene;
    this.#random = random;
  }

  async course(): Promise<void> {
    const { platform, coin, payer, wallet, bank } = this.#scene;
    const cents = BigInt(this.#random.between(1, 100));
    const amount = String(cents * CENT);
    const [dollars, coins] = [payer.account('USD').id, payer.account(coin.symbol).id];
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: dollars };
    switch (this.#random.between(0, 3)) {
      case 0:
        await this.#until((key) =>
          askMint(platform, coin, { amount, destination: { accountId: wallet } }, { key }),
        );
        break;
      case 1: {
        const source = { type: 'SVC_INTERNAL_ACCOUNT', accountId: coins };
        const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank, rail: 'WIRE' };
        await this.#until((key) => askBurn(platform, coin, { amount, source, destination }, { key }));
        this.coins -= cents * CENT;
        break;
      }
      default:
        await this.#until((key) =>
          askMint(platform, coin, { amount, fundingSource, destination: { accountId: coins } }, { key }),
        );
        this.cents -= cents;
        this.coins += cents * CENT;
    }
  }

  /** Repeats a call under its key, even while the call of a killed process counts as running. */
  async #until(ask: (key: string) => ReturnType<typeof askMint>): Promise<void> {
    const key = randomUUID();
    for (const deadline = Date.now() + DEADLINE_MS; ; ) {
      const reply = await ask(key);
      if (reply.status === 201) return void this.ids.push(reply.body.id);
      assert.equal(reply.headers['x-should-retry'], 'true', reply.raw);
      assert.ok(Date.now() < deadline, 'a call that was killed is over in the end');
      await delay(RETRY_MS);
    }
  }
}

async function checkResult(scene: Scene, callers: readonly Caller[]): Promise<Figures> {
  const { platform, coin, payer } = scene;
  const ids = callers.flatMap((caller) => caller.ids);
  assert.equal(new Set(ids).size, ids.length, 'each key made an operation of its own');
  const rows = await endedOperations(scene);
  assert.equal(rows.length, ids.length + 1, 'as many operations as were accepted, and the opening');
  for (const { id, status } of rows) assert.equal(status, 'COMPLETED', id);
  const sum = (of: 'cents' | 'coins') => Number(callers.reduce((total, caller) => total + caller[of], 0n));
  assert.equal(await fetchBalance(platform, payer, 'USD'), OPENING_CENTS + sum('cents'));
  assert.equal(await fetchBalance(platform, payer, coin.symbol), Number(OPENING_COINS) + sum('coins'));
  return { 'mints and burns': ids.length };
}

const OPEN = new Set(['CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING']);

/** All operations, when none is open. */
async function endedOperations({ platform, coin }: Scene) {
  const params = { stablecoinId: coin.id };
  for (const deadline = Date.now() + DEADLINE_MS; ; ) {
    await advance(platform, 60);
    const rows: { id: string; status: string }[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      const { body } = await platform.call('listStablecoinOperations', { params, query });
      rows.push(...body.data);
      cursor = body.nextCursor;
      if (cursor === undefined) break;
    }
    if (!rows.some(({ status }) => OPEN.has(status))) return rows;
    assert.ok(Date.now() < deadline, 'every operation ends');
    await delay(LEASE_LOOK_MS);
  }
}
