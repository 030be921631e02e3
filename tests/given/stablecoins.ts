import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decideByOperator, type OperatorStep } from '#capabilities/stablecoins/coins/enablement.ts';
import type { Stablecoin } from '#capabilities/stablecoins/schemas.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import type { StablecoinsPort } from '#foundation/ports/stablecoins.ts';
import { advance } from '#tests/given/payments.ts';
import type { BodyOf } from '#tests/harness/api-types.ts';
import type { Call, TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** As the API shows them. */
export type LinkReply = BodyOf<'getStablecoinProviderAccount'>;
export type CoinReply = BodyOf<'getStablecoin'>;

/** Asks for a provider account to be linked, with a key of its own. */
export function askLink(platform: TestPlatform, more: object = {}, call: Call = {}) {
  const body = { provider: 'BRALE', apiClientId: 'client-abc', apiClientSecret: 'a secret', ...more };
  return platform.send('linkStablecoinProviderAccount', { body, key: randomUUID(), ...call });
}

/** An account that is linked. Another `apiClientId` opens another one. */
export async function givenLink(platform: TestPlatform, more: object = {}): Promise<LinkReply> {
  const reply = await askLink(platform, more);
  assert.equal(reply.status, 201, reply.raw);
  return reply.body;
}

export async function readLink(platform: TestPlatform, { id }: Pick<LinkReply, 'id'>): Promise<LinkReply> {
  const params = { stablecoinProviderAccountId: id };
  const reply = await platform.call('getStablecoinProviderAccount', { params });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

export interface CoinWish {
  readonly providerTokenIdentifier?: string;
  readonly [name: string]: unknown;
}

/** Asks for a coin to be registered, with a key of its own. Its identifier on the network follows from the provider's. */
export function askCoin(platform: TestPlatform, more: CoinWish = {}, call: Call = {}) {
  const { providerTokenIdentifier = 'acme-usd' } = more;
  const networkTokenIdentifier = `btkn1${providerTokenIdentifier}`;
  const body = { network: 'SPARK', networkTokenIdentifier, ...more, providerTokenIdentifier };
  return platform.send('registerStablecoin', { body, key: randomUUID(), ...call });
}

export interface CoinOptions {
  /** Its letters and digits in upper case are the coin's symbol; ACMEUSD by default. */
  readonly providerTokenIdentifier?: string;
  /** Whether it is a currency of the platform. */
  readonly enabled?: boolean;
}

/** A coin of the platform, which gets a provider account if it has none. */
export async function givenCoin(
  platform: TestPlatform,
  { enabled = false, ...request }: CoinOptions = {},
): Promise<CoinReply> {
  const links = await platform.call('listStablecoinProviderAccounts', { query: { status: 'ACTIVE' } });
  if (links.body.data.length === 0) await givenLink(platform);
  const reply = await askCoin(platform, request);
  assert.equal(reply.status, 201, reply.raw);
  return enabled ? enableCoin(platform, reply.body) : reply.body;
}

export async function readCoin(platform: TestPlatform, { id }: Pick<CoinReply, 'id'>): Promise<CoinReply> {
  const reply = await platform.call('getStablecoin', { params: { stablecoinId: id } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

/** The time that the sandbox takes to make an approved coin a currency. */
export const SET_UP_SECONDS = 5;

/** The platform asks, the operator approves, and the currency is set up. */
export async function enableCoin(platform: TestPlatform, { id }: Pick<CoinReply, 'id'>): Promise<CoinReply> {
  const asked = await platform.call('requestStablecoinEnablement', { params: { stablecoinId: id } });
  assert.equal(asked.status, 200, asked.raw);
  await decideOn(platform, { id }, 'approve');
  await advance(platform, SET_UP_SECONDS);
  const coin = await readCoin(platform, { id });
  assert.equal(coin.svcOperationsStatus, 'ENABLED');
  return coin;
}

/** The operator's decision. */
export async function decideOn(
  platform: TestPlatform,
  { id }: Pick<CoinReply, 'id'>,
  step: OperatorStep,
): Promise<Stablecoin> {
  const work = await platform.work();
  return work.write((tx) => decideByOperator(tx, step, { coinId: uuidOf(id), reason: 'a test' }));
}

/**
 * Replaces the sandbox's provider, or the missing one of production. It gives the answers passed here, and otherwise the
 * sandbox's. The returned function restores the original provider.
 */
export function playProvider(
  { app }: Pick<World, 'app'>,
  says: Partial<StablecoinsPort>,
  environment: Environment = 'SANDBOX',
): () => void {
  const ports = app.runtime.ports(environment) as { stablecoins: StablecoinsPort };
  const { stablecoins } = ports;
  ports.stablecoins = { ...app.runtime.ports('SANDBOX').stablecoins, ...says };
  return () => {
    ports.stablecoins = stablecoins;
  };
}
