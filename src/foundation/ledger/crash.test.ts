// lane: whole — kills a process in the middle of its work

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import {
  type EmbeddedDatabase,
  embeddedProcesses,
  startEmbedded,
} from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { sql } from '#foundation/database/sql.ts';
import { verifyWholeLedger, violationsIn } from '#foundation/ledger/checks.ts';
import type { CompleteEntry, Line } from '#foundation/ledger/entries.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { rollUpLedger } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { createPoster, postSet } from '#tests/harness/ledger-poster.ts';

const ROUNDS = 5;
const CALLERS = 12;
const ACCOUNTS = 8;

/** A cluster of its own with full durability: the cluster that the other tests share is not durable. */
describe('the ledger after its database was killed', () => {
  it('acknowledged entries are stored, others are stored whole or not at all', {
    timeout: 300_000,
  }, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'corridor-crash-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const scene = newScene();
    let unsettled = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const embedded = await startEmbedded({ dataDir, report: () => undefined });
      try {
        if (round === 0) await prepare(embedded, scene);
        await onDatabase(embedded, (database) => settle(database, scene));
        await onDatabase(embedded, (database) => postUntilKilled(database, scene, () => killAll(dataDir)));
        unsettled += scene.unknown.length;
        await embedded.exited;
      } finally {
        await embedded.stop();
      }
    }
    const embedded = await startEmbedded({ dataDir, report: () => undefined });
    try {
      await onDatabase(embedded, (database) => settle(database, scene));
    } finally {
      await embedded.stop();
    }
    t.diagnostic(`${scene.acknowledged.size} acknowledged, ${unsettled} in flight when the database died`);
    assert(unsettled > 0, 'nothing was in flight: the database was killed at the wrong moment');
  });
});

interface Scene {
  readonly platformId: PlatformId;
  readonly accounts: GuardedAccount[];
  /** The ids of entries whose commit was acknowledged to the caller. */
  readonly acknowledged: Set<string>;
  /** Entries whose callers got no answer, grouped by the sets that are committed all or nothing. */
  unknown: CompleteEntry[][];
}

function newScene(): Scene {
  const accounts = Array.from({ length: ACCOUNTS }, (): GuardedAccount => `AVAIL:${newUuid()}`);
  return { platformId: newUuid(), accounts, acknowledged: new Set(), unknown: [] };
}

async function prepare({ url }: EmbeddedDatabase, { platformId, accounts }: Scene): Promise<void> {
  await migrate(url);
  await onDatabase({ url }, async (database) => {
    const now = new Date();
    await database.query(sql`
      with key as (
        insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
        values (${platformId}, ${platformId}, '', '', ${now}, ${now}))
      insert into platforms (id, name, environment, webhook_key_id, created_at, updated_at)
      values (${platformId}, 'Crash', 'SANDBOX', ${platformId}, ${now}, ${now})`);
    await database.query(sql`
      insert into ledger_balances (platform_id, account, currency, updated_at)
      select ${platformId}, account, 'USD', ${now} from unnest(${accounts}::text[]) account`);
  });
}

/** Callers post in all ways at once; after a random number of answers every process of PostgreSQL is killed. */
async function postUntilKilled(database: Database, scene: Scene, kill: () => Promise<void>): Promise<void> {
  const poster = createPoster(database);
  const answersMax = 40 + Math.floor(Math.random() * 160);
  let answers = 0;
  let killed: Promise<void> | undefined;
  const caller = async (_: unknown, i: number) => {
    while (true) {
      const size = i % 3 === 0 ? 1 + Math.floor(Math.random() * 20) : 1;
      const entries = Array.from({ length: size }, () => randomEntry(scene));
      try {
        const [first] = entries as [CompleteEntry];
        const reason = await (i % 3 === 1 ? poster(first) : postSet(database, entries));
        if (!reason) acknowledge(scene, entries);
      } catch {
        scene.unknown.push(entries);
        return;
      }
      if (++answers === answersMax) killed = kill();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  assert(killed, 'callers failed before the database was killed');
  await killed;
}

function acknowledge(scene: Scene, entries: readonly CompleteEntry[]): void {
  for (const { id } of entries) scene.acknowledged.add(id);
}

/** After a restart: nothing is lost, nothing is stored in part, and a retry settles every unknown outcome. */
async function settle(database: Database, scene: Scene): Promise<void> {
  const stored = await storedEntries(database, scene.platformId);
  for (const id of scene.acknowledged) assert(stored.has(id), `entry ${id} was acknowledged`);
  for (const set of scene.unknown) {
    const there = set.filter(({ id }) => stored.has(id));
    assert([0, set.length].includes(there.length), `${there.length} of a set of ${set.length} are there`);
    const reason = await postSet(database, set);
    // A stored entry is not posted again; a missing one is posted now.
    if (there.length > 0) assert.deepEqual(reason, { name: 'replayed' });
    else assert(reason === undefined || reason.name === 'insufficient', String(reason?.name));
    if (there.length > 0 || !reason) acknowledge(scene, set);
  }
  scene.unknown = [];
  await rollUpLedger(database, scene.platformId);
  assert.deepEqual(violationsIn(await verifyWholeLedger(database)), []);
  const now = await storedEntries(database, scene.platformId);
  assert.deepEqual(now, scene.acknowledged, 'exactly the acknowledged entries');
}

async function storedEntries(database: Database, platformId: PlatformId): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(
    sql`select id from ledger_entries where platform_id = ${platformId}`,
  );
  const ids = new Set(rows.map(({ id }) => id));
  assert.equal(ids.size, rows.length, 'no entry is stored twice');
  return ids;
}

function randomEntry({ platformId, accounts }: Scene): CompleteEntry {
  const any = () => accounts[Math.floor(Math.random() * accounts.length)] as GuardedAccount;
  const isDeposit = Math.random() < 0.7;
  const amount = BigInt(1 + Math.floor(Math.random() * 100));
  const lines: Line[] = [
    { account: isDeposit ? 'RAIL:SANDBOX:USD' : any(), currency: 'USD', side: 'DEBIT', amount },
    { account: any(), currency: 'USD', side: 'CREDIT', amount },
  ];
  const now = new Date();
  return {
    id: newUuid(),
    platformId,
    kind: 'deposit.received',
    transactionId: newUuid(),
    createdAt: now,
    recordedAt: now,
    lines,
  };
}

/** Kills the postmaster and its children at once, as in a power failure, except that the disk cache survives. */
async function killAll(dataDir: string): Promise<void> {
  for (const pid of await embeddedProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process ended by itself in between.
    }
  }
}

async function onDatabase(
  { url }: Pick<EmbeddedDatabase, 'url'>,
  steps: (database: Database) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 10, ...PATIENCE });
  try {
    await steps(database);
  } finally {
    await database.close();
  }
}
