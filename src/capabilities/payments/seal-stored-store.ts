import type { TransactionColumns } from '#capabilities/payments/columns.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { ListKey } from '#foundation/http/paging.ts';

/** The beginning of the addresses by which an erasure replaces a customer's own. */
export const MADE_UP = '$erased-';

/** The columns of a payment that name people, or say whom it names. */
export type ClearPayment = Pick<
  TransactionColumns,
  | 'id'
  | 'kind'
  | 'customer_id'
  | 'details'
  | 'private'
  | 'source_uma'
  | 'source_uma_hash'
  | 'destination_uma'
  | 'destination_uma_hash'
  | 'reference'
  | 'reference_hash'
  | 'created_at'
>;

/**
 * Locks payments that have a personal value in clear text, or that a data key seals (the first byte is 1) although they
 * name a customer. The reference of a deposit is personal unless we issued it.
 */
export function findClearPayments(
  tx: Tx,
  after: ListKey | undefined,
  limit: number,
): Promise<ClearPayment[]> {
  const { referencePrefix } = tx.runtime.names;
  const later =
    after === undefined
      ? sql`true`
      : sql`(t.created_at, t.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return tx.query<ClearPayment>(sql`
    select t.id, t.kind, t.customer_id, t.details, t.private, t.source_uma, t.source_uma_hash, t.destination_uma,
           t.destination_uma_hash, t.reference, t.reference_hash, t.created_at
      from transactions t
     where t.platform_id = ${tx.platformId} and ${later}
       and (t.source_uma is not null or not starts_with(t.destination_uma, ${MADE_UP})
            or t.details ? 'platformCustomerId'
            or t.details -> 'receiver' ? 'platformCustomerId'
            or (t.kind = 'DEPOSIT' and not starts_with(t.reference, ${referencePrefix}))
            or (get_byte(t.private, 0) = 1
                and (t.customer_id is not null or t.details -> 'receiver' ->> 'customerId' is not null
                     or t.details ? 'holder')))
     order by t.created_at, t.id
     limit ${limit}
       for no key update`);
}

/** Finds the erased customers among these: the values that named them are already removed. */
export async function findErasedAmong(tx: Tx, people: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
  const rows = await tx.sql<{ id: PersonId }>`
    select id from customers
     where platform_id = ${tx.platformId} and id = any(${people}::uuid[]) and erased_at is not null`;
  return new Set(rows.map(({ id }) => id));
}

export type SealedPayment = Pick<
  ClearPayment,
  'private' | 'source_uma_hash' | 'destination_uma_hash' | 'reference' | 'reference_hash'
>;

/** Stores the sealed form, and empties the columns in clear text. */
export async function replaceClear(tx: Tx, { id }: ClearPayment, sealed: SealedPayment): Promise<void> {
  await tx.sql`
    update transactions
       set private = ${sealed.private}, source_uma = null, source_uma_hash = ${sealed.source_uma_hash},
           destination_uma = case when starts_with(destination_uma, ${MADE_UP}) then destination_uma end,
           destination_uma_hash = ${sealed.destination_uma_hash},
           reference = ${sealed.reference}, reference_hash = ${sealed.reference_hash},
           details = (details - 'platformCustomerId') #- '{receiver,platformCustomerId}'
     where platform_id = ${tx.platformId} and id = ${id}`;
}
