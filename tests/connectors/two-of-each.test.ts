// lane: whole — four processes of the real binary

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { Processes } from '#tests/drills/processes.ts';
import { callRemotely } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { inCurrency, platformAccounts, posts, supports } from '#tests/given/accounts.ts';
import { createConnector, EUR_ACCOUNTS, type TestConnector } from '#tests/given/connectors.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { execute, readTransaction } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const SEED = 38;
/** Orders from this amount on have one route only. */
const LARGE = 10_000;
const REASON = ['--reason', 'test'];

type Rail = 'SEPA' | 'SEPA_INSTANT';
interface Ordered {
  readonly id: string;
  readonly reference: string;
}

describe('two API processes, two workers, two connectors and routes by rail', () => {
  const world = operatorWorld();
  const random = new SeededRandom(SEED);
  const all: Ordered[] = [];
  let site: Processes;
  let payer: TestPlatform;
  let usd = '';
  let receiver = '';
  let north: TestConnector;
  let south: TestConnector;

  before(async () => {
    const live = await world.another('Payer', 'production');
    await supports(live, ['USD', 'EUR']);
    await givenRates(world as unknown as World);
    const work = await live.work();
    await work.write(
      (tx) => tx.sql`
        update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where platform_id = ${tx.platformId}`,
    );
    const account = inCurrency(await platformAccounts(live), 'USD');
    await posts(live, account, 'deposit', 100_000_000n);
    usd = account.id;
    receiver = (await givenExternalAccount(live, 'EUR_ACCOUNT', { iban: 'DE35370400440532013002' })).id;
    await work.write(
      (tx) => tx.sql`update external_accounts set status = 'ACTIVE' where platform_id = ${tx.platformId}`,
    );
    [north, south] = [await connected('north'), await connected('south')];
    await routed('north', 1, '--rail', 'SEPA');
    await routed('south', 2, '--rail', 'SEPA_INSTANT');
    await routed('north', 3, '--rail', 'SEPA_INSTANT', '--most', String(LARGE - 1));
    site = new Processes(world.environment);
    await site.startAll(['api', 'api', 'worker', 'worker']);
    payer = await callRemotely(site, live);
  });
  after(async () => {
    await site?.stop();
    for (const connector of [north, south]) await connector?.close();
  });

  const connected = async (name: string): Promise<TestConnector> => {
    const made = await createConnector(systemClock);
    made.capabilities = { ...EUR_ACCOUNTS, pollSeconds: 1 };
    const added = await world.run('connector', 'add', name, made.url, '--json', ...REASON);
    made.secret = JSON.parse(added).secret;
    return made;
  };
  const routed = (name: string, number: number, ...filter: string[]) =>
    world.run('connector', 'route', 'set', name, String(number), ...filter, ...REASON);

  /** Executed through one API process after the other. */
  const ordered = async (paymentRail: Rail, isLarge = false): Promise<Ordered> => {
    const receive = random.between(100, LARGE - 1) + (isLarge ? LARGE : 0);
    const destination = { destinationType: 'ACCOUNT' as const, accountId: receiver, paymentRail };
    const quote = await quoted(payer, { from: usd, to: receiver, receive, more: { destination } });
    assert.equal((await execute(payer, quote.id)).body.status, 'PROCESSING');
    const made = { id: quote.transactionId, reference: uuidOf(quote.transactionId) };
    all.push(made);
    return made;
  };
  /** Waits for it. What the processes would do later is due at once, so that nobody waits for a backoff. */
  const until = async (holds: () => Promise<boolean> | boolean) => {
    while (!(await holds())) {
      await world.database.query(sql`
        update connector_orders set call_at = now()
         where call_at > now() and caller is null and status in ('WAITING', 'ASKED')`);
      await world.database.query(sql`
        update connectors set events_due_at = least(events_due_at, now()), capabilities_due_at = least(capabilities_due_at, now()),
               second = null where down_since is not null or capabilities is null`);
      await delay(100);
    }
  };
  const has = ({ orders }: TestConnector, made: readonly Ordered[]) =>
    made.every(({ reference }) => orders.has(reference));
  const count = async (condition: Sql) => {
    const [row] = await world.database.query<{ found: bigint }>(
      sql`select count(*) as found from connector_orders o where ${condition}`,
    );
    return Number(row?.found);
  };
  const isDown = async (name: string) => {
    const [row] = await world.database.query<{ down: boolean }>(
      sql`select down_since is not null as down from connectors where name = ${name}`,
    );
    return row?.down === true;
  };

  it('connectors.md §5.4, §8.2, §8.3: with one stopped, unsent orders take the other route or wait, and none is at both', async () => {
    // Both are there: each rail goes to the connector of its route.
    const bySepa = [await ordered('SEPA'), await ordered('SEPA', true)];
    const byInstant = [await ordered('SEPA_INSTANT'), await ordered('SEPA_INSTANT', true)];
    await until(() => has(north, bySepa) && has(south, byInstant));
    // One connector takes an order, and is gone before it has answered.
    south.fault = ({ path }) => (path.startsWith('/orders/') ? { fault: 'cut', after: true } : undefined);
    const unknown = await ordered('SEPA_INSTANT');
    await until(() => has(south, [unknown]));
    await south.close();
    await until(() => isDown('south'));
    const rails: Rail[] = ['SEPA', 'SEPA_INSTANT', random.pick(['SEPA', 'SEPA_INSTANT'] as const)];
    const elsewhere = await Promise.all(rails.map((rail) => ordered(rail)));
    const waiting = [await ordered('SEPA_INSTANT', true), await ordered('SEPA_INSTANT', true)];
    await until(() => has(north, elsewhere));
    await until(async () => (await count(sql`o.status = 'WAITING'`)) === waiting.length);
    assert.equal(await count(sql`o.reference = ${unknown.reference} and o.status = 'ASKED'`), 1);
    assert.equal((await readTransaction(payer, unknown.id)).status, 'PROCESSING');
    // It is back, with what it had.
    south.fault = undefined;
    await south.startAgain();
    await until(() => has(south, waiting));
    await until(async () => (await count(sql`o.status <> 'TAKEN'`)) === 0);
    for (const { reference } of all) {
      const [at] = [north, south].filter(({ orders }) => orders.has(reference));
      at?.play(reference, 'SETTLED');
    }
    await until(async () => (await count(sql`o.state is distinct from 'SETTLED'`)) === 0);
    for (const { id } of all) assert.equal((await readTransaction(payer, id)).status, 'COMPLETED');
    assertEachOnce([...bySepa, ...elsewhere], [...byInstant, unknown, ...waiting]);
    assert.deepEqual(await world.run('break', 'list', '--json').then(JSON.parse), []);
    await world.run('ledger', 'verify');
    assert.deepEqual(site.faults, []);
  });

  /** Each order was sent once, to one of them. */
  const assertEachOnce = (atNorth: readonly Ordered[], atSouth: readonly Ordered[]) => {
    for (const [connector, made] of [
      [north, atNorth],
      [south, atSouth],
    ] as const) {
      const references = made.map(({ reference }) => reference).toSorted();
      assert.deepEqual([...connector.orders.keys()].toSorted(), references);
      const sent = connector.askedOrders('PUT').map(({ path }) => path.replace('/orders/', ''));
      assert.deepEqual(sent.toSorted(), references);
    }
  };
});
