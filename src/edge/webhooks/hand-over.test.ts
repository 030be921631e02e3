import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import { rotateWebhookKey } from '#capabilities/platform/webhook-keys.ts';
import { Deliverer, type DelivererOptions } from '#edge/webhooks/deliverer.ts';
import type { HandOver } from '#edge/webhooks/hand-over.ts';
import { createCommit } from '#foundation/database/commit.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { compile, type Sql, sql } from '#foundation/database/sql.ts';
import { Change, type Runtime, type Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { ask, emit, emitFacts, emitTest } from '#foundation/events/emit.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { startOutboxChild } from '#tests/given/outbox-child.ts';
import { openDatabaseProxy } from '#tests/harness/database-proxy.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

const LEASE_MS = 7_000;

describe('webhooks that a commit hands to its own process', () => {
  const world = outboxWorld();
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('platform.md §4.2.1: an event is sent without a claim, and recorded and settled in one round trip', async () => {
    const { platform, receiver, own } = await ready();
    const before = own.statements.length;
    const id = await own.emit(platform, 'Card:1', { n: 1 });
    await nothingLeased();
    assert.deepEqual(numbers(receiver), [1]);
    assert.deepEqual(await states(platform), ['DELIVERED', 'DELIVERED']);
    assert.equal((await platform.attempts(id)).length, 1);
    assert.deepEqual(await queues(), []);
    const [lookUp, record, settle, ...more] = own.statements.slice(before);
    assert.match(lookUp ?? '', /from platforms p left join platform_configs/);
    assert.match(record ?? '', /record_webhooks/);
    assert.match(settle ?? '', /settle_webhooks/);
    assert.deepEqual(more, []);
  });

  it('platform.md §4.2.1: an event of a platform that the process has forgotten is left to a claim, and is not lost', async () => {
    const { platform, receiver, own } = await ready();
    const taker = own.runtime.outbox.taker as HandOver;
    const hung = hang(receiver);
    const first = await own.emit(platform, 'Card:1', { n: 1 });
    await hung.arrived;
    // A later event of a resource whose queue is leased, and an event whose commit leases a queue.
    taker.learn(platform.id, undefined);
    await own.emit(platform, 'Card:1', { n: 2 });
    taker.learn(platform.id, 'SANDBOX');
    await own.write(platform, async (tx) => {
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:2', data: { n: 3 } });
      await tx.flush();
      taker.learn(platform.id, undefined);
    });
    hung.end();
    // The first result is recorded before leases expire, otherwise another claim would send the event again.
    while ((await platform.attempts(first)).length === 0) await turn();
    while ((await states(platform)).includes('PENDING')) {
      world.clock.advance(LEASE_MS);
      await own.deliverer.step(platform.id, 2_000);
    }
    assert.deepEqual([...new Set(numbers(receiver))].toSorted(), [1, 2, 3]);
    assert.deepEqual(await queues(), []);
  });

  it('platform.md §4.2.1: so are events that are committed together with those of other callers', async () => {
    const { platform, receiver, own } = await ready();
    const work = await own.work(platform);
    const commits = Array.from({ length: 20 }, (_, n) =>
      work.read((tx) => {
        const change = new Change(tx);
        emit(change, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
        return own.runtime.commit(change);
      }),
    );
    assert.deepEqual(new Set(await Promise.all(commits)), new Set([undefined]));
    await nothingLeased();
    assert.deepEqual(new Set(numbers(receiver)), new Set(Array.from({ length: 20 }, (_, n) => n)));
    assert.deepEqual([own.claims(), await queues()], [0, []]);
  });

  it('decision 0004: facts are rendered from memory, and stored with the record', async () => {
    const { platform, receiver, own } = await ready({
      renderers: { CARD: async (_tx, events) => events.map(({ facts }) => ({ n: 7, ...(facts as object) })) },
    });
    await own.write(platform, async (tx) =>
      emitFacts(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', facts: { of: 'Card:1' } }),
    );
    await nothingLeased();
    assert.deepEqual(receiver.received.at(-1)?.body.data, { n: 7, of: 'Card:1' });
    const last = (await platform.events()).at(-1);
    assert.deepEqual([last?.state, last?.facts, own.claims()], ['DELIVERED', null, 0]);
  });

  it('platform.md §4.2.4: events of later commits follow in order, without a claim, while the first is in flight', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    await own.emit(platform, 'Card:1', { n: 0 });
    await hung.arrived;
    for (let n = 1; n < 6; n++) await own.emit(platform, 'Card:1', { n });
    hung.end();
    await nothingLeased();
    assert.deepEqual(numbers(receiver), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual([own.claims(), await queues()], [0, []]);
  });

  it('platform.md §4.2.4: an event of another process is sent between those of this one, in order', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    await own.emit(platform, 'Card:1', { n: 0 });
    await hung.arrived;
    await (await process()).emit(platform, 'Card:1', { n: 1 });
    await own.emit(platform, 'Card:1', { n: 2 });
    assert.equal(own.wakes(), 1, 'the last one is left to a claim');
    hung.end();
    await nothingLeased();
    assert.deepEqual(numbers(receiver), [0], 'it knows that it has not all of them');
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(receiver), [0, 1, 2]);
    await own.emit(platform, 'Card:1', { n: 3 });
    await nothingLeased();
    assert.deepEqual([numbers(receiver), own.claims()], [[0, 1, 2, 3], 1]);
  });

  it('platform.md §4.2.4: the events of a claim are followed from memory, if the claim took all of them', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    await (await process()).emit(platform, 'Card:1', { n: 0 });
    const stepping = own.deliverer.step(platform.id, 60_000);
    await hung.arrived;
    await own.emit(platform, 'Card:1', { n: 1 });
    hung.end();
    await stepping;
    assert.deepEqual([numbers(receiver), own.claims(), await queues()], [[0, 1], 1, []]);
  });

  it('platform.md §4.2.4: a commit does not overtake the events of a claim that has just ended', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const steps = { afterClaim: async () => {}, beforeSettling: async () => {}, onRecorded: () => {} };
    const database: Runtime['database'] = {
      ...world.database,
      async query(piece) {
        const { text } = compile(piece);
        if (text.includes('settle_webhooks(')) await steps.beforeSettling();
        const rows = await world.database.query<never>(piece);
        if (text.includes('claim_webhooks(')) await steps.afterClaim();
        return rows;
      },
      async commit(pieces) {
        await world.database.commit(pieces);
        steps.onRecorded();
      },
    };
    const own = await process({ database });
    await own.learn(platform);
    receiver.received.splice(0);
    // Under the lease of a retry, a claim takes further events. It is settled after the claim, if the retry ends meanwhile.
    receiver.answer({ status: 500 });
    await own.emit(platform, 'Card:1', { n: 0 });
    await nothingLeased();
    const hung = hang(receiver);
    world.clock.advance(6_000);
    const stepping = own.deliverer.step(platform.id, 60_000);
    await hung.arrived;
    await (await process()).emit(platform, 'Card:2', { n: 1 });
    const recorded = Promise.withResolvers<void>();
    steps.onRecorded = recorded.resolve;
    steps.afterClaim = async () => {
      hung.end();
      await recorded.promise;
      await turn();
    };
    let isSettled = false;
    steps.beforeSettling = async () => {
      if (!isSettled) await own.emit(platform, 'Card:2', { n: 2 });
      isSettled = true;
    };
    await own.deliverer.step(platform.id, 60_000);
    await stepping;
    // If the first event of the resource is recorded already, the second one is left to a claim.
    while ((await states(platform)).includes('PENDING')) await own.deliverer.step(platform.id, 60_000);
    assert.ok(isSettled, 'a commit came between the end of the claim and its last step');
    assert.deepEqual(numbers(receiver), [0, 0, 1, 2]);
  });

  it('platform.md §4.2.4: with two processes that commit and send, everything arrives once, in order for each resource', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const pair = [await process(), await process()];
    for (const { poll } of pair) poll();
    await Promise.all(
      Array.from({ length: 240 }, async (_, i) => {
        const resource = `Card:${i % 6}`;
        await pair[i % 2]?.write(platform, async (tx) => {
          // As a real commit, which locks the resource that it changes before it inserts the event.
          await tx.sql`select pg_advisory_xact_lock(hashtext(${resource}))`;
          emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: resource, data: { id: resource } });
        });
      }),
    );
    await receiver.until((received) => received.length >= 240);
    await nothingLeased();
    const emitted = (await platform.events()).map(({ id }) => `Webhook:${id}`);
    const sent = receiver.received.map(({ body }) => ({ id: body.id, resource: body.data.id }));
    assert.equal(new Set(sent.map(({ id }) => id)).size, 240);
    assert.equal(sent.length, 240, 'an event was sent twice');
    for (let n = 0; n < 6; n++) {
      const own = sent.filter(({ resource }) => resource === `Card:${n}`).map(({ id }) => id);
      assert.deepEqual(
        own,
        emitted.filter((id) => own.includes(id)),
      );
    }
  });

  it('platform.md §4.2.1: a commit that waits while the last event is recorded is sent, from whatever side', async () => {
    const { platform, receiver, own } = await ready();
    for (let round = 0; round < 30; round++) {
      const hung = hang(receiver);
      await own.emit(platform, 'Card:1', { n: 2 * round });
      await hung.arrived;
      hung.end();
      // Its commit meets the record of the first one sooner or later.
      for (let turns = 0; turns < round; turns++) await turn();
      await own.emit(platform, 'Card:1', { n: 2 * round + 1 });
      await nothingLeased();
      while ((await queues()).length > 0) await own.deliverer.step(platform.id, 5_000);
    }
    assert.deepEqual(
      numbers(receiver),
      Array.from({ length: 60 }, (_, n) => n),
    );
  });

  it('platform.md §4.2.3: a failed attempt is retried by a claim', async () => {
    const { platform, receiver, own } = await ready();
    receiver.answer({ status: 500 });
    await own.emit(platform, 'Card:1', { n: 1 });
    await nothingLeased();
    assert.deepEqual(await queues(), [{ resource_id: 'Card:1', lane: 'RETRY', is_leased: false }]);
    receiver.answer({ status: 200 });
    await own.emit(platform, 'Card:1', { n: 2 });
    assert.deepEqual(numbers(receiver), [1], 'the queue was there already');
    world.clock.advance(6_000);
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(receiver).sort(), [1, 1, 2]);
    assert.deepEqual([await states(platform), await queues()], [['DELIVERED', 'DELIVERED', 'DELIVERED'], []]);
  });

  it('platform.md §4.2.1: events of a process that is killed between commit and send are sent when its lease ends', async () => {
    const { platform, receiver } = await ready();
    const child = await startOutboxChild(world);
    closers.push(() => child.end());
    // It learns the endpoint by a claim.
    await platform.write(async (tx) => schedule(tx, { kind: 'notify', afterMs: 0, payload: { n: 0 } }));
    await receiver.until((received) => received.some(({ body }) => body.data.n === 0));
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    closers.push(() => client.end());
    while ((await queues()).length > 0) await turn();
    await client.query('begin');
    await client.query('lock table platform_configs in access exclusive mode');
    await platform.write(async (tx) => schedule(tx, { kind: 'notify', afterMs: 0, payload: { n: 1 } }));
    while ((await queues()).length === 0) await turn();
    await untilBlocked(world.databaseUrl);
    await child.end();
    await client.query('rollback');
    const other = await process();
    assert.deepEqual(await queues(), [{ resource_id: 'Card:1', lane: 'FIRST', is_leased: true }]);
    assert.equal((await other.deliverer.step(platform.id, 100)).done, 0);
    world.clock.advance(LEASE_MS);
    await other.deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(receiver), [0, 1]);
  });

  it('platform.md §4.2.1: a commit whose answer was lost is sent once, when its lease ends', async () => {
    const { platform, receiver } = await ready();
    const proxy = await openDatabaseProxy(world.databaseUrl);
    const database = openDatabase({ url: proxy.url, connectionsMax: 5, ...PATIENCE });
    closers.push(() => proxy.close());
    closers.push(() => database.close());
    const cut = await process({ database });
    await cut.learn(platform);
    receiver.received.splice(0);
    proxy.loseNextCommit();
    await assert.rejects(cut.emit(platform, 'Card:1', { n: 1 }));
    assert.deepEqual(await queues(), [{ resource_id: 'Card:1', lane: 'FIRST', is_leased: true }]);
    assert.equal((await cut.deliverer.step(platform.id, 100)).done, 0);
    world.clock.advance(LEASE_MS);
    await cut.deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(receiver), [1]);
    assert.deepEqual([await states(platform), await queues()], [['DELIVERED', 'DELIVERED', 'DELIVERED'], []]);
  });

  it('platform.md §4.2.1: nothing is sent for a commit that was refused or rolled back', async () => {
    const { platform, receiver, own } = await ready();
    const undone = own.write(platform, async (tx) => {
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { n: 1 } });
      await tx.flush();
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await own.emit(platform, 'Card:2', { n: 2 });
    await nothingLeased();
    assert.deepEqual(numbers(receiver), [2]);
  });

  it('platform.md §4.2.5, §4.1.6: an event goes to the endpoint, and has the signature, that its own commit sets', async () => {
    const { platform, receiver, own } = await ready();
    const present = await world.receiver();
    let key = '';
    await own.write(platform, async (tx) => {
      const sealed = tx.vault.seal(present.url, endpointContext(tx.platformId));
      await tx.sql`update platform_configs set webhook_endpoint = ${sealed} where platform_id = ${tx.platformId}`;
      const [made] = await rotateWebhookKey(tx, { immediately: true });
      key = String(made?.id);
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: { n: 1 } });
    });
    await nothingLeased();
    assert.deepEqual([numbers(receiver), numbers(present)], [[], [1]]);
    assert.equal(present.received[0]?.headers['x-svc-signature-key-id'], key);
  });

  it('platform.md §4.2.5: an event after the endpoint was removed is skipped, and further ones are left to claims', async () => {
    const { platform, receiver, own } = await ready();
    await platform.setEndpoint(null);
    await own.emit(platform, 'Card:1', { n: 1 });
    await nothingLeased();
    await own.emit(platform, 'Card:2', { n: 2 });
    assert.deepEqual(await queues(), [
      { resource_id: 'Card:1', lane: 'FIRST', is_leased: false },
      { resource_id: 'Card:2', lane: 'FIRST', is_leased: false },
    ]);
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual(await states(platform), ['DELIVERED', 'SKIPPED', 'SKIPPED']);
    assert.deepEqual([numbers(receiver), await queues()], [[], []]);
  });

  it('platform.md §4.2.3, §4.4: events that are sent only once are left to claims', async () => {
    const { platform, own } = await ready({ decisions: { approval: async () => undefined } });
    const question = { type: 'INCOMING_PAYMENT.PENDING', resourceId: 'Transaction:1', data: {} } as const;
    await own.write(platform, async (tx) => {
      ask(tx, { ...question, decision: 'approval' });
      emitTest(tx);
      emit(tx, { type: 'INCOMING_PAYMENT.FAILED', resourceId: 'Transaction:1', data: {} });
    });
    assert.deepEqual([own.wakes(), (await queues()).map(({ is_leased }) => is_leased)], [2, [false, false]]);
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual(new Set(await states(platform)), new Set(['DELIVERED']));
  });

  it('platform.md §4.2.4: what a busy receiver has no room for is left to claims', async () => {
    const { platform, receiver, own } = await ready();
    const room = 512;
    const hung = hang(receiver, room);
    const emitMany = (from: number, count: number) =>
      own.write(platform, async (tx) => {
        for (let n = from; n < from + count; n++)
          emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
      });
    await emitMany(0, room);
    await emitMany(room, 1);
    await emitMany(1_000, room + 1);
    const waiting = (await queues()).filter(({ is_leased }) => !is_leased).length;
    assert.deepEqual([waiting, own.wakes()], [room + 2, room + 2]);
    hung.end();
    await nothingLeased();
    while ((await own.deliverer.step(platform.id, 5_000)).done > 0);
    assert.equal(new Set(numbers(receiver)).size, 2 * room + 2);
    assert.equal(receiver.received.length, 2 * room + 2);
  });

  it('platform.md §4.2.4: a resource has at most sixteen events in memory, and the rest follows in order', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    for (let n = 0; n < 20; n++) await own.emit(platform, 'Card:1', { n });
    await hung.arrived;
    assert.equal(own.wakes(), 4);
    hung.end();
    await nothingLeased();
    assert.equal(receiver.received.length, 16);
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual(
      numbers(receiver),
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  it('platform.md §4.2.1: events that a stopping process has not sent are free at once for others', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    await own.emit(platform, 'Card:1', { n: 0 });
    await own.emit(platform, 'Card:1', { n: 1 });
    await hung.arrived;
    const drained = own.deliverer.drain(5_000);
    await own.emit(platform, 'Card:2', { n: 2 });
    hung.end();
    await drained;
    assert.deepEqual(
      (await queues()).map(({ resource_id, is_leased }) => [resource_id, is_leased]),
      [
        ['Card:1', false],
        ['Card:2', false],
      ],
    );
    await (await process()).deliverer.step(platform.id, 5_000);
    assert.deepEqual(numbers(receiver).sort(), [0, 1, 2]);
  });

  it('an event that is inserted by hand has a queue, and does not count as known', async () => {
    const { platform, receiver, own } = await ready();
    const hung = hang(receiver);
    await own.emit(platform, 'Card:1', { n: 0 });
    await hung.arrived;
    const payload = world.runtime.vault.seal(
      '{"n":1}',
      'events.payload:00000000-0000-7000-8000-000000000001',
    );
    await world.database.query(sql`
      insert into events (platform_id, id, type, resource_id, payload, created_at)
      values (${platform.id}, '00000000-0000-7000-8000-000000000001', 'CARD.STATUS_CHANGE', 'Card:1', ${payload},
              ${new Date(world.clock.now())})`);
    await own.emit(platform, 'Card:1', { n: 2 });
    hung.end();
    await nothingLeased();
    await own.deliverer.step(platform.id, 5_000);
    assert.deepEqual([numbers(receiver), await queues()], [[0, 1, 2], []]);
  });

  /** A platform, and a process that has learned its endpoint by a claim. It never looks for work by itself. */
  async function ready(options: Partial<DelivererOptions> = {}) {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const own = await process({ options });
    await own.learn(platform);
    receiver.received.splice(0);
    return { platform, receiver, own };
  }

  interface ProcessParts {
    readonly database?: Runtime['database'];
    readonly options?: Partial<DelivererOptions>;
  }

  /** A process of its own on the same database, as far as commits and webhooks are concerned. */
  async function process({ database = world.database, options }: ProcessParts = {}) {
    const statements: string[] = [];
    const noted = (piece: Sql): Sql => {
      statements.push(compile(piece).text);
      return piece;
    };
    const observed: Runtime['database'] = {
      ...database,
      query: (piece) => database.query(noted(piece)),
      lookUp: (piece) => database.lookUp(noted(piece)),
      commit: (pieces) => database.commit(pieces.map(noted)),
    };
    const outbox = {};
    const runtime: Runtime = {
      ...{ ...world.runtime, database: observed, outbox },
      commit: createCommit(database, () => undefined, outbox),
    };
    const onError = (error: unknown) => void world.errors.push(error);
    const deliverer = new Deliverer(runtime, {
      names: wireNames('Svc'),
      random: () => 0.5,
      onError,
      ...options,
    });
    deliverer.start();
    closers.push(() => deliverer.drain(100));
    let woken = 0;
    const raise = deliverer.signal.raise.bind(deliverer.signal);
    deliverer.signal.raise = () => {
      woken++;
      raise();
    };
    const work = async (platform: OutboxPlatform) =>
      new Work(runtime, (await platform.work()).platform, ACTOR);
    const write = async <T>(platform: OutboxPlatform, steps: (tx: Tx) => Promise<T>) =>
      (await work(platform)).write(steps);
    const emitOwn = (platform: OutboxPlatform, resourceId: string, data: object) =>
      write(platform, async (tx) => {
        const id = emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId, data });
        return id.slice('Webhook:'.length);
      });
    const claims = () => statements.filter((text) => text.includes('claim_webhooks(')).length;
    return {
      ...{ runtime, deliverer, statements, work, write, emit: emitOwn },
      /** Since the process has learned of its platform. */
      claims,
      wakes: () => woken,
      async learn(platform: OutboxPlatform) {
        await emitOwn(platform, 'Card:learned', {});
        await deliverer.step(platform.id, 5_000);
        statements.splice(0);
        woken = 0;
      },
      /** Looks for work, as a started worker does. */
      poll() {
        let isStopped = false;
        const looking = (async () => {
          while (!isStopped) {
            await deliverer.pump();
            await deliverer.signal.wait(10);
          }
        })();
        closers.push(async () => {
          isStopped = true;
          await looking;
        });
      },
    };
  }

  /** Holds the first answer, or this many of the first ones, back. */
  function hang(receiver: Receiver, count = 1) {
    const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let seen = 0;
    receiver.answer(async () => {
      if (++seen <= count) {
        arrived.resolve();
        await ended.promise;
      }
      return { status: 200 };
    });
    return { arrived: arrived.promise, end: ended.resolve };
  }

  function numbers(receiver: Receiver): number[] {
    return receiver.received.map(({ body }) => Number(body.data.n));
  }

  async function states(platform: OutboxPlatform): Promise<string[]> {
    return (await platform.events()).map(({ state }) => state);
  }

  /** Waits until no process has events in hand. */
  async function nothingLeased(): Promise<void> {
    while ((await queues()).some(({ is_leased }) => is_leased)) await turn();
  }

  function queues(): Promise<{ resource_id: string; lane: string; is_leased: boolean }[]> {
    return world.database.query(sql`
      select resource_id, lane, lease_owner is not null as is_leased from webhook_queues order by resource_id`);
  }
});

const ACTOR = { kind: 'operator', id: 'test' } as const;
