import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { pauseConnector } from '#capabilities/connectors/registry.ts';
import { findConnector, listRoutes } from '#capabilities/connectors/registry-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { answer, givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { setApprovals } from '#tests/given/proposals.ts';
import { testWorld } from '#tests/harness/harness.ts';

const api = '/console/api';

describe('connectors for operators over HTTP', () => {
  const world = testWorld();
  let treasurer: TestOperator;
  let finance: TestOperator;
  let other: TestOperator;
  let names = 0;

  before(async () => {
    await givenOperator(world);
    treasurer = await givenOperator(world, ['treasury']);
    other = await givenOperator(world, ['treasury']);
    finance = await givenOperator(world, ['finance']);
    await setApprovals(world, { approvals: 'off' });
    for (const one of [treasurer, other]) await one.stepUp();
  });

  const post = (who: TestOperator, path: string, body: object = {}) =>
    who.ask('POST', `${api}${path}`, { body: { reason: 'for the test', ...body } });
  const added = async () => {
    const name = `nordbank-${++names}`;
    const { status, body, raw } = await post(treasurer, '/connectors', {
      name,
      url: 'http://bank.example/c',
    });
    assert.equal(status, 200, raw);
    return { name, ...body } as { name: string; keyId: string; secret: string };
  };
  const stateOf = async (name: string) => {
    const { body } = await treasurer.ask('GET', `${api}/connectors/${name}`);
    return [body.state, body.pausedBecause];
  };
  /** Signs the proposal with the passkey, and approves it. */
  const approve = async (who: TestOperator, { id, hash }: { id: string; hash: string }) => {
    const challenge = await who.ask('POST', `${api}/operator/step-up/challenge`, { body: { signs: hash } });
    const body = { reason: 'for the test', ...answer(who.passkey, challenge.body) };
    return who.ask('POST', `${api}/proposals/${id}/approve`, { body });
  };
  const auditOf = async (action: string) => {
    const { body } = await treasurer.ask('GET', `${api}/audit?action=${encodeURIComponent(action)}&limit=1`);
    return body.data[0];
  };

  it('connectors.md §9.1: adding one shows its secret once, and nothing else does', async () => {
    const { name, keyId, secret } = await added();
    assert.match(keyId, /^ConnectorKey:/);
    assert.equal(Buffer.from(secret, 'base64').length, 32);
    const again = await post(treasurer, '/connectors', { name, url: 'http://bank.example' });
    assert.equal(again.status, 409, again.raw);
    const { body } = await treasurer.ask('GET', `${api}/connectors/${name}`);
    assert.deepEqual([body.url, body.state, body.openBreaks], ['http://bank.example/c', 'UP', 0]);
    const listed = await treasurer.ask('GET', `${api}/connectors`);
    assert.ok(listed.body.data.some((one: { name: string }) => one.name === name));
    for (const { raw } of [listed, await treasurer.ask('GET', `${api}/connectors/${name}`)])
      assert.ok(!raw.includes(secret));
    assert.equal((await auditOf('connector add')).platform, null);
    const csv = await treasurer.ask('GET', `${api}/connectors?format=csv`);
    assert.equal(csv.status, 200, csv.raw);
  });

  it('connectors.md §9.1: a URL with a user name or a password is refused, and one that is stored shows none', async () => {
    const { name } = await added();
    for (const url of [
      'http://user:word@bank.example/c',
      'https://user@bank.example',
      'https://:word@bank.example',
    ])
      for (const path of ['/connectors', `/connectors/${name}/set`]) {
        const given = path === '/connectors' ? { name: 'withpassword', url } : { url };
        const { status, body, raw } = await post(treasurer, path, given);
        assert.deepEqual(
          [status, body.code, body.details.errors[0].field],
          [400, 'INVALID_INPUT', 'url'],
          raw,
        );
        assert.match(raw, /requests are signed instead/);
        assert.ok(!raw.includes('word@'), raw);
      }
    await world.database.query(sql`
      update connectors set url = 'http://user:word@bank.example/c' where name = ${name}`);
    const { body, raw } = await treasurer.ask('GET', `${api}/connectors/${name}`);
    assert.equal(body.url, 'http://bank.example/c', raw);
  });

  it('connectors.md §9.1: bad input is refused by name, every bad field at once', async () => {
    const { name } = await added();
    const bad = await post(treasurer, '/connectors', { name: 'Nord Bank', url: 'http://bank.example' });
    assert.deepEqual([bad.status, bad.body.details.errors[0].field], [400, 'name']);
    const nobody = publicId('Platform', newUuid<'Platform'>());
    const wrong = { rail: 'PIGEON', currency: 'XXZ', country: 'ZZ', platform: nobody, least: '5', most: '4' };
    const { status, body, raw } = await post(treasurer, '/connector-routes', {
      connector: name,
      number: 1,
      ...wrong,
    });
    assert.equal(status, 400, raw);
    assert.deepEqual(
      body.details.errors.map(({ field }: { field: string }) => field),
      ['rail', 'currency', 'country', 'least', 'platform'],
    );
    const certificate = { certificate: 'none', privateKey: 'none' };
    const fieldsOf = async (given: object) => {
      const answered = await post(treasurer, `/connectors/${name}/set`, given);
      assert.equal(answered.status, 400, answered.raw);
      return answered.body.details.errors.map(({ field }: { field: string }) => field);
    };
    assert.deepEqual(await fieldsOf({}), ['url']);
    assert.deepEqual(await fieldsOf(certificate), ['certificate', 'privateKey']);
    assert.deepEqual(await fieldsOf({ certificate: 'none' }), ['privateKey']);
    assert.deepEqual(await fieldsOf({ ...certificate, withoutCertificate: true }), ['withoutCertificate']);
    const calls = ['set', 'remove', 'rotate-secret', 'pause', 'resume', 'rewind'].map((verb) =>
      post(treasurer, `/connectors/nobody/${verb}`, verb === 'set' ? { url: 'http://bank.example' } : {}),
    );
    for (const { status } of await Promise.all(calls)) assert.equal(status, 404);
    assert.equal((await treasurer.ask('GET', `${api}/connectors/%00`)).status, 404);
    assert.equal((await treasurer.ask('GET', `${api}/connector-orders?connector=%00`)).status, 400);
    assert.equal(
      (await post(treasurer, '/connector-routes', { connector: 'nobody', number: 1 })).status,
      404,
    );
    assert.equal((await post(treasurer, '/connector-routes/remove', { number: 77 })).status, 409);
  });

  it('connectors.md §8.1, §9.1, §9.2: it is set, routed, paused, resumed, rewound and removed, each with its audit row', async () => {
    const { name } = await added();
    const set = await post(treasurer, `/connectors/${name}/set`, { url: 'https://new.example' });
    assert.equal(set.body.url, 'https://new.example/');
    const route = { connector: name, number: 4, rail: 'SEPA', kind: 'PAYOUT', least: '100', most: '5000' };
    assert.equal((await post(treasurer, '/connector-routes', route)).status, 200);
    const { body: routes } = await treasurer.ask('GET', `${api}/connector-routes`);
    const shown = { ...route, currency: null, country: null, platform: null };
    assert.deepEqual(
      routes.data.find(({ number }: { number: number }) => number === 4),
      shown,
    );
    const paused = await post(treasurer, `/connectors/${name}/pause`);
    assert.deepEqual([paused.status, await stateOf(name)], [200, ['PAUSED', 'OPERATOR']]);
    assert.equal((await post(treasurer, `/connectors/${name}/pause`)).status, 409);
    assert.equal((await post(treasurer, `/connectors/${name}/resume`)).status, 200);
    assert.deepEqual(await stateOf(name), ['UP', null]);
    assert.equal((await post(treasurer, `/connectors/${name}/rewind`)).status, 200);
    assert.equal((await post(treasurer, '/connector-routes/remove', { number: 4 })).status, 200);
    assert.equal((await post(treasurer, `/connectors/${name}/remove`)).status, 200);
    assert.equal(await findConnector(world.database.query, name), undefined);
    for (const action of ['set', 'route', 'pause', 'resume', 'rewind', 'route remove', 'remove'])
      assert.equal((await auditOf(`connector ${action}`)).actorKind, 'operator', action);
  });

  it('connectors.md §2.9: a rotation is refused while another one runs', async () => {
    const { name, secret } = await added();
    const next = await post(treasurer, `/connectors/${name}/rotate-secret`);
    assert.equal(next.status, 200, next.raw);
    assert.notEqual(next.body.secret, secret);
    assert.equal((await post(treasurer, `/connectors/${name}/rotate-secret`)).status, 409);
  });

  it('connectors.md §2.9: a rotation at once replaces both secrets of one that runs', async () => {
    const { name } = await added();
    const next = await post(treasurer, `/connectors/${name}/rotate-secret`);
    const now = await post(treasurer, `/connectors/${name}/rotate-secret`, { immediately: true });
    assert.deepEqual([next.status, now.status], [200, 200], now.raw);
    const [row] = await world.database.query<{ key_id: string; next_key_id: string | null }>(
      sql`select key_id, next_key_id from connectors where name = ${name}`,
    );
    assert.deepEqual([`ConnectorKey:${row?.key_id}`, row?.next_key_id], [now.body.keyId, null]);
  });

  it('connectors.md §9.1: removing is refused while events, requests or breaks wait there, and names them', async () => {
    const { name } = await added();
    const { query } = world.database;
    const connector = await findConnector(query, name);
    assert.ok(connector);
    const id = newUuid<'Break'>();
    const found = { kind: 'LOST' as const, what: 'It is lost.', about: newUuid(), platformId: null };
    await openBreak(query, { ...found, id, connectorId: connector.id }, new Date());
    await query(sql`
      insert into connector_events (connector_id, store, event_id, type, at, about, content_hash, received_at, due_at)
      values (${connector.id}, 's', 'EVENT', 'CREDIT', now(), 'x', '', now(), now())`);
    const platform = await givenPlatform(world);
    await query(sql`
      insert into connector_requests
        (platform_id, kind, subject, status, connector_id, currency, account_types, call_at, created_at)
      values (${platform.id}, 'ACCOUNT', ${newUuid()}, 'TAKEN', ${connector.id}, 'EUR', '{EUR_ACCOUNT}', now(), now())`);
    const remove = () => post(treasurer, `/connectors/${name}/remove`);
    const refused = await remove();
    assert.equal(refused.status, 409, refused.raw);
    assert.ok(
      refused.body.reason.includes('open requests: 1, events that are not applied: 1, open breaks: 1'),
      refused.raw,
    );
    await query(
      sql`update connector_events set applied_at = now(), due_at = null where connector_id = ${connector.id}`,
    );
    assert.match((await remove()).body.reason, /open requests: 1, open breaks: 1/);
    await query(sql`
      update connector_requests set status = 'ENDED', call_at = null, ended_at = now() where connector_id = ${connector.id}`);
    assert.equal((await remove()).status, 409);
    assert.equal((await post(finance, `/breaks/${publicId('Break', id)}/resolve`)).status, 200);
    assert.equal((await remove()).status, 200);
  });

  it('operator.md §10.1: all but pausing need treasury and a second operator, whose approval has the same effect', async () => {
    const { name } = await added();
    await setApprovals(world, { approvals: 'required' });
    try {
      const asked = await post(treasurer, `/connectors/${name}/set`, { url: 'https://other.example' });
      assert.equal(asked.status, 202, asked.raw);
      // What happens to the connector meanwhile does not change what was proposed.
      assert.equal((await post(treasurer, `/connectors/${name}/pause`)).status, 200);
      assert.equal((await approve(treasurer, asked.body)).status, 403);
      const approved = await approve(other, asked.body);
      assert.equal(approved.body.status, 'APPROVED', approved.raw);
      assert.equal((await findConnector(world.database.query, name))?.url, 'https://other.example');
      const secret = await post(treasurer, `/connectors/${name}/rotate-secret`, { immediately: true });
      const rotated = await approve(other, secret.body);
      assert.equal(rotated.body.status, 'APPROVED', rotated.raw);
      assert.ok(!rotated.raw.includes('"secret":"'));
      const route = await post(treasurer, '/connector-routes', { connector: name, number: 9 });
      const second = await post(treasurer, '/connector-routes', { connector: name, number: 10 });
      assert.deepEqual([route.status, second.status], [202, 202]);
      assert.equal((await approve(other, second.body)).body.status, 'APPROVED');
      assert.deepEqual(
        (await listRoutes(world.database.query)).map(({ number }) => number),
        [10],
      );
    } finally {
      await setApprovals(world, { approvals: 'off' });
    }
    assert.equal((await post(finance, `/connectors/${name}/pause`)).status, 403);
  });

  it('connectors.md §9.5: finance resolves a break, once; lists show open and resolved ones', async () => {
    const { name } = await added();
    const connector = await findConnector(world.database.query, name);
    const id = newUuid<'Break'>();
    const found = { kind: 'LOST' as const, what: 'It is lost.', about: newUuid(), platformId: null };
    const about = { ...found, id, connectorId: connector?.id ?? '', amount: 100n, currency: 'EUR' };
    await openBreak(world.database.query, about, new Date());
    const listed = (query: string) => treasurer.ask('GET', `${api}/breaks?connector=${name}&${query}`);
    assert.equal((await listed('isOpen=true&count=true')).body.totalCount, 1);
    assert.equal((await post(treasurer, `/breaks/${publicId('Break', id)}/resolve`)).status, 403);
    const resolve = () => post(finance, `/breaks/${publicId('Break', id)}/resolve`);
    const done = await resolve();
    assert.deepEqual([done.status, done.body.what, done.body.amount], [200, 'It is lost.', '100']);
    assert.equal((await resolve()).status, 409);
    assert.equal((await listed('isOpen=true')).body.data.length, 0);
    assert.equal((await listed('isOpen=false&kind=LOST')).body.data[0].id, publicId('Break', id));
    const shown = await treasurer.ask('GET', `${api}/breaks/${publicId('Break', id)}`);
    assert.ok(shown.body.resolvedAt && !shown.raw.includes('for the test'), shown.raw);
    const missing = await treasurer.ask('GET', `${api}/breaks/${publicId('Break', newUuid<'Break'>())}`);
    assert.equal(missing.status, 404);
  });

  it('connectors.md §9.1: events are listed newest first, in pages, of one connector or of all', async () => {
    const { name } = await added();
    const connector = await findConnector(world.database.query, name);
    await world.database.query(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, applied_at, due_at, outcome)
      select ${connector?.id}, 's', 'EVENT-' || n, 'ORDER', now(), 'ORDER-' || n, '', null, now(),
             case when n > 1 then now() end, case when n = 1 then now() end, case when n > 1 then 'applied' end
        from generate_series(1, 5) n`);
    const read = async (query: string) =>
      (await treasurer.ask('GET', `${api}/connector-events?${query}`)).body;
    const first = await read(`connector=${name}&limit=3&count=true`);
    const second = await read(`connector=${name}&limit=3&cursor=${encodeURIComponent(first.nextCursor)}`);
    const ids = [...first.data, ...second.data].map(({ event }: { event: string }) => event);
    assert.deepEqual(
      ids,
      [5, 4, 3, 2, 1].map((n) => `EVENT-${n}`),
    );
    assert.deepEqual([first.totalCount, second.hasMore], [5, false]);
    const waiting = await read('isApplied=false');
    assert.deepEqual(
      waiting.data.map(({ event }: { event: string }) => event),
      ['EVENT-1'],
    );
  });

  it('connectors.md §9.2: if two operators pause it at once, one does', async () => {
    const { name } = await added();
    const pause = () => onInstallation(world, (tx) => pauseConnector(tx, { name, reason: 'test' }));
    const done = await Promise.allSettled([pause(), pause()]);
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});
