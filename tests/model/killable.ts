import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { createApp } from '#app/app.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { TEST_DOMAINS, type TestPlatform, type World } from '#tests/harness/harness.ts';

/** A platform whose service can be told to die during the next call. */
export interface Killable extends TestPlatform {
  /** Dies this many turns of the event loop after the call began. */
  killDuringNextCall(turns: number): void;
}

/**
 * `kill -9` is not possible in process, so its effects on the database and the caller are simulated: all connections are
 * cut, so that open transactions are rolled back, the answer is lost, and a new app without any state of the old one
 * serves the call when it is repeated under its key.
 */
export function killable(world: World, platform: TestPlatform): Killable {
  let armed: number | undefined;
  let death: Promise<void> | undefined;
  const cutOff: Promise<unknown>[] = [];
  const die = async (turns: number) => {
    for (let left = turns; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
    await cutConnections(world);
    await Promise.all(cutOff.splice(0));
    await takeOver(world);
    death = undefined;
  };
  return {
    ...platform,
    killDuringNextCall(turns) {
      armed = turns;
    },
    async call(operationId, call = {}) {
      if (armed !== undefined) death = die(armed);
      armed = undefined;
      if (!death) return platform.call(operationId, call);
      const keyed = isKeyed(world, operationId) ? { ...call, key: call.key ?? randomUUID() } : call;
      // The caller never learns the outcome.
      cutOff.push(platform.call(operationId, keyed).catch(() => undefined));
      await death;
      return platform.call(operationId, keyed);
    },
  };
}

/**
 * The same for any repeatable step: it is interrupted this many turns of the event loop after it began, or at a moment for
 * which the test can wait.
 */
export async function killDuring<T>(
  world: World,
  moment: number | (() => Promise<unknown>),
  once: () => Promise<T>,
): Promise<T> {
  const cutOff = once().catch(() => undefined);
  if (typeof moment === 'function') await moment();
  else for (let left = moment; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  await cutConnections(world);
  await cutOff;
  await takeOver(world);
  return once();
}

function isKeyed(world: World, operationId: string): boolean {
  return world.app.operations.find(({ id }) => id === operationId)?.method === 'POST';
}

async function cutConnections(world: World): Promise<void> {
  const other = openDatabase({ url: world.databaseUrl, connectionsMax: 1 });
  try {
    await other.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`);
  } finally {
    await other.close();
  }
}

async function takeOver(world: World): Promise<void> {
  const { app: dead, database: cut } = world;
  const next = world as { -readonly [Key in keyof World]: World[Key] };
  next.database = openDatabase({ url: world.databaseUrl, connectionsMax: 24, ...PATIENCE });
  next.app = await createApp({
    database: next.database,
    vault: dead.runtime.vault,
    personKeys: dead.runtime.personKeys,
    serviceKey: dead.runtime.serviceKey,
    clock: world.clock,
    newId: newUuid,
    names: wireNames('Svc'),
    domains: TEST_DOMAINS,
    storage: sealedStorage(folderStore(world.storageFolder)),
    log: pino({ level: 'debug' }, { write: (line: string) => void world.logged.push(line) }),
  });
  await dead.close();
  await cut.close();
}
