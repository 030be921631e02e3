import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { appOptions } from '#cli/app-options.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment, Finished } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { type TestPlatform, testPlatform } from '#tests/harness/harness.ts';
import { givenPersonKeys, type TestSealing } from '#tests/harness/person-keys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A sandbox platform that its developer calls, and the operator's commands on the same database. */
export interface OperatorWorld {
  /** The settings of its processes. */
  readonly environment: Environment & { readonly DATABASE_URL: string };
  readonly database: Database;
  readonly app: App;
  readonly platform: TestPlatform;
  /** Creates another platform. */
  another(name: string, environment?: 'sandbox' | 'production'): Promise<TestPlatform>;
  /** Returns the output of the command, which must succeed. */
  run(...words: string[]): Promise<string>;
  /** The same by the person whom CORRIDOR_OPERATOR names. */
  runAs(operator: string, ...words: string[]): Promise<string>;
  /** The same with its standard error. */
  hear(...words: string[]): Promise<Finished>;
  /** The output and the exit code of a command that may fail. */
  attempt(...words: string[]): Promise<Finished>;
  /** The exit code of a command. */
  exitOf(...words: string[]): Promise<number | null>;
  /** Commands that fail, each with its exit code and one line that says why. */
  assertRefused(wrong: readonly (readonly [words: string[], code: number, why: RegExp])[]): Promise<void>;
}

/** The rows of a list in JSON, of one platform, without its id and name. */
export function parseRows(json: string): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = JSON.parse(json);
  return rows.map(({ platform, platformName, ...row }) => {
    assert.match(String(platform), /^Platform:/);
    assert.equal(platformName, 'Real');
    return row;
  });
}

interface Created {
  readonly id: PlatformId;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Call inside `describe`, in the place of `testWorld`. The time is real. */
export function operatorWorld(): OperatorWorld {
  const world = {} as { -readonly [Key in keyof OperatorWorld]: OperatorWorld[Key] };
  let files: TestDatabase;
  let environment: OperatorWorld['environment'];
  let folder: string;
  let people: TestSealing;
  before(async () => {
    files = await createTestDatabase();
    world.database = openDatabase({ url: files.url, connectionsMax: 4 });
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
    const key = randomBytes(32).toString('base64');
    const urls = { DATABASE_URL: files.url, PERSON_KEYS_URL: personKeysUrl() };
    environment = { ...urls, ENCRYPTION_KEY: key, DATA_DIR: folder };
    world.environment = environment;
    const made = await createPlatform('Real');
    const config = readConfig(environment);
    people = await givenPersonKeys(world.database, (await openKeyring(world.database, config)).vault);
    const options = { database: world.database, ...people, log: pino({ level: 'silent' }) };
    world.app = await createApp(await appOptions(config, options));
    world.platform = clientOf(made);
  });
  after(async () => {
    await world.app.close();
    await world.database.close();
    await people.close();
    await files.drop();
    await rm(folder, { recursive: true });
  });
  const createPlatform = async (name: string, environment = 'sandbox'): Promise<Created> =>
    JSON.parse(await world.run('platform', 'create', '--name', name, '--environment', environment, '--json'));
  const clientOf = ({ id, clientId, clientSecret }: Created): TestPlatform =>
    testPlatform(world, () => world.app, [], {
      id: uuidOf(id),
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      webhookPublicKey: '',
    });
  world.another = async (name, environment) => clientOf(await createPlatform(name, environment));
  world.hear = async (...words) => {
    const done = await command(words, environment);
    assert.equal(done.code, 0, done.stderr);
    return done;
  };
  world.attempt = (...words) => command(words, environment);
  world.exitOf = async (...words) => (await world.attempt(...words)).code;
  world.run = async (...words) => (await world.hear(...words)).stdout;
  world.runAs = async (operator, ...words) => {
    const done = await command(words, { ...environment, CORRIDOR_OPERATOR: operator });
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  };
  world.assertRefused = async (wrong) => {
    for (const [words, code, why] of wrong) {
      const done = await command(words, environment);
      assert.equal(done.code, code, done.stderr);
      assert.match(done.stderr, why);
      assert.match(done.stderr, /^corridor: [^\n]+\n$/);
    }
  };
  return world;
}
