import { sql } from '#foundation/database/sql.ts';
import type { Owner } from './scale-payment-template.ts';
import { STEP_MS } from './scale-transactions-copy.ts';
import type { World } from './world.ts';

const BATCH = 5_000;

/**
 * A card for each owner, under the owner's id, and this many purchases, each half a step after a payment. Nothing is posted
 * for them, because only the list that they share with payments is measured.
 */
export async function fillCardTransactions(
  { work }: World,
  owners: readonly Owner[],
  start: number,
  count: number,
): Promise<void> {
  const { database } = work.runtime;
  const [customers, accounts] = [
    owners.map(({ customerId }) => customerId),
    owners.map(({ accountId }) => accountId),
  ];
  const { id: platformId } = work.platform;
  await database.query(sql`
    insert into cards
      (platform_id, id, version, customer_id, platform_card_id, form, status, funding_source, binding_id, currency,
       created_at, updated_at)
    select ${platformId}::uuid, o.customer_id, 1, o.customer_id, o.customer_id::text, 'VIRTUAL', 'PROCESSING',
           o.account_id, gen_random_uuid(), 'USD', ${new Date(start)}, ${new Date(start)}
      from unnest(${customers}::uuid[], ${accounts}::uuid[]) as o (customer_id, account_id)`);
  for (let first = 0; first < count; first += BATCH) {
    const last = Math.min(first + BATCH, count) - 1;
    await database.query(sql`
      insert into card_transactions
        (platform_id, id, version, card_id, customer_id, platform_customer_id, account_id, account_currency, direction,
         kind, currency, merchant, token, created_at, status, authorized_amount, settled_amount, hold, receivable,
         returned, is_reversed, entries, updated_at)
      select ${platformId}::uuid, uuid_v7(), 3, o.customer_id, o.customer_id, o.customer_id::text, o.account_id, 'USD',
             case when g.n % 20 = 7 then 'CREDIT' else 'DEBIT' end, 'PURCHASE', 'USD',
             '{"descriptor": "CORNER BOOKS", "mcc": "5942", "country": "US"}', gen_random_uuid()::text, o.at, 'SETTLED',
             1250, 1250, 0, 0, 0, false, 2, o.at
        from generate_series(${first}::integer, ${last}::integer) as g (n)
       cross join lateral (
         select (${customers}::uuid[])[1 + g.n % ${owners.length}] as customer_id,
                (${accounts}::uuid[])[1 + g.n % ${owners.length}] as account_id,
                ${new Date(start + STEP_MS / 2)}::timestamptz + g.n * ${`${STEP_MS} ms`}::interval as at) o`);
  }
}
