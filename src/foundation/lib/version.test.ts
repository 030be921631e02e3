import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readCommit } from './version.ts';

const COMMIT = 'eb9226300000000000000000000000000000abcd';

describe('the commit that runs', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-version-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  it('decision 0034: is that of the clone, on a branch or not', async () => {
    await write('.git/HEAD', `${COMMIT}\n`);
    assert.equal(readCommit(folder), 'eb9226300000');
    await write('.git/HEAD', 'ref: refs/heads/main\n');
    await write('.git/refs/heads/main', `${COMMIT}\n`);
    assert.equal(readCommit(folder), 'eb9226300000');
  });

  it('decision 0034: is found where Git has packed the branches', async () => {
    await write('.git/HEAD', 'ref: refs/heads/main\n');
    await write(
      '.git/packed-refs',
      `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/not-main\n${COMMIT} refs/heads/main\n`,
    );
    assert.equal(readCommit(folder), 'eb9226300000');
  });

  it('decision 0034: is found in a worktree', async () => {
    await write('tree/.git', `gitdir: ${join(folder, 'clone/.git/worktrees/tree')}\n`);
    await write('clone/.git/worktrees/tree/HEAD', 'ref: refs/heads/topic\n');
    await write('clone/.git/worktrees/tree/commondir', '../..\n');
    await write('clone/.git/refs/heads/topic', COMMIT);
    assert.equal(readCommit(join(folder, 'tree')), 'eb9226300000');
  });

  it('decision 0034: is the one that an image was built with', async () => {
    await write('COMMIT', `${COMMIT}\n`);
    await write('.git/HEAD', '1'.repeat(40));
    assert.equal(readCommit(folder), 'eb9226300000');
  });

  it('decision 0034: is unknown if the code comes without a clone, and never another text', async () => {
    assert.equal(readCommit(folder), undefined);
    await write('COMMIT', '\n');
    assert.equal(readCommit(folder), undefined);
    await write('COMMIT', 'main; rm -rf /');
    assert.equal(readCommit(folder), undefined);
  });
});
