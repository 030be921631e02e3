// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { RequestRecorder } from '#edge/request-log/recorder.ts';
import { redactBySchema } from '#edge/request-log/redact.ts';
import { redactRefusal } from '#edge/request-log/redact-refusal.ts';
import { KEPT_ROWS, purgeRequestLogs, trimRequests } from '#edge/request-log/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { TokenCaller } from '#foundation/http/caller.ts';
import { Currency } from '#foundation/http/schema.ts';
import type { RequestRecord } from '#foundation/http/serve/request-record.ts';
import { currencyOf } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { effectiveSettings } from '#foundation/lib/platform.ts';
import { type Code, invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const TOKEN = { name: 'reader', permissions: ['VIEW'] as ['VIEW'] };
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the request log', () => {
  const world = testWorld();

  async function listLog(platform: TestPlatform, query: object = {}) {
    const reply = await platform.send('listRequestLogs', { query: query as never });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.data;
  }

  const rowCount = async (platformId: string): Promise<number> => {
    const [row] = await world.database.query<{ count: number }>(
      sql`select count(*)::int as count from request_logs where platform_id = ${platformId}`,
    );
    return row?.count ?? 0;
  };

  it('platform.md §11.1: has the route, the outcome, the caller, and the result of the key', async () => {
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', fullName: 'Ada' } as const;
    const made = await platform.call('createCustomer', { body, key: 'one' });
    await platform.call('createCustomer', { body, key: 'one' });
    await platform.call('createCustomer', { body: { ...body, fullName: 'Bea' }, key: 'one' });
    const read = await platform.call('getCustomerById', { params: { customerId: made.body.id } });
    await platform.send('getCustomerById', { params: { customerId: 'nobody' } });
    await platform.send('listTokens', { as: 'nobody' });
    const [missing, got, conflict, replayed, created, ...others] = await listLog(platform);
    assert.deepEqual(others, []);
    const tokens = await platform.call('listTokens', {});
    assert.deepEqual(got, {
      id: got?.id,
      requestId: read.headers['x-request-id'],
      createdAt: new Date(world.clock.now()).toISOString(),
      method: 'GET',
      route: '/customers/{customerId}',
      path: `/customers/${made.body.id}`,
      status: 200,
      durationMs: got?.durationMs,
      idempotency: 'NONE',
      tokenId: tokens.body.data[0]?.id,
    });
    assert.deepEqual(
      [missing?.status, missing?.code, missing?.path],
      [404, 'CUSTOMER_NOT_FOUND', '/customers/…'],
    );
    assert.deepEqual(
      [created, replayed, conflict].map((one) => [one?.status, one?.idempotency]),
      [
        [201, 'NEW'],
        [201, 'REPLAYED'],
        [409, 'CONFLICT'],
      ],
    );
  });

  it('platform.md §11.1: filters by status, method, path, request and time, in pages', async () => {
    const platform = await world.platform();
    const { body: token } = await platform.call('createToken', { body: TOKEN });
    world.clock.advance(60_000);
    const later = new Date(world.clock.now()).toISOString();
    const refused = await platform.send('createToken', { body: {} });
    await platform.call('getTokenById', { params: { tokenId: token.id } });
    const seen = async (query: object) =>
      (await listLog(platform, query)).map(({ method, status }) => `${method} ${status}`);
    assert.deepEqual(await seen({ statusClass: '4XX' }), ['POST 400']);
    assert.deepEqual(await seen({ code: 'INVALID_INPUT' }), ['POST 400']);
    assert.deepEqual(await seen({ code: 'NOT_FOUND' }), []);
    assert.deepEqual(await seen({ method: 'POST' }), ['POST 400', 'POST 201']);
    assert.deepEqual(await seen({ path: '/tokens/{tokenId}' }), ['GET 200']);
    assert.deepEqual(await seen({ path: `/tokens/${token.id}` }), ['GET 200']);
    assert.deepEqual(await seen({ requestId: refused.headers['x-request-id'] }), ['POST 400']);
    assert.deepEqual(await seen({ createdAfter: later }), ['GET 200', 'POST 400']);
    const page = await platform.call('listRequestLogs', { query: { limit: 2 } });
    assert.deepEqual([page.body.hasMore, page.body.totalCount], [true, 3]);
    const rest = await platform.call('listRequestLogs', {
      query: { limit: 2, cursor: page.body.nextCursor ?? '' },
    });
    assert.deepEqual(
      rest.body.data.map(({ status }) => status),
      [201],
    );
  });

  it('platform.md §11.1: can be followed from an entry on, newest last', async () => {
    const platform = await world.platform();
    const follow = (after?: string) => listLog(platform, { sortOrder: 'asc', ...(after && { after }) });
    await platform.call('listTokens', {});
    const [first] = await follow();
    assert.equal(first?.route, '/tokens');
    assert.deepEqual(await follow(first?.id), []);
    await platform.call('getPlatformConfig', {});
    await platform.call('createToken', { body: TOKEN });
    const next = await follow(first?.id);
    assert.deepEqual(
      next.map(({ method, path }) => `${method} ${path}`),
      ['GET /config', 'POST /tokens'],
    );
    assert.deepEqual(await follow(next.at(-1)?.id), []);
  });

  it('platform.md §11.2: in the sandbox it has harmless fields of the bodies, sealed', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL', fullName: 'Planted Name' });
    const [entry] = await listLog(platform, { method: 'POST' });
    const { body: shown } = await platform.call('getRequestLogById', {
      params: { requestLogId: entry?.id ?? '' },
    });
    assert.deepEqual([shown.request?.customerType, shown.request?.fullName], ['INDIVIDUAL', '…']);
    assert.deepEqual([shown.reply?.id, shown.reply?.fullName], [customer.id, '…']);
    const [row] = await world.database.query<{ bodies: Buffer }>(
      sql`select bodies from request_logs where id = ${uuidOf(shown)}`,
    );
    assert.ok(row && !row.bodies.includes('INDIVIDUAL'));
  });

  it('platform.md §11.2: ids, currencies and countries are kept in any field', () => {
    const find = (id: string) => world.app.operations.find((operation) => operation.id === id);
    const from = `InternalAccount:${newUuid<'InternalAccount'>()}`;
    const quote = { source: { sourceType: 'ACCOUNT', accountId: from }, description: 'Planted' };
    const body = redactBySchema(find('createQuote')?.body ?? assert.fail())(quote);
    assert.deepEqual(body, { ...quote, description: '…' });
    const dollar = { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 };
    assert.deepEqual(redactBySchema(Currency)(dollar), { ...dollar, name: currencyOf('USD').name });
    assert.deepEqual(redactBySchema(Currency)({ ...dollar, name: 'Planted' }), { ...dollar, name: '…' });
    const person = { customerType: 'INDIVIDUAL', region: 'DE', nationality: 'DE' };
    assert.deepEqual(redactBySchema(find('createCustomer')?.body ?? assert.fail())(person), {
      ...person,
      nationality: '…',
    });
  });

  it('platform.md §11.2: a refusal has its reason, and the messages of its fields', async () => {
    const platform = await world.platform();
    await platform.send('createToken', { body: { name: '', permissions: ['VIEW'] } });
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL', fullName: 'Planted Name' });
    const card = await platform.send('createCard', {
      body: { customerId: customer.id, form: 'VIRTUAL', fundingSource: customer.id },
    });
    const [second, , first] = await listLog(platform, { method: 'POST' });
    const replyOf = async (id = '') =>
      (await platform.call('getRequestLogById', { params: { requestLogId: id } })).body.reply;
    const message = 'must have at least one character';
    assert.deepEqual(await replyOf(first?.id), {
      ...{ status: 400, code: 'INVALID_INPUT', reason: `name: ${message}`, message: `name: ${message}` },
      details: { errors: [{ field: 'name', message }] },
    });
    const { reason } = card.body as unknown as { reason: string };
    assert.equal((await replyOf(second?.id))?.reason, reason);
  });

  it('platform.md §11.2: a refusal does not repeat a value that the log hides, or another party', () => {
    const operation = world.app.operations.find(({ id }) => id === 'createQuote') ?? assert.fail();
    const body = {
      destination: { umaAddress: '$ada@planted.example', currency: 'Planted Person DE89370400440532013000' },
      description: 'is',
      planted: 'x',
      marks: ['a-b', '(c.d)', '[e]', '$f/g', 'h\\i'],
    };
    const said = (refusal: Refusal) =>
      redactRefusal(operation, refusal, { sent: { body }, kept: { request: { destination: {} } } });
    const reasonOf = (reason: string, code: Code = 'INVALID_CURRENCY') =>
      said(new Refusal(code, reason)).reason;
    assert.equal(reasonOf('There is no rate for PLANTED PERSON D.'), 'There is no rate for ….');
    assert.equal(reasonOf('The bank 37040044 is not known.'), 'The bank … is not known.');
    assert.equal(
      reasonOf('$Ada@planted.example cannot be paid: 5000.00 USD.'),
      '… cannot be paid: 5000.00 USD.',
    );
    assert.equal(reasonOf('a-b, (c.d), [e], $f/g, h\\i, but not cxd.'), '…, …, …, …, …, but not cxd.');
    assert.equal(reasonOf('The provider said: no', 'STABLECOIN_PROVIDER_ERROR'), '…');
    const unknown = said(invalidFields([{ field: 'planted', message: 'is not a known field' }]));
    assert.deepEqual(unknown.reason, '…: is not a known field');
    const detailed = said(new Refusal('CONFLICT', 'No.', { status: 'FROZEN', note: 'planted', amount: 5 }));
    assert.deepEqual(detailed.details, { status: 'FROZEN', note: '…', amount: 5 });
  });

  it('platform.md §11.2: production has the log, and no bodies', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    await platform.call('createToken', { body: TOKEN });
    const [entry] = await listLog(platform);
    const { body: shown } = await platform.call('getRequestLogById', {
      params: { requestLogId: entry?.id ?? '' },
    });
    assert.deepEqual(shown, entry);
    await assert.rejects(
      () => world.platform({ environment: 'PRODUCTION', settings: { requestLogBodies: true } }),
      /requestLogBodies|not valid/,
    );
  });

  it('platform.md §11.1: names unknown fields like the header of the reply, in both environments', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await world.platform({ environment });
      const made = await platform.send('createToken', {
        body: { ...TOKEN, permisions: ['planted-value'], 'no\r\nset-cookie: DE89370400440532013000': 1 },
        query: { dryrun: 'planted-value' },
      });
      const refused = await platform.send('createToken', { body: { nmae: 'planted-value' } });
      await platform.call('createToken', { body: TOKEN });
      const entries = await listLog(platform);
      const names = ['dryrun', 'permisions: did you mean permissions?', 'no__set-cookie__DE#'];
      assert.deepEqual(
        entries.map(({ status, unknownFields }) => [status, unknownFields]),
        [
          [201, undefined],
          [400, ['nmae: did you mean name?']],
          [201, names],
        ],
      );
      assert.deepEqual(
        [made, refused].map(({ headers }) => headers['svc-unknown-fields']),
        [names.join(', '), 'nmae: did you mean name?'],
      );
      const { body: shown, raw } = await platform.call('getRequestLogById', {
        params: { requestLogId: entries[2]?.id ?? '' },
      });
      assert.deepEqual(shown.unknownFields, names);
      assert.doesNotMatch(raw, /planted/);
    }
  });

  it('platform.md §11.1: names refused unknown fields, and those of a replay', async () => {
    const strict = await world.platform({ settings: { refuseUnknownFields: true } });
    await strict.send('createToken', { body: { ...TOKEN, colour: 'x' } });
    const [refused] = await listLog(strict);
    assert.deepEqual([refused?.status, refused?.unknownFields], [400, ['colour']]);
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', fullNmae: 'x' };
    for (const _time of [1, 2]) await platform.send('createCustomer', { body, key: 'one' });
    assert.deepEqual(
      (await listLog(platform)).map(({ idempotency, unknownFields }) => [idempotency, unknownFields]),
      [
        ['REPLAYED', ['fullNmae: did you mean fullName?']],
        ['NEW', ['fullNmae: did you mean fullName?']],
      ],
    );
  });

  it('platform.md §11.2: unknown names are sealed, and limited in number and length', async () => {
    const platform = await world.platform();
    const many = Array.from({ length: 5_000 }, (_one, i) => [`Planted-Person-${'x'.repeat(60)}-${i}`, 1]);
    await platform.send('createToken', { body: { ...TOKEN, ...Object.fromEntries(many) } });
    const [entry] = await listLog(platform);
    const [first = '', ...others] = entry?.unknownFields ?? [];
    assert.deepEqual([first.length, others.length, others.at(-1)], [40, 10, 'and 4990 more']);
    const [row] = await world.database.query<{ text: string; unknown_fields: Buffer }>(
      sql`select to_jsonb(r)::text as text, unknown_fields from request_logs r where platform_id = ${platform.id}`,
    );
    assert.ok(row && !row.unknown_fields.includes('Planted') && !row.text.includes('Planted'));
  });

  it('platform.md §11.1: a platform does not see the requests of another', async () => {
    const [platform, stranger] = [await world.platform(), await world.platform()];
    await platform.call('createToken', { body: TOKEN });
    const [entry] = await listLog(platform);
    assert.deepEqual(await listLog(stranger), []);
    assert.deepEqual(await listLog(stranger, { sortOrder: 'asc', after: entry?.id }), []);
    assert.deepEqual(await listLog(stranger, { requestId: entry?.requestId }), []);
    const got = await stranger.send('getRequestLogById', { params: { requestLogId: entry?.id ?? '' } });
    assert.deepEqual([got.status, (got.body as unknown as { code: string }).code], [404, 'NOT_FOUND']);
  });

  it('platform.md §11.3: erasing a customer deletes every entry that names them or their accounts', async () => {
    const platform = await world.platform();
    const [customer, other] = [await givenCustomer(platform), await givenCustomer(platform)];
    const accounts = await platform.call('listCustomerInternalAccounts', {
      query: { customerId: customer.id },
    });
    const account = accounts.body.data[0]?.id ?? '';
    await platform.call('getCustomerById', { params: { customerId: other.id } });
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    await listLog(platform);
    const naming = (id: string) =>
      world.database.query(sql`
        select from request_logs where platform_id = ${platform.id}
           and (${id}::uuid = any(resource_ids) or path like '%' || ${id}::text || '%')`);
    assert.ok((await naming(uuidOf(customer))).length > 2);
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(customer)));
    for (const id of [uuidOf(customer), uuidOf({ id: account })]) assert.deepEqual(await naming(id), []);
    assert.ok((await naming(uuidOf(other))).length > 1);
  });

  it('platform.md §11.3: erasing finds entries with unknown names by the ids in their body and reply', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const create = (fullName: string, more: object) =>
      platform.send('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName, ...more } });
    const customer = await create('Ada', { 'Ada Lovelace': 1 });
    await create('Bea', { 'Bea Example': 1 });
    await platform.send('createVerification', { body: { customerId: customer.body.id, 'Ada Lovelace': 1 } });
    const names = async () => (await listLog(platform)).map(({ unknownFields }) => unknownFields);
    assert.deepEqual(await names(), [['Ada_Lovelace'], ['Bea_Example'], ['Ada_Lovelace']]);
    await platform.call('deleteCustomerById', { params: { customerId: customer.body.id } });
    assert.equal((await names()).length, 4);
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(customer.body)));
    assert.deepEqual(await names(), [['Bea_Example']]);
  });

  function givenRecord(platform: TestPlatform): RequestRecord {
    const caller = {
      kind: 'token',
      id: newUuid<'Token'>(),
      platform: { id: platform.id, settings: effectiveSettings('SANDBOX', {}) },
    } as TokenCaller;
    const operation = world.app.operations.find(({ id }) => id === 'listTokens');
    return {
      ...{
        requestId: newUuid(),
        operation,
        caller,
        method: 'GET',
        route: '/tokens',
        path: '/tokens',
        status: 200,
      },
      ...{ refusal: undefined, ms: 1, keyVerdict: 'none', sent: undefined },
      ...{ replied: undefined, unknownFields: undefined },
    };
  }

  function givenRecorder(query = world.database.query) {
    const lost: number[] = [];
    const { vault, personKeys } = world.app.runtime;
    const keys = { vault, personKeys };
    const options = {
      database: { query },
      clock: world.clock,
      ...keys,
      newId: newUuid,
      flushMs: 2 ** 31 - 1,
    };
    const recorder = new RequestRecorder({ ...options, onLost: (_error, rows) => void lost.push(rows) });
    return { recorder, lost };
  }

  const countsOf = (recorder: RequestRecorder) =>
    Object.fromEntries(recorder.counters().map(({ labels, value }) => [labels.outcome, value]));

  it('platform.md §11.4: rows wait in memory only, and a killed process loses only those', async () => {
    const platform = await world.platform();
    const { recorder } = givenRecorder();
    recorder.record(givenRecord(platform));
    await recorder.flush();
    recorder.record(givenRecord(platform));
    recorder.record(givenRecord(platform));
    // Killing the process now would lose two entries; the requests themselves are already committed.
    assert.equal(await rowCount(platform.id), 1);
    await recorder.flush();
    assert.equal(await rowCount(platform.id), 3);
  });

  it('platform.md §11.4: entries that cannot be written, or arrive too fast, are dropped; no request waits or fails', async () => {
    const [platform, quiet] = [await world.platform(), await world.platform()];
    const { recorder, lost } = givenRecorder(() => Promise.reject(new Error('the database is away')));
    recorder.record(givenRecord(platform));
    await recorder.flush();
    assert.deepEqual([lost, countsOf(recorder)], [[1], { written: 0, dropped: 1 }]);
    const { recorder: busy } = givenRecorder();
    for (let i = 0; i < 250; i++) busy.record(givenRecord(platform));
    busy.record(givenRecord(quiet));
    await busy.flush();
    assert.deepEqual(countsOf(busy), { written: 101, dropped: 150 });
    assert.deepEqual([await rowCount(platform.id), await rowCount(quiet.id)], [100, 1]);
  });

  it('platform.md §11.4: during a slow batch only the next one waits, and closing waits for neither', async () => {
    const platform = await world.platform();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const slow: typeof world.database.query = async (statement) => {
      await release;
      return world.database.query(statement);
    };
    const { recorder, lost } = givenRecorder(slow);
    recorder.record(givenRecord(platform));
    void recorder.flush();
    await new Promise(setImmediate);
    for (let half = 0; half < 5; half++) {
      for (let i = 0; i < 100; i++) recorder.record(givenRecord(platform));
      void recorder.flush();
    }
    assert.deepEqual(countsOf(recorder), { written: 0, dropped: 400 });
    await recorder.close(1);
    resolve();
    await recorder.flush();
    assert.deepEqual([await rowCount(platform.id), lost], [1, []]);
  });

  it('platform.md §11.4: an entry that cannot be built is dropped, and later ones are not', async () => {
    const platform = await world.platform();
    const { recorder, lost } = givenRecorder();
    const broken = { ...givenRecord(platform), status: 200, replied: 'not JSON' };
    for (let i = 0; i < 150; i++) recorder.record(broken);
    recorder.record(givenRecord(platform));
    await recorder.flush();
    assert.deepEqual(countsOf(recorder), { written: 1, dropped: 150 });
    assert.equal(lost.length, 150);
  });

  it('platform.md §11.3: is bounded in time and in size, platform by platform', async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const fill = (id: string, count: number) =>
      world.database.query(sql`
        insert into request_logs (platform_id, id, created_at, request_id, caller_kind, caller_id, method, route, path,
                                  status, duration_ms, key_verdict, resource_ids)
        select ${id}, uuid_v7(), ${new Date(world.clock.now())}::timestamptz + n * interval '1 ms', uuid_v7(), 'token',
               uuid_v7(), 'GET', '/tokens', '/tokens', 200, 1, 'none', '{}' from generate_series(1, ${count}::int) n`);
    await fill(platform.id, KEPT_ROWS + 500);
    await fill(other.id, 10);
    await world.database.query(trimRequests(platform.id, new Date(world.clock.now() - 7 * DAY_MS)));
    assert.deepEqual([await rowCount(platform.id), await rowCount(other.id)], [KEPT_ROWS, 10]);
    const purge = async (id: TestPlatform) => (await id.work()).write((tx) => purgeRequestLogs(tx, 5));
    assert.equal(await purge(other), 0);
    world.clock.advance(8 * DAY_MS);
    assert.deepEqual([await purge(other), await purge(other), await purge(other)], [5, 5, 0]);
    await world.database.query(trimRequests(platform.id, new Date(world.clock.now() - 7 * DAY_MS)));
    assert.equal(await rowCount(platform.id), 0);
  });
});
