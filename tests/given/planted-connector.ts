import assert from 'node:assert/strict';
import { aboutCredit } from '#capabilities/connectors/break-store.ts';
import { checkAccount } from '#foundation/connector-protocol/bank-records.ts';
import { describe } from '#foundation/connector-protocol/read-answer.ts';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/**
 * A connector with a route, an order, an event and breaks, whose texts contain what a bank may write about a person, as far as
 * the service stores it.
 */
export async function plantConnector(
  { query }: Pick<Database, 'query'>,
  platformId: PlatformId,
  written: string,
): Promise<void> {
  const [connector, order] = [newUuid(), newUuid()];
  const account = {
    accountId: '1',
    state: 'OPEN',
    coordinates: { USD_ACCOUNT: { [written]: { [written]: written } } },
  };
  const trouble = describe(checkAccount(account)) ?? assert.fail('the account is faulty');
  await query(sql`
    insert into connectors (id, name, url, key_id, secret, capabilities_due_at, events_due_at, created_at,
                            capabilities_trouble, silence_why, silences, silent_at)
    values (${connector}, 'nordbank', 'https://bank.example', ${newUuid()}, '', now(), now(), now(),
            ${trouble}, ${trouble}, 1, now())`);
  await query(sql`
    insert into connector_routes (connector_id, number, rail) values (${connector}, 1, 'ACH')`);
  await query(sql`
    insert into connector_orders (platform_id, id, reference, transaction_id, kind, status, connector_id, amount, currency,
                                  state, reason, bank_reference, created_at, asked_at, ended_at)
    select ${platformId}, ${order}, ${newUuid()}, t.id, 'PAYOUT', 'ENDED', ${connector}, 1000, 'USD', 'FAILED',
           'ACCOUNT_INVALID', ${written}, now(), now(), now()
      from transactions t where t.platform_id = ${platformId} limit 1`);
  await query(sql`
    insert into connector_events (connector_id, store, event_id, type, at, about, content_hash, received_at, applied_at)
    values (${connector}, 'store-1', ${written}, 'ORDER', now(), ${order}, '', now(), now())`);
  await query(sql`
    insert into bank_proofs (connector_id, settlement_account, day, currency, ours, closing, ours_in_transit,
                             theirs_in_transit, unexplained, is_proven, is_stale, proven_at)
    select ${connector}, 'main', day, 'USD', 0, 0, 0, 0, 0, true, false, now()
      from (values ('2026-03-02'::date), (now()::date)) d (day)`);
  await query(sql`
    insert into connector_breaks (id, connector_id, platform_id, kind, about, order_id, what, opened_at)
    values (${newUuid()}, ${connector}, ${platformId}, 'CONTRADICTION', ${order}, ${order},
            'the connector and the books say different things', now()),
           (${newUuid()}, ${connector}, null, 'CONTRADICTION', ${aboutCredit(written)}, null,
            ${`The event cannot be read: ${trouble}.`}, now())`);
}
