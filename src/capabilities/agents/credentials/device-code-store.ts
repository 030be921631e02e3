import type { Database } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';

export interface DeviceCodeRow {
  agent_id: AgentId;
  expires_at: Date;
  redeemed_at: Date | null;
  superseded_at: Date | null;
}

const COLUMNS = sql`c.agent_id, c.expires_at, c.redeemed_at, c.superseded_at`;

export async function insertDeviceCode(
  tx: Tx,
  agentId: AgentId,
  codeHash: Buffer,
  expiresAt: Date,
): Promise<void> {
  await tx.sql`
    insert into agent_device_codes (platform_id, code_hash, agent_id, created_at, expires_at)
    values (${tx.platformId}, ${codeHash}, ${agentId}, ${tx.now}, ${expiresAt})`;
}

/** agents.md §2.16: codes that were not redeemed become invalid. */
export async function supersedeDeviceCodes(tx: Tx, agentId: AgentId): Promise<void> {
  await tx.sql`
    update agent_device_codes set superseded_at = ${tx.now}
     where platform_id = ${tx.platformId} and agent_id = ${agentId}
       and redeemed_at is null and superseded_at is null`;
}

/** Deletes the codes of a deleted agent, so that they are unknown from now on. */
export async function removeDeviceCodes(tx: Tx, agentId: AgentId): Promise<void> {
  await tx.sql`
    delete from agent_device_codes where platform_id = ${tx.platformId} and agent_id = ${agentId}`;
}

export async function findDeviceCode(tx: ReadTx, codeHash: Buffer): Promise<DeviceCodeRow | undefined> {
  const [row] = await tx.query<DeviceCodeRow>(sql`
    select ${COLUMNS} from agent_device_codes c
     where c.platform_id = ${tx.platformId} and c.code_hash = ${codeHash}`);
  return row;
}

/** Locks the code until the transaction ends. The agent is always locked first. */
export async function lockDeviceCode(tx: Tx, codeHash: Buffer): Promise<DeviceCodeRow | undefined> {
  const [row] = await tx.query<DeviceCodeRow>(sql`
    select ${COLUMNS} from agent_device_codes c
     where c.platform_id = ${tx.platformId} and c.code_hash = ${codeHash}
       for no key update`);
  return row;
}

export async function markRedeemed(tx: Tx, codeHash: Buffer): Promise<void> {
  await tx.sql`
    update agent_device_codes set redeemed_at = ${tx.now}
     where platform_id = ${tx.platformId} and code_hash = ${codeHash}`;
}

/**
 * The owner of a code, across platforms, because the redeeming caller has nothing but the code. While a platform is
 * disabled, its codes are unknown (agents.md §2.2).
 */
export async function findCodeOwner(
  { query }: Pick<Database, 'query'>,
  codeHash: Buffer,
): Promise<{ readonly agentId: AgentId; readonly platform: Platform } | undefined> {
  const [row] = await query<PlatformRow & { agent_id: AgentId }>(sql`
    select c.agent_id, ${PLATFORM_COLUMNS}
      from agent_device_codes c join platforms p on p.id = c.platform_id
     where c.code_hash = ${codeHash} and p.disabled_at is null`);
  return row && { agentId: row.agent_id, platform: toPlatform(row) };
}

/** Device codes expire without a job: redeeming one later is refused. */
export const deviceCodeExpiries: DueSource = rowsDue<{ agent_id: string }>({
  name: 'device code',
  ...{ from: sql`agent_device_codes t`, at: sql`t.expires_at`, columns: sql`t.agent_id` },
  id: sql`encode(substring(t.code_hash from 1 for 16), 'hex')::uuid`,
  where: sql`t.redeemed_at is null and t.superseded_at is null`,
  tell({ agent_id }) {
    const resourceId = publicId('Agent', agent_id);
    return {
      resourceId,
      sentence: `The device code of ${resourceId} expires, unless it is redeemed first.`,
    };
  },
});
