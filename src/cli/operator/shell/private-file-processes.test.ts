// lane: whole — several processes contend

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writePrivateFile } from '#cli/operator/shell/private-file.ts';

describe('a file that only its owner can read', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'private-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('customers.md §4.4.10a: appears only when it is complete, and only its owner can read it from the beginning', async () => {
    const path = join(folder, 'whole');
    await writePrivateFile(path, async (file) => {
      await file.write('a passport');
      const names = await readdir(folder);
      for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
      assert.equal(await readFile(path, 'utf8'), '');
    });
    assert.equal(await readFile(path, 'utf8'), 'a passport');
    assert.deepEqual(await readdir(folder), ['whole']);
    await rm(path);
  });

  it('customers.md §4.4.10a: leaves nothing after a failure', async () => {
    const failing = writePrivateFile(join(folder, 'failed'), async (file) => {
      await file.write('half a pass');
      throw new Error('the store is away');
    });
    await assert.rejects(failing, /the store is away/);
    assert.deepEqual(await readdir(folder), []);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`customers.md §4.4.10a: leaves nothing after ${signal}`, async () => {
      const path = join(folder, 'interrupted');
      const program = `
        import { setTimeout as wait } from 'node:timers/promises';
        import { writePrivateFile } from ${JSON.stringify(new URL('private-file.ts', import.meta.url).href)};
        await writePrivateFile(${JSON.stringify(path)}, async (file, signal) => {
          await file.write('half a pass');
          process.stdout.write('written');
          await wait(600_000, undefined, { signal });
        }).catch((error) => {
          process.stderr.write(error.message);
          process.exitCode = 1;
        });`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
      await once(child.stdout, 'data');
      assert.equal((await readdir(folder)).length, 2);
      const told = child.stderr.setEncoding('utf8').toArray();
      child.kill(signal);
      const [code] = await once(child, 'exit');
      assert.equal(code, 1);
      assert.equal((await told).join(''), `The command was interrupted; ${path} was not written.`);
      assert.deepEqual(await readdir(folder), []);
    });
  }
});
