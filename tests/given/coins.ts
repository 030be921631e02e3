import assert from 'node:assert/strict';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { coinsArriving } from '#capabilities/payments/announcements.ts';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import { addCurrency } from '#capabilities/platform/add-currency.ts';
import { Work } from '#foundation/database/work.ts';
import type { OwnCurrency } from '#foundation/lib/currencies.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import type { PlatformOptions, TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

export const ACME: OwnCurrency = { code: 'ACME', name: 'Acme Dollar', symbol: 'ACME', decimals: 6 };

/** Own currencies with the fewest and the most decimals that a coin has. */
export const COINS: readonly OwnCurrency[] = [
  { code: 'TWO', name: 'Two Dollar', symbol: 'TWO', decimals: 2 },
  { code: 'EIGHT', name: 'Eight Dollar', symbol: 'EIGHT', decimals: 8 },
];

export async function givenCurrencies(
  platform: TestPlatform,
  currencies: readonly OwnCurrency[],
): Promise<void> {
  await (await platform.work()).write(async (tx) => {
    for (const currency of currencies) await addCurrency(tx, currency);
  });
}

/** A platform with ACME as a currency of its own, beside dollars and euros. */
export async function givenCoinPlatform(
  world: World,
  { decimals = 6, ...options }: { decimals?: number } & PlatformOptions = {},
): Promise<TestPlatform> {
  const platform = await givenPlatform(world, options);
  await givenCurrencies(platform, [{ ...ACME, decimals }]);
  await supports(platform, ['USD', 'EUR', 'ACME'], 1_000_000_000_000);
  return platform;
}

/** Coins in an internal account, from an external wallet. */
export async function givenCoins(platform: TestPlatform, accountId: string, amount: number): Promise<void> {
  await (await platform.work()).write(async (tx) => {
    const [account] = await findAccounts(tx, [uuidOf(accountId)]);
    assert.ok(account);
    const { id, currency, customer_id: customerId } = account;
    const recorded = await recordDeposit(tx, {
      account: { id, currency, customerId },
      amount: BigInt(amount),
      rail: 'SPARK',
      network: 'SPARK',
    });
    assert.ok(!(recorded instanceof Refusal));
  });
}

/** An external Spark wallet in ACME whose suffix decides the outcome of payments; each call makes another one. */
export async function givenSparkWallet(
  platform: TestPlatform,
  { customerId, suffix = '999' }: { customerId?: string; suffix?: string } = {},
): Promise<string> {
  const address = `spark1${++wallets}qqqqqqqqqqqqqqqqqq${suffix}`;
  const rest = { currency: 'ACME', ...(customerId !== undefined && { customerId }) };
  return (await givenExternalAccount(platform, 'SPARK_WALLET', { address }, rest)).id;
}

let wallets = 10_000_000;

export type Arriving = NonNullable<typeof coinsArriving.payload>;

/** For set-up below the API, where only this reacts to coins that arrive from outside. */
export async function workWithArrivals(
  platform: TestPlatform,
  react: (coins: Arriving) => void,
): Promise<Work> {
  const { runtime, platform: row, actor } = await platform.work();
  const reactions = new Map(runtime.reactions).set(coinsArriving.name, [async (_tx, coins) => react(coins)]);
  return new Work({ ...runtime, reactions }, row, actor);
}
