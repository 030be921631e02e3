import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { registerReference } from '#http/reference-page.ts';

describe('the reference page', () => {
  it('a page has one name: each detour to it would be held apart from it', async () => {
    const app = Fastify();
    registerReference(app);
    try {
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      // As it is written: most clients tidy an address up before they send it.
      const statusOf = (path: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const asked = get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
            reply.resume().on('end', () => resolve(reply.statusCode));
          });
          asked.on('error', reject);
        });
      for (const path of ['/docs/', '/docs/js/scalar.js', '/docs/%6as/scalar.js'])
        assert.equal(await statusOf(path), 200, path);
      for (const detour of ['../docs/', 'a/../', 'a/%2e%2e/', 'a/b/%2E./../', './', '%2e/', '/'])
        assert.equal(await statusOf(`/docs/${detour}js/scalar.js`), 404, detour);
    } finally {
      await app.close();
    }
  });
});
