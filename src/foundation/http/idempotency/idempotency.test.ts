// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sql } from '#foundation/database/sql.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { component, pageQuery, queryId } from '#foundation/http/schema.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { smallServer } from '#tests/harness/small-server.ts';

const names = wireNames('Svc');

describe('idempotency keys', () => {
  const world = testWorld();
  const servers: FastifyInstance[] = [];
  let platform: TestPlatform;
  /** While this promise is pending, an effect stops in the middle of its transaction. */
  let gate: Promise<void> = Promise.resolve();
  let entered = () => {};

  before(async () => {
    const operations = effects(
      () => gate,
      () => entered(),
    );
    // Two servers stand for two processes: they share nothing but the database.
    for (let i = 0; i < 2; i++) servers.push(await smallServer(world, operations));
    platform = await world.platform();
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  async function post(
    path: string,
    key: string,
    body: unknown,
    options: { server?: number; as?: TestPlatform } = {},
  ) {
    const reply = await (servers[options.server ?? 0] as FastifyInstance).inject({
      method: 'POST',
      url: names.basePath + path,
      headers: {
        authorization: (options.as ?? platform).authorization,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      payload: JSON.stringify(body),
    });
    return { status: reply.statusCode, raw: reply.body, body: reply.json(), headers: reply.headers };
  }

  /** Each effect leaves one audit row that names it: counting them counts effects. */
  async function effectsNamed(name: string): Promise<number> {
    const rows = await world.database.query(sql`select from audit_log where resource = ${name}`);
    return rows.length;
  }

  it('platform.md §2.3: a call with the same key and body gets the first reply byte for byte, and has no second effect', async () => {
    const first = await post('/effects', 'k1', { name: 'once', size: 1 });
    const again = await post('/effects', 'k1', { size: 1, name: 'once' });
    assert.equal(first.status, 201);
    assert.equal(again.status, 201);
    assert.equal(again.raw, first.raw);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(await effectsNamed('once'), 1);
  });

  it('platform.md §2.3: the scope is platform and concrete path', async () => {
    const other = await world.platform();
    await post('/effects', 'k2', { name: 'scoped' });
    assert.equal(
      (await post('/effects', 'k2', { name: 'scoped' }, { as: other })).headers['idempotency-replayed'],
      undefined,
    );
    assert.equal(
      (await post('/effects/a', 'k2', { name: 'scoped' })).headers['idempotency-replayed'],
      undefined,
    );
    assert.equal(
      (await post('/effects/b', 'k2', { name: 'scoped' })).headers['idempotency-replayed'],
      undefined,
    );
    assert.equal(await effectsNamed('scoped'), 4);
  });

  it('platform.md §2.3, §1.2.2: one address is one scope, however its id is written', async () => {
    const uuid = '019542f5-b3e7-7d02-8000-0000000000ff';
    const replies = [];
    for (const id of [uuid, `Customer:${uuid}`, `Customer%3A${uuid}`, `%43ustomer:${uuid}`]) {
      replies.push(await post(`/customers/${id}/effects`, 'k2b', { name: 'spelt' }));
    }
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers['idempotency-replayed']]),
      [
        [201, undefined],
        [201, 'true'],
        [201, 'true'],
        [201, 'true'],
      ],
    );
    assert.equal(await effectsNamed('spelt'), 1);
  });

  it('platform.md §2.3: the query belongs to the scope, however its parameters are ordered and written', async () => {
    const replayed = async (query: string) => {
      const reply = await post(`/asked${query}`, 'k2c', { name: 'asked' });
      assert.equal(reply.status, 201, reply.raw);
      return reply.headers['idempotency-replayed'] === 'true';
    };
    const id = '019542f5-b3e7-7d02-8000-0000000000ff';
    // The default of `limit` is 20; empty values count as absent.
    const same = [
      ['', '?', '?limit=20', '?limit=', '?unknown=', '?kinds=', '?kinds=,'],
      [
        `?limit=5&customerId=${id}`,
        `?customerId=Customer:${id}&limit=5`,
        `?limit=5&customerId=Customer%3A${id}`,
      ],
      ['?kinds=a,b', '?kinds=a&kinds=b', '?kinds=a%2Cb&limit=20'],
      ['?kinds=b,a'],
      ['?kinds=a'],
      ['?note=a%26limit%3D5'],
      ['?note=a&limit=5'],
      ['?unknown=1&unknown=2&another=3', '?another=3&unknown=1&unknown=2&limit='],
      ['?unknown=2&unknown=1&another=3'],
      [`?note=${'x'.repeat(4_000)}`],
    ];
    for (const [first = '', ...others] of same) {
      assert.equal(await replayed(first), false, first);
      for (const other of others) assert.equal(await replayed(other), true, `${other} is ${first}`);
    }
    assert.equal(await effectsNamed('asked'), same.length);
  });

  it('platform.md §2.1: an operation whose calls must each be new ignores the key, whatever it is', async () => {
    for (const key of ['k2d', 'k2d', '', 'x'.repeat(256), 'tab\there']) {
      const reply = await post('/ignored', key, { name: 'ignored' });
      assert.deepEqual([reply.status, reply.headers['idempotency-replayed']], [201, undefined], reply.raw);
    }
    assert.equal(await effectsNamed('ignored'), 5);
    const rows = await world.database.query(sql`select 1 from idempotency_keys where key = 'k2d'`);
    assert.deepEqual(rows, []);
  });

  it('platform.md §2.1, §2.3: the reply of a read-only POST is stored under its key as well', async () => {
    const first = await post('/guesses', 'k2e', { name: 'one' });
    const again = await post('/guesses', 'k2e', { name: 'one' });
    assert.deepEqual(
      [first.status, again.raw, again.headers['idempotency-replayed']],
      [200, first.raw, 'true'],
    );
    assert.equal((await post('/guesses', 'k2e', { name: 'two' })).body.code, 'CONFLICT');
    assert.notEqual((await post('/guesses', 'k2f', { name: 'one' })).raw, first.raw);
  });

  it('platform.md §2.4: the same key with another body is 409, with the code of the operation', async () => {
    await post('/effects', 'k3', { name: 'first' });
    const reply = await post('/effects', 'k3', { name: 'other' });
    assert.equal(reply.status, 409);
    assert.equal(reply.body.code, 'CONFLICT');
    assert.equal(reply.headers['x-should-retry'], 'false');
    await post('/payments', 'k3', { name: 'first' });
    assert.equal((await post('/payments', 'k3', { name: 'other' })).body.code, 'DUPLICATE_PAY_REQUEST');
  });

  it('platform.md §2.2: 1 to 255 printable ASCII characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'tab\there']) {
      assert.equal((await post('/effects', key, { name: 'never' })).body.code, 'INVALID_INPUT');
    }
    assert.equal((await post('/effects', 'x'.repeat(255), { name: 'long' })).status, 201);
    const missing = await (servers[0] as FastifyInstance).inject({
      method: 'POST',
      url: `${names.basePath}/required`,
      headers: { authorization: platform.authorization, 'content-type': 'application/json' },
      payload: '{"name":"never"}',
    });
    assert.equal(missing.json().details.errors[0].field, 'Idempotency-Key');
    assert.equal(await effectsNamed('never'), 0);
  });

  it('platform.md §2.5: a refusal is not stored, whether thrown or returned: the key is free again', async () => {
    assert.equal((await post('/effects', 'k4', { name: 'refused', refuse: 'throw' })).status, 409);
    assert.equal((await post('/effects', 'k4', { name: 'refused', refuse: 'return' })).status, 409);
    assert.equal((await post('/effects', 'k4', { name: 'refused' })).status, 201);
  });

  it('platform.md §2.5: a key is kept 24 hours from its first use', async () => {
    await post('/effects', 'k5', { name: 'aged' });
    world.clock.advance(24 * 3_600_000 - 1);
    assert.equal((await post('/effects', 'k5', { name: 'aged' })).headers['idempotency-replayed'], 'true');
    world.clock.advance(1);
    assert.equal((await post('/effects', 'k5', { name: 'aged' })).headers['idempotency-replayed'], undefined);
    assert.equal(await effectsNamed('aged'), 2);
  });

  it('platform.md §2.5: replies are sealed at rest, and one that holds a secret is never stored', async () => {
    const reply = await post('/secrets', 'k6', { name: 'hidden' });
    assert.equal(reply.status, 201);
    assert.equal((await post('/secrets', 'k6', { name: 'hidden' })).body.code, 'CONFLICT');
    await post('/effects', 'k6', { name: 'plainly-visible' });
    const rows = await world.database.query<{ reply: Buffer | null }>(
      sql`select reply from idempotency_keys where key = 'k6'`,
    );
    assert.equal(rows.length, 2);
    assert.equal(
      rows.some((row) => row.reply?.includes('plainly-visible')),
      false,
    );
    assert.equal(rows.filter((row) => row.reply === null).length, 1);
  });

  it('platform.md §2.6: N parallel identical calls, in one process or two, have one effect and one reply', async () => {
    const calls = Array.from({ length: 20 }, (_, i) =>
      post('/effects', 'k7', { name: 'raced' }, { server: i % 2 }),
    );
    const replies = await Promise.all(calls);
    assert.equal(new Set(replies.map((reply) => reply.raw)).size, 1);
    assert.equal(replies.filter((reply) => reply.headers['idempotency-replayed'] === undefined).length, 1);
    assert.equal(await effectsNamed('raced'), 1);
  });

  it('platform.md §2.4: a call that finds the first still running waits for it and replays its reply', async () => {
    const hold = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    gate = hold.promise;
    entered = inside.resolve;
    const first = post('/effects', 'k8', { name: 'slow' });
    await inside.promise;
    const sameProcess = post('/effects', 'k8', { name: 'slow' });
    const otherProcess = post('/effects', 'k8', { name: 'slow' }, { server: 1 });
    hold.resolve();
    const replies = await Promise.all([first, sameProcess, otherProcess]);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [201, 201, 201],
    );
    assert.equal(await effectsNamed('slow'), 1);
  });

  it('platform.md §2.4: a call that is still running after five seconds is a 409 that may be retried', async () => {
    const hold = Promise.withResolvers<void>();
    const inside = Promise.withResolvers<void>();
    gate = hold.promise;
    entered = inside.resolve;
    const first = post('/effects', 'k9', { name: 'stuck' });
    await inside.promise;
    const waiting = await Promise.all(
      [0, 1].map((server) => post('/effects', 'k9', { name: 'stuck' }, { server })),
    );
    for (const reply of waiting) {
      assert.equal(reply.status, 409);
      assert.equal(reply.headers['retry-after'], '1');
      assert.equal(reply.headers['x-should-retry'], 'true');
    }
    hold.resolve();
    assert.equal((await first).status, 201);
  });
});

const Body = Type.Object({
  name: Type.String(),
  size: Type.Optional(Type.Integer()),
  refuse: Type.Optional(Type.String()),
});

function effects(gate: () => Promise<void>, entered: () => void): NamedOperation[] {
  const effect = (id: string, path: string, rule: object) =>
    operation(id, {
      route: `POST ${path}` as `POST /${string}`,
      area: 'Effects',
      summary: 'Has an effect',
      access: 'manage',
      body: Body,
      status: 201,
      reply: component('Effect', {}),
      codes: ['CONFLICT'],
      ...rule,
      async write(tx, { body }) {
        const id = tx.newId();
        await tx.sql`
          insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource)
          values (${id}, ${tx.platformId}, ${tx.now}, 'operator', 'test', 'effect', ${body.name})`;
        if (body.refuse === 'throw') throw new Refusal('CONFLICT', 'refused');
        if (body.refuse === 'return') return new Refusal('CONFLICT', 'refused');
        entered();
        await gate();
        return { id, name: body.name };
      },
    });
  const guess = operation('makeGuess', {
    route: 'POST /guesses',
    area: 'Effects',
    summary: 'Reads only',
    access: 'view',
    body: Body,
    reply: component('Guess', {}),
    codes: [],
    read: async (tx) => ({ id: tx.newId() }),
  });
  return [
    guess,
    effect('createEffect', '/effects', {}),
    effect('createEffectOf', '/effects/:owner', { params: { owner: { text: 'Whose effect' } } }),
    effect('createEffectOfCustomer', '/customers/:customerId/effects', {
      params: { customerId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' } },
    }),
    effect('createPayment', '/payments', {
      idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
    }),
    effect('createSecret', '/secrets', { idempotency: { key: 'optional', secretReply: true } }),
    effect('createRequired', '/required', { idempotency: { key: 'required' } }),
    effect('createIgnored', '/ignored', { idempotency: { key: 'ignored' } }),
    effect('createAsked', '/asked', {
      query: pageQuery({
        customerId: Type.Optional(queryId('Customer')),
        kinds: Type.Optional(Type.Array(Type.String())),
        note: Type.Optional(Type.String()),
      }),
    }),
  ];
}
