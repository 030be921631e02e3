import type { Database } from '#database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#database/platforms.ts';
import { sql } from '#database/sql.ts';
import type { Permission } from '#http/caller.ts';
import type { Platform } from '#lib/platform.ts';

/** An API token that is not revoked, with its platform. */
export interface Token extends TokenRow {
  /** Built once for all callers that share the look-up. */
  readonly platform: Platform;
}

interface TokenRow extends PlatformRow {
  token_id: string;
  client_id: string;
  permissions: Permission[];
  salt: Buffer;
  secret_hash: Buffer;
  webhook_public_key: string;
  disabled_at: Date | null;
}

/**
 * Tokens by one of their names, in the order asked, across platforms: the caller is not known yet. Each kind of name has
 * a statement of its own, because one for both would cost twice as much.
 */
export async function findTokens(
  database: Database,
  by: 'client_id' | 'token_id',
  names: string[],
): Promise<(Token | undefined)[]> {
  const distinct = [...new Set(names)];
  const isNamed =
    by === 'token_id' ? sql`t.id = any(${distinct}::uuid[])` : sql`t.client_id = any(${distinct})`;
  const rows = await database.lookUp<TokenRow>(sql`
    select t.id as token_id, t.client_id, t.permissions, t.salt, t.secret_hash, ${PLATFORM_COLUMNS},
           p.webhook_public_key, p.disabled_at
      from tokens t join platforms p on p.id = t.platform_id
     where ${isNamed} and t.revoked_at is null`);
  const byName = new Map(rows.map((row) => [row[by], { ...row, platform: toPlatform(row) }]));
  return names.map((name) => byName.get(name));
}
