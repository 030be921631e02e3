import type { Database } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Permission } from '#foundation/http/caller.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** An API token that is not revoked, with its platform. */
export interface Token extends TokenRow {
  /** Built once for all callers that share the look-up. */
  readonly platform: Platform;
}

interface TokenRow extends PlatformRow {
  token_id: Id<'Token'>;
  client_id: string;
  permissions: Permission[];
  salt: Buffer;
  secret_hash: Buffer;
  disabled_at: Date | null;
  used_at: Date | null;
}

/**
 * Finds tokens by one of their names, in the requested order, across platforms: the caller is not known yet. Each kind of
 * name has a statement of its own, because one for both would cost twice as much.
 */
export async function findTokens(
  database: Database,
  by: 'client_id' | 'token_id',
  names: string[],
): Promise<(Token | undefined)[]> {
  const distinct = [...new Set(names)];
  const [only] = distinct;
  const column = by === 'token_id' ? sql`t.id` : sql`t.client_id`;
  const type = by === 'token_id' ? sql`uuid` : sql`text`;
  // Concurrent callers mostly have the same token, and finding it as one of a list would cost more.
  const isNamed =
    distinct.length === 1 ? sql`${column} = ${only}::${type}` : sql`${column} = any(${distinct}::${type}[])`;
  const rows = await database.lookUp<TokenRow>(sql`
    select t.id as token_id, t.client_id, t.permissions, t.salt, t.secret_hash, ${PLATFORM_COLUMNS},
           p.disabled_at, t.used_at
      from tokens t join platforms p on p.id = t.platform_id
     where ${isNamed} and t.revoked_at is null`);
  const byName = new Map(rows.map((row) => [row[by], { ...row, platform: toPlatform(row) }]));
  return names.map((name) => byName.get(name));
}

/** Records the use of a token; of concurrent calls only one writes. */
export async function noteTokenUse(
  database: Pick<Database, 'query'>,
  { platform, token_id: tokenId, used_at: seen }: Token,
  now: Date,
): Promise<void> {
  await database.query(sql`
    update tokens set used_at = ${now}
     where platform_id = ${platform.id} and id = ${tokenId} and used_at is not distinct from ${seen}`);
}

export interface PublicKeyRow {
  readonly id: Id<'WebhookKey'>;
  /** SPKI PEM. */
  readonly public_key: string;
}

/** The keys that may sign a platform's requests at this business time (platform.md §4.5). */
export function findPublicKeys(
  database: Database,
  platformId: PlatformId,
  at: Date,
): Promise<PublicKeyRow[]> {
  return database.lookUp<PublicKeyRow>(sql`
    select id, public_key from webhook_keys
     where platform_id = ${platformId} and (goes_at is null or goes_at > ${at})`);
}
