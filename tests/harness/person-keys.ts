import { randomBytes } from 'node:crypto';
import { openVault, type Vault, withPersonKeys } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { type Clock, systemClock } from '#foundation/lib/clock.ts';
import { openPersonKeys, PersonKeys, type PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { type DatabaseProxy, openDatabaseProxy } from '#tests/harness/database-proxy.ts';
import { PATIENCE, personKeysUrl } from '#tests/harness/databases.ts';

export interface TestSealing extends PersonSealing {
  close(): Promise<void>;
}

/**
 * The vault of all worlds. The examples' customers have the same ids in every world, so that the worlds have the same
 * keys for them.
 */
export const SHARED_VAULT = openVault({
  data: new Map([[1, Buffer.alloc(32, 1)]]),
  fingerprint: Buffer.alloc(32, 2),
});

/** The keys of people for one world, by default in the database that all worlds of the run share. */
export async function givenPersonKeys(
  database: Pick<Database, 'query'>,
  vault: Vault = SHARED_VAULT,
  clock: Clock = systemClock,
  url = personKeysUrl(),
): Promise<TestSealing> {
  const store = openDatabase({ url, connectionsMax: 2, ...PATIENCE });
  const opened = await openPersonKeys({ database, store, vault, clock });
  const close = async () => {
    await opened.personKeys.discardSpares();
    await store.close();
  };
  return { ...opened, close };
}

export interface ProxiedKeysOptions {
  readonly silenceMaxMs?: number;
  readonly answerMaxMs?: number;
}

/**
 * The same keys as another process has them, with nothing in its memory, through a proxy that counts and can be
 * cut off.
 */
export async function givenProxiedKeys(
  database: Pick<Database, 'query'>,
  vault: Vault,
  clock: Clock,
  { silenceMaxMs = PATIENCE.silenceMaxMs, ...limits }: ProxiedKeysOptions = {},
): Promise<TestSealing & { readonly proxy: DatabaseProxy }> {
  const proxy = await openDatabaseProxy(personKeysUrl());
  const store = openDatabase({ url: proxy.url, connectionsMax: 2, silenceMaxMs });
  const opened = await openPersonKeys({ database, store, vault, clock, ...limits });
  const close = async () => {
    await store.close();
    await proxy.close();
  };
  return { ...opened, proxy, close };
}

export function newVault(): Vault {
  return openVault({ data: new Map([[1, randomBytes(32)]]), fingerprint: randomBytes(32) });
}

/** For apps that never connect to a database. */
export function sealingAtRest(vault: Vault = SHARED_VAULT): PersonSealing {
  const store = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const personKeys = new PersonKeys({ database: store, store, vault, clock: systemClock }, 0n);
  return { vault: withPersonKeys(vault, personKeys), personKeys };
}
