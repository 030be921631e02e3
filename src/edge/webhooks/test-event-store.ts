import type { Tx } from '#foundation/database/tx.ts';

/** Inserts a TEST event whose queue is leased to the caller, so that no worker sends it. */
export async function insertOwnTest(
  tx: Tx,
  event: { id: EventId; resourceId: string; payload: Buffer; owner: string; until: Date },
): Promise<void> {
  await tx.sql`
    insert into events (platform_id, id, type, resource_id, payload, once, created_at)
    values (${tx.platformId}, ${event.id}, 'TEST', ${event.resourceId}, ${event.payload}, true, ${tx.now})`;
  await tx.sql`
    update webhook_queues q
       set lease_owner = ${event.owner}, leased_until = ${event.until},
           leased_to = (select e.seq from events e where e.platform_id = ${tx.platformId} and e.id = ${event.id})
     where q.platform_id = ${tx.platformId} and q.resource_id = ${event.resourceId}`;
}
