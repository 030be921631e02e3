import { addKey, KEY_NOTICE_MS, KeyringError, newestVault } from '#foundation/crypto/keyring.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { sqlFailure } from '#foundation/database/failures.ts';
import type { OpenedKeyring } from '#foundation/database/open-keyring.ts';
import { giveNotice, type RotateOptions } from '#foundation/database/rotate-keys.ts';
import { type RotatedHash, rotatedHashes } from '#foundation/database/sealed-columns.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';

export interface RehashProgress {
  readonly column: RotatedHash;
  /** The number of this column's rows whose hashes have been replaced so far. */
  readonly rehashed: number;
}

export interface RotateHashesOptions extends Pick<RotateOptions, 'isShared' | 'report' | 'wait'> {
  onBatch?(progress: RehashProgress): void | Promise<void>;
}

export interface HashRotation {
  readonly keyId: number;
  /** An earlier rotation was interrupted, and this one finished it. */
  readonly wasContinued: boolean;
  readonly rehashed: number;
}

/**
 * Adds a key of hashes, and replaces all stored hashes with it, while servers run. A new hash is made from the old one,
 * so that the values themselves stay sealed. Until the end servers look for both versions. The database records how far the
 * rotation is, so that an interrupted one is continued by running it again.
 */
export async function rotateHashes(
  database: Database,
  keys: OpenedKeyring,
  options: RotateHashesOptions,
): Promise<HashRotation> {
  const { next, unused } = await loadVersions(database);
  const keyId = next ?? unused ?? (await addHashKey(keys, options));
  if (next === null) await setVersions(database.query, sql`next = ${keyId} where next is null`);
  if (options.isShared) await giveNotice(keys, keyId, options);
  await changeVersions(database, { keyId, change: sql`written = ${keyId}` }, options);
  const { hashAgain } = await newestVault(keys.store, keys.masters);
  const pass: Pass = { keyId, hashAgain: (stored) => hashAgain(stored, keyId), options };
  let rehashed = await rehashUntilNew(database, pass);
  // From now on no row can copy an old hash. Rows that copied one during the last pass follow.
  await changeVersions(database, { keyId, change: sql`copied = ${keyId}` }, options);
  rehashed += await rehashUntilNew(database, pass);
  // Only now may searches leave out the old version.
  await setVersions(database.query, sql`oldest = ${keyId}, next = null where next = ${keyId}`);
  return { keyId, wasContinued: next !== null, rehashed };
}

interface Versions {
  /** The key of a rotation that was interrupted. */
  readonly next: number | null;
  /** A key that was made, but never used. */
  readonly unused: number | null;
}

async function loadVersions(database: Database): Promise<Versions> {
  const [versions] = await database.query<Versions>(sql`
    select v.next, (select max(k.id) from encryption_keys k where k.purpose = 'hash' and k.id > v.written) as unused
      from hash_versions v`);
  if (!versions) throw new Error('the versions of hashes are missing');
  return versions;
}

async function addHashKey(keys: OpenedKeyring, { isShared, report }: RotateHashesOptions): Promise<number> {
  const noticeMs = isShared ? KEY_NOTICE_MS : 0;
  const keyId = await addKey(keys.store, keys.masters, { purpose: 'hash', noticeMs });
  report(`Key ${keyId} of hashes was made.`);
  return keyId;
}

const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TIMED_OUT = '55P03';
const PAUSE_MS = 1_000;

interface VersionChange {
  readonly keyId: number;
  readonly change: Sql;
}

/**
 * Changes the versions once no transaction is open that writes hashes. Transactions that begin while this waits, wait too:
 * so it gives up soon, and tries again later.
 */
async function changeVersions(
  database: Database,
  change: VersionChange,
  { wait }: RotateHashesOptions,
): Promise<void> {
  for (;;) {
    try {
      await database.transaction((run) => changeOnce(run, change));
      return;
    } catch (error) {
      if (sqlFailure(error)?.code !== LOCK_TIMED_OUT) throw error;
      await wait(PAUSE_MS);
    }
  }
}

async function changeOnce(run: Run, { keyId, change }: VersionChange): Promise<void> {
  await run(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
  await run(sql`select pg_advisory_xact_lock(hashtextextended('hash_versions', 0))`);
  await setVersions(run, sql`${change} where next = ${keyId}`);
}

/** Refuses to go on if the versions are not as this rotation left them. */
async function setVersions(run: Run, change: Sql): Promise<void> {
  const changed = await run(sql`update hash_versions set ${change} returning 1`);
  if (changed.length === 0) {
    throw new KeyringError('Another rotation of hashes has changed the versions. Run this command again.');
  }
}

interface Pass {
  readonly keyId: number;
  hashAgain(stored: Uint8Array): Buffer;
  readonly options: RotateHashesOptions;
}

/** Repeats the pass until it finds no old hash: during a pass, servers may change a row first. */
async function rehashUntilNew(database: Database, pass: Pass): Promise<number> {
  for (let total = 0; ; ) {
    let found = 0;
    for (const column of await rotatedHashes(database.query)) {
      const done = await rehashColumn(database, column, pass);
      total += done.rehashed;
      found += done.found;
    }
    if (found === 0) return total;
  }
}

/** Small enough that no transaction waits long for a row. */
const BATCH = 500;

interface OldRow {
  readonly hash: Buffer | readonly Buffer[];
  readonly [key: string]: unknown;
}

async function rehashColumn(database: Database, column: RotatedHash, { keyId, hashAgain, options }: Pass) {
  const done = { found: 0, rehashed: 0 };
  for (let after: OldRow | undefined; ; ) {
    const rows = await findOld(database, column, { keyId, after });
    if (rows.length === 0) return done;
    done.found += rows.length;
    done.rehashed += await writeNew(database, column, rows, hashAgain);
    await options.onBatch?.({ column, rehashed: done.rehashed });
    after = rows.at(-1);
  }
}

function findOld(
  database: Database,
  column: RotatedHash,
  { keyId, after }: { keyId: number; after: OldRow | undefined },
): Promise<OldRow[]> {
  const name = quoted(column.column);
  // All words of a name have one version.
  const first = rawSql(column.isList ? `${name}[1]` : name);
  const keys = rawSql(column.key.map((key) => quoted(key.name)).join(', '));
  const bounds = column.key.map((key) => sql`${after?.[key.name]}::${rawSql(key.type)}`);
  return database.query<OldRow>(sql`
    select ${keys}, ${rawSql(name)} as hash from ${rawSql(quoted(column.table))}
     where hash_version(${first}) < ${keyId} and ${first} is not null
       ${after ? sql`and (${keys}) > (${joinSql(bounds, ', ')})` : sql``}
     order by ${keys} limit ${BATCH}`);
}

const DEADLOCK = '40P01';

/** A hash that changed since it was read is skipped: its writer has made the new version. */
async function writeNew(
  database: Database,
  { table, column, key, isList }: RotatedHash,
  rows: readonly OldRow[],
  hashAgain: Pass['hashAgain'],
): Promise<number> {
  const name = quoted(column);
  const type = rawSql(isList ? 'bytea[]' : 'bytea');
  const renewed = rows.map(({ hash }) => (Buffer.isBuffer(hash) ? hashAgain(hash) : hash.map(hashAgain)));
  const places = key.map((one) => sql`${rows.map((row) => row[one.name])}::${rawSql(one.type)}[]`);
  const matches = key.map((one) => `t.${quoted(one.name)} = new.${quoted(one.name)}`).join(' and ');
  const names = key.map((one) => quoted(one.name)).join(', ');
  const update = sql`
    update ${rawSql(quoted(table))} t set ${rawSql(name)} = new.renewed::${type}
      from unnest(${joinSql(places, ', ')}, ${rows.map(({ hash }) => literal(hash))}::text[],
                  ${renewed.map(literal)}::text[]) as new(${rawSql(names)}, old_hash, renewed)
     where ${rawSql(matches)} and t.${rawSql(name)} = new.old_hash::${type}
    returning 1`;
  try {
    return (await database.query(update)).length;
  } catch (error) {
    // Another transaction locked the same rows in another order and won; the next pass finds the remaining rows.
    if (sqlFailure(error)?.code === DEADLOCK) return 0;
    throw error;
  }
}

/** A hash, or a list of hashes, as the text of an SQL literal. */
function literal(hash: OldRow['hash']): string {
  if (Buffer.isBuffer(hash)) return `\\x${hash.toString('hex')}`;
  return `{${hash.map((one) => `"\\\\x${one.toString('hex')}"`).join(',')}}`;
}

function quoted(name: string): string {
  return `"${name}"`;
}
