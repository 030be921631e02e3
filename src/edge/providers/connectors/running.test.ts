// lane: whole — a worker that runs by itself

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { addConnector, pauseConnector, setConnector } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { ConnectorClient, createConnectorClient } from '#edge/providers/connectors/client.ts';
import { sql } from '#foundation/database/sql.ts';
import { readClientCertificate } from '#foundation/outbound/client-certificate.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import type { Replaced } from '#tests/given/connectors.ts';
import { createConnector, EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { skipWithout } from '#tests/harness/judges.ts';

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');
/** The states that are watched, and how long each may last: a changed store and a 409 become work at once. */
const ALERTS = [
  ['corridor_connector_up\\) == 0', '5m'],
  ['corridor_connector_oldest_unknown_seconds\\) > 900', '1m'],
  ['corridor_connector_event_lag_seconds\\) > 600', '1m'],
  ['kind="connectors".* > 0', '1m'],
  ['kind="breaks".* > 0', '1m'],
] as const;
/** Calls of one connector at a time: more than other providers may have open at a host. */
const HELD = 100;

describe('running connectors', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { ordered, later, rounds, statusOf } = at;

  const connectorRow = async (name = at.name) => {
    const row = await findConnector(world.database.query, name);
    assert.ok(row);
    return row;
  };
  const added = (name: string, url: string) =>
    at.change((tx) => addConnector(tx, { name, url, reason: 'test' }));

  it('connectors.md §1.1: calls go below the configured URL, end after 20 seconds, and follow no redirect', async () => {
    const urls: string[] = [];
    const limits: number[] = [];
    const http = {
      async call({ url, timeoutMs }: { readonly url: string; readonly timeoutMs: number }) {
        urls.push(url);
        limits.push(timeoutMs);
        return { error: 'no answer' } as const;
      },
    };
    await added('below', 'https://bank.example/eu/v1/');
    const client = new ConnectorClient({ ...world.app.runtime, connect: () => http as never });
    await client.call(await connectorRow('below'), 'getCapabilities');
    assert.deepEqual([urls, limits], [['https://bank.example/eu/v1/capabilities'], [20_000]]);

    const elsewhere: string[] = [];
    const server = createServer((request, response) => {
      elsewhere.push(request.url ?? '');
      response.writeHead(307, { location: `${at.bank.url}/capabilities` }).end();
    });
    after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const asked = at.bank.asked.length;
    await added('redirects', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await rounds(1);
    assert.ok(elsewhere.includes('/capabilities'));
    assert.equal(at.bank.asked.slice(asked).filter(({ path }) => path === '/capabilities').length, 0);
    assert.equal((await connectorRow('redirects')).capabilities, null);
  });

  it('connectors.md §1.7: one connector that holds its calls open takes no connection of another at the same host', async () => {
    const held: ServerResponse[] = [];
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/held')) held.push(response);
      else response.end('{}');
    });
    after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await added('held', `${origin}/held`);
    await added('free', `${origin}/free`);
    const client = createConnectorClient(world.app.runtime);
    const parameters = { reference: at.bank.url };
    const holding = await connectorRow('held');
    const calls = Array.from({ length: HELD }, () => client.call(holding, 'getOrder', { parameters }));
    while (held.length < HELD / 2) await turn();
    const answer = await client.call(await connectorRow('free'), 'getOrder', { parameters });
    assert.match(answer.kind === 'silence' ? answer.why : '', /x-svc-store/, 'it answers, unsigned');
    while (held.length < HELD) await turn();
    for (const response of held) response.destroy();
    for (const { kind } of await Promise.all(calls)) assert.equal(kind, 'silence');
  });

  it('connectors.md §1.1: http:// reaches the operator’s own network only', async () => {
    await added('abroad', 'http://93.184.216.34');
    await rounds(1);
    const { silences, silence_why: why } = await connectorRow('abroad');
    assert.ok(silences > 0);
    assert.equal(why, 'the host has an address that is not allowed');
  });

  it('connectors.md §3.3: capabilities are read every five minutes; of faulty new ones nothing counts', async () => {
    const times = () => at.bank.asked.filter(({ path }) => path === '/capabilities').length;
    assert.equal(times(), 1);
    await later(299);
    assert.equal(times(), 1);
    const [first] = EUR_ACCOUNTS.rails;
    at.bank.capabilities = { ...EUR_ACCOUNTS, rails: [{ ...first, settlementAccounts: ['unknown'] }] };
    await later(2);
    assert.equal(times(), 2);
    const { capabilities, capabilities_trouble: trouble } = await connectorRow();
    assert.deepEqual(capabilities?.rails.length, 2);
    assert.ok(trouble);
    const { reference } = await ordered();
    await rounds();
    assert.ok(at.bank.orders.has(reference));
  });

  it('connectors.md §3.3: an order gets its route while the connector is being asked what it can do', async () => {
    const end = Promise.withResolvers<undefined>();
    at.bank.fault = async ({ path }): Promise<Replaced | undefined> => {
      if (path === '/capabilities') await end.promise;
      return undefined;
    };
    world.clock.advance(301_000);
    await at.worker.pump();
    const { reference } = await ordered();
    while (!at.bank.orders.has(reference)) {
      await at.worker.pump();
      await turn();
    }
    end.resolve(undefined);
    await rounds();
  });

  it('connectors.md §9.3: metrics say what waits at a connector, each is explained, and alerts watch them', async () => {
    const { name: connector } = at;
    const figures = async () => {
      const lines = (await world.app.metrics.text()).split('\n');
      const found = lines
        .filter((line) => line.includes(`connector="${connector}"`))
        .map((line) => line.split(' '));
      return Object.fromEntries(found.map(([key = '', value]) => [key, Number(value)]));
    };
    const named = (metric: string, more = '') =>
      `corridor_connector_${metric}{connector="${connector}"${more}}`;
    at.bank.fault = ({ path }) => (path.startsWith('/orders/') ? { fault: 'cut' } : undefined);
    await ordered();
    await rounds(1);
    const calls = at.worker.counters().filter(({ labels }) => labels.connector === connector);
    assert.deepEqual(
      calls
        .filter(({ labels }) => labels.call === 'putOrder')
        .map(({ value, labels }) => [value, labels.outcome]),
      [[1, 'silence']],
    );
    world.clock.advance(1_000_000);
    const waiting = await figures();
    assert.deepEqual(
      [waiting[named('up')], waiting[named('paused')], waiting[named('unknown_orders')]],
      [1, 0, 1],
    );
    assert.equal(waiting[named('orders', ',state="asked"')], 1);
    assert.equal(waiting[named('oldest_unknown_seconds')], 1_000);
    assert.equal(waiting[named('event_lag_seconds')], 1_000);
    at.bank.fault = () => ({ fault: 'cut' });
    for (let i = 0; i < 5; i++) await later(900);
    await at.change((tx) => pauseConnector(tx, { name: connector, reason: 'test' }));
    const stopped = await figures();
    assert.deepEqual([stopped[named('up')], stopped[named('paused')]], [0, 1]);

    const metrics = [...(await world.app.metrics.text()).matchAll(/^# TYPE (corridor_connector_\w+)/gm)];
    const operating = await readFile('docs/operating.md', 'utf8');
    for (const [, metric = ''] of metrics) assert.ok(operating.includes(`\`${metric}\``), metric);
    const alerts = await readFile('deploy/alerts.yml', 'utf8');
    for (const [watched, time] of ALERTS)
      assert.match(alerts, new RegExp(`expr: .*${watched}\\n +for: ${time}\\n`), watched);
  });

  it('connectors.md §9.4: the log names connector and reference of what failed, and no body, name or secret', async () => {
    const { id, reference } = await ordered();
    await rounds();
    const { id: connectorId, store } = await connectorRow();
    // An event whose content cannot be opened.
    await world.database.query(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, due_at)
      values (${connectorId}, ${store}, 'broken', 'ORDER', now(), ${reference}, '\\x00', '\\x00', now(), now())`);
    const before = world.logged.length;
    const failures = () => world.logged.slice(before).filter((line) => line.includes('will be retried'));
    world.app.worker.start();
    while (failures().length === 0) await turn();
    await world.app.worker.stop();
    const [line = '{}'] = failures();
    const { connector, reference: named } = JSON.parse(line);
    assert.deepEqual([connector, named], [at.name, reference]);
    const order = at.bank.orders.get(reference);
    assert.ok(order);
    const { name } = order.body.beneficiary as { name: string };
    const logged = world.logged.join('\n');
    for (const secret of [at.bank.secret, 'DE35370400440532013002', name, '"beneficiary"'])
      assert.ok(!logged.includes(secret), secret);
    assert.equal((await statusOf(id))[0], 'PROCESSING');
  });

  // The clock goes to real time, in which certificates are verified.
  it('connectors.md §1.6: a server that demands a client certificate is shown that of its connector, and of no other', {
    skip: NO_OPENSSL,
  }, async () => {
    const [own, ours, stranger] = await Promise.all([
      selfSigned('localhost'),
      selfSigned('corridor.example'),
      selfSigned('stranger.example'),
    ]);
    const from = Date.parse(new X509Certificate(stranger.cert).validFrom);
    world.clock.advance(from + 60_000 - world.clock.now());
    const bank = await createConnector(world.clock, { ...own, ca: ours.cert, requestCert: true });
    after(() => bank.close());
    ({ secret: bank.secret } = await added('demanding', bank.url));
    await added('neighbour', bank.url);
    const client = createConnectorClient(world.app.runtime, { ca: own.cert });
    const why = async (name: string) => {
      const answer = await client.call(await connectorRow(name), 'getCapabilities');
      return answer.kind === 'silence' ? answer.why : answer.kind;
    };
    const shows = async (given: { cert: string; key: string } | null) => {
      const read = given && readClientCertificate({ certificate: given.cert, privateKey: given.key }, now());
      assert.ok(read === null || 'until' in read);
      const setting = { name: 'demanding', reason: 'test', clientCertificate: read };
      return at.change((tx) => setConnector(tx, setting));
    };
    const now = () => new Date(world.clock.now());
    assert.notEqual(await why('demanding'), 'answer');
    const { client_certificate_until: until } = await shows(ours);
    assert.equal(until?.getTime(), Date.parse(new X509Certificate(ours.cert).validTo));
    assert.equal(await why('demanding'), 'answer');
    assert.notEqual(await why('neighbour'), 'answer');
    const [row] = await world.database.query<{ sealed: Buffer }>(
      sql`select client_certificate as sealed from connectors where name = 'demanding'`,
    );
    assert.ok(row && !row.sealed.includes('PRIVATE KEY') && !row.sealed.includes('CERTIFICATE'));
    await shows(stranger);
    assert.notEqual(await why('demanding'), 'answer', 'the server does not know this one');
    await shows(ours);
    assert.equal(await why('demanding'), 'answer');
    assert.equal((await shows(null)).client_certificate_until, null);
    assert.notEqual(await why('demanding'), 'answer');
  });
});
