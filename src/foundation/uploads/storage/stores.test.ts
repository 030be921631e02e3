import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import type { ObjectStore } from '#foundation/uploads/storage/object-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { s3Store } from '#foundation/uploads/storage/s3-store.ts';
import { KEY_BYTES } from '#foundation/uploads/storage/sealed-stream.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { type S3StandIn, startS3StandIn } from '#tests/harness/s3-stand-in.ts';

const KEYS = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret/with+signs=', region: 'eu-central-1' };

describe('document stores', () => {
  const clock = handClock();
  let folder: string;
  let standIn: S3StandIn;
  let temporary: string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-store-'));
    standIn = await startS3StandIn(KEYS, () => clock.now());
    temporary = await spooled();
  });
  after(async () => {
    await standIn.close();
    await rm(folder, { recursive: true, force: true });
  });

  const bucketStore = (keys: Partial<typeof KEYS> = {}) =>
    s3Store(
      { endpoint: standIn.url, bucket: 'papers', prefix: 'live/', ...KEYS, ...keys },
      { clock, retryAfterMs: [0, 0] },
    );

  /** Every adapter of the port passes this. */
  const adapters: Record<string, () => ObjectStore> = {
    'the folder': () => folderStore(folder),
    'the bucket': () => bucketStore(),
  };

  it('a read-only folder is reported as not writable', async () => {
    const path = join(folder, 'a-file');
    await writeFile(path, '');
    await assert.rejects(folderStore(join(path, 'documents')).checkWritable());
    await assert.rejects(folderStore('/proc/documents').checkWritable());
    await rm(path);
  });

  for (const [name, open] of Object.entries(adapters)) {
    it(`${name}: reports that it is writable, and leaves nothing of the check`, async () => {
      const store = open();
      const before = await readdir(folder, { recursive: true });
      await store.checkWritable();
      assert.deepEqual(await readdir(folder, { recursive: true }), before);
    });

    it(`${name}: stores bytes under a name and returns them`, async () => {
      const store = open();
      for (const length of [0, 1, 65_536, 3_000_000]) {
        const id = randomUUID();
        const bytes = randomBytes(length);
        await store.put(id, openStream(bytes));
        assert.ok((await buffer(await store.get(id))).equals(bytes), `${length} bytes`);
      }
    });

    it(`${name}: removes, and removing again succeeds`, async () => {
      const store = open();
      const id = randomUUID();
      await store.put(id, openStream(randomBytes(10)));
      await store.remove(id);
      await assert.rejects(store.get(id));
      await store.remove(id);
      await store.remove(randomUUID());
    });

    it(`${name}: a source that breaks off leaves nothing under the name`, async () => {
      const store = open();
      const id = randomUUID();
      await assert.rejects(store.put(id, brokenStream()), /broken off/);
      await assert.rejects(store.get(id));
      await store.remove(id);
    });

    it(`${name}: accepts only names that we generated`, async () => {
      const store = open();
      for (const bad of ['../../etc/passwd', 'a/b', '', 'UPPER', '..', '%2e%2e']) {
        await assert.rejects(store.put(bad, openStream(randomBytes(1))), bad);
        await assert.rejects(store.remove(bad), bad);
      }
    });

    it(`${name}: contains sealed bytes only, which open with the right key alone`, async () => {
      const storage = sealedStorage(open());
      const id = randomUUID();
      const key = randomBytes(KEY_BYTES);
      const plain = Buffer.from('a planted sentence '.repeat(20_000));
      await storage.put(id, key, openStream(plain));
      const kept = await buffer(await open().get(id));
      assert.equal(kept.includes('planted'), false);
      assert.ok((await buffer(await storage.read(id, key))).equals(plain));
      await assert.rejects(storage.read(id, randomBytes(KEY_BYTES)).then(buffer));
    });
  }

  it('a store that fails before its bytes are read fails only their reader', async () => {
    const failing = new Readable({ read: () => undefined });
    const storage = sealedStorage({ ...folderStore(folder), get: async () => failing });
    const content = await storage.read(randomUUID(), randomBytes(KEY_BYTES));
    failing.destroy(new Error('reset by the store'));
    await new Promise((resolve) => failing.once('close', resolve));
    await assert.rejects(buffer(content), /reset by the store/);
  });

  it('the folder: only its owner may read it, and removing a name also removes a file that a crash left', async () => {
    const store = folderStore(folder);
    const id = randomUUID();
    await store.put(id, openStream(randomBytes(10)));
    const parent = join(folder, id.slice(-2));
    assert.equal((await stat(join(parent, id))).mode & 0o777, 0o600);
    assert.equal((await stat(parent)).mode & 0o777, 0o700);
    await writeFile(join(parent, `${id}.part`), 'half');
    await store.remove(id);
    assert.equal((await readdir(parent)).filter((file) => file.startsWith(id)).length, 0);
  });

  it('the bucket: every request is signed over its path and body, under the prefix', async () => {
    const id = randomUUID();
    await bucketStore().put(id, openStream(randomBytes(100)));
    assert.ok(standIn.objects.has(`/papers/live/${id}`));
    const refused = bucketStore({ secretAccessKey: 'another' });
    await assert.rejects(refused.put(randomUUID(), openStream(randomBytes(10))), /answered PUT with 403/);
    await assert.rejects(refused.get(id), /answered GET with 403/);
    await assert.rejects(refused.remove(id), /answered DELETE with 403/);
    await assert.rejects(bucketStore({ region: 'us-east-1' }).get(id), /403/);
    assert.ok(standIn.objects.has(`/papers/live/${id}`));
  });

  it('the bucket: a transient failure is retried with the same bytes, a refusal is not', async () => {
    const store = bucketStore();
    const id = randomUUID();
    const bytes = randomBytes(200_000);
    standIn.failures.push(503, 500);
    await store.put(id, openStream(bytes));
    assert.ok(standIn.objects.get(`/papers/live/${id}`)?.equals(bytes));
    standIn.failures.push(500, 429, 502);
    await assert.rejects(store.get(id), /answered GET with 502/);
    const before = standIn.requests.length;
    standIn.failures.push(403);
    await assert.rejects(store.get(id), /403/);
    assert.equal(standIn.requests.length, before + 1);
  });

  it('the bucket: an unreachable store is an error and does not block', async () => {
    const closed = await startS3StandIn(KEYS, () => clock.now());
    await closed.close();
    const store = s3Store(
      { endpoint: closed.url, bucket: 'papers', prefix: '', ...KEYS },
      { clock, retryAfterMs: [] },
    );
    await assert.rejects(store.get(randomUUID()), /ECONNREFUSED/);
  });

  it('the bucket: spooled bytes do not stay on the disk', async () => {
    assert.deepEqual(await spooled(), temporary);
  });
});

async function spooled(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => /^corridor-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name)).sort();
}

function openStream(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000);
    })(),
    { objectMode: false },
  );
}

function brokenStream(): Readable {
  return Readable.from(
    (async function* () {
      yield randomBytes(100_000);
      throw new Error('broken off');
    })(),
    { objectMode: false },
  );
}
