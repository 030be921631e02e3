import type { Tx } from '#foundation/database/tx.ts';

/** Inserts a TEST event that is leased to the caller, so that no worker sends it. */
export async function insertOwnTest(
  tx: Tx,
  event: { id: string; resourceId: string; payload: Buffer; owner: string; until: Date },
): Promise<void> {
  await tx.sql`
    insert into events
      (platform_id, id, type, resource_id, payload, once, created_at, lease_owner, leased_until)
    values (${tx.platformId}, ${event.id}, 'TEST', ${event.resourceId}, ${event.payload}, true, ${tx.now},
            ${event.owner}, ${event.until})`;
}
