import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createAuditedToken,
  findTokenByName,
  revokeAuditedToken,
} from '#capabilities/tokens/operator-tokens.ts';
import { revokeToken } from '#capabilities/tokens/revoke-token.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const operator = { kind: 'operator', id: 'test' } as const;
const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

describe('tokens', () => {
  const world = testWorld();
  const create = async (platform: TestPlatform, body: RequestOf<'createToken'> = {}) => {
    const answer = await platform.call('createToken', {
      body: { name: 'Backend', permissions: ['VIEW'], ...body },
    });
    assert.equal(answer.status, 201, answer.raw);
    return answer.body;
  };
  const authorizationOf = (token: { clientId: string; clientSecret: string }) =>
    basic(token.clientId, token.clientSecret);
  const remove = (platform: TestPlatform, tokenId: string, as?: string) =>
    platform.call('deleteTokenById', { params: { tokenId }, ...(as !== undefined && { as }) });
  /** The id of the token that the test platform's calls use. */
  const ownToken = async (platform: TestPlatform) => {
    const { body } = await platform.call('listTokens', { query: { limit: 100 } });
    return body.data.at(-1)?.id ?? '';
  };

  it('platform.md §1.3.5: a new token has a client id of 32 hex digits and a secret of at least 36 characters, and works at once', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    assert.match(token.id, /^Token:/);
    assert.match(token.clientId, /^[0-9a-f]{32}$/);
    assert.match(token.clientSecret, /^[0-9a-f]{36,}$/);
    assert.equal(token.createdAt, token.updatedAt);
    const seen = await platform.call('getPlatformConfig', { as: authorizationOf(token) });
    assert.equal(seen.status, 200);
  });

  it('platform.md §1.3.5: no reply may be cached', async () => {
    const platform = await world.platform();
    const made = await platform.call('createToken', { body: { name: 'Backend', permissions: ['VIEW'] } });
    const read = await platform.call('getTokenById', { params: { tokenId: made.body.id } });
    const refused = await platform.call('listTokens', { as: 'nobody' });
    for (const { status, headers } of [made, read, refused]) {
      assert.equal(headers['cache-control'], 'no-store', String(status));
      assert.equal(headers['x-content-type-options'], 'nosniff', String(status));
    }
  });

  it('platform.md §1.3.7a: a token’s use is recorded at its first call, then at most once an hour', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    const as = authorizationOf(token);
    const usedAt = async () => {
      const [row] = await world.database.query<{ used_at: Date | null }>(
        sql`select used_at from tokens where id = ${uuidOf(token.id)}`,
      );
      return row?.used_at?.getTime();
    };
    assert.equal(await usedAt(), undefined);
    await platform.call('getPlatformConfig', { as });
    const first = world.clock.now();
    assert.equal(await usedAt(), first);
    world.clock.advance(3_599_999);
    await platform.call('getPlatformConfig', { as });
    assert.equal(await usedAt(), first);
    world.clock.advance(1);
    const calls = [1, 2, 3].map(() => platform.call('getPlatformConfig', { as }));
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
    assert.equal(await usedAt(), first + 3_600_000);
  });

  it('platform.md §1.3.7a: a call succeeds even if the use of its token cannot be recorded', async () => {
    const platform = await world.platform();
    const as = authorizationOf(await create(platform));
    await world.database.query(sql`
      alter table tokens add constraint no_use_noted check (used_at is null) not valid`);
    assert.equal((await platform.call('getPlatformConfig', { as })).status, 200);
    await world.database.query(sql`alter table tokens drop constraint no_use_noted`);
  });

  it('platform.md §1.3.1: the username may be the client id, the bare UUID or the whole id', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    for (const user of [token.clientId, token.id, uuidOf(token.id)]) {
      const answer = await platform.call('getPlatformConfig', { as: basic(user, token.clientSecret) });
      assert.equal(answer.status, 200, user);
    }
  });

  it('platform.md §1.3.2, §1.3.3: all wrong credentials, including another scheme, get the same 401, byte for byte', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    const bad = [
      'nobody',
      'Basic',
      'Basic !!!',
      `Bearer ${token.clientSecret}`,
      basic('', ''),
      basic(token.clientId, ''),
      basic(token.clientId, `${token.clientSecret}0`),
      basic(token.clientId.toUpperCase(), token.clientSecret),
      basic('0'.repeat(32), token.clientSecret),
      basic(newUuid(), token.clientSecret),
      basic(`Customer:${newUuid()}`, token.clientSecret),
    ];
    const answers = await Promise.all(bad.map((as) => platform.call('listTokens', { as })));
    for (const [i, answer] of answers.entries()) {
      assert.equal(answer.status, 401, String(bad[i]));
      assert.match(String(answer.headers['www-authenticate']), /^Basic/);
      assert.equal(answer.raw, answers[0]?.raw);
    }
  });

  it('platform.md §1.3.4: permissions are independent of each other', async () => {
    const platform = await world.platform();
    const manage = authorizationOf(await create(platform, { permissions: ['MANAGE'] }));
    const view = authorizationOf(await create(platform, { permissions: ['VIEW'] }));
    const transact = authorizationOf(await create(platform, { permissions: ['TRANSACT'] }));
    const body = { name: 'x', permissions: ['MANAGE'] };
    for (const [as, reads, writes] of [
      [view, 200, 403],
      [manage, 403, 201],
      [transact, 403, 403],
    ] as const) {
      assert.equal((await platform.call('listTokens', { as })).status, reads);
      assert.equal((await platform.call('createToken', { as, body })).status, writes);
    }
  });

  it('platform.md §1.3.5: a token can grant only permissions that it has', async () => {
    const platform = await world.platform();
    const all = ['VIEW', 'TRANSACT', 'MANAGE'];
    const sets = [['MANAGE'], ['VIEW', 'MANAGE'], ['TRANSACT', 'MANAGE'], all];
    let granted = 0;
    for (const held of sets) {
      const as = authorizationOf(await create(platform, { name: 'granting', permissions: held }));
      for (const permissions of [['VIEW'], ['TRANSACT'], ['MANAGE'], ...sets]) {
        const reply = await platform.call('createToken', { as, body: { name: 'granted', permissions } });
        const lacking = permissions.filter((permission) => !held.includes(permission));
        assert.equal(reply.status, lacking.length === 0 ? 201 : 403, `${held} grants ${permissions}`);
        if (lacking.length === 0) {
          granted++;
          continue;
        }
        assert.equal(reply.body.code, 'FORBIDDEN');
        for (const permission of lacking) assert.match(reply.body.reason, new RegExp(permission));
      }
    }
    const { body } = await platform.call('listTokens', { query: { name: 'granted' } });
    assert.equal(body.totalCount, granted, 'a refused grant leaves no token');
  });

  it('platform.md §1.3.5, §2.5: a refused grant frees its key', async () => {
    const platform = await world.platform();
    const as = authorizationOf(await create(platform, { permissions: ['MANAGE'] }));
    const grant = (permission: string) =>
      platform.call('createToken', { as, key: 'grant', body: { name: 'x', permissions: [permission] } });
    assert.equal((await grant('TRANSACT')).status, 403);
    assert.equal((await grant('MANAGE')).status, 201);
  });

  it('platform.md §1.3.7: a token that is deleted while it creates another leaves no successor', async () => {
    const platform = await world.platform();
    const token = await create(platform, { permissions: ['MANAGE'] });
    const release = await holdOpen(platform, (tx) => revokeToken(tx, uuidOf(token.id)));
    const creating = platform.call('createToken', {
      as: authorizationOf(token),
      body: { name: 'successor', permissions: ['MANAGE'] },
    });
    await untilBlocked(world.databaseUrl, 1, creating);
    await release();
    assert.equal((await creating).status, 401);
    const { body } = await platform.call('listTokens', { query: { name: 'successor' } });
    assert.equal(body.totalCount, 0);
  });

  it('platform.md §1.3.5: the secret is in that one reply only: the database has just its salted hash', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    const read = await platform.call('getTokenById', { params: { tokenId: token.id } });
    const { clientSecret, ...rest } = token;
    assert.deepEqual(read.body, rest);
    const list = await platform.call('listTokens');
    assert.ok(!list.raw.includes(clientSecret) && !list.raw.includes('clientSecret'));
    const [dump] = await world.database.query<{ all: string }>(
      sql`select (select string_agg(t::text, '') from tokens t) || (select string_agg(a::text, '') from audit_log a)
               || coalesce((select string_agg(i::text, '') from idempotency_keys i), '') as all`,
    );
    assert.ok(dump && !dump.all.includes(clientSecret));
    assert.ok(!world.logged.some((line) => line.includes(clientSecret)));
    const rows = await world.database.query<{ salt: Buffer }>(sql`select salt from tokens`);
    assert.equal(new Set(rows.map((row) => row.salt.toString('hex'))).size, rows.length);
  });

  it('platform.md §1.3.5: name has 1–255 characters and need not be unique; duplicate permissions are merged', async () => {
    const platform = await world.platform();
    const one = await create(platform, { name: 'x'.repeat(255), permissions: ['VIEW', 'MANAGE', 'VIEW'] });
    assert.deepEqual(one.permissions, ['VIEW', 'MANAGE']);
    const two = await create(platform, { name: 'x'.repeat(255) });
    assert.notEqual(one.id, two.id);
  });

  it('platform.md §1.3.5, §10.0.2: a refusal names every invalid field', async () => {
    const platform = await world.platform();
    const listRefusedFields = async (body: unknown) => {
      const answer = await platform.send('createToken', { body });
      assert.equal(answer.status, 400, answer.raw);
      assert.equal(answer.body.code, 'INVALID_INPUT');
      return answer.body.details.errors.map((error: { field: string }) => error.field);
    };
    assert.deepEqual(await listRefusedFields({}), ['name', 'permissions']);
    assert.deepEqual(await listRefusedFields({ name: '', permissions: [] }), ['name', 'permissions']);
    assert.deepEqual(await listRefusedFields({ name: 'x'.repeat(256), permissions: ['ADMIN', 'VIEW', 5] }), [
      'name',
      'permissions.0',
      'permissions.2',
    ]);
    assert.deepEqual(await listRefusedFields({ name: null, permissions: null }), ['name', 'permissions']);
    assert.deepEqual(await listRefusedFields({ name: 'x', permissions: 'VIEW' }), ['permissions']);
  });

  it('platform.md §2.5: a repeated key never shows the secret again: 409, and one token', async () => {
    const platform = await world.platform();
    const body = { name: 'Keyed', permissions: ['VIEW'] };
    const first = await platform.call('createToken', { body, key: 'k1' });
    assert.equal(first.status, 201);
    for (const again of [body, { ...body, name: 'Other' }]) {
      const second = await platform.call('createToken', { body: again, key: 'k1' });
      assert.equal(second.status, 409);
      assert.equal(second.body.code, 'CONFLICT');
      assert.ok(!second.raw.includes(first.body.clientSecret));
    }
    const list = await platform.call('listTokens', { query: { name: 'Keyed' } });
    assert.equal(list.body.totalCount, 1);
  });

  it('platform.md §2.6: of many concurrent calls with one key, one creates a token', async () => {
    const platform = await world.platform();
    const body = { name: 'Race', permissions: ['VIEW'] };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => platform.call('createToken', { body, key: 'race' })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));
    assert.equal((await platform.call('listTokens', { query: { name: 'Race' } })).body.totalCount, 1);
  });

  it('platform.md §1.3.6, §1.4.3: name filters by exact match, and times are inclusive', async () => {
    const platform = await world.platform();
    await create(platform, { name: 'Exact' });
    world.clock.advance(1000);
    const second = await create(platform, { name: 'exact' });
    world.clock.advance(1000);
    await create(platform, { name: 'Exact one' });
    const names = async (query: Record<string, string>) =>
      (await platform.call('listTokens', { query })).body.data.map((token: { name: string }) => token.name);
    assert.deepEqual(await names({ name: 'Exact' }), ['Exact']);
    assert.deepEqual(await names({ name: 'Exac%' }), []);
    assert.deepEqual(await names({ createdAfter: second.createdAt }), ['Exact one', 'exact']);
    assert.deepEqual(await names({ createdAfter: second.createdAt, createdBefore: second.createdAt }), [
      'exact',
    ]);
    assert.deepEqual(await names({ updatedAfter: second.createdAt, updatedBefore: second.createdAt }), [
      'exact',
    ]);
    const offset = `${new Date(Date.parse(second.createdAt) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    assert.deepEqual(await names({ createdAfter: offset, name: 'exact' }), ['exact']);
    assert.deepEqual(await names({ createdBefore: '0001-01-01T00:00:00Z' }), []);
    assert.deepEqual(await names({ createdBefore: '0000-01-01t00:00:00z' }), []);
    assert.deepEqual(await names({ createdAfter: '9999-12-31T23:59:59Z' }), []);
  });

  it('platform.md §1.4.1, §1.4.3: invalid filters and crossed bounds are 400', async () => {
    const platform = await world.platform();
    for (const query of [
      { createdAfter: 'yesterday' },
      { updatedBefore: '2026-01-01' },
      { createdAfter: '9999-12-31T23:59:59-23:59' },
      { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' },
      { updatedAfter: '2026-01-02T00:00:00Z', updatedBefore: '2026-01-01T00:00:00Z' },
      { limit: 0 },
      { limit: 101 },
      { limit: 'many' },
      { cursor: 'garbage' },
    ]) {
      const answer = await platform.call('listTokens', { query: query as Record<string, string> });
      assert.equal(answer.body.code, 'INVALID_INPUT', JSON.stringify(query));
    }
  });

  it('platform.md §1.4.2: paging shows each token once, newest first, even if others are created meanwhile', async () => {
    const platform = await world.platform();
    for (let i = 0; i < 5; i++) await create(platform, { name: `t${i}` });
    const all = (await platform.call('listTokens')).body;
    assert.equal(all.totalCount, 6);
    assert.equal(all.hasMore, false);
    assert.equal(all.nextCursor, undefined);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await platform.call('listTokens', { query: { limit: 2, ...(cursor && { cursor }) } });
      seen.push(...body.data.map((token: { id: string }) => token.id));
      cursor = body.nextCursor;
      assert.equal(body.hasMore, cursor !== undefined);
      await create(platform, { name: 'later' });
    } while (cursor);
    assert.deepEqual(
      seen,
      all.data.map((token: { id: string }) => token.id),
    );
  });

  it('platform.md §1.4.2: a cursor fits its own filters and platform only', async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    await create(one);
    const { nextCursor: cursor } = (await one.call('listTokens', { query: { limit: 1 } })).body;
    assert.equal((await one.call('listTokens', { query: { limit: 5, cursor } })).status, 200);
    assert.equal((await one.call('listTokens', { query: { cursor, name: 'x' } })).body.code, 'INVALID_INPUT');
    assert.equal((await two.call('listTokens', { query: { cursor } })).body.code, 'INVALID_INPUT');
    for (const garbage of [`${cursor}A`, `${cursor}.`, `${cursor}=`, cursor.slice(0, -1), cursor.slice(1)]) {
      const reply = await one.call('listTokens', { query: { cursor: garbage } });
      assert.equal(reply.body.code, 'INVALID_INPUT', garbage);
    }
  });

  it('platform.md §1.3.6, §1.1.3: unknown, malformed and foreign ids get the same 404, byte for byte', async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    const other = await world.platform({ environment: 'PRODUCTION' });
    const foreign = await create(two);
    const elsewhere = await create(other);
    const uuid = newUuid();
    const ids = [foreign.id, elsewhere.id, `Token:${uuid}`, uuid, 'Token:1', 'x', 'Token:'];
    for (const id of ['getTokenById', 'deleteTokenById'] as const) {
      const answers = await Promise.all(ids.map((tokenId) => one.call(id, { params: { tokenId } })));
      for (const [i, answer] of answers.entries()) {
        assert.equal(answer.status, 404, String(ids[i]));
        assert.equal(answer.body.code, 'TOKEN_NOT_FOUND');
        assert.equal(answer.raw, answers[0]?.raw);
      }
    }
    assert.equal((await two.call('getTokenById', { params: { tokenId: foreign.id } })).status, 200);
    assert.ok(!(await one.call('listTokens')).raw.includes(foreign.id));
  });

  it('platform.md §1.2.2: a path also takes the bare UUID', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    const tokenId = uuidOf(token.id);
    assert.equal((await platform.call('getTokenById', { params: { tokenId } })).body.id, token.id);
    assert.equal((await remove(platform, tokenId)).status, 204);
  });

  it('platform.md §1.3.7: a deleted token gets 401 at its next use and leaves the lists; deleting it again is 404', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    const as = authorizationOf(token);
    assert.equal((await platform.call('listTokens', { as })).status, 200);
    assert.equal((await remove(platform, token.id)).status, 204);
    assert.equal((await platform.call('listTokens', { as })).body.code, 'UNAUTHORIZED');
    assert.equal((await remove(platform, token.id)).body.code, 'TOKEN_NOT_FOUND');
    assert.equal((await platform.call('getTokenById', { params: { tokenId: token.id } })).status, 404);
    assert.ok(!(await platform.call('listTokens')).raw.includes(token.id));
  });

  it('platform.md §1.3.7: the token that signs the call cannot delete itself', async () => {
    const platform = await world.platform();
    const own = await ownToken(platform);
    for (const tokenId of [own, uuidOf(own)]) {
      const answer = await remove(platform, tokenId);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.code, 'INVALID_INPUT');
    }
    assert.equal((await platform.call('listTokens')).status, 200);
  });

  it('platform.md §1.3.7: of two concurrent deletes one is 204 and one 404', async () => {
    const platform = await world.platform();
    for (let i = 0; i < 5; i++) {
      const token = await create(platform);
      const answers = await Promise.all([remove(platform, token.id), remove(platform, token.id)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
    }
  });

  it('platform.md §1.3.7: two tokens that delete each other at once cannot lock the platform out', async () => {
    const platform = await world.platform();
    for (let i = 0; i < 5; i++) {
      const [a, b] = [
        await create(platform, { permissions: ['MANAGE'] }),
        await create(platform, { permissions: ['MANAGE'] }),
      ];
      const answers = await Promise.all([
        remove(platform, b.id, authorizationOf(a)),
        remove(platform, a.id, authorizationOf(b)),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401]);
    }
  });

  it('platform.md §1.3: creating, deleting and showing a secret write audit rows without secrets', async () => {
    const platform = await world.platform();
    const token = await create(platform);
    await remove(platform, token.id);
    const rows = await world.database.query<{ action: string; resource: string; actor_kind: string }>(
      sql`select action, resource, actor_kind from audit_log where platform_id = ${platform.id} and actor_kind = 'token'`,
    );
    const actions = rows.map((row) => row.action).sort();
    assert.deepEqual(actions, ['createToken', 'deleteTokenById', 'secret shown']);
    assert.equal(rows.find((row) => row.action === 'secret shown')?.resource, token.id);
  });

  it('the operator creates tokens, finds them by any of their ids and revokes them, with audit rows', async () => {
    const platform = await world.platform();
    const { runtime } = world.app;
    const request = { name: 'Ops', permissions: ['VIEW'] as const };
    const chosen = { clientId: 'ab'.repeat(16), clientSecret: 'chosen-secret-of-the-operator-0001' };
    const work = new Work(runtime, (await platform.work()).platform, operator);
    const create = (more = {}) => work.write((tx) => createAuditedToken(tx, { ...request, ...more }));
    const made = await create({ credentials: chosen });
    assert.equal(made.token.client_id, chosen.clientId);
    const as = basic(chosen.clientId, chosen.clientSecret);
    assert.equal((await platform.call('listTokens', { as })).status, 200);
    await assert.rejects(create({ credentials: chosen }), { code: 'CONFLICT' });
    const revoke = (id: Id<'Token'>) => work.write((tx) => revokeAuditedToken(tx, id, 'a test'));
    const find = (name: string) => work.read((tx) => findTokenByName(tx, name));
    assert.equal((await find(chosen.clientId))?.id, made.token.id);
    await revoke(made.token.id);
    assert.equal((await platform.call('listTokens', { as })).status, 401);
    const second = await create();
    const { id } = second.token;
    for (const name of [id, `Token:${id}`]) assert.equal((await find(name))?.id, id);
    for (const name of ['x', newUuid(), 'cd'.repeat(16)]) assert.equal(await find(name), undefined);
    await revoke(id);
    await assert.rejects(revoke(id), { code: 'TOKEN_NOT_FOUND' });
    const rows = await world.database.query<{ action: string }>(
      sql`select action from audit_log where platform_id = ${platform.id} and actor_kind = 'operator' order by id`,
    );
    const actions = rows.map((row) => row.action).filter((action) => action.startsWith('token '));
    assert.deepEqual(actions, ['token create', 'token revoke', 'token create', 'token revoke']);
  });
});
