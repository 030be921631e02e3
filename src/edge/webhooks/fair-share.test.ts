// lane: whole — thousands of webhooks

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordStatement } from '#edge/webhooks/store.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { ask, emit } from '#foundation/events/emit.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import type { Received, Receiver } from '#tests/harness/receiver.ts';

const BUSY = 'InternalAccount:busy';

describe('webhooks of a platform with a busy resource', () => {
  const world = outboxWorld();

  it('platform.md §4.2.4: 500 events of one account at a receiver that never answers delay no other resource, and no question', async () => {
    const { receiver, platform, heard } = await busyPlatform();
    await emitBusy(platform, 500);
    const worker = world.worker({ decisions: { approval: async () => undefined } });
    worker.start();
    await heard.first(BUSY);
    await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:1');
    await put(platform, 'Transaction:1');
    worker.wake();
    await Promise.all([heard.first('Customer:1'), heard.first('Transaction:1')]);
    assert.equal(busyOf(receiver).length, 1, 'the second of the account goes when the first was answered');
  });

  it('platform.md §4.2.4: nor do they if they came first, and more of them hang', async () => {
    const { platform, heard } = await busyPlatform();
    await emitBusy(platform, 1_200);
    for (let n = 0; n < 50; n++) await platform.emit('CUSTOMER.KYC_APPROVED', `Customer:${n}`);
    await put(platform, 'Transaction:1');
    const worker = world.worker({ slowAfterMs: 5, decisions: { approval: async () => undefined } });
    worker.start();
    await heard.first('Transaction:1');
    for (let n = 0; n < 50; n++) await heard.first(`Customer:${n}`);
    await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:later');
    await put(platform, 'Transaction:2');
    worker.wake();
    await Promise.all([heard.first('Customer:later'), heard.first('Transaction:2')]);
  });

  it('platform.md §4.2.3: hanging retries of one account delay neither retries nor first attempts of others', async () => {
    const { receiver, platform, heard } = await busyPlatform();
    receiver.answer({ status: 500 });
    await emitBusy(platform, 300);
    const other = await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:1');
    const worker = world.worker({ slowAfterMs: 5 });
    await worker.settle(platform.id);
    assert.equal((await platform.event(other)).attempts, 1);
    receiver.answer((delivery) => heard.answer(delivery));
    world.clock.advance(6_000);
    worker.start();
    await heard.first('Customer:1');
    await platform.emit('CUSTOMER.KYC_APPROVED', 'Customer:2');
    worker.wake();
    await heard.first('Customer:2');
  });

  it('platform.md §4.2.3: however many retries of one account are due, retries of others get their turn', async () => {
    const { platform, heard } = await busyPlatform();
    await emitBusy(platform, 1_200);
    await platform.write(async (tx) => {
      for (let n = 0; n < 700; n++) {
        const id = `Customer:${String(n).padStart(3, '0')}`;
        emit(tx, { type: 'CUSTOMER.KYC_APPROVED', resourceId: id, data: { id } });
      }
    });
    const ago = (ms: number) => new Date(world.clock.now() - ms);
    await world.database.query(sql`
      update events set attempts = 1, retries = 1, first_attempt_at = ${ago(60_000)},
             next_attempt_at = case when resource_id = ${BUSY} then ${ago(50_000)}::timestamptz else ${ago(1_000)} end
       where platform_id = ${platform.id}`);
    world.worker({ slowAfterMs: 60_000 }).start();
    for (const id of ['Customer:000', 'Customer:350', 'Customer:699']) await heard.first(id);
  });

  it('platform.md §4.2.3: due retries proceed as fast as they are answered, although a claim takes only half of its capacity for them', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await platform.write(async (tx) => {
      for (let n = 0; n < 200; n++) {
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
      }
    });
    const due = new Date(world.clock.now() - 1_000);
    await world.database.query(sql`
      update events set attempts = 1, retries = 1, first_attempt_at = ${due}, next_attempt_at = ${due}
       where platform_id = ${platform.id}`);
    const { deliverer } = world.worker();
    let asked = 0;
    deliverer.signal.raise = () => void asked++;
    await deliverer.step(platform.id, 60_000);
    assert.ok(receiver.received.length < 200);
    assert.ok(asked > 0, 'the next claim waits for nothing but the worker’s next look');
  });

  it('platform.md §4.4: a question is sent although all other attempts of the platform hang', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [stuck, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(({ body }) => {
      if (body.data.id === 'Transaction:1') asked.resolve();
      if (receiver.received.length === 64) stuck.resolve();
      return new Promise(() => undefined);
    });
    await platform.write(async (tx) => {
      for (let n = 0; n < 500; n++) {
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${n}`, data: { n } });
      }
    });
    const worker = world.worker({ slowAfterMs: 5, decisions: { approval: async () => undefined } });
    worker.start();
    await stuck.promise;
    await put(platform, 'Transaction:1');
    worker.wake();
    await asked.promise;
  });

  it('platform.md §4.4: a question does not overtake earlier events of its own resource', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    await platform.emit('INCOMING_PAYMENT.FAILED', 'Transaction:1', { n: 0 });
    await put(platform, 'Transaction:1');
    await world.worker({ decisions: { approval: async () => undefined } }).settle(platform.id);
    assert.deepEqual(receiver.types(), ['INCOMING_PAYMENT.FAILED', 'INCOMING_PAYMENT.PENDING']);
  });

  it('platform.md §4.2.4: with more resources than a claim takes, each gets its turn, older ones too while newer keep coming', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    // A machine that stops for some seconds must not look like a slow receiver, which gets fewer events at a time.
    const worker = world.worker({ slowAfterMs: 60_000 });
    // Of events that are due at one moment none is older.
    const emitRound = (round: number) => {
      world.clock.advance(1);
      return platform.write(async (tx) => {
        for (let n = 0; n < 700; n++) {
          const resourceId = `Card:${String(round).padStart(3, '0')}-${n}`;
          emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId, data: { id: resourceId } });
        }
      });
    };
    await emitRound(1);
    await worker.deliverer.step(platform.id, 60_000);
    // A resource before the walk's position, while the queue after it keeps growing.
    await platform.emit('CUSTOMER.KYC_APPROVED', 'A:1', { id: 'A:1' });
    for (let round = 2; !receiver.received.some(({ body }) => body.data.id === 'A:1'); round++) {
      await emitRound(round);
      await worker.deliverer.step(platform.id, 60_000);
      assert.ok(round < 20, 'the older resource waits for ever');
    }
    await worker.settle(platform.id);
    const ids = receiver.received.map(({ body }) => body.id);
    assert.equal(new Set(ids).size, (await platform.events()).length);
    assert.equal(ids.length, new Set(ids).size);
  });

  it('a claim reads as little with 20,000 events of one resource waiting as with 2,000', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const counts: number[] = [];
    // No fewer rows: with an index of a single page each claimed row would cost less.
    for (const count of [2_000, 20_000]) {
      await world.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at)
        select ${platform.id}, 'CARD.STATUS_CHANGE', ${BUSY}, '{}', ${new Date(world.clock.now())}
          from generate_series(1, ${count}::integer)`);
      for (let n = 0; n < 20; n++) await platform.emit('CUSTOMER.KYC_APPROVED', `Customer:${n}`);
      for (const table of ['events', 'webhook_queues'])
        await world.database.query(sql`vacuum analyze ${rawSql(table)}`);
      counts.push(await blocksOfClaim(platform));
      for (const table of ['events', 'webhook_queues']) {
        await world.database.query(sql`delete from ${rawSql(table)}`);
        await world.database.query(sql`vacuum ${rawSql(table)}`);
      }
    }
    const [few, many] = counts as [number, number];
    assert.ok(many <= 1.5 * few, `${many} blocks instead of ${few}`);
  });

  it('decision 0004: a record costs the same with 20,000 events, although its plan was made when there were none', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const database = openDatabase({ url: world.databaseUrl, connectionsMax: 1, ...PATIENCE });
    const record = (id: EventId) => {
      const event = { platform_id: platform.id, id, resource_id: 'Card:1', lease: { owner: newUuid() } };
      const at = new Date(world.clock.now());
      return recordStatement(at, [{ event, attempt: 1, outcome: 'DELIVERED', delayMs: 0 }]);
    };
    for (let n = 0; n < 10; n++) await database.query(record(newUuid()));
    await world.database.query(sql`
      insert into events (platform_id, type, resource_id, facts, created_at)
      select ${platform.id}, 'CARD.STATUS_CHANGE', ${BUSY}, '{}', ${new Date(world.clock.now())}
        from generate_series(1, 20000)`);
    const id = await platform.emit('CARD.STATUS_CHANGE', 'Card:1');
    const [row] = await database.query<Explained>(sql`explain (analyze, buffers, format json) ${record(id)}`);
    await database.close();
    assert.equal((await platform.event(id)).state, 'DELIVERED');
    assert.ok(blocksOf(row) <= 150, `${blocksOf(row)} blocks`);
  });

  it('decision 0004: settling reads neither other queues nor delivered events, although its plan was made when there were few', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const database = openDatabase({ url: world.databaseUrl, connectionsMax: 1, ...PATIENCE });
    const [owner, now] = [newUuid(), new Date(world.clock.now())];
    const lease = (...resources: string[]) =>
      world.database.query(sql`
        update webhook_queues set lease_owner = ${owner}, leased_until = ${now}
         where platform_id = ${platform.id} and resource_id = any(${resources}::text[])`);
    const settle = (...resources: string[]) => sql`select * from settle_webhooks(
      ${now}::timestamptz, ${resources.map(() => platform.id)}::uuid[], ${resources}::text[],
      ${resources.map(() => owner)}::uuid[])`;
    const addEvents = (resource: Sql, count: number, state: 'PENDING' | 'DELIVERED') =>
      world.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at, state, finished_at)
        select ${platform.id}, 'CARD.STATUS_CHANGE', ${resource}, '{}', ${now}, ${state},
               case when ${state} <> 'PENDING' then ${now}::timestamptz end
          from generate_series(1, ${count}::integer) n`);
    await addEvents(sql`'Card:' || n`, 30, 'DELIVERED');
    await addEvents(sql`'Card:' || n`, 30, 'PENDING');
    for (const table of ['events', 'webhook_queues'])
      await world.database.query(sql`vacuum analyze ${rawSql(table)}`);
    // The connection keeps the plans that it makes now.
    for (let n = 10; n < 20; n++) {
      await lease(`Card:${n}`);
      await database.query(settle(`Card:${n}`, 'Card:unknown'));
    }
    await addEvents(sql`${BUSY}`, 10_000, 'DELIVERED');
    await addEvents(sql`'Account:' || n`, 5_000, 'PENDING');
    await world.database.query(sql`
      insert into webhook_queues (platform_id, resource_id, lane, due_at)
      values (${platform.id}, ${BUSY}, 'FIRST', ${now})`);
    await lease(BUSY, 'Card:1');
    const [row] = await database.query<Explained>(
      sql`explain (analyze, buffers, format json) ${settle(BUSY, 'Card:1', 'Card:unknown')}`,
    );
    await database.close();
    const left = await world.database.query<{ resource_id: string; lease_owner: string | null }>(sql`
      select resource_id, lease_owner from webhook_queues
       where platform_id = ${platform.id} and resource_id in (${BUSY}, 'Card:1')`);
    assert.deepEqual(left, [{ resource_id: 'Card:1', lease_owner: null }]);
    assert.ok(blocksOf(row) <= 100, `${blocksOf(row)} blocks`);
  });

  async function busyPlatform() {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const arrivals = new Map<string, PromiseWithResolvers<void>>();
    const arrival = (id: string) => {
      const known = arrivals.get(id) ?? Promise.withResolvers<void>();
      arrivals.set(id, known);
      return known;
    };
    const heard = {
      first: (id: string) => arrival(id).promise,
      answer({ body }: Received): { status: number } | Promise<never> {
        arrival(String(body.data.id)).resolve();
        return body.data.id === BUSY ? new Promise<never>(() => undefined) : { status: 200 };
      },
    };
    receiver.answer((delivery) => heard.answer(delivery));
    return { receiver, platform, heard };
  }

  function emitBusy(platform: OutboxPlatform, count: number): Promise<void> {
    return platform.write(async (tx) => {
      for (let n = 0; n < count; n++) {
        emit(tx, { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', resourceId: BUSY, data: { id: BUSY, n } });
      }
    });
  }

  function put(platform: OutboxPlatform, resourceId: string): Promise<string> {
    const question = { type: 'INCOMING_PAYMENT.PENDING', resourceId, data: { id: resourceId } } as const;
    return platform.write(async (tx) => ask(tx, { ...question, decision: 'approval' }));
  }

  function busyOf(receiver: Receiver): Received[] {
    return receiver.received.filter(({ body }) => body.data.id === BUSY);
  }

  /** The blocks that a claim of the platform reads, after its plans are made. */
  async function blocksOfClaim(platform: OutboxPlatform): Promise<number> {
    return world.database.transaction(async (run) => {
      const now = new Date(world.clock.now());
      const claim = sql`select * from claim_webhooks(
        ${now}::timestamptz, ${now}::timestamptz, ${newUuid()}, ${[platform.id]}::uuid[], '{128}', '{128}', '{64}',
        1024, interval '5 seconds', '[]')`;
      await run(claim);
      const [row] = await run<Explained>(sql`explain (analyze, buffers, format json) ${claim}`);
      const plan = row?.['QUERY PLAN'][0].Plan ?? {};
      assert.equal(plan['Actual Rows'], 27, `the plan was ${JSON.stringify(plan)} for ${platform.id}`);
      return blocksOf(row);
    });
  }
});

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Readonly<Record<string, number>> }];
}

/** The blocks that an explained statement has read. */
function blocksOf(explained: Explained | undefined): number {
  const plan = explained?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}
