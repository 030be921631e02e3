import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eraseTakes } from '#capabilities/attention/take-store.ts';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { givenOperator } from '#tests/given/operators.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The reply about a taken item. Only the list of items has its note. */
const REPLIED = ['item', 'takenBy', 'takenAt'];

describe('taking an item of work', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let first: SeatedOperator;
  let second: SeatedOperator;
  let stranger: SeatedOperator;

  before(async () => {
    platform = await world.platform();
    const there = (await platform.work()).platform;
    first = await seatedOperator(world, there, ['compliance']);
    second = await seatedOperator(world, there, ['compliance']);
    stranger = await seatedOperator(world, there, ['finance']);
  });

  interface Item {
    readonly id: string;
    readonly subject: string;
    readonly takenBy?: string;
    readonly takenByName?: string;
    readonly note?: string;
  }

  /** A customer who waits for a review. */
  async function givenReview(): Promise<string> {
    const { id } = await givenCustomer(platform);
    const customerId = uuidOf<'Customer'>(id as never);
    await (await platform.work()).write((tx) => updateCustomerStatus(tx, customerId, 'PENDING'));
    return id;
  }
  async function itemOf(subject: string, by = second): Promise<Item> {
    const { body } = await by.call('listWorkItems', {}, { kind: 'reviews', limit: 100 });
    const found = body.data.find((item: Item) => item.subject === subject);
    assert.ok(found, subject);
    return found;
  }
  const take = (by: SeatedOperator, item: string, more: object = {}) =>
    by.call('takeWork', {}, { item, ...more });

  it('operator.md §6.5: others see who has taken an item, and can take it over', async () => {
    const subject = await givenReview();
    const { id } = await itemOf(subject);
    const taken = await take(first, id);
    assert.deepEqual([taken.status, taken.body.takenBy], [200, first.name], JSON.stringify(taken.body));
    const seen = await itemOf(subject);
    assert.deepEqual([seen.takenBy, seen.takenByName], [first.name, 'Seated']);
    assert.equal((await take(first, id)).status, 200, 'taking it again changes nothing');
    const refused = await take(second, id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    assert.equal((await take(second, id, { takeOver: true })).body.takenBy, second.name);
    assert.equal((await itemOf(subject)).takenBy, second.name);
    for (const operation of ['releaseWork', 'noteWork']) {
      const { status, body } = await first.call(operation, {}, { item: id, note: 'mine' });
      assert.deepEqual([status, body.reason], [409, 'Another operator has taken it.'], operation);
    }
    assert.equal((await second.call('releaseWork', {}, { item: id })).status, 200);
    assert.equal((await itemOf(subject)).takenBy, undefined);
    assert.equal((await second.call('releaseWork', {}, { item: id })).body.reason, 'Nobody has taken it.');
    const rows = await world.database.query<{ action: string }>(sql`
      select action from audit_log where platform_id = ${platform.id} and resource = ${subject} and actor_kind = 'operator'
       order by at, id`);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['work take', 'work take', 'work take', 'work release'],
    );
  });

  it('operator.md §6.5: a note is for those whose work it is, is sealed for the customer, and stays when somebody takes over', async () => {
    const subject = await givenReview();
    const { id } = await itemOf(subject);
    await take(first, id);
    const note = 'Asked Ms Lovelace for a better scan of the passport.';
    const written = await first.call('noteWork', {}, { item: id, note });
    assert.deepEqual(Object.keys(written.body), REPLIED, 'a stored reply does not keep the note');
    assert.equal((await itemOf(subject)).note, note);
    const [stored] = await world.database.query<{ note: Buffer }>(sql`
      select note from work_takes where subject = ${subject}`);
    assert.ok(stored && !stored.note.includes('Lovelace'));
    assert.deepEqual(Object.keys((await take(second, id, { takeOver: true })).body), REPLIED);
    assert.equal((await itemOf(subject)).note, note);
    assert.equal((await first.call('noteWork', {}, { item: id, note: 'x' })).status, 409);
    const { ask } = await givenOperator(world, ['compliance']);
    for (const wrong of ['', 'x'.repeat(501)]) {
      const { status, body } = await ask('POST', '/console/api/work/note', {
        body: { item: id, note: wrong },
      });
      assert.deepEqual([status, body.details.errors[0].field], [400, 'note']);
    }
    assert.equal((await second.call('noteWork', {}, { item: id, note: null })).status, 200);
    assert.equal((await itemOf(subject)).note, undefined);
    const work = await platform.work();
    await work.write((tx) => eraseTakes(tx, { resources: new Set([subject]) }));
    assert.equal((await itemOf(subject)).takenBy, undefined, 'nothing stays of an erased customer');
  });

  it('operator.md §6.5: if two operators take an item at once, one gets it', async () => {
    const { id } = await itemOf(await givenReview());
    const statuses = (await Promise.all([take(first, id), take(second, id)])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
  });

  it('operator.md §6.5: operators of other roles take nothing, and nobody takes what does not wait', async () => {
    const subject = await givenReview();
    const { id } = await itemOf(subject);
    for (const operation of ['takeWork', 'releaseWork', 'noteWork'])
      assert.equal((await stranger.call(operation, {}, { item: id, note: 'x' })).status, 403, operation);
    const work = await platform.work();
    await work.write((tx) => updateCustomerStatus(tx, uuidOf<'Customer'>(subject as never), 'APPROVED'));
    assert.deepEqual((await take(first, id)).body.code, 'NOT_FOUND');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const since = new Date(world.clock.now()).toISOString();
    const wrong = [
      'x',
      '{}',
      encode([]),
      encode(['reviews', since, 'x', 'y']),
      encode(['reviews', 'now', newUuid(), 'y']),
    ];
    const worse = [
      encode(['reviews', since, newUuid(), 'a\0b']),
      encode(['nothing', since, newUuid(), 'y']),
      encode(['reviews', '0000-01-01T00:00:00.000Z', newUuid(), 'y']),
    ];
    for (const item of [...wrong, ...worse]) {
      const { status, body } = await take(first, item);
      assert.deepEqual([status, body.details?.errors[0].field], [400, 'item'], item);
    }
    assert.equal((await take(first, encode(['reviews', since, newUuid(), 'y']))).status, 404);
  });

  it('operator.md §6.5: an item of the installation is taken like one of a platform, and forgotten 90 days later', async () => {
    await world.platform({ environment: 'PRODUCTION' });
    const treasurer = await seatedOperator(world, (await platform.work()).platform, ['treasury']);
    const { body } = await treasurer.call('listWorkItems', {}, { kind: 'rates', environment: 'PRODUCTION' });
    const [item] = body.data;
    assert.equal((await take(treasurer, item.id)).body.takenBy, treasurer.name);
    const noted = await treasurer.call('noteWork', {}, { item: item.id, note: 'The source is down.' });
    assert.equal(noted.status, 200, JSON.stringify(noted.body));
    const count = async () =>
      (await world.database.query(sql`select from work_takes where kind = 'rates'`)).length;
    assert.equal(await count(), 1);
    world.clock.advance(91 * 24 * 3_600_000);
    await world.app.worker.settle();
    assert.equal(await count(), 0);
  });
});
