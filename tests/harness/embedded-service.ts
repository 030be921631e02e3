import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { appOptions } from '#cli/app-options.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded } from '#foundation/database/embedded/embedded.ts';
import { openKeyring } from '#foundation/database/open-keyring.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { command } from '#tests/harness/command-line.ts';
import { type Environment, type Server, serve } from '#tests/harness/corridor-process.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { TEST_DOMAINS, type TestPlatform, testPlatform, type World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** The real binary on embedded databases of its own, whose files a test can search. */
export interface EmbeddedService {
  readonly environment: Environment;
  /** Everything that servers logged, once they have stopped. */
  readonly logged: string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs a command, which must succeed, and returns what it printed. */
  operate(...words: string[]): Promise<string>;
  createPlatform(settings: readonly string[], environment?: 'sandbox' | 'production'): Promise<Credentials>;
  /** A second process of the same service, below the API. Close it before the service is stopped. */
  attach(): Promise<Attached>;
  /** A platform whose calls go to the server over HTTP, each with an idempotency key. */
  client(credentials: Credentials, attached: Attached): TestPlatform;
}

export type Credentials = Pick<TestPlatform, 'id' | 'authorization' | 'webhookPublicKey'>;

/** The parts of a world that builders below the API use. */
export interface Attached extends Pick<World, 'app' | 'database'> {
  /** The database of the keys of people. */
  readonly store: Database;
  close(): Promise<void>;
}

export function embeddedService(dataDir: string, more: Environment = {}): EmbeddedService {
  const environment = {
    ...{ DATA_DIR: dataDir, LOG_LEVEL: 'trace' },
    ...{
      UMA_DOMAIN: TEST_DOMAINS.defaultUmaDomain,
      SANDBOX_UMA_DOMAIN: TEST_DOMAINS.sandboxUmaDomains.join(','),
    },
    ...more,
  };
  const logged: string[] = [];
  let server: Server | undefined;
  const operate = async (...words: string[]) => {
    const { code, stdout, stderr } = await command(words, environment);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  return {
    ...{ environment, logged, operate },
    async start() {
      server = await serve(environment);
    },
    async stop() {
      server?.kill('SIGTERM');
      const finished = await server?.finished;
      server = undefined;
      if (finished) logged.push(finished.stdout, finished.stderr);
    },
    async createPlatform(settings, environment = 'sandbox') {
      const words = ['platform', 'create', '--name', 'Planted', '--environment', environment, '--json'];
      const made = await operate(...words, ...settings.flatMap((text) => ['--set', text]));
      const { id, clientId, clientSecret, webhookPublicKey } = JSON.parse(made);
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      return { id: uuidOf(id), authorization: `Basic ${basic}`, webhookPublicKey };
    },
    attach: () => attach(environment),
    client(credentials, attached) {
      const app = { ...attached.app, http: { inject: sender(() => server?.told.baseUrl) } };
      return testPlatform(attached, () => app as unknown as App, [], credentials);
    },
  };
}

async function attach(environment: Environment): Promise<Attached> {
  const config = readConfig(environment);
  const opened = async (dataDir: string) => {
    const running = await attachEmbedded(dataDir);
    assert.ok(running, `no database runs in ${dataDir}`);
    return openDatabase({ url: running.url, connectionsMax: 4, ...PATIENCE });
  };
  const database = await opened(config.dataDir);
  const store = await opened(join(config.dataDir, 'person-keys'));
  const { vault } = await openKeyring(database, config);
  const people = await openPersonKeys({ database, store, vault, clock: systemClock });
  const app = await createApp(
    await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) }),
  );
  const end = async () => {
    await app.close();
    await database.close();
    await store.close();
  };
  let ended: Promise<void> | undefined;
  return { app, database, store, close: () => (ended ??= end()) };
}

interface Injected {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string | Buffer;
}

/** Sends over HTTP what a test injects into an app. */
function sender(baseUrl: () => string | undefined) {
  return async ({ method, url, headers, payload }: Injected) => {
    const reply = await fetch(new URL(url, baseUrl()), {
      method,
      headers: { ...(method !== 'GET' && { 'idempotency-key': randomUUID() }), ...headers },
      ...(payload !== undefined && { body: payload as string }),
    });
    const body = await reply.text();
    return {
      ...{ statusCode: reply.status, body, headers: Object.fromEntries(reply.headers) },
      json: () => JSON.parse(body),
    };
  };
}
