import assert from 'node:assert/strict';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildConsole, type ConsoleManifest } from '../../packages/console/build.ts';

const KILOBYTE = 1_000;
const FIRST_ROUTE_MAX = 120 * KILOBYTE;
const FURTHER_ROUTE_MAX = 40 * KILOBYTE;

describe('the built console', () => {
  let folder: string;
  let manifest: ConsoleManifest;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-console-'));
    await buildConsole(folder);
    manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('loads its first route, with shell and styles, in at most 120 kB gzipped', () => {
    const { shell = Number.POSITIVE_INFINITY, ...routes } = manifest.routes;
    // Operators load the shell, their own half of it, and then the route.
    const { 'app/operator-app.tsx': operators = Number.POSITIVE_INFINITY } = routes;
    for (const [route, bytes] of Object.entries(routes)) {
      const all = shell + bytes + (route.startsWith('operator/') ? operators : 0);
      assert.ok(all <= FIRST_ROUTE_MAX, `${route} first: ${all} bytes`);
    }
  });

  it('adds at most 40 kB gzipped for each further route', () => {
    const { shell: _first, ...routes } = manifest.routes;
    assert.ok(Object.keys(routes).length > 0);
    assert.deepEqual(
      Object.entries(routes).filter(([, bytes]) => bytes > FURTHER_ROUTE_MAX),
      [],
    );
  });

  it('measures every route', async () => {
    for (const routes of ['routes.ts', 'operator-routes.ts']) {
      const text = await readFile(`packages/console/src/app/${routes}`, 'utf8');
      const screens = [...text.matchAll(/\bload: \(\) => import\('\.\.\/([^']+)'\)/g)].map(
        ([, screen = '']) => screen,
      );
      assert.equal(screens.length, [...text.matchAll(/\bpath: [`']/g)].length);
      assert.deepEqual(
        screens.filter((screen) => manifest.routes[screen] === undefined),
        [],
      );
    }
  });

  it('lists every file that it consists of, under names that change with their content', async () => {
    assert.ok(manifest.files.includes(manifest.entry));
    for (const file of [...manifest.styles, ...manifest.preloads]) assert.ok(manifest.files.includes(file));
    for (const file of manifest.files) {
      assert.match(file, /^assets\/[\w-]+-[0-9A-Z]{8}\.(js|css)$/);
      await access(join(folder, file));
    }
  });

  it('evaluates no text as code, and asks no other server for anything', async () => {
    for (const file of manifest.files) {
      const text = await readFile(join(folder, file), 'utf8');
      assert.doesNotMatch(text, /\beval\(|new Function\(|@import|url\(["']?https?:/, file);
    }
  });
});
