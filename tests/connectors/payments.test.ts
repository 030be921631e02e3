// lane: first — kills connectors and workers under hundreds of calls

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { listBreaks } from '#capabilities/connectors/break-store.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { removeRoute, setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { orderReference } from '#capabilities/connectors/order-reference.ts';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { OrderState } from '#foundation/connector-protocol/orders.ts';
import { sql } from '#foundation/database/sql.ts';
import { FaultyConnector } from '#tests/connectors/faulty.ts';
import { type MortalProcess, mortalProcess } from '#tests/connectors/mortal.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { creditsByConnector } from '#tests/given/connected-credits.ts';
import { ANY_ORDER, type OrderedPayout } from '#tests/given/connected-payouts.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';

const PAYMENTS = Number(process.env.CONNECTOR_PAYMENTS ?? 20);
const SEED = seedOf('CONNECTOR_SEED');

/** What banks do with the orders of a payment, one step at a time. */
type Step = readonly [OrderKind, OrderState];

/** `OUT`: paid out of the platform's account. `IN`: collected into it. `THROUGH`: collected, and paid out again. */
const FATES: Readonly<Record<'OUT' | 'IN' | 'THROUGH', readonly (readonly Step[])[]>> = {
  OUT: [
    [
      ['PAYOUT', 'SENT'],
      ['PAYOUT', 'SETTLED'],
    ],
    [['PAYOUT', 'SETTLED']],
    [
      ['PAYOUT', 'HELD'],
      ['PAYOUT', 'SENT'],
      ['PAYOUT', 'SETTLED'],
    ],
    [
      ['PAYOUT', 'SENT'],
      ['PAYOUT', 'SETTLED'],
      ['PAYOUT', 'RETURNED'],
    ],
    [['PAYOUT', 'FAILED']],
    [
      ['PAYOUT', 'SENT'],
      ['PAYOUT', 'FAILED'],
    ],
    [['PAYOUT', 'SENT']],
    [],
  ],
  IN: [
    [
      ['COLLECTION', 'SENT'],
      ['COLLECTION', 'SETTLED'],
    ],
    [
      ['COLLECTION', 'HELD'],
      ['COLLECTION', 'SETTLED'],
    ],
    [
      ['COLLECTION', 'SETTLED'],
      ['COLLECTION', 'RETURNED'],
    ],
    [['COLLECTION', 'FAILED']],
    [],
  ],
  THROUGH: [
    [
      ['COLLECTION', 'SETTLED'],
      ['PAYOUT', 'SETTLED'],
    ],
    [
      ['COLLECTION', 'SETTLED'],
      ['PAYOUT', 'FAILED'],
      ['REFUND', 'SENT'],
      ['REFUND', 'SETTLED'],
    ],
    [
      ['COLLECTION', 'SETTLED'],
      ['PAYOUT', 'SETTLED'],
      ['PAYOUT', 'RETURNED'],
      ['REFUND', 'FAILED'],
    ],
    [
      ['COLLECTION', 'SETTLED'],
      ['PAYOUT', 'FAILED'],
    ],
    [['COLLECTION', 'FAILED']],
  ],
};

/** The example's account in euros, and the rail that uses it. */
const ACCOUNT = 'main-eur';
const RAIL = 'SEPA';

/** The platform cancels one of so many last payments. */
const RECENT = 6;
const PLAYED_AT_ONCE = 10;

interface Payment extends OrderedPayout {
  readonly way: keyof typeof FATES;
  readonly steps: Step[];
}

describe('payments through faulty connectors', () => {
  const world = testWorld();
  const at = creditsByConnector(world);
  const random = new SeededRandom(SEED);
  const connectors: FaultyConnector[] = [];
  const payments: Payment[] = [];
  const credits = { claimed: 0, unclaimed: 0 };
  const workers: { process: MortalProcess; worker: ConnectorWorker }[] = [];
  const failures: unknown[] = [];
  let kills = 0;

  async function connect(language: 'python' | 'node', number: number): Promise<FaultyConnector> {
    const connector = await FaultyConnector.start(language, { seed: SEED + number, clock: world.clock });
    const about = { name: language, reason: 'test' };
    const made = await at.change((tx) => addConnector(tx, { ...about, url: connector.url }));
    await connector.learn({ id: made.keyId, secret: Buffer.from(made.secret, 'base64') });
    await at.change((tx) => setRoute(tx, { ...about, number, ...ANY_ORDER }));
    // Its settlement accounts are known, and have an owner, before its lines are cut.
    connector.isFaulty = false;
    await at.worker.round();
    const ownership = { ...about, settlementAccount: ACCOUNT, platformId: at.owner.id };
    await at.change((tx) => setOwner(tx, ownership));
    connector.isFaulty = true;
    return connector;
  }

  function startWorker() {
    const process = mortalProcess(world.app.runtime);
    const { runtime } = process;
    const worker = new ConnectorWorker({
      ...{ runtime, client: createConnectorClient(runtime) },
      // What a killed process could not do is of no interest.
      onFailure: (error) => process.isDead() || failures.push(error),
    });
    return { process, worker };
  }

  /** Both workers do what is due; now and then one of them is killed while it does, and another takes its place. */
  async function tick(seconds: number, killShare: number): Promise<void> {
    world.clock.advance(seconds * 1_000);
    const rounds = workers.map(({ worker, process }) =>
      worker.round().catch((error: unknown) => process.isDead() || failures.push(error)),
    );
    if (random.next() < killShare) {
      const index = random.between(0, workers.length - 1);
      for (let turns = random.between(0, 40); turns > 0; turns--) await turn();
      workers[index]?.process.kill();
      kills++;
      workers[index] = startWorker();
    }
    await Promise.all(rounds);
  }

  /** The banks take the next step with some orders. */
  async function playSome(share: number): Promise<void> {
    const chosen = payments.filter(({ steps }) => steps.length > 0 && random.next() <= share);
    for (let i = 0; i < chosen.length; i += PLAYED_AT_ONCE)
      await Promise.all(chosen.slice(i, i + PLAYED_AT_ONCE).map(playNext));
  }

  async function playNext({ reference: id, steps }: Payment): Promise<void> {
    const [[kind, state] = []] = steps;
    if (kind === undefined || state === undefined) return;
    const reference = orderReference(kind, id);
    for (const connector of connectors) {
      const order = await connector.find(reference);
      if (!order || order.state === 'CANCELLED') continue;
      await connector.play(reference, state);
      if ((await connector.find(reference))?.state === state) steps.shift();
    }
  }

  async function makeOne(): Promise<Payment> {
    const way = random.pick(['OUT', 'OUT', 'IN', 'THROUGH'] as const);
    const made = way === 'OUT' ? at.ordered() : at.pulled(way === 'IN' ? 'INSIDE' : 'OUTSIDE');
    return { ...(await made), way, steps: [...random.pick(FATES[way])] };
  }

  /** Money comes in that is for an account, or for nobody. */
  async function creditOne(): Promise<void> {
    const isClaimed = random.next() < 0.7;
    credits[isClaimed ? 'claimed' : 'unclaimed']++;
    const money = { settlementAccount: ACCOUNT, currency: 'EUR', rail: RAIL };
    await random.pick(connectors).credit({
      ...{ ...money, creditId: `credit ${at.next()}`, amount: String(random.between(1, 100_000)) },
      ...(isClaimed ? { accountId: at.account } : { remittance: 'whose is it' }),
    });
  }

  /** The platform cancels a payment, whose answer may be any. */
  async function cancelOne(): Promise<void> {
    const { id } = random.pick(payments.slice(-RECENT));
    const reply = await at.live.send('cancelTransaction', { params: { transactionId: id }, body: {} });
    assert.ok([200, 409, 503].includes(reply.status), reply.raw);
  }

  async function disturb(): Promise<void> {
    while (payments.length < PAYMENTS) {
      for (let i = random.between(1, 4); i > 0 && payments.length < PAYMENTS; i--)
        payments.push(await makeOne());
      if (random.next() < 0.8) await creditOne();
      await tick(random.between(1, 20), 0.2);
      await playSome(0.3);
      await world.app.worker.settle(at.live.id);
      if (random.next() < 0.5) await cancelOne();
    }
    for (let i = 0; i < 25; i++) {
      await tick(random.between(1, 120), 0.2);
      await playSome(0.3);
      await world.app.worker.settle(at.live.id);
    }
  }

  /** Lines and processes are sound again, and everything that is due happens. */
  async function recover(): Promise<void> {
    for (const connector of connectors) connector.isFaulty = false;
    while (payments.some(({ steps }) => steps.length > 0)) {
      const before = payments.reduce((sum, { steps }) => sum + steps.length, 0);
      for (let i = 0; i < 4; i++) await tick(400, 0);
      await playSome(1);
      await tick(6, 0);
      await world.app.worker.settle(at.live.id);
      // What was cancelled, or is with no connector, has no next step.
      if (payments.reduce((sum, { steps }) => sum + steps.length, 0) === before) break;
    }
    for (let i = 0; i < 8; i++) await tick(500, 0);
    await tick(86_400, 0);
    for (let i = 0; i < 4; i++) await tick(60, 0);
    await world.app.worker.settle(at.live.id);
  }

  /** The state of an order at the one bank that has it; undefined: no bank has it, or it is cancelled there. */
  async function stateOf({ reference: id }: Payment, kind: OrderKind): Promise<OrderState | undefined> {
    const reference = orderReference(kind, id);
    const orders = await Promise.all(connectors.map((connector) => connector.find(reference)));
    const alive = orders.filter((order) => order !== undefined && order.state !== 'CANCELLED');
    assert.ok(alive.length <= 1, `${reference} is at two banks`);
    return alive[0]?.state;
  }

  /** How a payment ends with the end of its last order. */
  const ENDS: Readonly<Partial<Record<OrderState, readonly string[]>>> = {
    SETTLED: ['COMPLETED'],
    RETURNED: ['FAILED'],
    FAILED: ['FAILED'],
  };
  /** It was cancelled, and its refund may not have ended; or no connector took it. */
  const CANCELLED = ['COMPLETED, refund COMPLETED', 'PROCESSING, refund PENDING', 'FAILED'];

  /** What the bank's book says about a payment, and the statuses that agree with it. */
  async function expectedOf(payment: Payment): Promise<readonly [string, readonly string[]]> {
    const collection = payment.way === 'OUT' ? 'SETTLED' : await stateOf(payment, 'COLLECTION');
    // It was cancelled by the platform, or failed because no connector took it.
    if (collection === undefined) return ['collected by no bank', ['FAILED']];
    const name = payment.way === 'OUT' ? '' : `collection ${collection}, `;
    if (payment.way === 'IN') return [name, ENDS[collection] ?? ['PENDING']];
    if (collection !== 'SETTLED') return [name, ENDS[collection] ?? ['PROCESSING']];
    const payout = await stateOf(payment, 'PAYOUT');
    if (payout === undefined) return [`${name}paid by no bank`, CANCELLED];
    return [`${name}payout ${payout}`, ENDS[payout] ?? ['PROCESSING']];
  }

  async function compare(): Promise<Record<string, number>> {
    const ends: Record<string, number> = {};
    for (const payment of payments) {
      const [says, expected] = await expectedOf(payment);
      // The platform reads no faster than it may.
      world.clock.advance(20);
      const [status, , refund] = await at.statusOf(payment.id);
      const is = refund === undefined || status === 'FAILED' ? (status ?? '') : `${status}, refund ${refund}`;
      assert.ok(
        expected.includes(is),
        `${payment.way} ${payment.reference} is ${is}, and the bank says ${says}`,
      );
      const end = `${payment.way} ${says}: ${is}`;
      ends[end] = 1 + (ends[end] ?? 0);
    }
    return ends;
  }

  /** The books have at each settlement account what the bank has: everything was booked once. */
  async function compareBooks(): Promise<void> {
    for (const [i, name] of ['python', 'node'].entries()) {
      const [row] = await world.database.query<{ net: string }>(sql`
        select coalesce(sum(l.amount), 0)::text as net from ledger_entries e
         cross join lateral unnest(e.accounts, e.amounts) as l (account, amount)
         where l.account = ${`RAIL:${RAIL}:${name}.${ACCOUNT}:EUR`}`);
      assert.equal(
        BigInt(row?.net ?? -1),
        connectors[i]?.position(ACCOUNT),
        `the books and the bank of ${name}`,
      );
    }
    const [count] = await world.database.query<{ claimed: string; unclaimed: string }>(sql`
      select count(transaction_id)::text as claimed, count(entry_id)::text as unclaimed from connector_credits`);
    assert.deepEqual(
      [Number(count?.claimed), Number(count?.unclaimed)],
      [credits.claimed, credits.unclaimed],
    );
  }

  it(`connectors.md §11.2: of ${PAYMENTS} payments, none moves money twice, and each ends as the bank's book says; each credit is booked once`, async (t) => {
    t.diagnostic(`CONNECTOR_SEED=${SEED} CONNECTOR_PAYMENTS=${PAYMENTS}`);
    // The connector that every test gets is not used.
    await at.change((tx) => removeRoute(tx, { number: 10, reason: 'test' }));
    try {
      connectors.push(await connect('python', 20), await connect('node', 30));
      workers.push(startWorker(), startWorker());
      await disturb();
      await recover();
      const ends = await compare();
      for (const connector of connectors)
        assert.deepEqual(
          connector.bookings().filter(({ count }) => count > 1),
          [],
        );
      await compareBooks();
      const breaks = await listBreaks(world.database.query, PAYMENTS);
      assert.deepEqual(
        breaks.filter(({ kind }) => kind !== 'THEIRS_UNMATCHED').map(({ what }) => what),
        [],
      );
      assert.equal(breaks.length, credits.unclaimed);
      assert.deepEqual(failures, []);
      t.diagnostic(JSON.stringify({ kills, credits, ends }));
      for (const connector of connectors) t.diagnostic(JSON.stringify(Object.fromEntries(connector.struck)));
    } finally {
      for (const connector of connectors) await connector.stop();
    }
  });
});
