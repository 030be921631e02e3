import type { Permission } from '#capabilities/tokens/schemas.ts';
import type { HashedSecret } from '#foundation/crypto/secrets.ts';
import { violates } from '#foundation/database/failures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { isClientId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export interface TokenRow {
  id: Id<'Token'>;
  client_id: string;
  name: string;
  permissions: Permission[];
  created_at: Date;
  updated_at: Date;
}

/** A token as the operator sees it, revoked or not. */
export interface TokenUsageRow extends TokenRow {
  revoked_at: Date | null;
  /** When its use was last recorded (platform.md §1.3.7a). */
  used_at: Date | null;
}

const COLUMNS = sql`t.id, t.client_id, t.name, t.permissions, t.created_at, t.updated_at`;
const SEEN = sql`${COLUMNS}, t.revoked_at, t.used_at`;

export interface NewToken {
  readonly id: Id<'Token'>;
  readonly clientId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly secret: HashedSecret;
}

export async function insertToken(tx: Tx, token: NewToken): Promise<TokenRow> {
  const { id, clientId, name, permissions, secret } = token;
  await tx.sql`
    insert into tokens (platform_id, id, client_id, name, permissions, salt, secret_hash, created_at, updated_at)
    values (${tx.platformId}, ${id}, ${clientId}, ${name}, ${permissions}, ${secret.salt}, ${secret.hash},
            ${tx.now}, ${tx.now})`.catch((error: unknown) => {
    // Only an id that the operator chose can already exist: generated ids are random.
    if (violates(error, 'tokens_client_id') || violates(error, 'tokens_id')) {
      refuse('CONFLICT', 'A token with this id already exists.');
    }
    throw error;
  });
  return {
    id,
    client_id: clientId,
    name,
    permissions: [...permissions],
    created_at: tx.now,
    updated_at: tx.now,
  };
}

export async function findToken(tx: ReadTx, id: Id<'Token'>): Promise<TokenRow | undefined> {
  const [row] = await tx.sql<TokenRow>`
    select ${COLUMNS} from tokens t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.revoked_at is null`;
  return row;
}

/** Finds a token by its id or client id for the operator, even if it is revoked. */
export async function findTokenUsage(tx: ReadTx, name: string): Promise<TokenUsageRow | undefined> {
  const isNamed = isClientId(name) ? sql`t.client_id = ${name}` : sql`t.id = ${name}`;
  const [row] = await tx.sql<TokenUsageRow>`
    select ${SEEN} from tokens t where t.platform_id = ${tx.platformId} and ${isNamed}`;
  return row;
}

export interface TokenFilter {
  readonly name?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export function listTokens<Item>(
  tx: ReadTx,
  request: PageRequest,
  filter: TokenFilter,
  present: (row: TokenRow) => Item,
): Promise<Page<Item>> {
  const where = [...conditions(tx, filter), sql`t.revoked_at is null`];
  return keysetPage<TokenRow, Item>(tx, request, { columns: COLUMNS, from: sql`tokens t`, where }, present);
}

export type TokenStatus = 'LIVE' | 'REVOKED';

/** Lists tokens for the operator: of the given status, else of both. */
export function listTokenUsage<Item>(
  tx: ReadTx,
  request: PageRequest,
  filter: TokenFilter & { readonly status?: TokenStatus | undefined },
  present: (row: TokenUsageRow) => Item,
): Promise<Page<Item>> {
  const where = conditions(tx, filter);
  if (filter.status === 'LIVE') where.push(sql`t.revoked_at is null`);
  if (filter.status === 'REVOKED') where.push(sql`t.revoked_at is not null`);
  return keysetPage<TokenUsageRow, Item>(tx, request, { columns: SEEN, from: sql`tokens t`, where }, present);
}

function conditions(tx: ReadTx, filter: TokenFilter): Sql[] {
  const where: Sql[] = [sql`t.platform_id = ${tx.platformId}`];
  if (filter.name !== undefined) where.push(sql`t.name = ${filter.name}`);
  if (filter.createdAfter) where.push(sql`t.created_at >= ${filter.createdAfter}`);
  if (filter.createdBefore) where.push(sql`t.created_at <= ${filter.createdBefore}`);
  if (filter.updatedAfter) where.push(sql`t.updated_at >= ${filter.updatedAfter}`);
  if (filter.updatedBefore) where.push(sql`t.updated_at <= ${filter.updatedBefore}`);
  return where;
}

/** Returns the live ones of these tokens, locked in the order of their ids until the transaction ends. */
export async function lockLiveTokens(tx: Tx, ids: readonly Id<'Token'>[]): Promise<Map<string, TokenRow>> {
  const rows = await tx.sql<TokenRow>`
    select ${COLUMNS} from tokens t
     where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[]) and t.revoked_at is null
     order by t.id for update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** False if this platform has no such live token, or it has just been revoked. */
export async function markRevoked(tx: Tx, id: Id<'Token'>): Promise<boolean> {
  const rows = await tx.sql`
    update tokens set revoked_at = ${tx.now}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and revoked_at is null
    returning id`;
  return rows.length > 0;
}

export async function findTokenByClientId(tx: ReadTx, clientId: string): Promise<TokenRow | undefined> {
  const [row] = await tx.sql<TokenRow>`
    select ${COLUMNS} from tokens t
     where t.platform_id = ${tx.platformId} and t.client_id = ${clientId} and t.revoked_at is null`;
  return row;
}
