// lane: first — kills connectors and workers under hundreds of calls

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { listBreaks } from '#capabilities/connectors/break-store.ts';
import { addConnector, removeRoute, setRoute } from '#capabilities/connectors/registry.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { FaultyConnector } from '#tests/connectors/faulty.ts';
import { type MortalProcess, mortalProcess } from '#tests/connectors/mortal.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { ANY_ORDER, type OrderedPayout, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { testWorld } from '#tests/harness/harness.ts';

const PAYMENTS = Number(process.env.CONNECTOR_PAYMENTS ?? 20);
const SEED = Number(process.env.CONNECTOR_SEED ?? 1);

/** What a bank does with an order, one step at a time. */
const FATES: readonly (readonly string[])[] = [
  ['SENT', 'SETTLED'],
  ['SETTLED'],
  ['HELD', 'SENT', 'SETTLED'],
  ['SENT', 'SETTLED', 'RETURNED'],
  ['FAILED'],
  ['SENT', 'FAILED'],
  ['SENT'],
  [],
];

/** The platform cancels one of so many last payments. */
const RECENT = 6;
const PLAYED_AT_ONCE = 10;

interface Payment extends OrderedPayout {
  readonly steps: string[];
}

describe('payments through faulty connectors', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const random = new SeededRandom(SEED);
  const connectors: FaultyConnector[] = [];
  const payments: Payment[] = [];
  const workers: { process: MortalProcess; worker: ConnectorWorker }[] = [];
  const failures: unknown[] = [];
  let kills = 0;

  async function connect(language: 'python' | 'node', number: number): Promise<FaultyConnector> {
    const connector = await FaultyConnector.start(language, { seed: SEED + number, clock: world.clock });
    const about = { name: language, reason: 'test' };
    const made = await at.change((tx) => addConnector(tx, { ...about, url: connector.url }));
    await connector.learn({ id: made.keyId, secret: Buffer.from(made.secret, 'base64') });
    await at.change((tx) => setRoute(tx, { ...about, number, ...ANY_ORDER }));
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

  async function playNext({ reference, steps }: Payment): Promise<void> {
    const [step = ''] = steps;
    for (const connector of connectors) {
      const order = await connector.find(reference);
      if (!order || order.state === 'CANCELLED') continue;
      await connector.play(reference, step);
      if ((await connector.find(reference))?.state === step) steps.shift();
    }
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
        payments.push({ ...(await at.ordered()), steps: [...random.pick(FATES)] });
      await tick(random.between(1, 20), 0.2);
      await playSome(0.3);
      if (random.next() < 0.5) await cancelOne();
    }
    for (let i = 0; i < 25; i++) {
      await tick(random.between(1, 120), 0.2);
      await playSome(0.3);
    }
  }

  /** Lines and processes are sound again, and everything that is due happens. */
  async function recover(): Promise<void> {
    for (const connector of connectors) connector.isFaulty = false;
    while (payments.some(({ steps }) => steps.length > 0)) {
      const before = payments.reduce((sum, { steps }) => sum + steps.length, 0);
      for (let i = 0; i < 4; i++) await tick(400, 0);
      await playSome(1);
      // What was cancelled, or is with no connector, has no next step.
      if (payments.reduce((sum, { steps }) => sum + steps.length, 0) === before) break;
    }
    for (let i = 0; i < 8; i++) await tick(500, 0);
    await tick(86_400, 0);
    for (let i = 0; i < 4; i++) await tick(60, 0);
    await world.app.worker.settle(at.live.id);
  }

  /** How a payment ends whose order the bank has in this state; undefined: no bank has it, or it is cancelled there. */
  function expectedOf(state: string | undefined): readonly string[] {
    if (state === 'SETTLED') return ['COMPLETED'];
    if (state === 'RETURNED' || state === 'FAILED') return ['FAILED'];
    if (state !== undefined) return ['PROCESSING'];
    // It was cancelled by the platform, or failed because no connector took it.
    return ['COMPLETED and refunded', 'FAILED'];
  }

  async function compare(): Promise<Record<string, number>> {
    const ends: Record<string, number> = {};
    for (const { id, reference } of payments) {
      const orders = await Promise.all(connectors.map((connector) => connector.find(reference)));
      const alive = orders.filter((order) => order !== undefined && order.state !== 'CANCELLED');
      assert.ok(alive.length <= 1, `${reference} is at two banks`);
      // The platform reads no faster than it may.
      world.clock.advance(20);
      const [status, , refund] = await at.statusOf(id);
      const is = status === 'COMPLETED' && refund !== undefined ? 'COMPLETED and refunded' : (status ?? '');
      const state = alive[0]?.state;
      assert.ok(expectedOf(state).includes(is), `${reference} is ${is}, and ${state} at the bank`);
      const end = `${state ?? 'at no bank'}: ${is}`;
      ends[end] = 1 + (ends[end] ?? 0);
    }
    return ends;
  }

  it(`connectors.md §11.2: of ${PAYMENTS} payments, none is paid twice, and each ends as the bank's book says`, async (t) => {
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
          connector.bookings().filter(({ reference, count }) => count > 1 && isReference(reference)),
          [],
        );
      const breaks = await listBreaks(world.database.query, 100);
      assert.deepEqual(
        breaks.map(({ what }) => what),
        [],
      );
      assert.deepEqual(failures, []);
      t.diagnostic(JSON.stringify({ kills, ends }));
      for (const connector of connectors) t.diagnostic(JSON.stringify(Object.fromEntries(connector.struck)));
    } finally {
      for (const connector of connectors) await connector.stop();
    }
  });
});

function isReference(text: string): boolean {
  return parseId('Transaction', text, 'any') !== undefined;
}
