import type { ClaimedEvent, QueueLease } from '#edge/webhooks/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Lease, QueueTable } from '#foundation/jobs/queues-store.ts';

export const WEBHOOK_QUEUES: QueueTable = {
  ...{ table: sql`webhook_queues`, key: sql`resource_id`, keyType: sql`text` },
  lane: sql`lane`,
};

/** How many resources and events to take for a platform. */
export interface Capacity {
  readonly resources: number;
  /** Events that wait for an earlier event of their resource. */
  readonly blocked: number;
  readonly questions: number;
}

export interface ClaimRequest {
  readonly now: Date;
  readonly until: Date;
  readonly owner: string;
  readonly capacity: ReadonlyMap<string, Capacity>;
  readonly rowsMax: number;
  /** How long a question waits for a listener's answer. */
  readonly questionMs: number;
  /** Leases under which more events can be taken. */
  readonly held: readonly QueueLease[];
}

type ClaimedRow = Omit<ClaimedEvent, 'lease' | 'claimed_at'> & { readonly lease_owner: string };

/** Leases queues with due events (claim-webhooks.sql), and returns their events in event order. */
export async function claimWebhooks(run: Run, claim: ClaimRequest): Promise<ClaimedEvent[]> {
  const capacities = [...claim.capacity.values()];
  const held = claim.held.map(({ platform_id, key, owner, last_seq, events }) => {
    const has_retries = [...events].some(({ is_first }) => !is_first);
    return { platform_id, resource_id: key, owner, last_seq: String(last_seq), has_retries };
  });
  const rows = await run<ClaimedRow>(sql`
    select * from claim_webhooks(
      ${claim.now}, ${claim.until}, ${claim.owner}, ${[...claim.capacity.keys()]}::uuid[],
      ${capacities.map(({ resources }) => resources)}::integer[],
      ${capacities.map(({ blocked }) => blocked)}::integer[],
      ${capacities.map(({ questions }) => questions)}::integer[], ${claim.rowsMax},
      ${claim.questionMs} * interval '1 millisecond', ${JSON.stringify(held)}::jsonb)`);
  const nameOf = ({ platform_id, key, owner }: Pick<Lease, 'platform_id' | 'key' | 'owner'>) =>
    `${platform_id} ${owner} ${key}`;
  const leases = new Map(claim.held.map((lease) => [nameOf(lease), lease]));
  return rows
    .sort((a, b) => (a.seq < b.seq ? -1 : 1))
    .map(({ lease_owner: owner, ...row }) => {
      const { platform_id, resource_id: key, seq } = row;
      const name = nameOf({ platform_id, key, owner });
      const lease = leases.get(name) ?? {
        ...{ platform_id, key, owner, leased_until: claim.until },
        ...{ events: new Set(), last_seq: 0n },
      };
      leases.set(name, lease);
      const event = { ...row, claimed_at: claim.now, lease };
      lease.events.add(event);
      lease.last_seq = seq > lease.last_seq ? seq : lease.last_seq;
      if (lease.leased_until < claim.until) lease.leased_until = claim.until;
      return event;
    });
}

/**
 * Ends leases (settle_webhooks in claim-webhooks.sql). Returns whether any of the queues has due events, and the queues
 * that were locked and must be settled later.
 */
export async function settleQueues(
  run: Run,
  now: Date,
  leases: readonly Lease[],
): Promise<{ isDue: boolean; locked: Set<Lease | undefined> }> {
  const rows = await run<{ locked: bigint | null; is_due: boolean }>(sql`
    select * from settle_webhooks(
      ${now}, ${leases.map((lease) => lease.platform_id)}::uuid[], ${leases.map((lease) => lease.key)}::text[],
      ${leases.map((lease) => lease.owner)}::uuid[])`);
  const locked = new Set(rows.map((row) => leases[Number(row.locked) - 1]));
  return { isDue: rows.some((row) => row.is_due), locked };
}
