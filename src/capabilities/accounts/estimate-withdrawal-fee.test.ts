import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { supportsCurrency } from '#capabilities/accounts/networks.ts';
import {
  bitcoinDepositAddress,
  evmDepositAddress,
  solanaDepositAddress,
  sparkDepositAddress,
  tronDepositAddress,
} from '#edge/sandbox/accounts/deposit-addresses.ts';
import { currencyCodes } from '#foundation/lib/currencies.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { NETWORKS, type Network } from '#foundation/ports/network-fees.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { fieldsOf, givenCustomer } from '#tests/given/customers.ts';
import { type RequestOf, untyped } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const source = seeded(new Uint8Array(32).fill(9));
const EVM = evmDepositAddress(source);
const ADDRESSES: Record<Network, string> = {
  BITCOIN: bitcoinDepositAddress(source),
  LIGHTNING: 'rosa@pay.example',
  SPARK: sparkDepositAddress(source),
  ETHEREUM: EVM,
  SOLANA: solanaDepositAddress(source),
  ARBITRUM: EVM,
  BASE: EVM,
  POLYGON: EVM,
  TRON: tronDepositAddress(source),
  PLASMA: EVM,
};

/** accounts.md §7.5: fee, asset, and its value in the withdrawn currency. */
const FEES: Record<Network, [number, string, number]> = {
  SOLANA: [5000, 'SOL', 1000],
  ETHEREUM: [420_000_000_000_000, 'ETH', 1_300_000],
  BASE: [2_000_000_000_000, 'ETH', 7000],
  ARBITRUM: [2_000_000_000_000, 'ETH', 7000],
  POLYGON: [3_000_000_000_000_000, 'POL', 2000],
  TRON: [13_400_000, 'TRX', 3_500_000],
  PLASMA: [1_000_000_000_000_000, 'XPL', 1000],
  BITCOIN: [1500, 'BTC', 1500],
  LIGHTNING: [10, 'BTC', 10],
  SPARK: [0, 'BTC', 0],
};

const CURRENCIES = ['BTC', 'USDC', 'USDT', 'USDB'];

describe('estimating the fee of a crypto withdrawal', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let accounts: Record<string, string>;

  before(async () => {
    platform = await world.platform();
    accounts = await accountsOn(platform);
  });

  async function accountsOn(on: TestPlatform): Promise<Record<string, string>> {
    await supports(on, ['USD', ...CURRENCIES]);
    const list = await platformAccounts(on);
    return Object.fromEntries(['USD', ...CURRENCIES].map((code) => [code, inCurrency(list, code).id]));
  }

  const request = (network: Network, currency: string, change: object = {}, ids = accounts) => ({
    internalAccountId: ids[currency] ?? '',
    currency,
    cryptoNetwork: network,
    amount: 100_000_000,
    destinationAddress: ADDRESSES[network],
    ...change,
  });

  const estimate = (body: RequestOf<'estimateCryptoWithdrawalFee'>, on = platform) =>
    on.call('estimateCryptoWithdrawalFee', { body });

  async function refusedFor(
    body: RequestOf<'estimateCryptoWithdrawalFee'>,
    on = platform,
  ): Promise<[string, string[]]> {
    const reply = await estimate(body, on);
    assert.equal(reply.status, 400, reply.raw);
    return [reply.body.code, fieldsOf(reply.body)];
  }

  it('money.md §6.11, accounts.md §7.2, §7.3, §7.5: each network prices the currencies it supports, in exact integers', async () => {
    for (const network of NETWORKS) {
      const [networkFee, networkFeeAsset, totalFee] = FEES[network];
      for (const currency of CURRENCIES.filter((code) => supportsCurrency(network, code))) {
        const { status, body, raw } = await estimate(request(network, currency));
        assert.equal(status, 200, raw);
        const expected = {
          networkFee,
          networkFeeAsset,
          applicationFee: 0,
          totalFee,
          netAmount: 100_000_000 - totalFee,
        };
        assert.deepEqual(body, expected, `${currency} on ${network}`);
        assert.ok(Number.isSafeInteger(body.networkFee));
      }
    }
  });

  it('accounts.md §7.1, §7.2: a network that does not support the currency is INVALID_INPUT(cryptoNetwork)', async () => {
    const carried = NETWORKS.flatMap((network) =>
      CURRENCIES.filter((code) => supportsCurrency(network, code)).map((code) => `${network} ${code}`),
    );
    assert.deepEqual(carried.toSorted(), [
      'ARBITRUM USDC',
      'ARBITRUM USDT',
      'BASE USDC',
      'BITCOIN BTC',
      'ETHEREUM USDC',
      'ETHEREUM USDT',
      'LIGHTNING BTC',
      'PLASMA USDT',
      'POLYGON USDC',
      'SOLANA USDC',
      'SOLANA USDT',
      'SPARK BTC',
      'SPARK USDB',
      'TRON USDT',
    ]);
    for (const network of NETWORKS) {
      for (const currency of CURRENCIES.filter((code) => !supportsCurrency(network, code))) {
        assert.deepEqual(await refusedFor(request(network, currency)), ['INVALID_INPUT', ['cryptoNetwork']]);
      }
    }
    assert.deepEqual(await refusedFor(request('DOGE' as Network, 'BTC')), [
      'INVALID_INPUT',
      ['cryptoNetwork', 'destinationAddress'],
    ]);
  });

  it('accounts.md §7.2: issued tokens use Spark, fiat uses no network', () => {
    assert.ok(supportsCurrency('SPARK', 'GLOBEX'));
    for (const code of currencyCodes().filter((known) => !CURRENCIES.includes(known))) {
      assert.ok(
        NETWORKS.every((network) => !supportsCurrency(network, code)),
        code,
      );
    }
  });

  it('accounts.md §7.1: unknown and foreign accounts get the same 404, byte for byte; malformed ids are 400', async () => {
    const other = await world.platform();
    const foreign = inCurrency(await platformAccounts(other), 'USDC').id;
    const replies = [];
    for (const internalAccountId of [`InternalAccount:${newUuid()}`, foreign]) {
      const reply = await estimate(request('SOLANA', 'USDC', { internalAccountId }));
      assert.equal(reply.status, 404);
      assert.equal(reply.body.code, 'ACCOUNT_NOT_FOUND');
      replies.push(reply.raw);
    }
    assert.equal(replies[0], replies[1]);
    for (const internalAccountId of ['x', newUuid(), `Customer:${newUuid()}`]) {
      assert.deepEqual(await refusedFor(request('SOLANA', 'USDC', { internalAccountId })), [
        'INVALID_INPUT',
        ['internalAccountId'],
      ]);
    }
  });

  it('accounts.md §7.1: a fiat account is INVALID_INPUT(internalAccountId); another currency is INVALID_CURRENCY', async () => {
    assert.deepEqual(await refusedFor(request('SOLANA', 'USD')), ['INVALID_INPUT', ['internalAccountId']]);
    for (const currency of ['USDT', 'usdc', 'XXX']) {
      const [code] = await refusedFor(request('SOLANA', 'USDC', { currency }));
      assert.equal(code, 'INVALID_CURRENCY');
    }
  });

  it('accounts.md §7.1: an embedded wallet can be priced', async () => {
    const customer = await givenCustomer(platform);
    const internalAccountId = inCurrency(await fetchAccounts(platform, customer.id), 'USDB').id;
    assert.equal((await estimate(request('SPARK', 'USDB', { internalAccountId }))).status, 200);
  });

  it('accounts.md §7.1: an amount below 1 is INVALID_AMOUNT; one that is not an integer is INVALID_INPUT', async () => {
    for (const amount of [0, -1]) {
      assert.deepEqual(await refusedFor(request('SOLANA', 'USDC', { amount })), [
        'INVALID_AMOUNT',
        ['amount'],
      ]);
    }
    for (const amount of [1.5, '100', 9_007_199_254_740_992]) {
      assert.deepEqual(await refusedFor(request('SOLANA', 'USDC', { amount })), [
        'INVALID_INPUT',
        ['amount'],
      ]);
    }
  });

  it('accounts.md §7.1: an address without the network’s format is INVALID_INPUT(destinationAddress)', async () => {
    const wrong: Partial<Record<Network, string>> = {
      BITCOIN: 'bc1 q',
      SPARK: 'not an address',
      ETHEREUM: ADDRESSES.SOLANA,
      SOLANA: EVM.slice(0, 31),
      ARBITRUM: '0x12',
      BASE: 'x',
      POLYGON: `${EVM}00`,
      TRON: ADDRESSES.SOLANA.replace(/^./, 'X'),
      PLASMA: ADDRESSES.TRON,
    };
    for (const [network, destinationAddress] of Object.entries(wrong) as [Network, string][]) {
      const currency = CURRENCIES.find((code) => supportsCurrency(network, code)) ?? '';
      assert.deepEqual(
        await refusedFor(request(network, currency, { destinationAddress })),
        ['INVALID_INPUT', ['destinationAddress']],
        network,
      );
    }
  });

  it('accounts.md §7.1, §4.1: check digits of the address are verified if the platform is strict', async () => {
    const strict = await world.platform({ settings: { strictAccountValidation: true } });
    const ids = await accountsOn(strict);
    const flipped = (address: string) => {
      const last = address.at(-1) === 'a' ? 'b' : 'a';
      return address.slice(0, -1) + last;
    };
    for (const network of ['BITCOIN', 'SPARK', 'TRON', 'ETHEREUM'] as const) {
      const currency = CURRENCIES.find((code) => supportsCurrency(network, code)) ?? '';
      assert.equal((await estimate(request(network, currency, {}, ids), strict)).status, 200, network);
      const destinationAddress = network === 'ETHEREUM' ? miscased(EVM) : flipped(ADDRESSES[network]);
      assert.deepEqual(
        await refusedFor(request(network, currency, { destinationAddress }, ids), strict),
        ['INVALID_INPUT', ['destinationAddress']],
        network,
      );
      assert.equal(
        (await estimate(request(network, currency, { destinationAddress }))).status,
        200,
        'lenient',
      );
    }
    const bolt = { destinationAddress: 'lnbc-not-an-invoice' };
    assert.deepEqual(await refusedFor(request('LIGHTNING', 'BTC', bolt, ids), strict), [
      'INVALID_INPUT',
      ['destinationAddress'],
    ]);
  });

  it('accounts.md §7.4: AMOUNT_OUT_OF_RANGE if nothing would arrive; one unit is enough', async () => {
    const [code] = await refusedFor(request('SOLANA', 'USDC', { amount: 1000 }));
    assert.equal(code, 'AMOUNT_OUT_OF_RANGE');
    const { body } = await estimate(request('SOLANA', 'USDC', { amount: 1001 }));
    assert.equal(body.netAmount, 1);
  });

  it('accounts.md §7.4: the balance is not checked and nothing is reserved', async () => {
    const before = await platformAccounts(platform);
    assert.equal((await estimate(request('BITCOIN', 'BTC', { amount: 9_007_199_254_740_991 }))).status, 200);
    assert.deepEqual(await platformAccounts(platform), before);
  });

  it('accounts.md §7.3: a configured application fee is part of totalFee', async () => {
    const charging = await world.platform({ settings: { fees: { withdrawal: { USDC: 250 } } } as never });
    const ids = await accountsOn(charging);
    const { body } = await estimate(request('SOLANA', 'USDC', { amount: 10_000 }, ids), charging);
    assert.deepEqual(body, {
      networkFee: 5000,
      networkFeeAsset: 'SOL',
      applicationFee: 250,
      totalFee: 1250,
      netAmount: 8750,
    });
    const other = await estimate(request('SOLANA', 'USDT', { amount: 10_000 }, ids), charging);
    assert.equal(other.body.applicationFee, 0);
  });

  it('platform.md §10: production without a source of fees refuses instead of inventing one', async () => {
    const real = await world.platform({ environment: 'PRODUCTION' });
    const internalAccountId = inCurrency(await platformAccounts(real), 'USDC').id;
    const reply = await estimate(request('SOLANA', 'USDC', { internalAccountId }), real);
    assert.equal(reply.status, 501);
    assert.equal(reply.body.code, 'NOT_IMPLEMENTED');
  });

  it('platform.md §1.3.4: VIEW is enough; without it, or without credentials, the call is refused', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    const internalAccountId = inCurrency(await platformAccounts(viewer), 'USDC').id;
    const body = request('SOLANA', 'USDC', { internalAccountId });
    assert.equal((await estimate(body, viewer)).status, 200);
    assert.equal((await viewer.call('estimateCryptoWithdrawalFee', { body, as: 'nobody' })).status, 401);
    const blind = await world.platform({ permissions: ['TRANSACT'] });
    assert.equal((await estimate(body, blind)).status, 403);
  });

  it('accounts.md §1.8: all invalid fields are reported together', async () => {
    assert.deepEqual(await refusedFor(untyped({ amount: 'x' })), [
      'INVALID_INPUT',
      ['internalAccountId', 'currency', 'cryptoNetwork', 'amount', 'destinationAddress'],
    ]);
  });
});

/** One letter in the wrong case: well formed, but its checksum is wrong. */
function miscased(address: string): string {
  const at = address.slice(2).search(/[a-f]/i) + 2;
  const letter = address.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}
