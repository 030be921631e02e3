import assert from 'node:assert/strict';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, describe, it } from 'node:test';
import type { Environment } from '#foundation/lib/platform.ts';
import { createResolve, type Resolve } from '#foundation/outbound/addresses.ts';
import type { HttpResult } from '#foundation/outbound/guarded-agent.ts';
import { createOutbound, type OutboundOptions, RESPONSE_MAX_BYTES } from '#foundation/outbound/outbound.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { createReceiver } from '#tests/harness/receiver.ts';

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');

describe('outgoing requests', () => {
  const closers: (() => unknown)[] = [];
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  const FORBIDDEN = [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.9',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    'fd00::1',
  ];
  for (const address of FORBIDDEN) {
    it(`platform.md §4.2.7: production does not connect to a name that resolves to ${address}`, async () => {
      const result = await post('https://receiver.example/', 'PRODUCTION', {
        resolve: async () => [address],
      });
      assert.deepEqual(result, { error: 'the host has an address that is not allowed', cause: 'receiver' });
    });
  }

  it('platform.md §4.2.7: one forbidden address among public ones refuses the name', async () => {
    const resolve = async () => ['93.184.216.34', '10.0.0.1'];
    const result = await post('https://receiver.example/', 'PRODUCTION', { resolve });
    assert.ok('error' in result && /not allowed/.test(result.error));
  });

  for (const host of [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
  ]) {
    it(`platform.md §4.2.7: production does not connect to ${host}, which needs no DNS look-up`, async () => {
      const result = await post(`https://${host}/`, 'PRODUCTION', { resolve: unexpected });
      assert.ok('error' in result && /not allowed/.test(result.error), JSON.stringify(result));
    });
  }

  it('platform.md §4.2.7: a name without addresses, or one that cannot be resolved, is an ordinary failure', async () => {
    const none = await post('https://receiver.example/', 'PRODUCTION', { resolve: async () => [] });
    assert.ok('error' in none && /no address/.test(none.error));
    const failing = async () => Promise.reject(new Error('the host name could not be resolved'));
    const failed = await post('https://receiver.example/', 'PRODUCTION', { resolve: failing });
    assert.ok('error' in failed && /could not be resolved/.test(failed.error));
  });

  it('platform.md §3.2.3: production sends nothing over http', async () => {
    const result = await post('http://receiver.example/', 'PRODUCTION', { resolve: unexpected });
    assert.deepEqual(result, { error: 'only https is allowed', cause: 'receiver' });
  });

  it('platform.md §4.2.7: if the operator sets the reach to public, the sandbox reaches public addresses only', async () => {
    const receiver = await createReceiver();
    closers.push(receiver.close);
    const closed = await post(receiver.url, 'SANDBOX', { sandboxReach: 'public' });
    assert.ok('error' in closed && /not allowed/.test(closed.error), JSON.stringify(closed));
    const named = await post('http://receiver.example/', 'SANDBOX', {
      sandboxReach: 'public',
      resolve: async () => ['10.0.0.1'],
    });
    assert.ok('error' in named && /not allowed/.test(named.error));
    assert.ok('status' in (await post(receiver.url, 'SANDBOX', { sandboxReach: 'any' })));
  });

  it('platform.md §4.2.7: the sandbox does not reach the metadata service either', async () => {
    const named = await post('http://receiver.example/', 'SANDBOX', {
      resolve: async () => ['169.254.169.254'],
    });
    assert.ok('error' in named && /not allowed/.test(named.error));
    const literal = await post('http://169.254.169.254/', 'SANDBOX', { resolve: unexpected });
    assert.ok('error' in literal && /not allowed/.test(literal.error));
  });

  it('platform.md §4.2.7: the connection goes to the checked address, even if the name resolves differently later', async () => {
    const receiver = await createReceiver();
    closers.push(receiver.close);
    const { port } = new URL(receiver.url);
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const result = await post(`http://rebinding.example:${port}/`, 'SANDBOX', { resolve });
    assert.ok('status' in result && result.status === 200, JSON.stringify(result));
    assert.equal(asked, 1, 'one resolution for the check and the connection together');
    assert.equal(receiver.received[0]?.headers.host, `rebinding.example:${port}`);
  });

  it('platform.md §4.2.7: the same holds over TLS, and the certificate is checked against the name', {
    skip: NO_OPENSSL,
  }, async () => {
    const { cert, key } = await selfSigned('receiver.example');
    const server = createHttpsServer({ cert, key }, (_request, response) => response.end('secure'));
    const port = await listen(server);
    const resolve = async () => ['127.0.0.1'];
    const good = await post(`https://receiver.example:${port}/`, 'SANDBOX', { resolve, ca: cert });
    assert.ok('status' in good && good.body.toString() === 'secure', JSON.stringify(good));
    const wrongName = await post(`https://other.example:${port}/`, 'SANDBOX', { resolve, ca: cert });
    assert.ok('error' in wrongName && /ALTNAME|altnames/i.test(wrongName.error), JSON.stringify(wrongName));
    const unknown = await post(`https://receiver.example:${port}/`, 'SANDBOX', { resolve });
    assert.ok('error' in unknown && /SELF_SIGNED/.test(unknown.error), JSON.stringify(unknown));
  });

  it('proxies of the environment are not used', async () => {
    const receiver = await createReceiver();
    closers.push(receiver.close);
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'] as const;
    const saved = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = 'http://127.0.0.1:1';
    try {
      const result = await post(receiver.url, 'SANDBOX', { resolve: unexpected });
      assert.ok('status' in result && result.status === 200);
    } finally {
      names.forEach((name, i) => {
        if (saved[i] === undefined) delete process.env[name];
        else process.env[name] = saved[i];
      });
    }
  });

  it('platform.md §4.2.6: an endless answer is cut off at 10 KiB, and the connection is closed', async () => {
    const gone = Promise.withResolvers<void>();
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined).on('close', () => gone.resolve());
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
        const pour = () => {
          while (!socket.destroyed && socket.write('x'.repeat(4096)));
        };
        socket.on('drain', pour);
        pour();
      }),
    );
    const result = await post(`http://127.0.0.1:${port}/`, 'SANDBOX', { resolve: unexpected });
    assert.ok('status' in result && result.body.length === RESPONSE_MAX_BYTES);
    await gone.promise;
  });

  it('platform.md §4.2.2: an answer whose body never ends counts by its status', async () => {
    const port = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
      }),
    );
    const result = await post(`http://127.0.0.1:${port}/`, 'SANDBOX', { resolve: unexpected }, 100);
    assert.ok('status' in result && result.status === 200 && result.body.toString() === 'part');
  });

  for (const [what, text] of [
    ['a response that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a connection closed without an answer', ''],
  ] as const) {
    it(`platform.md §4.2.2: ${what} is a failure`, async () => {
      const port = await listen(createServer((socket) => socket.on('error', () => undefined).end(text)));
      const result = await post(`http://127.0.0.1:${port}/`, 'SANDBOX', { resolve: unexpected });
      assert.ok('error' in result && result.cause === 'receiver', JSON.stringify(result));
    });
  }

  it('localhost is this machine, without a DNS look-up', async () => {
    assert.deepEqual(await createResolve()('localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(await createResolve()('api.localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(await createResolve()('192.0.2.7'), ['192.0.2.7']);
  });

  async function post(
    url: string,
    environment: Environment,
    options: Partial<Pick<OutboundOptions, 'resolve' | 'ca' | 'sandboxReach'>>,
    timeoutMs = 10_000,
  ): Promise<HttpResult> {
    const outbound = createOutbound({ resolve: createResolve(), ...options });
    closers.push(() => outbound.close());
    return outbound.post({ url, environment, headers: {}, body: Buffer.from('{}'), timeoutMs });
  }

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }
});

const unexpected: Resolve = () => {
  throw new Error('no name should be resolved');
};
