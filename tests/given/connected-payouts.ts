import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { listBreaks } from '#capabilities/connectors/break-store.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { inCurrency, platformAccounts, posts } from '#tests/given/accounts.ts';
import { createConnector, EUR_ACCOUNTS, type TestConnector } from '#tests/given/connectors.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { execute, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import type { TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

export interface OrderedPayout {
  readonly id: string;
  readonly reference: TransactionId;
}

/** A platform of production that pays out through a connector, which every test gets new. */
export interface ConnectedPayouts {
  live: TestPlatform;
  worker: ConnectorWorker;
  bank: TestConnector;
  /** The name of `bank`. */
  name: string;
  /** What the worker could not do; a test that expects failures empties it. */
  readonly failures: unknown[];
  /** A connector that has been asked for its capabilities, with a route. */
  givenConnector(number: number, capabilities?: Record<string, unknown>): Promise<TestConnector>;
  /** Makes a change of connectors as an operator does. */
  change<T>(make: (tx: Tx) => Promise<T>): Promise<T>;
  /** Executed, and its order handed to the connectors' worker. */
  ordered(): Promise<OrderedPayout>;
  /** The same: 100.00 EUR are pulled into the platform's account, or for a payment to another account outside. */
  pulled(to?: 'INSIDE' | 'OUTSIDE'): Promise<OrderedPayout>;
  /** The balance of the platform's account in euros. */
  balance(): Promise<bigint>;
  /** Status, reason of failure and status of the refund. */
  statusOf(id: string): Promise<(string | undefined)[]>;
  settle(reference: TransactionId, action: 'settle' | 'fail', despiteConnector: boolean): Promise<unknown>;
  later(seconds: number): Promise<void>;
  /** Rounds until nothing is due: what one step makes due, the next round does. */
  rounds(count?: number): Promise<void>;
  /** The kinds of the open breaks of `bank`. */
  breaks(): Promise<string[]>;
}

/** The filter of a route that fits every order. */
export const ANY_ORDER = {
  ...{ rail: null, currency: null, kind: null, country: null, platform_id: null, least: null, most: null },
};

export function payoutsByConnector(world: ReturnType<typeof testWorld>): ConnectedPayouts {
  let usd = '';
  let receiver = '';
  let other = '';
  let names = 0;
  const at = { failures: [] as unknown[] } as ConnectedPayouts;
  const given: Omit<ConnectedPayouts, 'live' | 'worker' | 'bank' | 'name' | 'failures'> = {
    async givenConnector(number, capabilities = EUR_ACCOUNTS) {
      const made = await createConnector(world.clock);
      after(() => made.close());
      made.capabilities = capabilities;
      const called = `bank-${++names}`;
      const about = { name: called, reason: 'test' };
      const { secret } = await at.change((tx) => addConnector(tx, { ...about, url: made.url }));
      made.secret = secret;
      await at.change((tx) => setRoute(tx, { ...about, number, ...ANY_ORDER }));
      await at.worker.round();
      return made;
    },
    change: (make) => onInstallation(world, make),
    ordered: () => executed(usd, receiver),
    pulled: async (to = 'INSIDE') => executed(receiver, to === 'OUTSIDE' ? other : (await euros()).id),
    async balance() {
      return BigInt((await euros()).balance.amount);
    },
    async statusOf(id) {
      const { status, failureReason, refund } = await readTransaction(at.live, id);
      return [status, failureReason, refund?.status];
    },
    async settle(transactionId, action, despiteConnector) {
      const work = await at.live.work();
      const report = { transactionId, action, reason: 'test', despiteConnector };
      return work.write((tx) => settleByHand(tx, [], report));
    },
    async later(seconds) {
      world.clock.advance(seconds * 1_000);
      await at.worker.round();
    },
    async rounds(count = 3) {
      for (let i = 0; i < count; i++) await at.worker.round();
    },
    async breaks() {
      const open = await listBreaks(world.database.query, 100);
      return open.filter(({ connector }) => connector === at.name).map(({ kind }) => kind);
    },
  };
  Object.assign(at, given);
  const euros = async () => inCurrency(await platformAccounts(at.live), 'EUR');
  const executed = async (from: string, to: string): Promise<OrderedPayout> => {
    const quote = await quoted(at.live, { from, to, send: 10_000 });
    assert.equal((await execute(at.live, quote.id)).body.status, 'PROCESSING');
    await world.app.worker.settle(at.live.id);
    return { id: quote.transactionId, reference: uuidOf(quote.transactionId) };
  };

  before(async () => {
    // A month of orders is sent as fast as a test can.
    at.live = await givenPlatform(world, {
      environment: 'PRODUCTION',
      settings: { requestRate: { perSecond: 0, burst: 1 } },
    });
    await givenRates(world);
    const work = await at.live.work();
    await work.write(
      (tx) => tx.sql`
        update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where platform_id = ${tx.platformId}`,
    );
    const account = inCurrency(await platformAccounts(at.live), 'USD');
    await posts(at.live, account, 'deposit', 100_000_000n);
    usd = account.id;
    const outside = await givenExternalAccount(at.live, 'EUR_ACCOUNT', { iban: 'DE35370400440532013002' });
    receiver = outside.id;
    other = (await givenExternalAccount(at.live, 'EUR_ACCOUNT', { iban: 'DE75512108001245126199' })).id;
    await work.write(
      (tx) => tx.sql`update external_accounts set status = 'ACTIVE' where platform_id = ${tx.platformId}`,
    );
    const { runtime } = world.app;
    at.worker = new ConnectorWorker({
      ...{ runtime, client: createConnectorClient(runtime) },
      onFailure: (error) => at.failures.push(error),
    });
  });
  beforeEach(async () => {
    await world.database.query(sql`delete from connector_routes`);
    // Calls of earlier tests are of no interest, and would be made again.
    await world.database.query(sql`update connectors set removed_at = now()`);
    at.bank = await at.givenConnector(10);
    at.name = `bank-${names}`;
  });
  after(() => assert.deepEqual(at.failures, []));
  return at;
}
