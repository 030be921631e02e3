import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** A file that names a customer, for a bank or of one. */
export interface NamingFile {
  readonly id: string;
  /** It is not written yet, or the statement in it was not fetched: its key has to stay for now. */
  readonly is_needed: boolean;
}

/**
 * Lists the files that name a customer: those with an order of the customer, those that a bank sent about such an order or
 * about money of the customer, and those in quarantine since the customer's first one, because nobody could read them.
 */
export function listNamingFiles(tx: ReadTx, customerId: CustomerId): Promise<NamingFile[]> {
  const { platformId } = tx;
  return tx.query<NamingFile>(sql`
    with named as materialized (
      select o.connector_id, o.reference, o.reference::text as about, o.created_at from transactions t
        join connector_orders o on o.platform_id = t.platform_id and o.transaction_id = t.id
       where t.platform_id = ${platformId} and t.customer_id = ${customerId} and o.connector_id is not null
      union all
      select k.connector_id, null, k.credit_id, k.received_at from connector_credits k
        join transactions t on t.platform_id = k.platform_id and t.id = k.transaction_id
       where t.platform_id = ${platformId} and t.customer_id = ${customerId}),
    matched as materialized (
      select l.connector_id, l.settlement_account, l.booked_on from transactions t
        join bank_ours o on o.platform_id = t.platform_id and o.transaction_id = t.id
        join bank_lines l on l.match = o.match
       where t.platform_id = ${platformId} and t.customer_id = ${customerId}),
    read as (
      select s.file_id from named n
        join bank_file_subjects s on s.connector_id = n.connector_id and s.about = n.about
      union
      select s.file_id from matched m
        join bank_file_statements s on s.connector_id = m.connector_id and s.settlement_account = m.settlement_account
         and m.booked_on between s.first_day and s.last_day
       where s.file_id is not null)
    select b.id, b.status in ('OPEN', 'SEALED', 'WRITING') as is_needed from named n
      join bank_file_orders o on o.connector_id = n.connector_id and o.reference = n.reference
      join bank_file_batches b on b.connector_id = o.connector_id and b.id = o.batch_id
    union
    select r.file_id, exists (
             select from bank_file_statements s
              where s.file_id = r.file_id and s.received_at > now() - interval '7 days' and not exists (
                select from bank_statements b
                 where b.connector_id = s.connector_id and b.settlement_account = s.settlement_account
                   and b.last_day >= s.last_day and b.received_at >= s.received_at))
      from read r
    union
    select f.id, false from bank_files f
     where f.outcome = 'QUARANTINED'
       and f.received_at >= (select min(n.created_at) from named n where n.connector_id = f.connector_id)`);
}
