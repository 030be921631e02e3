import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import module from 'node:module';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { DOORS, FLOORS, type Floor, ROOMS, SEPARATE_FLOOR, SHARED_FILES } from '#tests/checks/folders.ts';
import { mayUseSql, sqlProblems, usesSql } from '#tests/checks/sql-style.ts';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: string[];
  readonly imports: string[];
}

const EMBEDDED = 'src/foundation/database/embedded/';
const EMBEDDED_DOOR = `${EMBEDDED}embedded.ts`;
/** Durations are measured with `performance.now()`, which has no date. */
const WALL_CLOCK = /\bDate\.now\(\)|\bnew Date\(\)|\b(current_timestamp|clock_timestamp)\b/;
/**
 * The clock itself and the database's, ids and log lines, an operator's command, files of a cluster, and browser code.
 */
const REAL_TIME =
  /^src\/(foundation\/(lib\/(clock|ids)|database\/(database-clock|embedded\/.*))|capabilities\/cards\/reveal\/page-assets|app\/log|cli\/operator\/(shell\/operator|money\/rates-command))\.ts$/;
const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 50;
/** The markup of a page is like a table: cut into pieces it is harder to read. */
const COMPONENT_LINES_MAX = 65;
const FLOOR_README_LINES_MAX = 40;
const COMPOSED_FILES_MAX = 45;
/** Something that belongs to the service as a whole, such as its key, may be named after it. */
const BANNED_NAMES = /(^|[-/])(utils?|helpers?|services?(?!-(key|urls))|managers?)(\.|-|\/|$)/;

describe('tidy', async () => {
  const sources = await readSources();
  const sqlFiles = await readSqlFiles();
  const production = sources.filter((source) => !source.path.endsWith('.test.ts'));
  const client = await readPackage('client');
  const consoleFiles = await readPackage('console');
  const packages = [...client, ...consoleFiles];

  it('a folder imports only from earlier floors, and from earlier folders of its own floor', () => {
    const wrong = production.flatMap((source) =>
      source.imports.filter((to) => !mayImport(source.path, to)).map((to) => `${source.path} → ${to}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('inside a folder, a room imports only from earlier rooms', () => {
    const wrong = production
      .filter(({ path }) => !isDoor(path))
      .flatMap((source) => {
        const order = ROOMS[folderOf(source.path)] ?? [];
        return source.imports
          .filter((to) => folderOf(to) === folderOf(source.path))
          .filter((to) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(source.path)))
          .map((to) => `${source.path} → ${to}`);
      });
    assert.deepEqual(wrong, []);
  });

  it('every floor, folder and room is on the list', () => {
    const unknown = sources.map(({ path }) => path).filter((path) => !isPlaced(path));
    assert.deepEqual(unknown, []);
  });

  it('every floor says in at most 40 lines what belongs there', async () => {
    for (const floor of Object.keys(FLOORS)) {
      const lines = (await readFile(`src/${floor}/README.md`, 'utf8')).trimEnd().split('\n');
      assert.ok(lines.length <= FLOOR_README_LINES_MAX, `${floor}: ${lines.length} lines`);
    }
  });

  it('a file that composes the service imports at most 45 files', () => {
    const wide = production
      .filter(({ path }) => /^src\/app\/|\/capability\.ts$/.test(path))
      .map(({ path, imports }) => ({ path, imports: new Set(imports).size }))
      .filter(({ imports }) => imports > COMPOSED_FILES_MAX);
    assert.deepEqual(wide, []);
  });

  it('files do not import each other in circles', () => {
    assert.deepEqual(findCycle(production), []);
    assert.deepEqual(findCycle(packages), []);
  });

  it('database/embedded is imported through its door only, by tests and benchmarks too', async () => {
    const wrong = [...sources, ...(await readSources('{tests,bench,bin,.ci}/**/*.{ts,mjs}'))]
      .filter(({ path }) => !path.startsWith(EMBEDDED))
      .flatMap(({ path, imports }) =>
        imports
          .filter((to) => to.startsWith(EMBEDDED) && to !== EMBEDDED_DOOR)
          .map((to) => `${path} → ${to}`),
      );
    assert.deepEqual(wrong, []);
  });

  it('the client imports nothing but itself and packages, so that it can be shipped alone', () => {
    assert.ok(client.length > 0);
    const wrong = client.flatMap(({ path, text, imports }) => [
      ...imports.filter((to) => !to.startsWith('packages/client/')).map((to) => `${path} → ${to}`),
      ...(/from '(node:|#)/.test(text) && path.includes('/src/')
        ? [`${path} imports what a browser does not have`]
        : []),
    ]);
    assert.deepEqual(wrong, []);
  });

  it('the console imports the client and nothing of src; a room imports from earlier rooms; no screen imports another', () => {
    assert.ok(consoleFiles.length > 0);
    const wrong = consoleFiles.flatMap(({ path, text, imports }) => [
      ...imports.filter((to) => !mayConsoleImport(path, to)).map((to) => `${path} → ${to}`),
      ...(/from '(node:|#)/.test(text) && path.includes('/src/')
        ? [`${path} imports what a browser does not have`]
        : []),
    ]);
    assert.deepEqual(wrong, []);
  });

  it('the console makes no markup out of text', () => {
    const wrong = consoleFiles.filter(({ text }) =>
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|\bstyle="|document\.write/.test(text),
    );
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('files and functions stay short', () => {
    const long = [...production, ...packages].filter((source) => !isData(source.path)).flatMap(tooLong);
    assert.deepEqual(long, []);
  });

  it('names say what a thing is', () => {
    const wrong = [...sources, ...packages, ...sqlFiles].filter(
      ({ path }) =>
        BANNED_NAMES.test(path) ||
        !/^([a-z0-9./-]+|migrations\/(person-keys\/)?\d{4}_[a-z_]+\.sql)$/.test(path),
    );
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('only code that says so asks for the environment', () => {
    const allowed =
      /^src\/(foundation\/(lib\/platform|outbound\/|http\/serve\/(access|register|server)|records\/open-platforms|jobs\/job-runner|database\/(attention|platforms|tx|work))|capabilities\/(attention\/|platform\/|proposals\/ask-second|payments\/settlement\/store|(customers\/bulk|invitations)\/store|stablecoins\/(present|coins\/register-coin))|edge\/(webhooks|sandbox|console)\/|app\/(app|adapters|attention|metrics|metrics-store|personal-data)\.ts|cli\/)/;
    const asking = production.filter(
      (source) => /\.environment\b/.test(source.text) && !allowed.test(source.path),
    );
    assert.deepEqual(
      asking.map(({ path }) => path),
      [],
    );
  });

  it('customers.md §1.6: nothing but the clock reads the time of day', () => {
    const reading = production.filter(({ path, text }) => WALL_CLOCK.test(text) && !REAL_TIME.test(path));
    assert.deepEqual(
      reading.map(({ path }) => path),
      [],
    );
  });

  it('SQL is in stores, and in the few other places that sql-style.ts lists', () => {
    const wrong = production.filter(({ path, text }) => usesSql(text) && !mayUseSql(path));
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('SQL is written in one style: sql-style.ts says which', () => {
    assert.deepEqual(
      sqlFiles.flatMap(({ path, text }) => sqlProblems(path, text)),
      [],
    );
  });

  it('nothing is left for later', () => {
    const pattern = /\bTODO\b|\bFIXME\b/;
    const wrong = [...sources, ...packages].filter(
      (source) => !source.path.endsWith('tidy.test.ts') && pattern.test(source.text),
    );
    assert.deepEqual(
      wrong.map(({ path }) => path),
      [],
    );
  });

  it('types are only stripped: Node can run every file as it is', () => {
    for (const { path, text } of [...sources, ...packages].filter(isRunByNode)) {
      assert.doesNotThrow(() => module.stripTypeScriptTypes(text), `${path} needs more than stripping`);
    }
  });
});

async function readSources(pattern = 'src/**/*.ts'): Promise<Source[]> {
  const paths = (await Array.fromAsync(glob(pattern))).sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      return { path, text, lines: text.split('\n'), imports: parseImports(path, text) };
    }),
  );
}

async function readPackage(name: string): Promise<Source[]> {
  const found = await readSources(`packages/${name}/**/*.{ts,tsx}`);
  return found.filter(({ path }) => !/node_modules\/|\/dist\//.test(path));
}

/** The rooms of the console, in order. */
const CONSOLE_ROOMS = ['api', 'ui', 'developer', 'operator', 'app'];

function mayConsoleImport(from: string, to: string): boolean {
  const [, , , room = '', screen] = from.split('/');
  const [, , , otherRoom = '', otherScreen] = to.split('/');
  if (!to.startsWith('packages/console/src/')) return false;
  if (room === otherRoom) return room === 'api' || room === 'ui' || room === 'app' || screen === otherScreen;
  return CONSOLE_ROOMS.indexOf(otherRoom) < CONSOLE_ROOMS.indexOf(room);
}

/** Files with elements are built for browsers. */
function isRunByNode({ path }: Source): boolean {
  return !path.endsWith('.tsx');
}

async function readSqlFiles(): Promise<Pick<Source, 'path' | 'text'>[]> {
  const paths = (await Array.fromAsync(glob('{src,migrations}/**/*.sql'))).sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

function parseImports(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, name = '']) => {
    if (name.startsWith('#tests/')) return [];
    if (name.startsWith('#')) return [`src/${name.slice(1)}`];
    return name.startsWith('.') ? [normalize(join(dirname(path), name))] : [];
  });
}

function floorOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** `payments` of src/capabilities/payments/quotes/routes.ts; empty for a file that stands directly in its floor. */
function folderOf(path: string): string {
  return path.split('/').slice(2, -1)[0] ?? '';
}

/** `quotes` of src/capabilities/payments/quotes/routes.ts; `.` for a file that stands directly in its folder. */
function roomOf(path: string): string {
  return path.split('/').slice(3, -1)[0] ?? '.';
}

function isDoor(path: string): boolean {
  return roomOf(path) === '.' && DOORS.includes(basename(path));
}

function isPlaced(path: string): boolean {
  const folder = folderOf(path);
  const rooms = ROOMS[folder];
  return (
    floorOf(path) in FLOORS &&
    (folder === '' || foldersOf(path).includes(folder)) &&
    (folder === '' || (rooms ?? ['.']).includes(roomOf(path)))
  );
}

function foldersOf(path: string): readonly string[] {
  return FLOORS[floorOf(path) as Floor] ?? [];
}

function mayImport(from: string, to: string): boolean {
  const floors = Object.keys(FLOORS);
  const rise = floors.indexOf(floorOf(to)) - floors.indexOf(floorOf(from));
  if (rise !== 0) return rise < 0;
  if (folderOf(from) === folderOf(to) || folderOf(from) === '') return true;
  if (folderOf(to) === '') return SHARED_FILES.includes(to) || floorOf(from) === 'cli';
  if (floorOf(from) === SEPARATE_FLOOR) return false;
  return foldersOf(from).indexOf(folderOf(to)) < foldersOf(from).indexOf(folderOf(from));
}

/** Schemas and tables of data may be as long as their subject. */
function isData(path: string): boolean {
  return /(generated|personal-data|schemas?|-table|examples|institutions|currencies|rates|refusals|vasps|fields)(\/|\.ts$|-[a-z-]+\.ts$)/.test(
    path,
  );
}

function tooLong(source: Source): string[] {
  const imports =
    source.text
      .match(/^import [^;]*;\n/gm)
      ?.join('')
      .split('\n').length ?? 1;
  const lines = source.lines.length - imports;
  const found = lines > FILE_LINES_MAX ? [`${source.path}: ${lines} lines below its imports`] : [];
  const starts = source.lines.flatMap((line, i) =>
    /^(\s*)(export )?(async )?function\b|^(\s*)(override )?(async )?#?\w+(<.*>)?\(.*\{$/.test(line) &&
    !/^\s*(if|for|while|switch|return|await|describe|it)\b/.test(line)
      ? [i]
      : [],
  );
  for (const start of starts) {
    const indent = /^\s*/.exec(source.lines[start] ?? '')?.[0] ?? '';
    const end = source.lines.findIndex((line, i) => i > start && line.startsWith(`${indent}}`));
    if (end - start + 1 > (source.path.endsWith('.tsx') ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX))
      found.push(`${source.path}:${start + 1}: ${end - start + 1} lines`);
  }
  return found;
}

function findCycle(sources: Source[]): string[] {
  const graph = new Map(sources.map((source) => [source.path, source.imports]));
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
