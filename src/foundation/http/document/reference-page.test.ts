import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerReference } from '#foundation/http/document/reference-page.ts';

describe('the reference page', () => {
  let app: FastifyInstance;
  let bundle: string;

  before(async () => {
    app = Fastify();
    registerReference(app);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { body } = await ask('/docs/');
    [, bundle = assert.fail('no bundle')] = /<script src="([^"]+)">/.exec(body.toString()) ?? [];
  });
  after(() => app.close());

  /** Sends the path exactly as written: most clients normalize an address before they send it. */
  function ask(path: string, headers: Record<string, string> = {}) {
    const { port } = app.server.address() as AddressInfo;
    return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>(
      (resolve, reject) => {
        const asked = get({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) => {
          const parts: Buffer[] = [];
          reply.on('data', (part: Buffer) => parts.push(part));
          reply.on('end', () =>
            resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }),
          );
        });
        asked.on('error', reject);
      },
    );
  }

  it('has a title, an icon of its own and a language, and its bundle has one name', async () => {
    const page = (await ask('/docs/')).body.toString();
    assert.match(page, /<html lang="en">[\s\S]*<title>Corridor API reference<\/title>/);
    const icon = await ask(/<link rel="icon"[^>]* href="([^"]+)"/.exec(page)?.[1] ?? '');
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/svg+xml']);
    assert.equal((await ask('/docs')).headers.location, '/docs/');
    assert.equal((await ask(bundle)).status, 200);
    const file = bundle.replace('/docs/', '');
    for (const detour of ['../docs/', 'a/../', 'a/%2e%2e/', 'a/b/%2E./../', './', '%2e/', '/'])
      assert.equal((await ask(`/docs/${detour}${file}`)).status, 404, detour);
    assert.equal((await ask('/docs/js/scalar.js')).status, 404);
  });

  it('is sent compressed in a coding that the client accepts, with the same content in each', async () => {
    const whole = (await ask(bundle)).body;
    const codings = {
      br: { accept: 'gzip, deflate, br, zstd', unpack: brotliDecompressSync },
      gzip: { accept: 'br;q=0, gzip;q=0.5', unpack: gunzipSync },
    };
    for (const [coding, { accept, unpack }] of Object.entries(codings)) {
      const { headers, body } = await ask(bundle, { 'accept-encoding': accept });
      assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'accept-encoding']);
      assert.ok(unpack(body).equals(whole), coding);
      assert.ok(body.length < whole.length / 3, `${coding}: ${body.length} of ${whole.length} bytes`);
    }
    assert.equal((await ask(bundle, { 'accept-encoding': 'zstd' })).headers['content-encoding'], undefined);
  });

  it('browsers cache the bundle forever under its name, and revalidate the page', async () => {
    assert.equal((await ask(bundle)).headers['cache-control'], 'public, max-age=31536000, immutable');
    const first = await ask('/docs/');
    assert.equal(first.headers['cache-control'], 'no-cache');
    const again = await ask('/docs/', { 'if-none-match': `"other", ${first.headers.etag}` });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    assert.equal((await ask('/docs/', { 'if-none-match': 'W/"other"' })).status, 200);
  });
});
