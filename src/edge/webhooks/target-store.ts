import { type SealedKey, signingKeyNow } from '#capabilities/platform/webhook-key-store.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** Where a platform's webhooks go and what signs them, both sealed. */
export interface SealedTarget extends SealedKey {
  readonly endpoint: Buffer | null;
}

const TARGET = sql`k.key_id, k.private_key, c.webhook_endpoint as endpoint`;
const FROM = sql`platforms p left join platform_configs c on c.platform_id = p.id`;

/** By platform, across platforms: one of the worker's look-ups. */
export async function findTargets(
  database: Pick<Database, 'lookUp'>,
  platformIds: readonly string[],
  now: Date,
): Promise<Map<string, SealedTarget>> {
  const rows = await database.lookUp<SealedTarget & { id: string }>(sql`
    select p.id, ${TARGET} from ${FROM} ${signingKeyNow(now)} where p.id = any(${platformIds}::uuid[])`);
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}

/**
 * At this real time, with what the platform's clock is ahead by: a call that waits outlives the moment at which its caller's
 * clock was read.
 */
export async function findOwnTarget(
  tx: ReadTx,
  now: Date,
): Promise<(SealedTarget & { clock_offset_ms: bigint }) | undefined> {
  const [row] = await tx.sql<SealedTarget & { clock_offset_ms: bigint }>`
    select ${TARGET}, p.clock_offset_ms from ${FROM} ${signingKeyNow(now)} where p.id = ${tx.platformId}`;
  return row;
}
