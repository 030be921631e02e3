import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConsoleFiles } from '#edge/console/built-files.ts';

/** A builder that notes each build, and fails if the sources say so. */
const BUILDER = `
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
export async function buildConsole(folder) {
  await appendFile(new URL('builds', import.meta.url), 'x');
  const text = await readFile(new URL('src/main.ts', import.meta.url), 'utf8');
  if (text === 'broken') throw new Error('it does not compile');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets/main-1.js'), text);
  const manifest = { entry: 'assets/main-1.js', styles: [], preloads: [], files: ['assets/main-1.js'] };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
}
`;

describe('the build of the console’s pages', () => {
  let root: string;
  const source = (text: string) => writeFile(join(root, 'packages/console/src/main.ts'), text);
  const builds = async () => (await readFile(join(root, 'packages/console/builds'), 'utf8')).length;
  const shown = async (files: ConsoleFiles) => {
    const built = await files.open();
    return built.files.get(built.entry)?.body.toString();
  };

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'corridor-console-'));
    await mkdir(join(root, 'packages/console/src'), { recursive: true });
    await writeFile(join(root, 'packages/console/build.ts'), BUILDER);
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('operator.md §3.7: visitors that arrive together share one build, and a later process takes it from the cache', async () => {
    await source('one');
    const files = new ConsoleFiles(root);
    assert.deepEqual(await Promise.all(Array.from({ length: 5 }, () => shown(files))), Array(5).fill('one'));
    assert.equal(await builds(), 1);
    assert.equal(await shown(new ConsoleFiles(root)), 'one');
    assert.equal(await builds(), 1);
  });

  it('operator.md §3.7: two processes that build at once leave one complete build', async () => {
    await source('two');
    const both = await Promise.all([shown(new ConsoleFiles(root)), shown(new ConsoleFiles(root))]);
    assert.deepEqual(both, ['two', 'two']);
    assert.equal((await readdir(join(root, 'node_modules/.cache/corridor-console'))).length, 2);
  });

  it('operator.md §3.7: changed sources are built again; after a failed build the next visit tries again', async () => {
    const files = new ConsoleFiles(root);
    assert.equal(await shown(files), 'two');
    await source('broken');
    await assert.rejects(shown(files), /does not compile/);
    await assert.rejects(shown(files), /does not compile/);
    await source('three');
    assert.equal(await shown(files), 'three');
  });

  it('operator.md §3.7: a file that was written is noticed, even with its old size and time; one that was added too', async () => {
    await source('four');
    const files = new ConsoleFiles(root);
    assert.equal(await shown(files), 'four');
    const path = join(root, 'packages/console/src/main.ts');
    const { atime, mtime } = await stat(path);
    await source('five');
    await utimes(path, atime, mtime);
    const before = await builds();
    assert.deepEqual([await shown(files), await shown(files)], ['five', 'five']);
    assert.equal(await builds(), before + 1);
    await writeFile(join(root, 'packages/console/src/added.ts'), '');
    assert.equal(await shown(files), 'five');
    assert.equal(await builds(), before + 2);
  });

  it('operator.md §3.7: without sources it serves what was packaged', async () => {
    const [kept = ''] = await readdir(join(root, 'node_modules/.cache/corridor-console'));
    const image = await mkdtemp(join(tmpdir(), 'corridor-image-'));
    await assert.rejects(shown(new ConsoleFiles(image)), { code: 'ENOENT' });
    const from = join(root, 'node_modules/.cache/corridor-console', kept);
    await cp(from, join(image, 'packages/console/dist'), { recursive: true });
    assert.match((await shown(new ConsoleFiles(image))) ?? '', /^(one|two|three|four|five)$/);
    await rm(image, { recursive: true });
  });
});
