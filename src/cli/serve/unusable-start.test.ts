// lane: whole — the real binary

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { corridor, launch } from '#tests/harness/corridor-process.ts';

describe('a start that fails', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-start-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('decision 0005: a data folder that cannot be used is one clear line and exit code 1', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const unusable = ['/dev/null/x', join(folder, 'a-file'), join(folder, 'a-file', 'deeper')];
    if (process.platform === 'linux') unusable.push('/proc/x', '/proc/x/y', '/sys/x');
    for (const DATA_DIR of unusable) {
      const { code, stdout, stderr } = await corridor(['serve'], { DATA_DIR, PORT: '0' });
      assert.equal(code, 1, `${DATA_DIR}: ${stderr}`);
      assert.match(stderr, /^corridor: The data folder \S+ cannot be used: [^\n]+\n$/, DATA_DIR);
      assert.doesNotMatch(stdout, /Creating/);
    }
  });

  it('decision 0005: the first signal ends a start that waits for an unresponsive database', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1');
    t.after(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const starting = await launch(['serve'], {
      PORT: '0',
      DATABASE_URL: `postgres://someone@127.0.0.1:${port}/corridor`,
      PERSON_KEYS_URL: `postgres://someone@127.0.0.1:${port}/person_keys`,
      ENCRYPTION_KEY: 'A'.repeat(43).concat('='),
    });
    await once(silent, 'connection');
    starting.kill('SIGTERM');
    const { code, stdout, stderr } = await starting.finished;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /SIGTERM: finishing/);
    assert.match(stdout, /Stopped\./);
  });

  it('decision 0005: the first signal ends a start that creates its database, and leaves no partial database', async () => {
    const DATA_DIR = join(folder, 'interrupted');
    const starting = await launch(['serve'], { PORT: '0', DATA_DIR });
    await starting.prints(/Creating the database cluster/);
    starting.kill('SIGINT');
    const { code, stderr } = await starting.finished;
    assert.deepEqual([code, stderr], [0, '']);
    assert.doesNotMatch((await readdir(join(DATA_DIR, 'postgres'))).join(), /new-|cluster|owner/);
  });
});
