import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { createPlatform } from '#capabilities/tokens/create-platform.ts';
import { openVault } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { openServiceKey } from '#foundation/database/open-service-key.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { openPersonKeys } from '#foundation/person-keys/person-keys.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { openKeyDatabase } from './databases.ts';

/** One platform in a database of one size. */
export interface World {
  readonly app: App;
  readonly work: Work;
  /** The platform's credentials, as the header carries them, and the token they are of. */
  readonly authorization: string;
  readonly tokenId: string;
  /** A call of the API in this process, as the platform; it must succeed. */
  call<Body>(method: 'POST' | 'GET' | 'PATCH', path: string, body?: object, key?: string): Promise<Body>;
  /** Runs a statement in a session of its own, because on a large table it takes longer than the service allows. */
  unhurried(statement: Sql): Promise<void>;
  /** The steps that close everything after the measurement, last first. */
  readonly closers: (() => Promise<void>)[];
}

/** The service's name on the wire in benchmarks. */
export const NAMES = wireNames('Svc');

/** The service on a migrated database; gives new platforms in it. */
export async function openService(
  url: string,
  closers: (() => Promise<void>)[],
  database: Database = openDatabase({ url }),
): Promise<(platformName: string) => Promise<World>> {
  const keys = openVault({ data: new Map([[1, randomBytes(32)]]), fingerprint: randomBytes(32) });
  const store = await openKeyDatabase(url);
  const { vault, personKeys } = await openPersonKeys({ database, store, vault: keys, clock: systemClock });
  const app = await createApp({
    database,
    names: NAMES,
    ...{ vault, personKeys },
    serviceKey: await openServiceKey(database, vault),
    clock: systemClock,
    newId: newUuid,
    domains: { defaultUmaDomain: 'uma.example', sandboxUmaDomains: ['sandbox.example'] },
    log: pino({ level: 'silent' }),
    // Nothing is uploaded here.
    storage: sealedStorage(folderStore(join(tmpdir(), 'corridor-bench'))),
  });
  closers.push(database.close, store.close, app.close);
  return (platformName) => addPlatform({ app, url, closers }, platformName);
}

interface Service extends Pick<World, 'app' | 'closers'> {
  readonly url: string;
}

/** Approved customers, and no limit that a benchmark could reach. */
const SETTINGS = {
  isRegulatedFinancialInstitution: true,
  limits: {
    default: { maxUsdCents: Number.MAX_SAFE_INTEGER, dailyUsdCents: Number.MAX_SAFE_INTEGER },
    corridors: {},
    ownershipThresholdEurCents: 100_000,
  },
};

async function addPlatform({ app, url, closers }: Service, name: string): Promise<World> {
  const { runtime } = app;
  const actor = { kind: 'operator', id: 'bench' } as const;
  const made = await createPlatform(runtime, actor, {
    name,
    environment: 'SANDBOX',
    settings: SETTINGS,
  });
  const platform = await findPlatform(runtime.database.query, made.id);
  if (!platform) throw new Error('the platform was just made');
  const authorization = `Basic ${Buffer.from(`${made.token.client_id}:${made.clientSecret}`).toString('base64')}`;
  return {
    app,
    work: new Work(runtime, platform, actor),
    authorization,
    tokenId: made.token.id,
    closers,
    unhurried: (statement) => runAlone(url, statement),
    async call(method, path, body, key) {
      const reply = await app.http.inject({
        method,
        url: NAMES.basePath + path,
        headers: {
          authorization,
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { payload: body }),
      });
      if (reply.statusCode >= 300) throw new Error(`${method} ${path} answered ${reply.body}`);
      return reply.json();
    },
  };
}

/** Neither the server nor this process ends it. */
async function runAlone(url: string, statement: Sql): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { text, values } = compile(statement);
    await client.query(text, values);
  } finally {
    await client.end();
  }
}
