// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { closeByOperator } from '#capabilities/cards/update-card.ts';
import { RequestRecorder } from '#edge/request-log/recorder.ts';
import { sandboxMessages } from '#edge/sandbox/messages/messages.ts';
import { hashContact } from '#edge/sandbox/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { privateContext } from '#foundation/audit/store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sealStoredValues } from '#foundation/database/seal-stored.ts';
import { sql } from '#foundation/database/sql.ts';
import type { TokenCaller } from '#foundation/http/caller.ts';
import { replyContext } from '#foundation/http/idempotency/idempotency.ts';
import type { RequestRecord } from '#foundation/http/serve/request-record.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { effectiveSettings } from '#foundation/lib/platform.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import type { PersonKeys } from '#foundation/person-keys/person-keys.ts';
import { readContent } from '#foundation/uploads/contents.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import { documentFields, documentForm, PDF } from '#tests/given/packets.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenProxiedKeys } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('traces of people, under their keys', () => {
  const world = testWorld();

  const peopleOf = (sealed: Buffer | null | undefined) =>
    readReferences(sealed ?? Buffer.alloc(0)).map(({ person }) => person);
  const eraseKeys = (platform: TestPlatform, ...people: string[]) =>
    (world.app.runtime.personKeys as PersonKeys).erase(platform.id, people);
  const strangers = (platform: TestPlatform) =>
    strangersOf(world.app.runtime.vault, platform.id, new Date(world.clock.now()));

  async function replyOf(platform: TestPlatform, key: string) {
    const [row] = await world.database.query<{ scope: string; reply: Buffer }>(
      sql`select scope, reply from idempotency_keys where platform_id = ${platform.id} and key = ${key}`,
    );
    assert.ok(row);
    return row;
  }

  it('platform.md §2.5: a stored reply is sealed for the customers in its path and in itself, and replays in both forms', async () => {
    const platform = await world.platform();
    const create = () => platform.call('createCustomer', { body: PERSON, key: 'create' });
    const first = await create();
    const id = uuidOf(first.body.id);
    const { scope, reply } = await replyOf(platform, 'create');
    assert.deepEqual(peopleOf(reply), [id]);
    assert.equal((await create()).raw, first.raw);
    const { vault } = world.app.runtime;
    const former = vault.seal(first.raw, replyContext(platform.id, { scope, key: 'create' }));
    await world.database.query(
      sql`update idempotency_keys set reply = ${former} where platform_id = ${platform.id} and key = 'create'`,
    );
    assert.equal((await create()).raw, first.raw);
    const link = { params: { customerId: first.body.id }, body: {}, key: 'link' };
    const made = await platform.send('createCustomerKycLink', link);
    assert.equal(made.status, 201, made.raw);
    assert.deepEqual(peopleOf((await replyOf(platform, 'link')).reply), [id]);
  });

  it('platform.md §2.5a: a reply that nothing opens any more is 410, and says that the call took effect', async () => {
    const platform = await world.platform();
    const create = () => platform.call('createCustomer', { body: PERSON, key: 'create' });
    const { body } = await create();
    await eraseKeys(platform, uuidOf(body.id));
    const again = await create();
    assert.equal(again.status, 410, again.raw);
    assert.match(again.raw, /already taken effect/);
  });

  it('platform.md §2.5: a reply about nobody needs no key of a person', async () => {
    const platform = await world.platform();
    const moved = await platform.send('advanceSandboxClock', { body: { seconds: 1 }, key: 'clock' });
    assert.equal(moved.status, 200, moved.raw);
    assert.deepEqual(peopleOf((await replyOf(platform, 'clock')).reply), []);
  });

  it('platform.md §11.2: an entry of the request log is sealed for the customers whom it names, or with the key of the month', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const refused = await platform.send('createCustomer', {
      body: { customerType: 'INDIVIDUAL', fullName: 3 },
    });
    assert.equal(refused.status, 400);
    await platform.call('getCustomerById', { params: { customerId: customer.id } });
    const shown = await platform.call('listRequestLogs');
    const rows = await world.database.query<{ method: string; status: number; bodies: Buffer }>(
      sql`select method, status, bodies from request_logs where platform_id = ${platform.id} order by created_at, id`,
    );
    assert.deepEqual(
      rows.map(({ method, status, bodies }) => [method, status, peopleOf(bodies)]),
      [
        ['POST', 201, [uuidOf(customer.id)]],
        ['POST', 400, [strangers(platform)]],
        ['GET', 200, [uuidOf(customer.id)]],
      ],
    );
    const entries = shown.body.data as { id: string }[];
    const get = (id: string) => platform.call('getRequestLogById', { params: { requestLogId: id } });
    const created = entries.at(-1)?.id ?? '';
    assert.equal((await get(created)).body.reply.id, customer.id);
    await eraseKeys(platform, uuidOf(customer.id));
    const kept = await get(created);
    assert.deepEqual([kept.status, kept.body.reply], [200, undefined]);
  });

  it('platform.md §11.4: a batch of entries fetches its keys in one trip; while they are away, entries have no content', async (context) => {
    const platform = await world.platform();
    const people = [];
    for (let n = 0; n < 5; n++) people.push((await givenCustomer(platform, european(n))).id);
    await platform.send('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 3 } });
    await platform.call('listRequestLogs');
    const keys = await givenProxiedKeys(world.database, world.app.runtime.vault, world.clock);
    context.after(() => keys.close());
    const lost: unknown[] = [];
    const recorder = new RequestRecorder({
      ...{ database: world.database, clock: world.clock, newId: newUuid, flushMs: 2 ** 31 - 1 },
      ...{ vault: keys.vault, personKeys: keys.personKeys, onLost: (error) => void lost.push(error) },
    });
    const contentOf = async (requestId: string) => {
      const [row] = await world.database.query<{ bodies: Buffer | null }>(
        sql`select bodies from request_logs where request_id = ${requestId}`,
      );
      assert.ok(row);
      return row.bodies;
    };
    const records = [...people.map((id) => recordOf(platform, id)), recordOf(platform, undefined)];
    const tripsBefore = keys.proxy.passed.trips;
    for (const record of records) recorder.record(record);
    await recorder.flush();
    assert.equal(keys.proxy.passed.trips - tripsBefore, 1);
    const stored = await Promise.all(records.map(({ requestId }) => contentOf(requestId)));
    assert.deepEqual(stored.map(peopleOf), [...people.map((id) => [uuidOf(id)]), [strangers(platform)]]);
    world.clock.advance(10 * 60_000);
    keys.proxy.refuse();
    const away = recordOf(platform, people[0]);
    recorder.record(away);
    await recorder.flush();
    assert.equal(await contentOf(away.requestId), null);
    assert.deepEqual(lost, []);
  });

  it('platform.md §12: reasons and addresses in audit rows are sealed for the customer, read in both forms, and go with the customer', async () => {
    const platform = await givenCardPlatform(world);
    const card = await givenCard(platform);
    const work = await platform.work();
    const customer = { id: card.customerId };
    const person = uuidOf(customer.id);
    await work.write((tx) => closeByOperator(tx, { cardId: uuidOf(card.id), reason: 'Zebulon asked' }));
    const details = { customerId: customer.id, endUserIpAddress: '203.0.113.7', factor: 'TOTP' };
    await work.write(async (tx) => {
      audit(tx, { action: 'test address', resource: 'Card:1', details });
      audit(tx, { action: 'test platform', details: { reason: 'about nobody' } });
      audit(tx, {
        action: 'test kept',
        resource: customer.id,
        customerId: null,
        details: { reason: 'kept' },
      });
    });
    const [stored] = await world.database.query<{ id: Id<'AuditRow'>; details: object; private: Buffer }>(
      sql`select id, details, private from audit_log where platform_id = ${platform.id} and action = 'card close'`,
    );
    assert.deepEqual([stored?.details, peopleOf(stored?.private)], [{}, [person]]);
    const reasons = async (action: string) =>
      (await auditLines(world, platform, action)).map((line) => line.details);
    assert.deepEqual(await reasons('card close'), [{ reason: 'Zebulon asked' }]);
    assert.deepEqual(await reasons('test address'), [details]);
    assert.deepEqual(await reasons('test platform'), [{ reason: 'about nobody' }]);
    // A row of an earlier version is sealed once, and nothing else of it changes.
    await world.database.query(sql`
      insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource, details)
      values (${newUuid()}, ${platform.id}, now(), 'operator', 'test', 'test former', ${customer.id}, '{"reason": "former", "n": 1}')`);
    assert.deepEqual(await reasons('test former'), [{ reason: 'former', n: 1 }]);
    const former = (await auditLines(world, platform, 'test former'))[0]?.id as Id<'AuditRow'>;
    const sealed = world.app.runtime.vault.sealFor([person], '{"reason":"former"}', privateContext(former));
    await assert.rejects(
      world.database.query(
        sql`update audit_log set private = ${sealed}, details = '{}' where id = ${former}`,
      ),
      /append-only/,
    );
    await world.database.query(
      sql`update audit_log set private = ${sealed}, details = details - 'reason' where id = ${former}`,
    );
    assert.deepEqual(await reasons('test former'), [{ reason: 'former', n: 1 }]);
    await eraseKeys(platform, person);
    assert.deepEqual(await reasons('card close'), [{}]);
    assert.deepEqual(await reasons('test former'), [{ n: 1 }]);
    assert.deepEqual(await reasons('test kept'), [{ reason: 'kept' }]);
    // Text that is written later about the erased customer may describe the customer, too.
    const after = { action: 'test after', resource: customer.id, details: { reason: 'Zebulon again' } };
    await work.write(async (tx) => audit(tx, after));
    const [later] = await world.database.query<{ private: Buffer }>(
      sql`select private from audit_log where platform_id = ${platform.id} and action = 'test after'`,
    );
    const { vault, clock } = world.app.runtime;
    assert.deepEqual(peopleOf(later?.private), [strangersOf(vault, platform.id, new Date(clock.now()))]);
    assert.deepEqual(await reasons('test after'), [{ reason: 'Zebulon again' }]);
  });

  it('customers.md §3.2: a message of the inbox is found by its recipient in both forms, and is gone with its customer', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const port = sandboxMessages(world.app.runtime);
    const message = {
      ...{
        platformId: platform.id,
        channel: 'EMAIL' as const,
        recipient: 'zoe@example.com',
        senderName: 'Acme',
      },
      ...{ subject: 'Code', text: 'Your code', at: new Date(world.clock.now()) },
    } as const;
    await port.send({ ...message, reference: 'known', customerId: uuidOf(id) });
    await port.send({ ...message, reference: 'stranger' });
    const rows = await world.database.query<{ contact: Buffer; recipient: null }>(
      sql`select contact, recipient from sandbox_messages where platform_id = ${platform.id} order by reference`,
    );
    assert.deepEqual(
      rows.map(({ contact, recipient }) => [peopleOf(contact), recipient]),
      [
        [[uuidOf(id)], null],
        [[strangers(platform)], null],
      ],
    );
    await world.database.query(sql`
      update sandbox_messages set recipient = 'zoe@example.com', contact = null, contact_hash = null
       where platform_id = ${platform.id} and reference = 'stranger'`);
    const found = async (recipient: string) =>
      (await platform.call('listSandboxMessages', { query: { recipient } })).body.data.map(
        (one: { recipient: string }) => one.recipient,
      );
    assert.deepEqual(await found('zoe@example.com'), ['zoe@example.com', 'zoe@example.com']);
    assert.deepEqual(await found('zoe@example.org'), []);
    assert.notDeepEqual(
      hashContact(world.app.runtime.vault, 'zoe@example.com').toStore,
      hashContact(world.app.runtime.vault, 'zoe@example.org').toStore,
    );
    await eraseKeys(platform, uuidOf(id));
    assert.deepEqual(await found('zoe@example.com'), ['zoe@example.com']);
  });

  it('customers.md §5: nothing opens a document once its customer’s key is gone; an import is sealed for the month’s strangers', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const uploaded = await platform.call('uploadDocument', {
      body: documentForm(documentFields(id, 'PASSPORT')),
    });
    assert.equal(uploaded.status, 201, uploaded.raw);
    const contents = () =>
      world.database.query<{ id: Id<'Content'>; key: Buffer | null; state: string }>(
        sql`select id, key, state from contents where platform_id = ${platform.id} order by id`,
      );
    const [document] = await contents();
    assert.ok(document);
    assert.deepEqual(peopleOf(document.key), [uuidOf(id)]);
    const work = await platform.work();
    const read = () => work.read(async (tx) => text(await readContent(tx, document.id)));
    assert.equal(await read(), PDF);
    const imported = await platform.send('uploadCustomersCsv', { body: csvForm(renderCsv([personRow(1)])) });
    assert.equal(imported.status, 202, imported.raw);
    const [, file] = await contents();
    assert.deepEqual(peopleOf(file?.key), [strangers(platform)]);
    await eraseKeys(platform, uuidOf(id));
    await assert.rejects(read(), { code: 'SERVICE_UNAVAILABLE' });
  });

  it('decision 0039: the upgrade seals a reference of an import error that no customer has for the month’s strangers', async () => {
    const platform = await world.platform();
    const imported = await platform.send('uploadCustomersCsv', { body: csvForm(renderCsv([personRow(1)])) });
    assert.equal(imported.status, 202, imported.raw);
    await world.app.worker.settle(platform.id);
    // As an earlier version stored them.
    await world.database.query(sql`
      insert into customer_import_errors (platform_id, import_id, row_number, correlation_id, code, message)
      select i.platform_id, i.id, e.row_number, e.correlation_id, 'INVALID_INPUT', 'wrong'
        from customer_imports i, (values (901, 'Zebulon 901'), (902, 'row_902')) e (row_number, correlation_id)
       where i.platform_id = ${platform.id}`);
    const work = await platform.work();
    await work.write(async (tx) =>
      schedule(tx, { kind: 'people.seal-stored', key: 'once', payload: {}, afterMs: 0 }),
    );
    await world.app.worker.settle(platform.id);
    const rows = await world.database.query<{ correlation_id: string | null; reference: Buffer | null }>(sql`
      select correlation_id, reference from customer_import_errors
       where platform_id = ${platform.id} and row_number > 900 order by row_number`);
    assert.deepEqual(
      rows.map((row) => [row.correlation_id, row.reference && peopleOf(row.reference)]),
      [
        [null, [strangers(platform)]],
        ['row_902', null],
      ],
    );
  });

  it('decision 0039: the upgrade goes on after a test webhook, which is about itself', async () => {
    const platform = await world.platform();
    await platform.receive();
    const work = await platform.work();
    const next = await work.write((tx) =>
      sealStoredValues(tx, { column: 'events.payload' }, strangers(platform)),
    );
    assert.ok((next?.column ?? '') > 'events.payload', JSON.stringify(next));
  });

  it('customers.md §3: a code that waits to be sent is sealed for its customer', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, EUROPEAN);
    const sent = await platform.call('sendCustomerEmailVerification', { params: { customerId: id } });
    assert.equal(sent.status < 300, true, sent.raw);
    const [row] = await world.database.query<{ code: Buffer | null }>(
      sql`select code from codes where platform_id = ${platform.id}`,
    );
    assert.ok(row?.code);
    assert.deepEqual(peopleOf(row.code), [uuidOf(id)]);
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listSandboxMessages');
    assert.equal(body.data.length, 1);
  });

  function recordOf(platform: TestPlatform, customerId: string | undefined): RequestRecord {
    const caller = {
      ...{ kind: 'token', id: newUuid(), permissions: ['VIEW'] },
      platform: { id: platform.id, settings: effectiveSettings('SANDBOX', {}) },
    } as unknown as TokenCaller;
    const operation = world.app.operations.find(({ id }) => id === 'listCards');
    return {
      ...{
        requestId: newUuid(),
        operation,
        caller,
        method: 'GET',
        route: '/cards',
        path: '/cards',
        status: 200,
      },
      ...{ refusal: undefined, ms: 1, keyVerdict: 'none' },
      sent: { query: { ...(customerId !== undefined && { customerId }), limit: 5 }, body: undefined },
      ...{ replied: undefined, unknownFields: ['surname'] },
    } as unknown as RequestRecord;
  }
});

function european(n: number) {
  return { ...EUROPEAN, email: `emmy${n}@example.com`, phoneNumber: `+49151123456${n}0` };
}
