import pino, { type Logger } from 'pino';
import { type App, createApp } from '#app/app.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#foundation/database/database.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import type { PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { type DatabaseProxy, openDatabaseProxy } from '#tests/harness/database-proxy.ts';
import { TEST_DOMAINS, type World } from '#tests/harness/harness.ts';

/** An app of its own on the world's database, which it reaches through a proxy that counts, and can be cut off. */
export interface ProxiedApp {
  readonly app: App;
  readonly database: Database;
  readonly proxy: DatabaseProxy;
  close(): Promise<void>;
}

export async function openProxiedApp(
  world: World,
  { sealing, ...options }: Omit<Partial<DatabaseOptions>, 'url'> & { sealing?: PersonSealing } = {},
  log: Logger = pino({ level: 'silent' }),
): Promise<ProxiedApp> {
  const proxy = await openDatabaseProxy(world.databaseUrl);
  const database = openDatabase({ connectionsMax: 4, ...options, url: proxy.url });
  const { clock, serviceKey, ports } = world.app.runtime;
  const { vault, personKeys } = sealing ?? world.app.runtime;
  const app = await createApp({
    database,
    ...{ vault, personKeys },
    serviceKey,
    clock,
    newId: newUuid,
    names: wireNames('Svc'),
    domains: TEST_DOMAINS,
    storage: ports('SANDBOX').storage,
    log,
  });
  await app.http.ready();
  return {
    app,
    database,
    proxy,
    async close() {
      await app.close();
      await proxy.close();
      await database.close();
    },
  };
}
