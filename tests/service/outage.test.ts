// lane: alone — holds the log against real time: a line a second

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import pino from 'pino';
import type { App } from '#app/app.ts';
import { newToken } from '#capabilities/onboarding/token.ts';
import { createOutageLog, type OutageLog } from '#foundation/database/outage-log.ts';
import { sql } from '#foundation/database/sql.ts';
import { Watchdog } from '#foundation/database/watchdog.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { PERSON } from '#tests/given/customers.ts';
import type { DatabaseProxy } from '#tests/harness/database-proxy.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { openProxiedApp, type ProxiedApp } from '#tests/harness/proxied-app.ts';

const BASE = wireNames('Svc').basePath;

describe('a database that cannot be reached', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let proxy: DatabaseProxy;
  let outages: OutageLog;
  let opened: ProxiedApp;
  let app: App;
  let logged: string[];

  before(async () => {
    platform = await world.platform();
  });
  beforeEach(async () => {
    // Only this test's lines: the service of an earlier test may still write.
    const lines: string[] = [];
    logged = lines;
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    outages = createOutageLog(log, 'the database cannot be used');
    const handlers = {
      onError: (error: Error) => outages.lost(error),
      onUnavailable: (error: Error) => outages.failed(error),
    };
    opened = await openProxiedApp(world, handlers, log);
    ({ app, proxy } = opened);
  });
  afterEach(async () => {
    await opened.close();
    outages.end();
  });

  const send = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    app.http.inject({
      method,
      url,
      headers: {
        authorization: platform.authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });

  type Sent = Awaited<ReturnType<typeof send>>;

  function assertUnavailable(reply: Sent, what: string): void {
    assert.equal(reply.statusCode, 503, `${what}: ${reply.body}`);
    assert.equal(reply.headers['retry-after'], '1', what);
    assert.notEqual(reply.headers['x-should-retry'], 'false', what);
    assert.ok(reply.headers['x-request-id'], what);
  }

  function assertRefused(reply: Sent, what: string): void {
    assertUnavailable(reply, what);
    const { code, status, reason, message, ...more } = reply.json();
    assert.deepEqual([code, status, message, more], ['SERVICE_UNAVAILABLE', 503, reason, {}], what);
    assert.doesNotMatch(reason, /ECONN|Connection|SQL|127\.0\.0\.1/);
  }

  it('platform.md §10.0.4: every call is 503 SERVICE_UNAVAILABLE with Retry-After while the database accepts no connections', async () => {
    proxy.refuse();
    const guarded = app.operations.filter(({ access }) => access !== 'public');
    for (const { id, method, path, access } of guarded) {
      const url = BASE + path.replace(/:\w+/g, newUuid());
      const headers = access === 'agent' ? { authorization: `Bearer sat_${'0'.repeat(40)}` } : {};
      assertRefused(await send(method, url, { headers, ...(method !== 'GET' && { body: {} }) }), id);
    }
    const ready = await send('GET', '/health/ready');
    assert.deepEqual([ready.statusCode, ready.json().status], [503, 'the database cannot be reached']);
  });

  it('platform.md §10.0.4: people get a page that says so, not JSON', async () => {
    const reading = await challengePath();
    const resetting = await resetPath();
    proxy.refuse();
    for (const url of [`/onboard/${newToken(platform.id).text}`, reading]) {
      for (const method of ['GET', 'POST'] as const) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const reply = await app.http.inject({
          method,
          url,
          headers,
          ...(method === 'POST' && { payload: 'outcome=pass' }),
        });
        assertUnavailable(reply, `${method} ${url}`);
        assert.match(String(reply.headers['content-type']), /^text\/html/);
        assert.match(reply.body, /try again in a moment/);
      }
    }
    const invitation = await app.http.inject({ method: 'GET', url: '/i/0000000000' });
    assertUnavailable(invitation, 'the page of an invitation');
    assert.match(invitation.body, /Your invitation is not lost/);
    const reveal = await app.http.inject({ method: 'GET', url: `/cards/reveal?t=${'A'.repeat(43)}` });
    assertUnavailable(reveal, 'the page that shows a card’s number');
    assert.match(reveal.body, /try again in a moment/);
    for (const url of [resetting, `${resetting}?result=fail`]) {
      const reset = await app.http.inject({ method: 'GET', url });
      assertUnavailable(reset, 'the page of a reset');
      assert.match(reset.body, /try again in a moment/);
    }
  });

  it('platform.md §10.0.4: a database that accepts connections and does not answer is noticed, whatever the call', async () => {
    // One connection of each kind is open when the database stops answering; the others are opened then.
    await send('GET', `${BASE}/config`);
    await send('GET', `${BASE}/customers`);
    proxy.fallSilent();
    const customer = { body: PERSON, headers: { 'idempotency-key': 'silent' } };
    const wrong = Buffer.from(`${'0'.repeat(32)}:wrong`).toString('base64');
    const replies = await Promise.all([
      send('GET', `${BASE}/config`),
      send('GET', `${BASE}/customers`),
      send('POST', `${BASE}/customers`, customer),
      send('POST', `${BASE}/customers`, customer),
      send('GET', `${BASE}/config`, { headers: { authorization: `Basic ${wrong}` } }),
      ...Array.from({ length: 20 }, () => send('GET', `${BASE}/transactions`)),
    ]);
    for (const [i, reply] of replies.entries()) assertRefused(reply, `call ${i}`);
    // No caller waits again for a database that was just found unresponsive.
    assertRefused(await send('GET', `${BASE}/config`), 'at once');
    proxy.recover();
    while ((await send('GET', `${BASE}/config`)).statusCode !== 200);
  });

  it('a slow statement does not count as silence while the server answers others', async () => {
    let signs = 0;
    let hangUps = 0;
    const enough = Promise.withResolvers<string>();
    const pulse = new Watchdog({
      silenceMaxMs: 200,
      probe: async () => void (++signs === 5 && enough.resolve('the answer')),
      dropConnections: () => void hangUps++,
    });
    assert.equal(await pulse.watch(() => enough.promise), 'the answer');
    assert.deepEqual([signs, hangUps], [5, 0]);
  });

  it('platform.md §2: if the answer to a commit is lost, no reply says that nothing happened, and repeating the key shows the outcome', async () => {
    const call = { body: { ...PERSON, email: 'lost@example.com' }, headers: { 'idempotency-key': 'lost' } };
    proxy.loseNextCommit();
    const lost = await send('POST', `${BASE}/customers`, call);
    assertRefused(lost, 'lost');
    assert.match(lost.json().reason, /may have taken effect: repeat it with the same Idempotency-Key/);
    const again = await send('POST', `${BASE}/customers`, call);
    assert.deepEqual([again.statusCode, again.headers['idempotency-replayed']], [201, 'true']);
    const found = await world.database.query(
      sql`select id from customers where platform_id = ${platform.id}`,
    );
    assert.equal(found.length, 1);
  });

  it('decision 0005: the log has one line a second that counts, and no stack for each call', async () => {
    proxy.refuse();
    const began = performance.now();
    app.worker.start();
    for (let i = 0; i < 50; i++) await send('GET', `${BASE}/config`);
    await assert.rejects(app.worker.settle());
    await app.worker.stop();
    outages.end();
    const seconds = (performance.now() - began) / 1_000;
    const lines = logged.map((line) => JSON.parse(line));
    const told = lines.filter(({ msg }) => !msg.startsWith('GET /config 503 SERVICE_UNAVAILABLE '));
    assert.deepEqual([...new Set(told.map(({ msg }) => msg))], ['the database cannot be used']);
    assert.ok(told.length <= seconds + 2, `${told.length} lines in ${seconds} s`);
    assert.ok(told.reduce((sum, { failedCalls }) => sum + failedCalls, 0) >= 50);
    for (const line of logged) assert.doesNotMatch(line, /stack|\.ts:\d/);
  });

  it('platform.md §1.3: failed authentications are counted meanwhile and written down once it is back', async () => {
    proxy.refuse();
    const remoteAddress = '203.0.113.9';
    const malformed = { authorization: 'Basic bm8=' };
    for (let i = 0; i < 3; i++) {
      const reply = await app.http.inject({
        method: 'GET',
        url: `${BASE}/config`,
        headers: malformed,
        remoteAddress,
      });
      assert.equal(reply.statusCode, 401);
    }
    proxy.recover();
    await app.close();
    const rows = await world.database.query<{ details: { times: number } }>(
      sql`select details from audit_log where remote_address = ${remoteAddress}`,
    );
    assert.equal(
      rows.reduce((sum, { details }) => sum + (details.times ?? 1), 0),
      3,
    );
  });

  it('platform.md §10.0.1: a request that comes while the service stops is refused in the shape of every refusal', async () => {
    await app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.http.server.address() as AddressInfo;
    const busy = await Promise.all(Array.from({ length: 3 }, () => openBusy(port)));
    const closed = app.close();
    const [live, ready, call] = await Promise.all(
      ['/health/live', '/health/ready', `${BASE}/config`].map((path, i) => busy[i]?.ask(path)),
    );
    await closed;
    assert.match(live ?? '', /^HTTP\/1\.1 200 [\s\S]*"live"/);
    assert.match(ready ?? '', /^HTTP\/1\.1 503 [\s\S]*"the service is stopping"/);
    const [head = '', text = ''] = (call ?? '').split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 503 /);
    assert.match(head, /^x-request-id: [0-9a-f-]{36}\r$/im);
    assert.match(head, /^retry-after: 1\r$/im);
    const { code, status, reason, message, ...more } = JSON.parse(text);
    assert.deepEqual([code, status, message, more], ['SERVICE_UNAVAILABLE', 503, reason, {}]);
  });

  /** A connection with a request in progress; later requests on it are answered in turn. */
  async function openBusy(port: number): Promise<{ ask(path: string): Promise<string> }> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: ${platform.authorization}\r\n`;
    const body = JSON.stringify({ name: 'Late', permissions: ['VIEW'] });
    const about = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    socket.write(`${head(`POST ${BASE}/tokens`)}${about}expect: 100-continue\r\n\r\n`);
    // The server asks for the body: from here on the request is in progress.
    await once(socket, 'data');
    return {
      async ask(path) {
        socket.write(`${body}${head(`GET ${path}`)}\r\n`);
        const text = (await socket.toArray()).join('');
        assert.match(text, /^HTTP\/1\.1 201 /);
        return text.slice(text.lastIndexOf('HTTP/1.1'));
      },
    };
  }

  async function challengePath(): Promise<string> {
    const { ownership } = world.app.runtime.ports('SANDBOX');
    const session = await ownership.startLiveness({
      platformId: platform.id,
      reference: newUuid(),
      address: '0x0000000000000000000000000000000000000000',
    } as never);
    return new URL(session?.verificationLink ?? '').pathname;
  }

  async function resetPath(): Promise<string> {
    const { factorReset } = world.app.runtime.ports('SANDBOX');
    const session = await factorReset.startLiveness({
      platformId: platform.id,
      reference: newUuid(),
      customerId: newUuid(),
      expiresAt: new Date(world.clock.now()),
    });
    return new URL(session?.verificationLink ?? '').pathname;
  }
});
