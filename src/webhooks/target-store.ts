import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { ReadTx } from '#database/tx.ts';

/** Where a platform's webhooks go and what signs them, both sealed. */
export interface SealedTarget {
  readonly endpoint: Buffer | null;
  readonly private_key: Buffer;
}

const TARGET = sql`p.webhook_private_key as private_key, c.webhook_endpoint as endpoint`;
const FROM = sql`platforms p left join platform_configs c on c.platform_id = p.id`;

/** By platform, across platforms: one of the worker's look-ups. */
export async function findTargets(
  database: Pick<Database, 'lookUp'>,
  platformIds: readonly string[],
): Promise<Map<string, SealedTarget>> {
  const rows = await database.lookUp<SealedTarget & { id: string }>(sql`
    select p.id, ${TARGET} from ${FROM} where p.id = any(${platformIds}::uuid[])`);
  return new Map(rows.map(({ id, endpoint, private_key }) => [id, { endpoint, private_key }]));
}

export async function findOwnTarget(tx: ReadTx): Promise<SealedTarget | undefined> {
  const [row] = await tx.sql<SealedTarget>`select ${TARGET} from ${FROM} where p.id = ${tx.platformId}`;
  return row;
}
