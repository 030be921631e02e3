import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';

/** How many resources one statement names, and how many events it empties. */
const RESOURCES = 1_000;
const ROWS = 2_000;

/**
 * Empties the events that name an erased customer, with the answers to them, and ends their delivery (customers.md
 * §2.4.26b). Everything happens in the transaction of the erasure, however many events there are: only commits that emit
 * events of the same resources wait, and a half-erased customer would be the worst outcome. Each statement is bounded.
 *
 * An event of another customer's payment stays if it was not attempted yet: it has only facts, and is rendered from rows
 * that no longer name the customer. If it is being sent, it may have been rendered before: its lease ends, so that neither
 * the rendering nor the answer is stored. Nothing that names the customer is stored later, so one pass is enough.
 */
export async function eraseEvents(tx: Tx, traces: Traces): Promise<void> {
  const { until } = traces;
  const [own, others] = [[...traces.resources], [...traces.paidByOthers]];
  // Queues are locked before events, as when attempts are recorded: another order could deadlock.
  await endLeases(tx, others);
  await eraseNamedEvents(tx, { platformId: tx.platformId, resourceIds: own, keepsFacts: false, until });
  await eraseNamedEvents(tx, { platformId: tx.platformId, resourceIds: others, keepsFacts: true, until });
  for (const { platformId, resourceId } of traces.elsewhere) {
    await eraseNamedEvents(tx, { platformId, resourceIds: [resourceId], keepsFacts: false });
  }
}

interface Named {
  readonly platformId: PlatformId;
  readonly resourceIds: readonly string[];
  readonly keepsFacts: boolean;
  readonly until?: Date | undefined;
}

async function eraseNamedEvents(tx: Tx, { resourceIds, ...named }: Named): Promise<void> {
  for (let from = 0; from < resourceIds.length; from += RESOURCES) {
    const some = { ...named, resourceIds: resourceIds.slice(from, from + RESOURCES) };
    while ((await emptyEvents(tx, some)) === ROWS);
    while ((await emptyResponses(tx, some)) === ROWS);
  }
}

/**
 * Ends the leases of the resources' queues, and locks those without a lease as well. Until this transaction commits, no
 * event can be claimed and rendered from the old rows, and no event that was rendered before can be recorded.
 */
async function endLeases(tx: Tx, resourceIds: readonly string[]): Promise<void> {
  for (let from = 0; from < resourceIds.length; from += RESOURCES) {
    await tx.sql`
      with kept as materialized (
        select platform_id, resource_id from webhook_queues
         where platform_id = ${tx.platformId} and resource_id = any(${resourceIds.slice(from, from + RESOURCES)}::text[])
         order by resource_id for update)
      update webhook_queues q set lease_owner = null, leased_until = null
        from kept
       where q.platform_id = kept.platform_id and q.resource_id = kept.resource_id`;
  }
}

async function emptyEvents(tx: Tx, { platformId, resourceIds, keepsFacts, until }: Named): Promise<number> {
  const createdBy = until ? sql`and created_at <= ${until}` : sql``;
  const realNow = new Date(tx.runtime.clock.now());
  const emptied = await tx.sql`
    with named as materialized (
      select platform_id, id from events
       where platform_id = ${platformId} and resource_id = any(${resourceIds}::text[]) and erased_at is null
         and (payload is not null or not ${keepsFacts}) ${createdBy}
       limit ${ROWS} for update)
    update events e
       set payload = null, facts = '{}', erased_at = ${tx.now},
           state = case when e.state = 'PENDING' then 'SKIPPED' else e.state end,
           finished_at = coalesce(e.finished_at, ${realNow}), next_attempt_at = null
      from named
     where e.platform_id = named.platform_id and e.id = named.id
    returning 1`;
  return emptied.length;
}

/** Erased as well, because a receiver's answer may repeat the event. */
async function emptyResponses(tx: Tx, { platformId, resourceIds }: Named): Promise<number> {
  const emptied = await tx.sql`
    with named as materialized (
      select a.platform_id, a.event_id, a.attempt
        from events e join webhook_attempts a on a.platform_id = e.platform_id and a.event_id = e.id
       where e.platform_id = ${platformId} and e.resource_id = any(${resourceIds}::text[])
         and e.erased_at is not null and a.response is not null
       limit ${ROWS} for update of a)
    update webhook_attempts a set response = null
      from named
     where a.platform_id = named.platform_id and a.event_id = named.event_id and a.attempt = named.attempt
    returning 1`;
  return emptied.length;
}
