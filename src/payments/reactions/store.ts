import type { ErasedCustomer } from '#customers/announcements.ts';
import { rawSql, type Sql, sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { TransactionRow } from '#payments/row.ts';
import { OPEN_STATUSES } from '#payments/statuses.ts';

/** As text of the statement, not a value: a plan is made for these statuses. */
const OPEN = rawSql(`'{${OPEN_STATUSES.join(',')}}'`);

/** Whether a customer has a payment under way: one that moves, may still move, or is being refunded. */
export async function hasUnfinished(tx: ReadTx, customerId: string): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (
      select from transactions
       where platform_id = ${tx.platformId} and customer_id = ${customerId}
         and (status = any(${OPEN}) or refund_status = 'PENDING')
    ) as found`;
  return row?.found ?? false;
}

/** Whether money of somebody else is on its way to a customer. Only what is open is looked at, by its status. */
export async function isBeingPaid(tx: ReadTx, customerId: string): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (
      select from transactions
       where platform_id = ${tx.platformId} and status = any(${OPEN})
         and executed_at is not null and ${goesTo(customerId)}
    ) as found`;
  return row?.found ?? false;
}

/**
 * The internal accounts among these that money of a payment under way may still come to: as its source, destination
 * or refund, or as the platform's fee; the fee's account is not asked again when a quote is executed, so it counts from
 * the quote on. Only what is open is looked at, by the indexes of status and refund.
 */
export async function findBusyAccounts(tx: ReadTx, accountIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>`
    select distinct account.id
      from (
        select source_account, destination_account, refund_account, fee_account from transactions
         where platform_id = ${tx.platformId} and status = any(${OPEN})
           and executed_at is not null
        union all
        select null, null, null, fee_account from transactions
         where platform_id = ${tx.platformId} and kind = 'QUOTE' and status = 'PENDING' and executed_at is null
        union all
        select null, null, refund_account, null from transactions
         where platform_id = ${tx.platformId} and refund_status = 'PENDING') open
     cross join lateral unnest(array[source_account, destination_account, refund_account, fee_account]) account (id)
     where account.id = any(${accountIds}::uuid[])`;
  return rows.map((row) => row.id);
}

/**
 * With the customer goes what names people; what was moved, and when, stays. Its address goes wherever it was paid by
 * one, whichever it had then.
 */
export async function eraseFromPayments(
  tx: Tx,
  { customer: { id }, umaAddress }: ErasedCustomer,
): Promise<void> {
  await tx.sql`
    update transactions
       set private = null,
           destination_uma = case when type = 'INCOMING' and destination_uma is not null
                                  then ${umaAddress} else destination_uma end,
           details = case when details ? 'platformCustomerId'
                          then details || jsonb_build_object('platformCustomerId', ${id}::text) else details end
     where platform_id = ${tx.platformId} and customer_id = ${id}`;
  await tx.sql`
    update transactions
       set destination_uma = case when destination_uma is not null then ${umaAddress} end,
           details = jsonb_set(details, '{receiver,platformCustomerId}', to_jsonb(${id}::text), false)
     where platform_id = ${tx.platformId} and details -> 'receiver' ->> 'customerId' = ${id}`;
}

/** A payment that is somebody else's and goes, or went, to an account outside of a customer. */
interface PaidByOther extends Pick<TransactionRow, 'id' | 'private'> {
  /** It needs the account's details to arrive. */
  readonly is_open: boolean;
}

/**
 * Those that name bank details of this customer: by its UMA address, or by the account in another's name. No index
 * leads to all of them, which an operator's command can afford.
 */
export function findPaidByOthers(tx: Tx, customerId: string): Promise<PaidByOther[]> {
  return tx.sql<PaidByOther>`
    select id, private,
           status = any(${OPEN}) or refund_status is not distinct from 'PENDING'
             as is_open
      from transactions
     where platform_id = ${tx.platformId} and private is not null and customer_id is distinct from ${customerId}
       and ${goesTo(customerId)}
     order by id
       for no key update`;
}

/** A condition on `transactions`: of the customer's, it is the address or the account outside that is paid. */
export function goesTo(customerId: string): Sql {
  return sql`(details -> 'receiver' ->> 'customerId' = ${customerId}
    or destination_type = 'EXTERNAL' and destination_account in (
      select a.id from external_accounts a
       where a.platform_id = transactions.platform_id and a.customer_id = ${customerId}))`;
}
