import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { readAttempts, readEvent } from '#edge/webhooks/log.ts';
import { responseContext } from '#edge/webhooks/send-event.ts';
import { PersonErased, readReferences } from '#foundation/crypto/person-seal.ts';
import { openVault } from '#foundation/crypto/vault.ts';
import { sql } from '#foundation/database/sql.ts';
import { emit, payloadContext } from '#foundation/events/emit.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { describing } from '#foundation/person-keys/people.ts';
import type { PersonKeys } from '#foundation/person-keys/person-keys.ts';
import { type OutboxPlatform, outboxWorld } from '#tests/harness/outbox-world.ts';
import { givenProxiedKeys } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('events under the keys of people', () => {
  const world = outboxWorld();

  async function otherProcess(context: TestContext) {
    const other = await givenProxiedKeys(world.database, openVault(world.vaultKeys), world.clock);
    context.after(() => other.close());
    return other;
  }
  const peopleOf = (sealed: Buffer | null) =>
    readReferences(sealed ?? Buffer.alloc(0)).map(({ person }) => person);
  const about = (customerId: string) => ({ id: 'Card:1', customerId: `Customer:${customerId}`, name: 'Ada' });
  const erase = (platform: OutboxPlatform, person: string) =>
    (world.runtime.personKeys as PersonKeys).erase(platform.id, [person]);

  it('decision 0039: the data is sealed for the customers whom it names by id or describes, and for nobody else', async () => {
    const platform = await world.platform();
    const [ada, bob, eve] = [newUuid(), newUuid(), newUuid()];
    const seal = async (data: object) => {
      const id = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', data);
      return peopleOf((await platform.event(id)).payload);
    };
    const named = { id: `Customer:${ada}`, source: { customerId: `Customer:${bob}` } };
    assert.deepEqual(await seal(named), [ada, bob].toSorted());
    assert.deepEqual(await seal(describing({ inviterUma: '$ada@x' }, [ada, null])), [ada]);
    const written = {
      memo: `Customer:${eve}`,
      note: `"id":"Customer:${eve}"`,
      platformCustomerId: `Customer:${eve}`,
    };
    assert.deepEqual(await seal(written), []);
  });

  it('platform.md §4.2: events under a data key and under the keys of people are delivered by another process', async (context) => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const data = about(newUuid());
    const before = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', data);
    const payload = world.runtime.vault.seal(JSON.stringify(data), payloadContext(before));
    await world.database.query(sql`update events set payload = ${payload} where id = ${before}`);
    await platform.emit('CARD.STATUS_CHANGE', 'Card:2', data);
    const other = await otherProcess(context);
    await world.worker({ sealing: other }).settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data),
      [data, data],
    );
  });

  it('platform.md §4.2.5: an event that describes an erased person is skipped, and the others are delivered', async (context) => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [ada, bob] = [newUuid(), newUuid()];
    const erased = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', about(ada));
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', about(bob));
    await erase(platform, ada);
    const other = await otherProcess(context);
    await world.worker({ sealing: other }).settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data),
      [about(bob)],
    );
    const { state, next_attempt_at } = await platform.event(erased);
    assert.deepEqual({ state, next_attempt_at }, { state: 'SKIPPED', next_attempt_at: null });
    assert.deepEqual(await platform.attempts(erased), []);
    const work = await platform.work();
    const shown = await work.read((tx) => readEvent(tx, {}, `Webhook:${erased}`));
    assert.deepEqual(shown.data, {});
  });

  it('decision 0039: an event that mentions an erased person is sealed for the others', async () => {
    const platform = await world.platform();
    const [ada, bob] = [newUuid(), newUuid()];
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', about(ada));
    await erase(platform, ada);
    const data = { customerId: `Customer:${bob}`, source: { customerId: `Customer:${ada}` } };
    const id = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', data);
    assert.deepEqual(peopleOf((await platform.event(id)).payload), [bob]);
  });

  it('decision 0039: a process fetches the keys of all claimed events in one trip', async (context) => {
    const receiver = await world.receiver();
    const platforms = [
      await world.platform({ endpoint: receiver.url }),
      await world.platform({ endpoint: receiver.url }),
    ];
    for (let n = 0; n < 20; n++) {
      await platforms[n % 2]?.emit('CARD.STATUS_CHANGE', `Card:${n}`, about(newUuid()));
    }
    const other = await otherProcess(context);
    const tripsBefore = other.proxy.passed.trips;
    await world.worker({ sealing: other }).deliverer.pump();
    await receiver.until((received) => received.length === 20);
    assert.equal(other.proxy.passed.trips - tripsBefore, 1);
  });

  it('platform.md §4.2.3a: while the database of keys is away, an event that needs one waits without an attempt, and others go on', async (context) => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const waiting = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', about(newUuid()));
    await platform.emit('CARD.STATUS_CHANGE', 'Card:1', { id: 'Card:1', n: 2 });
    await platform.emit('CARD.STATUS_CHANGE', 'Card:2', { id: 'Card:2' });
    const other = await otherProcess(context);
    other.proxy.refuse();
    const worker = world.worker({ sealing: other });
    await worker.deliverer.pump();
    await receiver.until((received) => received.length > 0);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data.id),
      ['Card:2'],
    );
    const { state, attempts } = await platform.event(waiting);
    assert.deepEqual({ state, attempts }, { state: 'PENDING', attempts: 0 });
    other.proxy.recover();
    await worker.settle();
    assert.deepEqual(
      receiver.received.map(({ body }) => [body.data.id, body.data.n]),
      [
        ['Card:2', undefined],
        ['Card:1', undefined],
        ['Card:1', 2],
      ],
    );
  });

  it('decision 0039: the answer to an event is sealed for the same people, and lost with them', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const ada = newUuid();
    receiver.answer({ status: 200, body: 'hello Ada' });
    const id = await platform.emit('CARD.STATUS_CHANGE', 'Card:1', about(ada));
    await world.worker().settle();
    const [stored] = await world.database.query<{ response: Buffer }>(
      sql`select response from webhook_attempts where event_id = ${id}`,
    );
    assert.deepEqual(peopleOf(stored?.response ?? null), [ada]);
    const work = await platform.work();
    const responses = async () =>
      (await work.read((tx) => readAttempts(tx, `Webhook:${id}`))).map(({ response }) => response);
    assert.deepEqual(await responses(), ['"hello Ada"']);
    const former = world.runtime.vault.seal('hello', responseContext(id, 1));
    await world.database.query(sql`update webhook_attempts set response = ${former} where event_id = ${id}`);
    assert.deepEqual(await responses(), ['hello']);
    await world.database.query(
      sql`update webhook_attempts set response = ${stored?.response} where event_id = ${id}`,
    );
    await erase(platform, ada);
    assert.deepEqual(await responses(), [null]);
  });

  it('decision 0004: rendered facts are sealed for the people whom they name; one erased person fails no other event', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const [ada, bob] = [newUuid(), newUuid()];
    const ids = [await insertFacts(platform, ada), await insertFacts(platform, bob)];
    const worker = world.worker({
      renderers: {
        CARD: async (_tx, events) =>
          events.map(({ facts }) => {
            const { who } = facts as { who: string };
            if (who === ada) throw new PersonErased();
            return about(who);
          }),
      },
    });
    await worker.settle();
    const [erased, sent] = await Promise.all(ids.map((id) => platform.event(id)));
    assert.equal(erased?.state, 'SKIPPED');
    assert.deepEqual([sent?.state, peopleOf(sent?.payload ?? null)], ['DELIVERED', [bob]]);
    assert.deepEqual(
      receiver.received.map(({ body }) => body.data),
      [about(bob)],
    );
  });

  async function insertFacts(platform: OutboxPlatform, who: string): Promise<EventId> {
    return platform.write(async (tx) => {
      const id = uuidOf(emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:${who}`, data: {} }));
      await tx.flush();
      await tx.sql`update events set payload = null, facts = ${JSON.stringify({ who })} where id = ${id}`;
      return id;
    });
  }
});
