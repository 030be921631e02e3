// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { discardContents, readContent } from '#foundation/uploads/contents.ts';
import { type FilePart, keepUpload, receiveUpload } from '#foundation/uploads/uploads.ts';
import { fieldsOf, givenCustomer } from '#tests/given/customers.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const HOUR_MS = 3_600_000;

describe('uploads', () => {
  const world = testWorld();

  async function files(): Promise<string[]> {
    const names = await readdir(world.storageFolder, { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  async function contents(
    platform: TestPlatform,
  ): Promise<{ id: string; state: string; key: Buffer | null }[]> {
    return world.database.query(
      sql`select id, state, key from contents where platform_id = ${platform.id} order by id`,
    );
  }

  /** Does all due work, and asserts that no content of the platform is left. */
  async function assertNothingLeft(platform: TestPlatform, before: string[]): Promise<void> {
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await contents(platform), []);
    assert.deepEqual((await files()).sort(), before.sort());
  }

  const part = (bytes: Buffer): FilePart => ({
    fieldName: 'file',
    fileName: 'a.pdf',
    mediaType: 'application/pdf',
    content: Readable.from([bytes], { objectMode: false }),
    wasTruncated: () => false,
  });

  it('fields may come before or after the file', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const first = await platform.call('uploadDocument', {
      body: documentForm(documentFields(id, 'PASSPORT'), {}, true),
    });
    assert.equal(first.status, 201, first.raw);
    const last = await platform.call('uploadDocument', { body: documentForm(documentFields(id, 'SELFIE')) });
    assert.equal(last.status, 201, last.raw);
  });

  it('a refused form leaves neither row nor file', async () => {
    const platform = await world.platform();
    const before = await files();
    const { id } = await givenCustomer(platform);
    const bad = documentForm(documentFields(id, 'NOTHING'), {}, true);
    assert.equal((await platform.call('uploadDocument', { body: bad })).status, 400);
    const params = { documentId: 'Document:none' };
    assert.equal((await platform.call('replaceDocument', { params, body: bad })).status, 404);
    await assertNothingLeft(platform, before);
  });

  it('a second file, a malformed form and a body that is not a form are 400 INVALID_REQUEST_FORMAT', async () => {
    const platform = await world.platform();
    const before = await files();
    const { id } = await givenCustomer(platform);
    const twice = documentForm(documentFields(id));
    twice.append('file', new Blob(['%PDF-']), 'b.pdf');
    const json = { body: documentFields(id) };
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' };
    const broken = {
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a',
      headers: boundary,
    };
    // Bytes that may begin a delimiter are held back: with a long delimiter these would be many, for every piece.
    const long = `--${'x'.repeat(71)}`;
    const longer = {
      body: `${long}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-\r\n${long}--`,
      headers: { 'content-type': `multipart/form-data; boundary=${long.slice(2)}` },
    };
    for (const call of [{ body: twice }, json, broken, { body: 'x', headers: boundary }, longer]) {
      const reply = await platform.send('uploadDocument', call);
      assert.equal(reply.status, 400, reply.raw);
      assert.equal(reply.body.code, 'INVALID_REQUEST_FORMAT', reply.raw);
    }
    await assertNothingLeft(platform, before);
  });

  it('platform.md §1.1.6: a form that breaks off anywhere, in its file too, is 400 INVALID_REQUEST_FORMAT and leaves nothing', async () => {
    const platform = await world.platform();
    const before = await files();
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const bodies = [0, 1, 1_000, 60_000, 200_000].map((length) => `${file}${'%'.repeat(length)}`);
    const cuts = ['\r', '\r\n', '\r\n--', '\r\n--x', '\r\n--x-', '\r\n--x\r\n'].map(
      (end) => `${file}ab${end}`,
    );
    for (const body of [...bodies, ...cuts, '', '-', '--x', file.slice(0, 30), file.slice(0, -2)]) {
      for (const operationId of ['uploadDocument', 'uploadCustomersCsv'] as const) {
        const reply = await platform.send(operationId, { body, headers });
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_REQUEST_FORMAT'], reply.raw);
      }
    }
    await assertNothingLeft(platform, before);
  });

  it('a form with too many parts, the last one cut off, is a 400 and affects no other request', async () => {
    const platform = await world.platform();
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n';
    const nameless = '--x\r\nA: b\r\n\r\nv\r\n';
    const cut = part.slice(0, -2);
    for (const many of [part, nameless]) {
      for (const count of [199, 200, 201, 202, 2_001]) {
        const reply = await platform.send('uploadDocument', { body: many.repeat(count) + cut, headers });
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_REQUEST_FORMAT'], reply.raw);
      }
    }
    assert.equal((await platform.call('getPlatformConfig')).status, 200);
  });

  it('files under other names are skipped, and a text field does not count as a file', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const form = documentForm(documentFields(id));
    form.append('other', new Blob(['x'.repeat(100_000)]), 'other.bin');
    assert.equal((await platform.call('uploadDocument', { body: form })).status, 201);
    const none = new FormData();
    for (const [name, value] of Object.entries(documentFields(id, 'SELFIE'))) none.append(name, value);
    none.append('file', 'just text');
    const reply = await platform.call('uploadDocument', { body: none });
    assert.deepEqual(fieldsOf(reply.body), ['file']);
  });

  it('a field longer than 64 KiB, NUL characters and odd names are refused like any bad field', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const long = documentForm(documentFields(id, 'PASSPORT', { issuingAuthority: 'x'.repeat(70_000) }));
    assert.deepEqual(fieldsOf((await platform.call('uploadDocument', { body: long })).body), [
      'issuingAuthority',
    ]);
    const nul = documentForm(documentFields(id, 'PASSPORT', { issuingAuthority: 'a\0b' }));
    assert.deepEqual(fieldsOf((await platform.call('uploadDocument', { body: nul })).body), [
      'issuingAuthority',
    ]);
    const named = documentForm(documentFields(id, 'PASSPORT'));
    named.append('__proto__', 'x');
    assert.equal((await platform.call('uploadDocument', { body: named })).status, 400);
  });

  it('platform.md §2.3: an Idempotency-Key covers the bytes of the file', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const send = (content: string) =>
      platform.call('uploadDocument', { body: documentForm(documentFields(id), { content }), key: 'k-1' });
    const first = await send('%PDF-one');
    assert.equal(first.status, 201, first.raw);
    const again = await send('%PDF-one');
    assert.deepEqual([again.status, again.raw], [201, first.raw]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    const other = await send('%PDF-two');
    assert.deepEqual([other.status, other.body.code], [409, 'CONFLICT']);
    await world.app.worker.settle(platform.id);
    // The file of the refused call is discarded after its reply.
    while ((await contents(platform)).some(({ state }) => state === 'INCOMING'))
      await new Promise(setImmediate);
    assert.deepEqual(
      (await contents(platform)).map(({ state }) => state),
      ['STORED'],
    );
  });

  it('a sender that disconnects in the middle leaves nothing', async () => {
    const platform = await world.platform();
    const before = await files();
    const begun = Promise.withResolvers<void>();
    const socket = connect(await listeningPort(), '127.0.0.1');
    socket.write(
      `POST ${wireNames('Svc').basePath}/documents HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n` +
        `authorization: ${platform.authorization}\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n` +
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
    );
    // The row is written before the first byte is stored, so it shows that the upload is in progress.
    const timer = setInterval(() => {
      socket.write(randomBytes(1_000));
      void contents(platform).then((rows) => rows.length > 0 && begun.resolve());
    }, 5);
    await begun.promise;
    clearInterval(timer);
    socket.destroy();
    while ((await contents(platform)).some(({ state }) => state === 'INCOMING'))
      await new Promise(setImmediate);
    await assertNothingLeft(platform, before);
  });

  it('platform.md §10.0.4: an upload to a store that is not writable is 503 SERVICE_UNAVAILABLE, or an error page for people, and leaves nothing', async () => {
    const platform = await world.platform();
    const before = await files();
    const { id } = await givenCustomer(platform);
    const { body: link } = await platform.call('createCustomerKycLink', {
      params: { customerId: id },
      body: {},
    });
    const aside = `${world.storageFolder}-aside`;
    await rename(world.storageFolder, aside);
    await writeFile(world.storageFolder, 'no folder');
    try {
      const reply = await platform.call('uploadDocument', { body: documentForm(documentFields(id)) });
      assert.deepEqual([reply.status, reply.body.code], [503, 'SERVICE_UNAVAILABLE'], reply.raw);
      assert.equal(reply.headers['retry-after'], '1');
      assert.match(reply.body.reason, /nothing was stored/);
      const page = await world.app.http.inject({
        method: 'POST',
        url: new URL(link.kycUrl).pathname,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        payload:
          '--x\r\nContent-Disposition: form-data; name="documents.0.file"; filename="a.pdf"\r\n\r\n%PDF-\r\n--x--\r\n',
      });
      assert.equal(page.statusCode, 503, page.body);
      assert.match(page.body, /try again in a moment/);
    } finally {
      await rm(world.storageFolder);
      await rename(aside, world.storageFolder);
    }
    await assertNothingLeft(platform, before);
  });

  it('a form that is refused half way is read to its end: the next request on the connection is answered', async () => {
    const platform = await world.platform();
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: ${platform.authorization}\r\n`;
    const { basePath } = wireNames('Svc');
    const file = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const form = Buffer.concat([
      Buffer.from(`${file}one\r\n${file}`),
      randomBytes(9_000_000),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const socket = connect(await listeningPort(), '127.0.0.1');
    socket.write(
      `${head(`POST ${basePath}/documents`)}content-type: multipart/form-data; boundary=x\r\n` +
        `content-length: ${form.length}\r\n\r\n`,
    );
    socket.write(form);
    socket.write(`${head(`GET ${basePath}/documents`)}connection: close\r\n\r\n`);
    const answered = await text(socket);
    assert.deepEqual(
      [...answered.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['400', '200'],
    );
  });

  it('a request that is refused before it has arrived gets its answer, even if the connection is closed after it', async () => {
    const platform = await world.platform();
    const { basePath } = wireNames('Svc');
    const form = Buffer.alloc(5_000_000, 'x');
    const refusals: [line: string, type: string, status: string][] = [
      [`POST ${basePath}/documents`, 'multipart/form-data; boundary=x\r\nauthorization: Basic x', '401'],
      [`POST ${basePath}/nowhere`, 'application/json', '404'],
      [`POST ${basePath}/customers`, `application/json\r\nauthorization: ${platform.authorization}`, '400'],
      [`POST ${basePath}/%zz`, 'application/json', '404'],
      [`POST ${basePath}/é`, 'application/json', '400'],
      ['POST /onboard/nothing', 'multipart/form-data; boundary=x', '404'],
      ['POST /liveness/nothing', 'multipart/form-data; boundary=x', '404'],
    ];
    for (const [line, type, status] of refusals) {
      for (const closing of ['HTTP/1.1\r\nconnection: close', 'HTTP/1.0']) {
        const socket = connect(await listeningPort(), '127.0.0.1');
        socket.write(
          `${line} ${closing}\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${form.length}\r\n\r\n`,
        );
        socket.write(form);
        assert.equal(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1], status, line);
      }
    }
  });

  let port: Promise<number> | undefined;

  function listeningPort(): Promise<number> {
    port ??= world.app.http
      .listen({ port: 0, host: '127.0.0.1' })
      .then((address) => Number(new URL(address).port));
    return port;
  }

  it('a crash between file and row leaves a file that the sweep removes, and no row that refers to it', async () => {
    const platform = await world.platform();
    const before = await files();
    const work = await platform.work();
    await receiveUpload(work, part(Buffer.from('%PDF-left behind')));
    assert.equal((await files()).length, before.length + 1);
    world.clock.advance(23 * HOUR_MS);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(
      (await contents(platform)).map(({ state }) => state),
      ['INCOMING'],
    );
    world.clock.advance(HOUR_MS);
    await assertNothingLeft(platform, before);
  });

  it('after a rollback the sweep removes a kept file as well', async () => {
    const platform = await world.platform();
    const before = await files();
    const work = await platform.work();
    const upload = await receiveUpload(work, part(Buffer.from('%PDF-rolled back')));
    await assert.rejects(
      work.write(async (tx) => {
        await keepUpload(tx, upload);
        throw new Error('rolled back');
      }),
    );
    world.clock.advance(24 * HOUR_MS);
    await assertNothingLeft(platform, before);
  });

  it("moving a platform's clock ahead does not sweep an upload in progress", async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const upload = await receiveUpload(work, part(Buffer.from('%PDF-under way')));
    const advanced = await platform.call('advanceSandboxClock', { body: { seconds: 30 * 86_400 } });
    assert.equal(advanced.status, 200, advanced.raw);
    await work.write((tx) => keepUpload(tx, upload));
    const kept = await work.read((tx) => readContent(tx, upload.contentId));
    assert.equal(await text(kept), '%PDF-under way');
  });

  it('discarded content loses its key in that commit and its file after it', async () => {
    const platform = await world.platform();
    const before = await files();
    const work = await platform.work();
    const upload = await receiveUpload(work, part(randomBytes(100_000)));
    await work.write((tx) => keepUpload(tx, upload));
    await work.write((tx) => discardContents(tx, [upload.contentId]));
    assert.deepEqual(await contents(platform), [{ id: upload.contentId, state: 'DISCARDED', key: null }]);
    await assert.rejects(work.read((tx) => readContent(tx, upload.contentId)));
    await assertNothingLeft(platform, before);
  });

  it('if storing fails there is no content to refer to, and bytes that may have been stored are removed', async () => {
    const platform = await world.platform();
    const { runtime } = world.app;
    const { storage } = runtime.ports('SANDBOX');
    const work = await platform.work();
    const failing = new Work(
      {
        ...runtime,
        ports: (environment) => ({
          ...runtime.ports(environment),
          storage: {
            ...storage,
            put: async (_name, _key, content) => {
              await buffer(content);
              throw new Error('no space left');
            },
          },
        }),
      },
      work.platform,
      work.actor,
    );
    await assert.rejects(receiveUpload(failing, part(randomBytes(10))), { name: 'StorageUnavailable' });
    assert.deepEqual(
      (await contents(platform)).map(({ state }) => state),
      ['DISCARDED'],
    );
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await contents(platform), []);
  });
});
