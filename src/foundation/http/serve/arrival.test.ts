import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import pino from 'pino';
import { createApp } from '#app/app.ts';
import { ARRIVAL_LIMITS, ArrivalWatch } from '#foundation/http/serve/arrival.ts';
import { BrokenRequests } from '#foundation/http/serve/broken-requests.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS, testWorld } from '#tests/harness/harness.ts';

const MEGABYTE = 1_048_576;

describe('how requests arrive (platform.md §10.5)', () => {
  const world = testWorld();

  /** A server whose time the test moves, and whose connections are checked only when the test says so. */
  async function givenServer(t: TestContext, isRead = true) {
    const time = { now: 0 };
    const broken = new BrokenRequests();
    const watch = new ArrivalWatch(
      { ...ARRIVAL_LIMITS, checkEveryMs: 2_000_000_000 },
      (error, { socket }) => broken.answer(error, socket, 'the-id'),
      () => time.now,
    );
    const server: Server = createServer((request, response) => {
      if (isRead) request.resume();
      request.on('error', () => undefined).on('end', () => response.end('done'));
    });
    broken.watch(server);
    watch.watch(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await accepted) as [Socket];
    t.after(() => {
      client.destroy();
      server.close();
    });
    const began = once(server, 'request');
    let sent = 0;
    const send = async (bytes: string | Buffer) => {
      client.write(bytes);
      sent += bytes.length;
      while (socket.bytesRead < sent) await soon();
    };
    await send(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${30 * MEGABYTE}\r\n\r\n`);
    await began;
    const pass = (seconds: number) => {
      time.now += seconds * 1_000;
      watch.check();
    };
    return { client, socket, send, pass, read: () => text(client) };
  }

  it('platform.md §10.5: a body that keeps arriving is accepted, however long it takes', async (t) => {
    const { send, pass, read } = await givenServer(t);
    for (let i = 0; i < 30; i++) {
      await send(Buffer.alloc(MEGABYTE));
      pass(29);
    }
    assert.match(await read(), /^HTTP\/1\.1 200 OK[\s\S]*done$/);
  });

  it('platform.md §10.5: a body that pauses for 30 s is 408 in JSON, and the connection is closed', async (t) => {
    const { send, pass, read } = await givenServer(t);
    await send(Buffer.alloc(20 * MEGABYTE));
    for (const seconds of [20, 29]) pass(seconds);
    await send('x');
    pass(29);
    pass(29);
    pass(2);
    const [head = '', body = ''] = (await read()).split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 408 Request Timeout\r\nconnection: close\r\nx-request-id: the-id\r\n/);
    assert.equal(JSON.parse(body).code, 'REQUEST_TIMEOUT');
  });

  it('platform.md §10.5: a body that trickles is 408 once 30 s are over', async (t) => {
    const { send, pass, read } = await givenServer(t);
    for (let i = 0; i < 29; i++) {
      await send('x'.repeat(16_000));
      pass(1);
    }
    await send('x');
    pass(1);
    assert.match(await read(), /^HTTP\/1\.1 408 /);
  });

  it('platform.md §10.5: time during which the server does not read is not counted against the sender', async (t) => {
    const { client, socket, pass } = await givenServer(t, false);
    client.write(Buffer.alloc(29 * MEGABYTE));
    let before = -1;
    while (socket.bytesRead < 65_536 || socket.bytesRead !== before) {
      before = socket.bytesRead;
      for (let i = 0; i < 50; i++) await soon();
    }
    for (let i = 0; i < 100; i++) pass(60);
    assert.equal(socket.destroyed || socket.writableEnded, false);
  });

  it('platform.md §10.5: a form that stalls on its way into storage is 408, and no part of it stays stored', async (t) => {
    const platform = await world.platform();
    const { clock, vault, personKeys, serviceKey, ports } = world.app.runtime;
    const app = await createApp({
      ...{ database: world.database, vault, personKeys, serviceKey, clock, newId: newUuid },
      names: wireNames('Svc'),
      ...{ domains: TEST_DOMAINS, storage: ports('SANDBOX').storage, log: pino({ level: 'silent' }) },
      arrival: { ...ARRIVAL_LIMITS, idleMs: 300, checkEveryMs: 50 },
    });
    t.after(() => app.close());
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 });
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    client.write(
      `POST ${wireNames('Svc').basePath}/documents HTTP/1.1\r\nhost: x\r\nauthorization: ${platform.authorization}\r\n` +
        'content-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n' +
        `--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${'%'.repeat(100_000)}`,
    );
    const [head = '', body = ''] = (await text(client)).split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 408 /);
    assert.match(head, /content-type: application\/json/);
    assert.deepEqual([JSON.parse(body).status, JSON.parse(body).code], [408, 'REQUEST_TIMEOUT']);
  });
});
