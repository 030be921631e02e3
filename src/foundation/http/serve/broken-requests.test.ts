import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { answerBrokenRequest } from '#foundation/http/serve/broken-requests.ts';

describe('requests that cannot be read', () => {
  it('platform.md §10.5: a request that does not arrive in time is 408 REQUEST_TIMEOUT, which may be retried', async () => {
    const { head, body } = await answerTo('ERR_HTTP_REQUEST_TIMEOUT');
    assert.match(head, /^HTTP\/1\.1 408 /);
    assert.match(head, /\r\nx-request-id: the-id\r\n/);
    assert.doesNotMatch(head, /x-should-retry/);
    assert.deepEqual([body.status, body.code], [408, 'REQUEST_TIMEOUT']);
  });

  it('platform.md §1.1.6, §1.1.7: bytes that are not HTTP are 400 INVALID_REQUEST_FORMAT, which says not to retry', async () => {
    const { head, body } = await answerTo('HPE_INVALID_METHOD');
    assert.match(head, /^HTTP\/1\.1 400 /);
    assert.match(head, /\r\nx-should-retry: false\r\n/);
    assert.deepEqual([body.status, body.code], [400, 'INVALID_REQUEST_FORMAT']);
  });

  it('platform.md §10.5: a client that keeps the connection open after the answer is disconnected, even while it keeps sending', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const port = (server.address() as AddressInfo).port;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    client.on('error', () => undefined);
    const [socket] = (await accepted) as [Socket];
    t.after(() => {
      for (const end of [client, socket]) end.destroy();
      server.close();
    });
    answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, 'the-id');
    assert.match((await client.toArray()).join(''), /^HTTP\/1\.1 408 /);
    client.write('more');
    assert.equal(socket.destroyed, false);
    t.mock.timers.tick(10_000);
    assert.equal(socket.destroyed, true);
  });
});

/** Returns the response that a client reads when its request fails with this code. */
async function answerTo(code: string): Promise<{ head: string; body: Record<string, unknown> }> {
  const server = createServer((socket) =>
    answerBrokenRequest(Object.assign(new Error(code), { code }), socket, 'the-id'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    const text = (await client.toArray()).join('');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return { head, body: JSON.parse(body) };
  } finally {
    server.close();
  }
}
