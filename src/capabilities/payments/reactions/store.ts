import type { ErasedCustomer } from '#capabilities/customers/announcements.ts';
import { ERASED_UMA } from '#capabilities/customers/customer-row.ts';
import { hashUma } from '#capabilities/payments/details.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { OPEN_STATUSES } from '#capabilities/payments/statuses.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** Written into the statement and not passed as a value, so that it is planned for exactly these statuses. */
const OPEN = rawSql(`'{${OPEN_STATUSES.join(',')}}'`);

/** Whether a customer has a payment that is under way, may still be started, or is being refunded. */
export async function hasUnfinished(tx: ReadTx, customerId: CustomerId): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (
      select from transactions
       where platform_id = ${tx.platformId} and customer_id = ${customerId}
         and (status = any(${OPEN}) or refund_status = 'PENDING')
    ) as found`;
  return row?.found ?? false;
}

/** Whether another owner's payment to a customer is under way. Reads open payments only, along the index of status. */
export async function isBeingPaid(tx: ReadTx, customerId: CustomerId): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (
      select from transactions
       where platform_id = ${tx.platformId} and status = any(${OPEN})
         and executed_at is not null and ${toCustomer(customerId)}
    ) as found`;
  return row?.found ?? false;
}

/**
 * The internal accounts among these that a payment under way may still credit: as source, destination or refund
 * account, or with the platform's fee. The fee's account counts as soon as the quote exists, because the execution does
 * not check it again. Reads open payments only, along the indexes of status and refund.
 */
export async function findBusyAccounts(tx: ReadTx, accountIds: readonly AccountId[]): Promise<AccountId[]> {
  const rows = await tx.sql<{ id: AccountId }>`
    select distinct account.id
      from (
        select source_account, destination_account, refund_account, fee_account from transactions
         where platform_id = ${tx.platformId} and status = any(${OPEN})
           and executed_at is not null
        union all
        select null, null, null, fee_account from transactions
         where platform_id = ${tx.platformId} and kind = 'QUOTE' and status in ('PENDING', 'PENDING_AUTHORIZATION')
           and executed_at is null
        union all
        select null, null, refund_account, null from transactions
         where platform_id = ${tx.platformId} and refund_status = 'PENDING') open
     cross join lateral unnest(array[source_account, destination_account, refund_account, fee_account]) account (id)
     where account.id = any(${accountIds}::uuid[])`;
  return rows.map((row) => row.id);
}

/**
 * Erases the personal data of a customer from payments; amounts and times are kept. Where the customer was paid by UMA
 * address, the address is replaced, even if it was an earlier one.
 */
export async function eraseFromPayments(
  tx: Tx,
  { customer: { id }, umaAddress }: ErasedCustomer,
): Promise<void> {
  // Payments by address have a hash; this one finds nobody.
  const nobody = sql`${hashUma(tx.vault, ERASED_UMA).toStore}::bytea`;
  await tx.sql`
    update transactions
       set private = null,
           destination_uma = case when type = 'INCOMING' and destination_type = 'UMA'
                                  then ${umaAddress} else destination_uma end,
           source_uma_hash = case when source_uma_hash is not null then ${nobody} end,
           destination_uma_hash = case when type <> 'INCOMING' and destination_uma_hash is not null then ${nobody} end,
           reference_hash = null,
           details = case when details ? 'platformCustomerId'
                          then details || jsonb_build_object('platformCustomerId', ${id}::text) else details end
     where platform_id = ${tx.platformId} and customer_id = ${id}`;
  await tx.sql`
    update transactions
       set destination_uma = case when destination_type = 'UMA' then ${umaAddress} end,
           destination_uma_hash = null,
           details = jsonb_set(details, '{receiver,platformCustomerId}', to_jsonb(${id}::text), false)
     where platform_id = ${tx.platformId} and details -> 'receiver' ->> 'customerId' = ${id}`;
}

/** Another owner's payment to a customer's external account. */
export interface PaidByOther extends Pick<TransactionRow, 'id' | 'customer_id' | 'private'> {
  /** Whether it is under way, so that the account's details are still needed. */
  readonly is_open: boolean;
}

/**
 * Other owners' payments that hold bank details of this customer. There is no index for them; an operator's command can
 * afford that.
 */
export function findPaidByOthers(tx: Tx, customerId: CustomerId): Promise<PaidByOther[]> {
  return tx.sql<PaidByOther>`
    select id, customer_id, private,
           status = any(${OPEN}) or refund_status is not distinct from 'PENDING'
             as is_open
      from transactions
     where platform_id = ${tx.platformId} and private is not null and customer_id is distinct from ${customerId}
       and ${toCustomer(customerId)}
     order by id
       for no key update`;
}

/** Conditions on `transactions`, for `endOverdue`. */

export function customerCondition(customerId: CustomerId): Sql {
  return sql`customer_id = ${customerId}`;
}

export function withFeeTo(accountId: AccountId): Sql {
  return sql`fee_account = ${accountId}`;
}

/** Payments to the customer's UMA address, or to an external account that it holds. */
export function toCustomer(customerId: CustomerId): Sql {
  return sql`(details -> 'receiver' ->> 'customerId' = ${customerId}
    or destination_type = 'EXTERNAL' and destination_account in (
      select a.id from external_accounts a
       where a.platform_id = transactions.platform_id and a.customer_id = ${customerId}))`;
}
