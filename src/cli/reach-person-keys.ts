import { join } from 'node:path';
import type { Config } from '#app/config.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#foundation/database/database.ts';
import { attachEmbedded, type StartOptions, startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate, PERSON_KEYS_SCHEMA } from '#foundation/database/migrate.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import {
  openPersonKeys,
  type PersonKeysOptions,
  type PersonSealing,
} from '#foundation/person-keys/person-keys.ts';

/** Describes the second embedded database, in the data folder. It needs a fraction of the usual memory and disk. */
export function personKeysCluster(dataDir: string): Pick<StartOptions, 'dataDir' | 'settings'> {
  return {
    dataDir: join(dataDir, 'person-keys'),
    settings: {
      ...{ shared_buffers: '16MB', max_connections: '60', min_wal_size: '32MB', max_wal_size: '128MB' },
      // A recycled segment would keep the keys that it had until it is written again.
      wal_recycle: 'off',
    },
  };
}

/**
 * Returns the URL of the database of people's keys for a command: the operator's own, the embedded one of a running
 * server, or the embedded one, which is started for the duration of the command.
 */
export async function reachPersonKeys(
  config: Pick<Config, 'personKeysUrl' | 'dataDir'>,
  { closing, report }: { closing: AsyncDisposableStack; report(line: string): void },
): Promise<string> {
  if (config.personKeysUrl !== undefined) return config.personKeysUrl;
  const cluster = personKeysCluster(config.dataDir);
  const running = await attachEmbedded(cluster.dataDir);
  if (running) return running.url;
  const embedded = await startEmbedded({ ...cluster, report });
  closing.defer(() => embedded.stop());
  return embedded.url;
}

export type OpenedPeople = PersonSealing & { readonly store: Database };

/** Migrates the database of the keys of people, and opens the keys. */
export async function openPeople(
  url: string,
  vault: Vault,
  {
    closing,
    database,
    retentionYears,
    onLost,
    answerMaxMs,
    ...watch
  }: { closing: AsyncDisposableStack } & Pick<PersonKeysOptions, 'database' | 'onLost' | 'answerMaxMs'> &
    Pick<Config, 'retentionYears'> &
    Pick<DatabaseOptions, 'onError' | 'onUnavailable'>,
): Promise<OpenedPeople> {
  await migrate(url, { schema: PERSON_KEYS_SCHEMA });
  const store = openDatabase({ url, connectionsMax: CONNECTIONS, ...watch });
  closing.defer(() => store.close());
  const keys = { database, store, vault, clock: systemClock, retentionYears };
  const limits = answerMaxMs === undefined ? {} : { answerMaxMs };
  const sealing = await openPersonKeys({ ...keys, ...limits, ...(onLost && { onLost }) });
  // Without the database of keys, the reserve stays: a few keys that open nothing.
  closing.defer(() => sealing.personKeys.discardSpares().catch(() => undefined));
  return { ...sealing, store };
}

const CONNECTIONS = 4;
