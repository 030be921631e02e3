import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { corridor } from '#tests/harness/corridor-process.ts';
import { REAL_BINARY } from '#tests/harness/tested-binary.ts';

const ROOT = new URL('../../', import.meta.url);

describe('the Node.js and the machine that Corridor runs on', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-node-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('npm scripts run on npm’s own Node.js if it is 26 or newer, else on the packaged one', async () => {
    const installed = await program(join(folder, 'installed'), '#!/bin/sh\necho installed "$@"');
    const packaged = await program(join(folder, 'path', 'node'), '#!/bin/sh\necho packaged "$@"');
    const choices: [string, string][] = [
      ['v20.20.2', 'packaged'],
      ['v25.9.0', 'packaged'],
      ['v26.0.0', 'installed'],
      ['v27.1.0', 'installed'],
      ['v40.0.0', 'installed'],
    ];
    for (const [version, chosen] of choices) {
      const { stdout } = await run(new URL('bin/run-node', ROOT).pathname, ['a b', 'c'], {
        PATH: `${dirname(packaged)}:/usr/bin:/bin`,
        npm_config_user_agent: `npm/11.0.0 node/${version} linux x64 workspaces/false`,
        npm_node_execpath: installed,
      });
      assert.equal(stdout, `${chosen} a b c\n`, version);
    }
  });

  it('if the system cannot load the packaged Node.js, npm start says why', async () => {
    await program(join(folder, 'unloadable', 'node'), '#!/no/such/loader\n');
    await program(join(folder, 'next', 'node'), '#!/bin/sh\necho next "$@"');
    const { stdout } = await run(new URL('bin/run-node', ROOT).pathname, ['it'], {
      PATH: ['unloadable', 'next']
        .map((name) => join(folder, name))
        .join(':')
        .concat(':/usr/bin:/bin'),
    });
    assert.equal(stdout, 'next it\n');
  });

  it('an old Node.js without a packaged one: one line says what to do', async () => {
    const binary = await copyOfBinary('without-package');
    assert.deepEqual(await run(process.execPath, [PRETEND_OLD_NODE, binary, 'serve']), {
      code: 1,
      stdout: '',
      stderr:
        'corridor: needs Node.js 26 or newer, and this is v20.1.0. The packaged one is missing or outdated: run "npm ci" ' +
        'again with its optional packages (they are for Linux and macOS on x64 and arm64), or install Node.js 26.\n',
    });
  });

  it('an old Node.js beside a packaged one that is no newer gives up after one try', async () => {
    const binary = await copyOfBinary('outdated-package');
    await packagedNode('outdated-package', `#!/bin/sh\nexec ${process.execPath} "${PRETEND_OLD_NODE}" "$@"`);
    const { code, stderr } = await run(process.execPath, [PRETEND_OLD_NODE, binary, 'serve']);
    assert.equal(code, 1);
    assert.match(stderr, /^corridor: needs Node\.js 26 [^\n]+missing or outdated[^\n]+\n$/);
  });

  it('Alpine: an old Node.js beside a packaged one that cannot be loaded: one line says what to do', async () => {
    const binary = await copyOfBinary('unloadable-package');
    await packagedNode('unloadable-package', '#!/no/such/loader\n');
    assert.deepEqual(await run(process.execPath, [PRETEND_OLD_NODE, binary, 'serve']), {
      code: 1,
      stdout: '',
      stderr:
        'corridor: needs Node.js 26 or newer, and this is v20.1.0. The packaged one cannot be run here (ENOENT): it ' +
        "needs glibc, which Alpine does not have. Use a system or image with glibc, such as Debian's, or install " +
        'Node.js 26 and set DATABASE_URL.\n',
    });
  });

  it('Windows: npm start says that WSL is the way', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'));
    assert.match(scripts.start, /^exec /, 'exec.cmd is what Windows finds under this name');
    assert.match(await readFile(new URL('exec.cmd', ROOT), 'utf8'), /^@node bin\\corridor\.mjs\r$/m);
    const { code, stdout, stderr } = await corridor(
      [],
      {
        NODE_OPTIONS: pretend("Object.defineProperty(process, 'platform', { value: 'win32' })"),
      },
      REAL_BINARY,
    );
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^corridor: runs on Linux and macOS; on Windows run it in WSL, [^\n]+\n$/);
  });

  it('a machine without a packaged PostgreSQL: one line says what to do', async () => {
    const { code, stderr } = await corridor(
      ['serve'],
      {
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        NODE_OPTIONS: pretend("Object.defineProperty(process, 'arch', { value: 'riscv64' })"),
      },
      REAL_BINARY,
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^corridor: There is no packaged PostgreSQL for this machine [^\n]+ DATABASE_URL [^\n]+\n$/,
    );
  });

  /** A checkout without npm's packages. */
  async function copyOfBinary(name: string): Promise<string> {
    const copy = join(folder, name, 'bin', 'corridor.mjs');
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(new URL('bin/corridor.mjs', ROOT), copy);
    return copy;
  }

  async function packagedNode(name: string, text: string): Promise<void> {
    const home = join(folder, name, 'node_modules', `node-${process.platform}-${process.arch}`);
    await program(join(home, 'bin', 'node'), text);
    await writeFile(join(home, 'package.json'), '{}');
  }
});

const pretend = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

const PRETEND_OLD_NODE = pretend(
  `Object.defineProperty(process, 'version', { value: 'v20.1.0' });
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });`,
);

async function program(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

function run(file: string, words: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(file, words, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
