import type { Database } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Platform } from '#foundation/lib/platform.ts';

export interface TokenHolder extends HolderRow {
  readonly platform: Platform;
}

interface HolderRow extends PlatformRow {
  agent_id: AgentId;
  customer_id: CustomerId;
  is_paused: boolean;
  permissions: string[];
  token_hash: Buffer;
  token_used_at: Date | null;
}

/**
 * Agents by the hashes of their tokens, in the order given, across platforms, because the caller is not known yet.
 * While a platform is disabled, its agents are unknown (agents.md §2.2).
 */
export async function findAgentsByToken(
  database: Database,
  hashes: Buffer[],
): Promise<(TokenHolder | undefined)[]> {
  const rows = await database.lookUp<HolderRow>(sql`
    select a.id as agent_id, a.customer_id, a.is_paused, a.policy->'permissions' as permissions, a.token_hash,
           a.token_used_at, ${PLATFORM_COLUMNS}
      from agents a join platforms p on p.id = a.platform_id
     where a.token_hash = any(${hashes}::bytea[]) and p.disabled_at is null`);
  const byHash = new Map(
    rows.map((row) => [row.token_hash.toString('hex'), { ...row, platform: toPlatform(row) }]),
  );
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}

/** agents.md §5.5: one of several concurrent requests records the use. */
export async function noteTokenUse(
  database: Pick<Database, 'query'>,
  { platform, agent_id: agentId, token_used_at: seen }: TokenHolder,
  now: Date,
): Promise<void> {
  await database.query(sql`
    update agents set token_used_at = ${now}
     where platform_id = ${platform.id} and id = ${agentId} and token_used_at is not distinct from ${seen}`);
}
