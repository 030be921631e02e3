import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { listBreaks, openBreak } from '#capabilities/connectors/break-store.ts';
import { markReversed } from '#capabilities/connectors/credit-store.ts';
import { receiveCredit } from '#capabilities/connectors/credits/receive-credit.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { addConnector, pauseConnector } from '#capabilities/connectors/registry.ts';
import { findConnector, keepCapabilities } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import type { Capabilities } from '#foundation/connector-protocol/capabilities.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { ANY_ORDER } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import type { ArrangedOperation } from '#tests/given/second-operator.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Calls about connectors that need a second operator. Nobody is asked: the connectors answer no call. */

const URL = 'http://bank.example';

export async function givenConnector(world: World): Promise<ConnectorRow> {
  const name = `bank-${randomUUID().slice(0, 8)}`;
  await onInstallation(world, (tx) => addConnector(tx, { name, url: URL, reason: 'test' }));
  const find = async () => (await findConnector(world.database.query, name)) ?? assert.fail();
  const { id } = await find();
  const capabilities = EUR_ACCOUNTS as unknown as Capabilities;
  const now = new Date(world.clock.now());
  await keepCapabilities(world.database.query, id, { capabilities }, { now, nextAt: new Date(8.64e14) });
  return find();
}

/** A change of one connector. */
async function onOne(world: World, body: Record<string, unknown> = {}) {
  const { name } = await givenConnector(world);
  return { platform: INSTALLATION, params: { name }, body };
}

let routes = 500_000;

async function givenRoute(world: World): Promise<number> {
  const { name } = await givenConnector(world);
  const number = ++routes;
  await onInstallation(world, (tx) => setRoute(tx, { ...ANY_ORDER, name, number, reason: 'test' }));
  return number;
}

/** Money that nobody claims, and the break about it. */
async function givenUnclaimed(world: World, platform: TestPlatform) {
  const connector = await givenConnector(world);
  const creditId = randomUUID();
  const credit = { creditId, settlementAccount: 'main', amount: 5_000n, currency: 'EUR', rail: 'SEPA' };
  await (await platform.work()).write((tx) => receiveCredit(tx, connector, credit, undefined));
  return { connector, creditId, breakId: await breakAbout(world, creditId) };
}

async function breakAbout(world: World, about: string): Promise<string> {
  const found = (await listBreaks(world.database.query, 1_000)).findLast(
    (one) => one.about.split(' ').at(-1) === about,
  );
  return found?.id ?? assert.fail(`no break about ${about}`);
}

async function platformOf(platform: TestPlatform) {
  return (await platform.work()).platform;
}

async function unclaimedMoney(world: World) {
  const platform = await givenPlatform(world, { currencies: ['EUR'] });
  const { breakId } = await givenUnclaimed(world, platform);
  const { id } = inCurrency(await platformAccounts(platform), 'EUR');
  const body = { break: publicId('Break', breakId) };
  return { platform: await platformOf(platform), params: { accountId: uuidOf(id) }, body };
}

async function reversedCredit(world: World) {
  const platform = await givenPlatform(world, { currencies: ['EUR'] });
  const { connector, creditId } = await givenUnclaimed(world, platform);
  const now = new Date(world.clock.now());
  const { query } = world.database;
  await markReversed(query, { connector_id: connector.id, credit_id: creditId }, now);
  const found = { kind: 'RETURNED' as const, what: 'The bank took a credit back.', about: creditId };
  const breakId = newUuid() as string;
  await openBreak(query, { ...found, id: breakId, connectorId: connector.id, platformId: platform.id }, now);
  return { platform: await platformOf(platform), params: { breakId } };
}

/** The connector knows another order under the reference of a payment. */
export async function conflictingOrder(world: World, platform: TestPlatform, reference: TransactionId) {
  const connector = await givenConnector(world);
  const { query } = world.database;
  const now = new Date(world.clock.now());
  const [order, breakId] = [newUuid() as string, newUuid() as string];
  await query(sql`
    insert into connector_orders
      (platform_id, id, reference, transaction_id, kind, status, connector_id, settlement_account, rail, amount, currency,
       created_at, asked_at)
    values (${platform.id}, ${order}, ${reference}, ${reference}, 'PAYOUT', 'CONFLICT', ${connector.id}, 'main', 'ACH', 4000,
            'USD', ${now}, ${now})`);
  const found = {
    kind: 'CONTRADICTION' as const,
    what: 'The connector knows another order.',
    about: reference,
  };
  const place = { connectorId: connector.id, platformId: platform.id, orderId: order };
  await openBreak(query, { ...found, ...place, id: breakId }, now);
  return { platform: await platformOf(platform), params: { breakId }, body: { outcome: 'failed' } };
}

export const ARRANGED_AT_CONNECTORS: Readonly<Record<string, ArrangedOperation>> = {
  addConnector: {
    arrange: async () => ({
      ...{ platform: INSTALLATION, params: {} },
      body: { name: `bank-${randomUUID().slice(0, 8)}`, url: URL },
    }),
    meanwhile: 'FAILED',
  },
  setConnector: {
    arrange: (world) => onOne(world, { url: 'http://new.example' }),
    meanwhile: 'PROPOSAL_STALE',
  },
  removeConnector: { arrange: (world) => onOne(world), meanwhile: 'FAILED' },
  rotateConnectorSecret: { arrange: (world) => onOne(world), meanwhile: 'FAILED' },
  setConnectorRoute: {
    async arrange(world) {
      const { name: connector } = await givenConnector(world);
      return { platform: INSTALLATION, params: {}, body: { connector, number: ++routes, rail: 'SEPA' } };
    },
    meanwhile: 'PROPOSAL_STALE',
  },
  removeConnectorRoute: {
    async arrange(world) {
      return { platform: INSTALLATION, params: {}, body: { number: await givenRoute(world) } };
    },
    meanwhile: 'FAILED',
  },
  resumeConnector: {
    async arrange(world) {
      const call = await onOne(world);
      await onInstallation(world, (tx) => pauseConnector(tx, { name: call.params.name, reason: 'test' }));
      return call;
    },
    meanwhile: 'FAILED',
  },
  rewindConnector: { arrange: (world) => onOne(world), meanwhile: 'APPROVED' },
  setConnectorOwner: {
    async arrange(world) {
      const { id } = await givenPlatform(world, { environment: 'PRODUCTION' });
      return onOne(world, { settlementAccount: 'main', platform: publicId('Platform', id) });
    },
    meanwhile: 'PROPOSAL_STALE',
  },
  assignBreak: { arrange: unclaimedMoney, meanwhile: 'FAILED' },
  takeBackCredit: { arrange: reversedCredit, meanwhile: 'FAILED' },
};
