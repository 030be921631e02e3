import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { createPlatform } from '#capabilities/tokens/create-platform.ts';
import { appOptions } from '#cli/app-options.ts';
import { openPeople } from '#cli/reach-person-keys.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { STORY } from '#tests/checks/example-story.ts';
import { createStoryteller, STORY_SETTINGS } from '#tests/checks/storyteller.ts';
import { corridor, type Environment, serve } from '#tests/harness/corridor-process.ts';
import { createPersonKeysBeside } from '#tests/harness/databases.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { testPlatform } from '#tests/harness/harness.ts';
import { KEPT, makeDataDir, SETTINGS } from '#tests/upgrades/kept-database.ts';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Stores a small database of this version, so that tests of later versions can upgrade it. It has finished and unfinished
 * resources of every area. Run it when a version is released, on an empty database of the oldest supported PostgreSQL:
 *
 *   KEEP_DATABASE_URL=postgres://superuser@host/empty npm run keep-database
 *
 * It needs `pg_dump` of that PostgreSQL version or a newer one.
 */
async function keepDatabase(url: string): Promise<string> {
  const dataDir = await makeDataDir();
  const urls = { DATABASE_URL: url, PERSON_KEYS_URL: await createPersonKeysBeside(url) };
  const settings = { ...SETTINGS, ...urls, DATA_DIR: dataDir.path };
  await causeEvents({ ...settings, SANDBOX_SEEDS: 'true' });
  await tellStory(settings);
  await dataDir.remove();
  const dump = await promisify(execFile)(
    'pg_dump',
    ['--no-owner', '--no-privileges', '--rows-per-insert=50', url],
    { maxBuffer: 2 ** 28 },
  );
  const file = join(KEPT, `${manifest.version}.sql.gz`);
  await writeFile(file, gzipSync(dump.stdout, { level: 9 }));
  return file;
}

interface Cause {
  readonly type: string;
  readonly by: string;
  readonly clock?: string;
  readonly needs?: string;
}

/** Every event that needs no webhook endpoint. Those that move the clock come first, so that the others stay unfinished. */
async function causeEvents(settings: Environment): Promise<void> {
  const server = await serve(settings);
  const shell = {
    CORRIDOR_URL: String(server.told.baseUrl),
    CORRIDOR_AUTH: `${SETTINGS.API_TOKEN_ID}:${SETTINGS.API_CLIENT_SECRET}`,
  };
  const causes = JSON.parse(await succeed(['trigger', '--list', '--json'], shell)) as Cause[];
  const able = causes.filter(({ by, needs }) => by === 'this command' && !needs);
  for (const { type } of able.toSorted((a, b) => Number(!a.clock) - Number(!b.clock))) {
    await succeed(['trigger', type], shell);
  }
  const production = ['--name', 'Kept in production', '--environment', 'production'];
  await succeed(['platform', 'create', ...production], settings);
  server.kill('SIGTERM');
  await server.finished;
}

/** The examples of the document, on a platform of their own: they fill the tables that no event needs. */
async function tellStory(settings: Environment): Promise<void> {
  const config = readConfig(settings);
  const database = openDatabase({ url: String(config.databaseUrl), connectionsMax: 12 });
  const { vault } = await openKeyring(database, config);
  const closing = new AsyncDisposableStack();
  const { retentionYears } = config;
  const people = await openPeople(String(config.personKeysUrl), vault, { closing, database, retentionYears });
  const log = pino({ level: 'silent' });
  // The examples have dates by this clock.
  const clock = handClock();
  const app = await createApp({ ...(await appOptions(config, { database, ...people, log })), clock });
  const operator = { kind: 'operator', id: 'keep-database' } as const;
  const request = { name: 'Test platform', environment: 'SANDBOX', settings: STORY_SETTINGS } as const;
  const { id, token, clientSecret, webhookPublicKey } = await createPlatform(app.runtime, operator, request);
  const authorization = `Basic ${Buffer.from(`${token.client_id}:${clientSecret}`).toString('base64')}`;
  const platform = testPlatform({ database }, () => app, [], { id, authorization, webhookPublicKey });
  const teller = await createStoryteller({ app, clock }, id, platform.send);
  await teller.tell(STORY);
  await teller.close();
  await app.close();
  await database.close();
  await closing.disposeAsync();
}

async function succeed(words: string[], environment: Environment): Promise<string> {
  const { code, stdout, stderr } = await corridor(words, environment);
  if (code !== 0) throw new Error(`corridor ${words.join(' ')}: ${stderr}`);
  return stdout;
}

const url = process.env.KEEP_DATABASE_URL;
if (!url) throw new Error('KEEP_DATABASE_URL must name an empty database');
console.log(`Kept ${await keepDatabase(url)}.`);
