import { type SealedKey, signingKeyNow } from '#capabilities/platform/webhook-key-store.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** The endpoint and the signing key of a platform's webhooks, both sealed. */
export interface SealedTarget extends SealedKey {
  readonly endpoint: Buffer | null;
}

const TARGET = sql`k.key_id, k.private_key, c.webhook_endpoint as endpoint`;
const FROM = sql`platforms p left join platform_configs c on c.platform_id = p.id`;

/** The targets of several platforms, for the worker. */
export async function findTargets(
  database: Pick<Database, 'lookUp'>,
  platformIds: readonly PlatformId[],
  now: Date,
): Promise<Map<string, SealedTarget>> {
  const rows = await database.lookUp<SealedTarget & { id: PlatformId }>(sql`
    select p.id, ${TARGET} from ${FROM} ${signingKeyNow(now)} where p.id = any(${platformIds}::uuid[])`);
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}

/**
 * The target at this real time, with the offset of the platform's clock: a waiting call outlives the moment at which its
 * transaction read the clock.
 */
export async function findOwnTarget(
  tx: ReadTx,
  now: Date,
): Promise<(SealedTarget & { clock_offset_ms: bigint }) | undefined> {
  const [row] = await tx.sql<SealedTarget & { clock_offset_ms: bigint }>`
    select ${TARGET}, p.clock_offset_ms from ${FROM} ${signingKeyNow(now)} where p.id = ${tx.platformId}`;
  return row;
}
