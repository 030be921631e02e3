import type { Database } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Permission } from '#foundation/http/caller.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** A live token of an enabled platform. */
export interface SessionToken {
  readonly tokenId: Id<'Token'>;
  readonly tokenName: string;
  readonly permissions: readonly Permission[];
  readonly platform: Platform;
}

export interface StoredSession extends SessionToken {
  readonly id: Id<'ConsoleSession'>;
  /** When its address or, once somebody has signed in, the session itself expires; real time. */
  readonly expiresAt: Date;
}

interface TokenRow extends PlatformRow {
  token_id: Id<'Token'>;
  token_name: string;
  permissions: Permission[];
}

interface SessionRow extends TokenRow {
  session_id: Id<'ConsoleSession'>;
  hash: Buffer;
  expires_at: Date;
}

const TOKEN_COLUMNS = sql`t.id as token_id, t.name as token_name, t.permissions, ${PLATFORM_COLUMNS}`;
/** A session ends with its token, and does not work while its platform is disabled (operator.md §9.1). */
const IS_LIVE = sql`t.revoked_at is null and p.disabled_at is null`;

function toToken(row: TokenRow): SessionToken {
  const { token_id: tokenId, token_name: tokenName, permissions } = row;
  return { tokenId, tokenName, permissions, platform: toPlatform(row) };
}

/** Finds a session by the hash of its address's secret, across platforms: the caller is not known yet. */
export async function findByAddress(
  database: Pick<Database, 'lookUp'>,
  hash: Buffer,
  now: Date,
): Promise<StoredSession | undefined> {
  const [found] = await find(database, sql`s.address_hash`, sql`s.address_expires_at`, [hash], now);
  return found;
}

/** Finds sessions by the hashes of their cookies' secrets, in the requested order, across platforms. */
export async function findBySecret(
  database: Pick<Database, 'lookUp'>,
  hashes: readonly Buffer[],
  now: Date,
): Promise<(StoredSession | undefined)[]> {
  return find(database, sql`s.secret_hash`, sql`s.expires_at`, hashes, now);
}

async function find(
  { lookUp }: Pick<Database, 'lookUp'>,
  hash: Sql,
  expiresAt: Sql,
  hashes: readonly Buffer[],
  now: Date,
): Promise<(StoredSession | undefined)[]> {
  const rows = await lookUp<SessionRow>(sql`
    select s.id as session_id, ${hash} as hash, ${expiresAt} as expires_at, ${TOKEN_COLUMNS}
      from console_sessions s
      join tokens t on t.platform_id = s.platform_id and t.id = s.token_id
      join platforms p on p.id = s.platform_id
     where ${hash} = any(${hashes}::bytea[]) and ${expiresAt} > ${now} and ${IS_LIVE}`);
  const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  return hashes.map((one) => {
    const row = byHash.get(one.toString('hex'));
    return row && { ...toToken(row), id: row.session_id, expiresAt: row.expires_at };
  });
}

/** The token that a terminal's address signs in with: the oldest one with most permissions of the first sandbox platform. */
export async function findFirstDeveloper(
  database: Pick<Database, 'query'>,
): Promise<SessionToken | undefined> {
  const [row] = await database.query<TokenRow>(sql`
    select ${TOKEN_COLUMNS}
      from platforms p join tokens t on t.platform_id = p.id
     where p.environment = 'SANDBOX' and ${IS_LIVE}
     order by p.created_at, p.id, cardinality(t.permissions) desc, t.created_at, t.id limit 1`);
  return row && toToken(row);
}

export interface NewAddress {
  readonly tokenId: Id<'Token'>;
  readonly hash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertAddress(tx: Tx, address: NewAddress): Promise<void> {
  const { tokenId, hash, createdAt, expiresAt } = address;
  await tx.sql`
    insert into console_sessions (platform_id, id, token_id, created_at, address_hash, address_expires_at)
    values (${tx.platformId}, ${tx.newId<'ConsoleSession'>()}, ${tokenId}, ${createdAt}, ${hash}, ${expiresAt})`;
}

/** Turns an address into a session; false if it has been used meanwhile. */
export async function useAddress(
  tx: Tx,
  addressHash: Buffer,
  session: { readonly hash: Buffer; readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await tx.sql`
    update console_sessions
       set address_hash = null, secret_hash = ${session.hash}, signed_in_at = ${session.now},
           expires_at = ${session.expiresAt}
     where platform_id = ${tx.platformId} and address_hash = ${addressHash}
    returning 1`;
  return rows.length > 0;
}

/** False if it has ended meanwhile. */
export async function deleteSession(tx: Tx, id: Id<'ConsoleSession'>): Promise<boolean> {
  const rows = await tx.sql`
    delete from console_sessions where platform_id = ${tx.platformId} and id = ${id} returning 1`;
  return rows.length > 0;
}

/** Deletes sessions and unused addresses a day after they were created: none lives that long. */
export function purgeSessions(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`created_at < ${new Date(tx.runtime.clock.now() - 24 * 60 * 60 * 1000)}`;
  return purgeRows(tx, 'console_sessions', isOld, rowsMax);
}
