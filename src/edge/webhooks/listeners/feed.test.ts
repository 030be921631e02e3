// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import pg from 'pg';
import { heardStatement } from '#edge/webhooks/listeners/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { EventListener } from '#tests/harness/event-listener.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead } from '#tests/harness/planned-scans.ts';
import { openProxiedApp } from '#tests/harness/proxied-app.ts';

describe('listening to events', () => {
  const world = testWorld();

  async function told(platform: TestPlatform, resourceId: string, count = 1): Promise<string[]> {
    const work = await platform.work();
    return work.write(async (tx) =>
      Array.from({ length: count }, () =>
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId, data: { id: resourceId } }),
      ),
    );
  }

  /** An event that is inserted, and committed when the test says so. */
  async function tellLate(platform: TestPlatform) {
    let id = '';
    const commit = await holdOpen(platform, async (tx) => {
      id = emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:late-${newUuid()}`, data: {} });
      await tx.flush();
    });
    return { id, commit };
  }

  it('platform.md §4.8.1: a listener receives events from now on, as the webhook that an endpoint would get', async () => {
    const platform = await world.platform();
    await told(platform, 'Card:before');
    const listener = await new EventListener().begin(platform);
    const ids = [...(await told(platform, 'Card:1')), ...(await told(platform, 'Card:2'))];
    const heard = await listener.hearUntil(2, platform);
    assert.deepEqual(
      heard.map(({ id }) => id),
      ids,
    );
    for (const { id, headers, body } of heard) {
      const { s } = JSON.parse(headers['X-Svc-Signature'] ?? '') as { s: string };
      assert.ok(verify('sha256', Buffer.from(body), platform.webhookPublicKey, Buffer.from(s, 'base64')));
      assert.match(String(headers['X-Svc-Signature-Key-Id']), /^WebhookKey:/);
      assert.equal(JSON.parse(body).id, id);
      assert.equal(JSON.parse(body).timestamp, new Date(world.clock.now()).toISOString());
    }
  });

  it('platform.md §4.8.1, §4.8.3: a listener that starts during a transaction receives its events, and no earlier ones', async () => {
    const platform = await world.platform();
    const first = await tellLate(platform);
    await told(platform, 'Card:before', 3);
    const second = await tellLate(platform);
    await told(platform, 'Card:before', 2);
    const listener = await new EventListener().begin(platform);
    assert.match(
      listener.cursor,
      /~\d+:\d+-\d+(,\d+-\d+)+$/,
      'two ranges or more, between them what is being written',
    );
    const now = await told(platform, 'Card:now');
    assert.equal(await listener.hear(platform), 0);
    await first.commit();
    await second.commit();
    const expected = [first.id, second.id, ...now];
    await listener.hearUntil(expected.length, platform, { limit: 1 });
    assert.deepEqual([...listener.heard.keys()].sort(), expected.sort());
    assert.match(listener.cursor, /^\d+\.\d+$/, 'it has passed what it knew');
    assert.equal(await listener.hear(platform), 0);
  });

  it('platform.md §4.8.2: several listeners at once, beside an endpoint, each receive all events', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.received.splice(0);
    const listeners = await Promise.all([1, 2, 3].map(() => new EventListener().begin(platform)));
    const account = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    const accountId = account.body.data[0]?.id ?? '';
    await platform.call('sandboxFundInternalAccount', { params: { accountId }, body: { amount: 500 } });
    await world.app.worker.settle(platform.id);
    for (const listener of listeners) {
      const heard = await listener.hearUntil(receiver.received.length, platform);
      const data = (text: string) => JSON.stringify((JSON.parse(text) as { data: unknown }).data);
      assert.ok(heard.length > 0);
      assert.deepEqual(
        heard.map(({ id, body }) => [id, data(body)]).sort(),
        receiver.received.map(({ body, raw }) => [body.id, data(String(raw))]).sort(),
      );
    }
  });

  it('platform.md §4.8.3: an event that is committed late is delivered, although later ones were delivered before', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const late = await tellLate(platform);
    const [early] = await told(platform, 'Card:early');
    await listener.hear(platform);
    await late.commit();
    await listener.hearUntil(2, platform);
    assert.deepEqual([...listener.heard.keys()].sort(), [late.id, early].sort());
  });

  it('platform.md §4.8.3, decision 0030: a transaction that waited for a resource comes after the one that it waited for, although it began earlier', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = await platform.work();
    const early = work.write(async (tx) => {
      const first = emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:other', data: {} });
      await tx.flush();
      begun.resolve();
      await end.promise;
      return [first, emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: {} })];
    });
    await begun.promise;
    const before = [...(await told(platform, 'Card:1')), ...(await told(platform, 'Card:1'))];
    end.resolve();
    const [other, last] = await early;
    const places = await world.database.query<{ is_lower: boolean }>(sql`
      select bool_and(e.xmin::text::bigint > w.xmin::text::bigint) as is_lower
        from events e cross join events w
       where e.id = any(${before.map(uuidOf)}::uuid[]) and w.id = ${uuidOf(last ?? '')}`);
    assert.deepEqual(places, [{ is_lower: true }], 'who waited has the lowest number');
    await listener.hearUntil(4, platform, { limit: 1 });
    assert.deepEqual([...listener.heard.keys()], [other, ...before, last]);
  });

  it('platform.md §4.8.3: under a storm of changes listeners at two servers lose nothing and keep the order of each resource', async () => {
    const platform = await world.platform();
    const other = await world.elsewhere(platform);
    const listener = await new EventListener().begin(platform);
    let isDone = false;
    const work = await platform.work();
    const change = (resource: string, isAhead: boolean) =>
      work.write(async (tx) => {
        // Some get a transaction id before they wait for the resource, as a real change may.
        if (isAhead) emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: `Card:x-${newUuid()}`, data: {} });
        await tx.flush();
        await tx.sql`select pg_advisory_xact_lock(hashtextextended(${resource}, 0))`;
        emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: resource, data: {} });
        await tx.flush();
      });
    const storm = Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        for (let i = 0; i < 25; i++) await change(`Card:${(n + i) % 3}`, (n + i) % 2 === 0);
      }),
    ).finally(() => {
      isDone = true;
    });
    for (let n = 0; !isDone; n++) await listener.hear(n % 2 ? platform : other, { limit: 3 });
    await storm;
    const stored = await world.database.query<{ id: string; resource_id: string }>(sql`
      select id, resource_id from events where platform_id = ${platform.id} order by seq`);
    await listener.hearUntil(stored.length, platform, { limit: 3 });
    const order = new Map(
      [...listener.heard.keys()].map((id, place) => [id.slice('Webhook:'.length), place]),
    );
    assert.equal(order.size, stored.length);
    for (const [resource, events] of Map.groupBy(stored, ({ resource_id }) => resource_id)) {
      if (resource.startsWith('Card:x-')) continue;
      const places = events.map(({ id }) => order.get(id) ?? -1);
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        resource,
      );
    }
  });

  it('platform.md §4.8.4: a call waits for the next event', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const began = performance.now();
    const waiting = listener.hear(platform, { waitSeconds: 20 });
    await told(platform, 'Card:1');
    const count = await waiting;
    // Another transaction may hold the event back for longer; then the call has waited its full time.
    assert.ok(count === 1 || performance.now() - began >= 20_000);
    await listener.hearUntil(1, platform);
  });

  it('platform.md §4.8.3: only an event that cannot be read is skipped, and the next ones follow at once', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const ids = await told(platform, 'Card:1', 5);
    const bad = ids.splice(2, 1).map(uuidOf);
    await world.database.query(sql`
      update events set payload = '\\x01020304' where platform_id = ${platform.id} and id = any(${bad}::uuid[])`);
    await listener.hearUntil(4, platform, { limit: 1 });
    assert.deepEqual([...listener.heard.keys()], ids);
    const reports = world.logged.filter((line) => line.includes(bad[0] ?? ''));
    assert.equal(reports.length, 1, reports.join(''));
  });

  it('platform.md §4.8.3: if the database fails while events are read, the call fails, and the next call returns them', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const account = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    const params = { accountId: account.body.data[0]?.id ?? '' };
    await platform.call('sandboxFundInternalAccount', { params, body: { amount: 500 } });
    const [card] = await told(platform, 'Card:1');
    const call = { query: { cursor: listener.cursor, waitSeconds: 20 } };
    const holder = new pg.Client({ connectionString: world.databaseUrl });
    await holder.connect();
    await holder.query('begin; lock table internal_accounts, ledger_entries in access exclusive mode');
    const failing = platform.send('listenToEvents', call);
    await untilBlocked(world.databaseUrl);
    await holder.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    assert.equal((await failing).status, 503);
    await holder.query('rollback');
    await holder.end();
    while (![...listener.heard.keys()].includes(card ?? ''))
      await listener.hear(platform, { waitSeconds: 1 });
    assert.ok(
      [...listener.heard.values()].some(
        ({ body }) => JSON.parse(body).type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      ),
    );
  });

  /** Starts this many calls at once; the first is answered, the others wait. */
  async function waiting(count: number, call: () => Promise<number>) {
    const statuses: Promise<number>[] = Array.from({ length: count }, call);
    const answered = await Promise.race(statuses);
    return {
      answered,
      all: () => Promise.all(statuses).then((each) => Map.groupBy(each, (status) => status)),
    };
  }

  it('platform.md §4.8.4: a platform may have 20 waiting calls; one more is refused, and another platform’s is not', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const query = { cursor: listener.cursor, waitSeconds: 20, answersQuestions: true };
    const calls = await waiting(21, async () => (await platform.call('listenToEvents', { query })).status);
    assert.equal(calls.answered, 429);
    const refused = await platform.call('listenToEvents', { query });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.headers['retry-after']],
      [429, 'RATE_LIMITED', '1'],
    );
    const other = await world.platform();
    assert.equal(await (await new EventListener().begin(other)).hear(other), 0);
    await told(platform, 'Card:1');
    const ends = await calls.all();
    assert.deepEqual([ends.get(200)?.length, ends.get(429)?.length], [20, 1]);
    assert.equal((await platform.call('listenToEvents', { query })).status, 200, 'there is room again');
  });

  it('platform.md §4.8.4: a stopping process answers waiting calls, which can continue at another process', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const { app, close } = await openProxiedApp(world);
    const origin = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const url = `${origin}/svc/2025-10-13/events/feed?waitSeconds=20&cursor=${listener.cursor}`;
    const headers = { authorization: platform.authorization };
    const bodies: string[] = [];
    const began = performance.now();
    const calls = await waiting(21, async () => {
      const reply = await fetch(url, { headers });
      if (reply.status === 200) bodies.push(await reply.text());
      return reply.status;
    });
    assert.equal(calls.answered, 429, 'the others wait');
    const closing = close();
    assert.equal((await calls.all()).get(200)?.length, 20);
    assert.ok(performance.now() - began < 20_000, 'before their time');
    app.http.server.closeAllConnections();
    await closing;
    assert.deepEqual(new Set(bodies), new Set([JSON.stringify({ events: [], cursor: listener.cursor })]));
    await told(platform, 'Card:1');
    await listener.hearUntil(1, platform);
  });

  it('platform.md §4.8.4: a client that closes its connection, fully, by half or by force, frees its place at once', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    const { app, close } = await openProxiedApp(world);
    const origin = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const path = `/svc/2025-10-13/events/feed?cursor=${listener.cursor}&waitSeconds=`;
    const headers = { authorization: platform.authorization };
    const ask = (seconds: number, signal?: AbortSignal) =>
      fetch(`${origin}${path}${seconds}`, { headers, signal: signal ?? null }).then(({ status }) => status);
    const { port } = new URL(origin);
    const openSocket = () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' });
      const refused = new Promise<string>((resolve) => socket.on('data', (data) => resolve(String(data))));
      socket
        .on('error', () => undefined)
        .write(
          `GET ${path}20 HTTP/1.1\r\nhost: localhost\r\nauthorization: ${platform.authorization}\r\n\r\n`,
        );
      return { socket, refused };
    };
    const untilFree = async () => {
      while ((await ask(0)) === 429);
    };
    const ways: [string, (socket: Socket) => void][] = [
      ['half', (socket) => socket.end()],
      ['whole', (socket) => socket.destroy()],
      ['force', (socket) => socket.resetAndDestroy()],
    ];
    try {
      for (const [way, leave] of ways) {
        const began = performance.now();
        const sockets = Array.from({ length: 21 }, openSocket);
        const answer = await Promise.race(sockets.map(({ refused }) => refused));
        assert.match(answer, /^HTTP\/1\.1 429 /, 'the others wait');
        for (const { socket } of sockets) leave(socket);
        await untilFree();
        const calls = await Promise.all(Array.from({ length: 10 }, () => ask(0)));
        assert.deepEqual([...new Set(calls)], [200], way);
        assert.ok(performance.now() - began < 20_000, `${way}: before their time`);
        for (const { socket } of sockets) socket.destroy();
      }
      const began = performance.now();
      const leaving = new AbortController();
      const fetched = Array.from({ length: 21 }, () => ask(20, leaving.signal).catch(() => 0));
      assert.equal(await Promise.race(fetched), 429);
      leaving.abort();
      await Promise.all(fetched);
      await untilFree();
      assert.ok(performance.now() - began < 20_000, 'fetch: before their time');
    } finally {
      const closing = close();
      app.http.server.closeAllConnections();
      await closing;
    }
  });

  it('platform.md §4.8.5: production platforms cannot listen and have no costs for it, and an invalid cursor is a bad field', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    const refused = await production.call('listenToEvents');
    assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
    const platform = await world.platform();
    for (const some of [production, platform]) await told(some, 'Card:1');
    const indexed = await world.database.query<{ platform_id: string }>(sql`
      select platform_id from events where resource_id = 'Card:1' and xid is not null
         and platform_id in (${production.id}, ${platform.id})`);
    assert.deepEqual(
      indexed,
      [{ platform_id: platform.id }],
      'no event of production is in the index of the feed',
    );
    for (const cursor of [
      'x',
      '1',
      '1.2.3',
      '1.2.3.4',
      '1.99999999999999999999',
      '9999999999999999999.1',
      '-1.1',
      '1.1~',
      '1.1~5:',
      '1.1~5:3',
      '1.1~5:3-3',
      '1.1~5:3-2',
      '1.1~5:2-9999999999999999999',
      '1.1~99999999999999999999:2-3',
      '1.1~5:2-3,',
      '0.0~9000000000000000000:0-9000000000000000000',
      '0.0~9:0-10001',
      `0.0~9:${Array.from({ length: 101 }, () => '1-2').join()}`,
      `1.1~5:${'2-3,'.repeat(2_000)}4-5`,
    ]) {
      const bad = await platform.call('listenToEvents', { query: { cursor } });
      assert.deepEqual([bad.status, bad.body.code], [400, 'INVALID_INPUT'], cursor);
    }
  });

  it('platform.md §4.8.3: a cursor ahead of the database is refused, and the reason says to begin without one', async () => {
    const platform = await world.platform();
    const listener = await new EventListener().begin(platform);
    await told(platform, 'Card:1');
    await listener.hearUntil(1, platform);
    const [xid, seq] = listener.cursor.split('.').map(BigInt);
    const refused = await platform.call('listenToEvents', {
      query: { cursor: `${(xid ?? 0n) + 1_000_000n}.${seq}`, waitSeconds: 20 },
    });
    assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_INPUT']);
    assert.match(refused.body.details.errors[0].message, /ahead of this database.*without a cursor/);
    assert.equal(await listener.hear(platform), 0, 'the cursor of what was heard last is good for ever');
  });

  describe('resent events', () => {
    const resend = (platform: TestPlatform, eventId: string) =>
      platform.call('resendEvent', { params: { eventId } });
    const idsOf = (listener: EventListener) => [...listener.heard.values()].map(({ id }) => id);

    it('platform.md §4.8.11, §4.7.4: reach every listener again, with or without an endpoint, and are marked', async () => {
      const silent = await world.platform();
      const nobody = await resend(silent, (await told(silent, 'Card:1'))[0] ?? '');
      assert.deepEqual([nobody.status, nobody.body.sentTo], [200, []]);
      const platform = await world.platform();
      const [event = ''] = await told(platform, 'Card:1');
      await world.app.worker.settle(platform.id);
      const listeners = [
        await new EventListener().begin(platform),
        await new EventListener().begin(platform),
      ];
      const [later = ''] = await told(platform, 'Card:1');
      const only = await resend(platform, event);
      assert.deepEqual(only.body.sentTo, ['LISTENERS']);
      for (const listener of listeners) {
        const heard = await listener.hearUntil(2, platform, { limit: 1 });
        assert.deepEqual(idsOf(listener), [later, event]);
        assert.deepEqual(
          heard.map(({ resentAt }) => resentAt),
          [undefined, new Date(world.clock.now()).toISOString()],
        );
        assert.equal(JSON.parse(heard[1]?.body ?? '').data.id, 'Card:1');
        assert.equal(await listener.hear(platform), 0, 'once');
      }
      const receiver = await platform.receive();
      await world.app.worker.settle(platform.id);
      world.clock.advance(1_000);
      assert.deepEqual((await resend(platform, event)).body.sentTo, ['ENDPOINT', 'LISTENERS']);
      await world.app.worker.settle(platform.id);
      assert.ok(receiver.received.some(({ body }) => body.id === event));
      for (const listener of listeners) {
        while (idsOf(listener).filter((id) => id === event).length < 2)
          await listener.hear(platform, { waitSeconds: 1 });
      }
      world.clock.advance(15_000);
      assert.deepEqual((await resend(platform, event)).body.sentTo, ['ENDPOINT'], 'they have gone');
    });

    it('platform.md §4.8.11: reach a listener that missed the first delivery twice, the first in its order', async () => {
      const platform = await world.platform();
      const listener = await new EventListener().begin(platform);
      const ids = await told(platform, 'Card:1', 3);
      await resend(platform, ids[0] ?? '');
      world.clock.advance(1);
      await resend(platform, ids[0] ?? '');
      await listener.hearUntil(4, platform, { limit: 1 });
      assert.deepEqual(idsOf(listener), [...ids, ids[0]]);
    });

    it('platform.md §4.8.11, §4.7.5: after a bulk resend in batches, arrive again, each once', async () => {
      const platform = await world.platform();
      await told(platform, 'Card:1', 1_100);
      await world.app.worker.settle(platform.id);
      const listener = await new EventListener().begin(platform);
      const { body } = await platform.call('resendFailedEvents', {
        body: { since: '2020-01-01T00:00:00.000Z', includeSkipped: true },
      });
      assert.deepEqual(body, { count: 1_000, hasMore: true, sentTo: ['LISTENERS'] });
      await world.app.worker.settle(platform.id);
      const heard = await listener.hearUntil(1_100, platform, { limit: 100 });
      assert.ok(heard.every(({ resentAt }) => resentAt !== undefined));
    });

    it('platform.md §4.8.5, §4.8.11: have no place in the feed in production', async () => {
      const platform = await world.platform({ environment: 'PRODUCTION' });
      const [event = ''] = await told(platform, 'Card:1');
      await world.app.worker.settle(platform.id);
      assert.deepEqual((await resend(platform, event)).body.sentTo, []);
      const placed = await world.database.query(sql`
        select from events where platform_id = ${platform.id} and (xid is not null or resent_xid is not null)`);
      assert.equal(placed.length, 0);
    });
  });

  describe('far behind', () => {
    const COUNT = 20_000;
    const PAGE = 32;

    it('decision 0030: a page reads no more than a page along an index, however many events follow', async () => {
      const platform = await world.platform();
      await world.database.query(sql`
        insert into events (platform_id, type, resource_id, facts, created_at, xid, state, finished_at, resent_xid, resent_at)
        select ${platform.id}, 'CARD.STATUS_CHANGE', 'Card:' || n % 500, '{}', now(), (1 + n / 100)::text::xid8,
               'SKIPPED', now(), case when n % 10 = 0 then (1 + n / 100)::text::xid8 end, now()
          from generate_series(1, ${COUNT}::integer) as n`);
      await world.database.query(sql`analyze events`);
      const work = await platform.work();
      for (const xid of [0n, 100n, 199n]) {
        const statement = heardStatement(platform.id, { xid, seq: 1n, isResent: false }, PAGE);
        const scans = await work.read((tx) => plannedScans(tx, statement));
        const seen = JSON.stringify(scans, null, 1);
        assert.deepEqual(
          scans.map((scan) => [scan['Node Type'], scan['Index Name']]),
          [
            ['Index Scan', 'events_heard'],
            ['Index Scan', 'events_resent'],
          ],
          seen,
        );
        for (const scan of scans) assert.ok(rowsRead(scan) <= PAGE, seen);
      }
    });
  });
});

function uuidOf(id: string): string {
  return id.slice('Webhook:'.length);
}
