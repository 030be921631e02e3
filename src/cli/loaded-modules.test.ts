// lane: whole — the real binary

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { corridor, type Environment } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl } from '#tests/harness/databases.ts';
import { shellEnvironment } from '#tests/harness/developer-world.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { REAL_BINARY } from '#tests/harness/tested-binary.ts';

/** Modules that make a start slow and that no command needs: each text is part of a module's path. */
const SERVICE = ['/node_modules/fastify/', '/src/app/app.ts', '/src/app/compose.ts', '/src/app/adapters.ts'];
const DATABASE = [
  '/node_modules/pg/',
  '/src/foundation/database/database.ts',
  '/src/foundation/database/embedded/embedded.ts',
];
const SCHEMAS = ['/node_modules/typebox/'];
/** Modules that a server loads only when it needs them; each takes one to fifteen megabytes. */
const SELDOM = [
  '/node_modules/nodemailer/',
  '/node_modules/openid-client/',
  '/node_modules/pino-pretty/',
  '/node_modules/iso-3166/2.js',
  '/node_modules/@scalar/',
  '/node_modules/@simplewebauthn/',
  '/node_modules/@modelcontextprotocol/',
  '/node_modules/@opentelemetry/sdk-trace/',
];

describe('the modules that a command loads at its start', () => {
  const world = testWorld();
  let folder: string;
  let runs = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-modules-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are looked for where they are', async () => {
    for (const path of [...SERVICE, ...DATABASE].filter((text) => text.startsWith('/src/')))
      await access(`.${path}`);
  });

  /** Runs command lines one after the other in one process, and returns the modules that any of them loaded. */
  async function listModulesOfAll(lines: readonly string[], environment: Environment = {}) {
    const driver = join(folder, 'several.mjs');
    const [imports, main] = ['../../bin/short-imports.mjs', 'main.ts'].map((path) =>
      JSON.stringify(new URL(path, import.meta.url).href),
    );
    await writeFile(
      driver,
      `await import(${imports});
      const { runCommandLine } = await import(${main});
      for (const line of process.argv.slice(2)) await runCommandLine(line.split(' '));`,
    );
    return listModules(lines, environment, 0, driver);
  }

  /** Runs the real binary, and returns the modules that it loaded. */
  async function listModules(
    words: readonly string[],
    environment: Environment = {},
    code = 0,
    binary = REAL_BINARY,
  ) {
    const list = join(folder, `${++runs}.json`);
    const recorder = `import { registerHooks } from 'node:module';
      import { writeFileSync } from 'node:fs';
      const urls = [];
      registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
      process.on('exit', () => writeFileSync(new URL(${JSON.stringify(pathToFileURL(list).href)}), JSON.stringify(urls)));`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(recorder)}`;
    const finished = await corridor(words, { ...environment, NODE_OPTIONS }, binary);
    assert.equal(finished.code, code, finished.stderr);
    const urls = JSON.parse(await readFile(list, 'utf8')) as string[];
    assert.ok(urls.some((url) => url.endsWith('/src/cli/main.ts')));
    return { ...finished, has: (part: string) => urls.some((url) => url.includes(part)) };
  }

  const assertWithout = ({ has }: { has(part: string): boolean }, parts: readonly string[], name: string) =>
    assert.deepEqual(
      parts.filter((part) => has(part)),
      [],
      name,
    );

  it('decision 0005: the list of commands, the version and a wrong word need neither the service nor the database', async () => {
    for (const words of [['--help'], ['--version'], []]) {
      assertWithout(await listModules(words), [...SERVICE, ...DATABASE, ...SCHEMAS], words.join(' '));
    }
    const wrong = await listModules(['nonsense'], {}, 2);
    assertWithout(wrong, [...SERVICE, ...DATABASE, ...SCHEMAS], 'nonsense');
    assert.match(wrong.stderr, /unknown command 'nonsense'/);
  });

  it('decision 0005: the commands for developers need neither the service nor the database', async () => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const lines = ['clock advance 5m', 'events list', 'logs list', 'trigger --list', 'mcp --help'];
    const loaded = await listModulesOfAll(lines, shell);
    assertWithout(loaded, [...SERVICE, ...DATABASE, ...SCHEMAS], lines.join(', '));
  });

  it('decision 0005: the help of a group does not load the service, nor does a list', async () => {
    const shown = await listModulesOfAll(GROUPS.map((group) => `${group} --help`));
    assertWithout(shown, SERVICE, 'help');
    for (const group of GROUPS) assert.ok(shown.stdout.includes(`Usage: corridor ${group} `), group);
    const database = await createTestDatabase();
    try {
      const key = randomBytes(32).toString('base64');
      const settings = {
        DATABASE_URL: database.url,
        PERSON_KEYS_URL: personKeysUrl(),
        ENCRYPTION_KEY: key,
        DATA_DIR: folder,
      };
      await listModules(['platform', 'create', '--name', 'One'], settings);
      const listed = await listModulesOfAll(
        GROUPS.map((group) => `${group} list`),
        settings,
      );
      assertWithout(listed, SERVICE, 'list');
      assert.ok(DATABASE.some((part) => listed.has(part)));
    } finally {
      await database.drop();
    }
  });

  it('decision 0005: a starting server does not load modules that it may never need', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const database = await createTestDatabase();
    try {
      const key = randomBytes(32).toString('base64');
      const settings = {
        DATABASE_URL: database.url,
        PERSON_KEYS_URL: personKeysUrl(),
        ENCRYPTION_KEY: key,
        DATA_DIR: folder,
      };
      // The taken port ends it after everything else was loaded.
      const started = await listModules(['serve'], { ...settings, PORT: String(port) }, 1);
      assert.match(started.stderr, /is taken by another program/);
      assert.ok(SERVICE.every((part) => started.has(part)));
      assertWithout(started, SELDOM, 'serve');
    } finally {
      await database.drop();
    }
  });
});

const GROUPS = ['customer', 'payment', 'account', 'token', 'quote', 'webhook', 'review'];
