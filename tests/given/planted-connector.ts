import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** A connector with an order, an event and a break, whose texts contain what a bank may write about a person. */
export async function plantConnector(
  { query }: Pick<Database, 'query'>,
  platformId: PlatformId,
  written: string,
): Promise<void> {
  const [connector, order] = [newUuid(), newUuid()];
  await query(sql`
    insert into connectors (id, name, url, key_id, secret, capabilities_due_at, events_due_at, created_at)
    values (${connector}, 'nordbank', 'https://bank.example', ${newUuid()}, '', now(), now(), now())`);
  await query(sql`
    insert into connector_orders (platform_id, id, reference, transaction_id, kind, status, connector_id, amount, currency,
                                  state, reason, bank_reference, created_at, asked_at, ended_at)
    select ${platformId}, ${order}, ${newUuid()}, t.id, 'PAYOUT', 'ENDED', ${connector}, 1000, 'USD', 'FAILED', ${written},
           ${written}, now(), now(), now()
      from transactions t where t.platform_id = ${platformId} limit 1`);
  await query(sql`
    insert into connector_events (connector_id, store, event_id, type, at, about, content_hash, received_at, applied_at)
    values (${connector}, 'store-1', 'event-1', 'ORDER', now(), ${order}, '', now(), now())`);
  await query(sql`
    insert into connector_breaks (id, connector_id, platform_id, kind, about, order_id, what, opened_at)
    values (${newUuid()}, ${connector}, ${platformId}, 'CONTRADICTION', ${order}, ${order},
            'the connector and the books say different things', now())`);
}
