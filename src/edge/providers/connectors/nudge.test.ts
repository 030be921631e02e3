import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { claimReader, endReading } from '#capabilities/connectors/event-store.ts';
import { addConnector, removeOne, rotateSecret } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { connectorHeaders, signRequest } from '#foundation/connector-protocol/signing.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

const HEADERS = connectorHeaders(wireNames('Svc'));
const PATH = '/connectors/bank/nudge';

describe('nudges of connectors', () => {
  const world = testWorld();
  let key: { id: string; secret: Buffer };
  before(async () => {
    key = keyOf(
      await onInstallation(world, (tx) =>
        addConnector(tx, { name: 'bank', url: 'http://127.0.0.1:9', reason: 'test' }),
      ),
    );
  });

  const keyOf = ({ keyId, secret }: { keyId: string; secret: string }) => ({
    id: keyId,
    secret: Buffer.from(secret, 'base64'),
  });
  const signed = (
    { path = PATH, by = key, word = 'nudge', ageMs = 0, body = '' } = {} as {
      path?: string;
      by?: typeof key;
      word?: 'nudge' | 'request';
      ageMs?: number;
      body?: string;
    },
  ) => {
    const at = new Date(world.clock.now() - ageMs);
    const request = { method: 'POST', path, body: Buffer.from(body), requestId: newUuid() as string, at };
    return signRequest(by, request, HEADERS, word);
  };
  const post = async (headers: Record<string, string> = {}, { path = PATH, body = '' } = {}) => {
    const reply = await world.app.http.inject({ method: 'POST', url: path, headers, payload: body });
    return reply.statusCode;
  };
  const dueAt = async () => {
    const [row] = await world.database.query<{ due: Date }>(
      sql`select events_due_at as due from connectors where name = 'bank'`,
    );
    return row?.due.getTime();
  };

  it('connectors.md §7.11: a signed one is 204, and the events are due now', async () => {
    await world.database.query(sql`update connectors set events_due_at = now() + interval '100 years'`);
    assert.equal(await post(signed()), 204);
    assert.equal(await dueAt(), world.clock.now());
    assert.equal(await post(signed({ body: '{}' }), { body: '{}' }), 204);
  });

  it('connectors.md §7.11: a missing, wrong or old signature, another path and an unknown name are 401', async () => {
    const other = { id: key.id, secret: Buffer.alloc(32) };
    const wrong: Record<string, string>[] = [
      {},
      signed({ by: other }),
      signed({ by: { ...key, id: `ConnectorKey:${newUuid()}` } }),
      signed({ word: 'request' }),
      signed({ ageMs: 301_000 }),
      signed({ body: 'another body' }),
      signed({ path: '/connectors/other/nudge' }),
      { ...signed(), [HEADERS.requestId]: 'not a uuid' },
      { ...signed(), [HEADERS.signature]: '{' },
    ];
    for (const headers of wrong) assert.equal(await post(headers), 401);
    const path = '/connectors/other/nudge';
    assert.equal(await post(signed({ path }), { path }), 401);
    assert.equal(
      await post(signed({ path: '/connectors/%00/nudge' }), { path: '/connectors/%00/nudge' }),
      401,
    );
  });

  it('connectors.md §7.11: more than ten within a second are 429, and a bad signature uses none of them', async () => {
    world.clock.advance(60_000);
    for (let i = 0; i < 20; i++) assert.equal(await post(), 401);
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await post(signed()));
    assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 204), 429]);
    world.clock.advance(1_000);
    assert.equal(await post(signed()), 204);
  });

  it('connectors.md §7.11: a body of more than 4 KiB is not read', async () => {
    world.clock.advance(60_000);
    const body = 'x'.repeat(4 * 1024 + 1);
    assert.equal(await post(signed({ body }), { body }), 400);
    const longest = body.slice(1);
    assert.equal(await post(signed({ body: longest }), { body: longest }), 204);
  });

  it('connectors.md §7.11: more than a hundred from one address within a second are 429, before any look-up', async () => {
    world.clock.advance(60_000);
    for (let i = 0; i < 100; i++) {
      const path = `/connectors/nobody-${i}/nudge`;
      assert.equal(await post(signed({ path }), { path }), 401);
    }
    assert.equal(await post(), 429);
    world.clock.advance(1_000);
    assert.equal(await post(signed()), 204);
  });

  it('connectors.md §2.9, §7.11: during a rotation either secret counts', async () => {
    const made = await onInstallation(world, (tx) => rotateSecret(tx, { name: 'bank', reason: 'test' }));
    assert.equal(await post(signed({ by: keyOf(made) })), 204);
    assert.equal(await post(signed()), 204);
    world.clock.advance(2 * 24 * 3_600_000);
    assert.equal(await post(signed()), 401);
    key = keyOf(made);
    assert.equal(await post(signed()), 204);
  });

  it('connectors.md §7.5, §7.11: one that arrives while a page is read is not forgotten; one worker reads at a time', async () => {
    const { query } = world.database;
    const connector = await findConnector(query, 'bank');
    assert.ok(connector);
    const now = () => new Date(world.clock.now());
    const lease = (reader: string) => ({ reader, now: now(), until: new Date(world.clock.now() + 60_000) });
    const [one, two] = [newUuid() as string, newUuid() as string];
    assert.ok(await claimReader(query, connector.id, lease(one)));
    assert.equal(await claimReader(query, connector.id, lease(two)), undefined);
    assert.equal(await post(signed()), 204);
    await endReading(query, connector.id, one, new Date(world.clock.now() + 300_000));
    assert.ok(await claimReader(query, connector.id, lease(two)), 'it is read again at once');
    await endReading(query, connector.id, two, new Date(world.clock.now() + 300_000));
    assert.equal(await claimReader(query, connector.id, lease(one)), undefined);
    world.clock.advance(300_000);
    assert.ok(await claimReader(query, connector.id, lease(one)));
    world.clock.advance(60_000);
    assert.ok(await claimReader(query, connector.id, lease(two)), 'a reader that died loses its lease');
  });

  it('connectors.md §7.11: a removed connector is unknown', async () => {
    await onInstallation(world, (tx) => removeOne(tx, { name: 'bank', reason: 'test' }));
    assert.equal(await post(signed()), 401);
  });
});
