import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { hashWordsToFind, nameWords, profileWords } from '#capabilities/customers/name-words.ts';
import { readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import type { CustomerQuery } from '#capabilities/customers/schemas.ts';
import { hashCustomer, openCustomers, type StoredCustomer } from '#capabilities/customers/sealed-customer.ts';
import { customerColumns, hasValue, valueConditions } from '#capabilities/customers/store.ts';
import { versionsOf } from '#foundation/database/known-hashes.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  type KeysetQuery,
  keysetPage,
  type Page,
  type PageRequest,
  type RowKey,
} from '#foundation/http/paging.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

export interface OperatorSearch {
  readonly status?: IdentityStatus;
  /** Whole words of the name, in any order. */
  readonly name?: string;
}

/** Each single filter has an index in the list's order, except the time of the last update. */
export async function searchCustomers(
  tx: ReadTx,
  query: CustomerQuery,
  more: OperatorSearch = {},
): Promise<KeysetQuery> {
  const found = searchByQuery(tx, query, await findFewUpdated(tx, query));
  return { ...found, where: [...found.where, ...operatorConditions(tx, more)] };
}

/** Up to this many matches are read and sorted for every page. */
const FEW = 1_000;

/**
 * The live customers that changed since a time, if they are few: read along the index of updates. In the list's own order
 * a page would walk past all customers that have not changed. If many have changed, that walk meets them sooner.
 */
async function findFewUpdated(tx: ReadTx, query: CustomerQuery): Promise<Sql | undefined> {
  const { updatedAfter, currency, isIncludingDeleted = false } = query;
  if (updatedAfter === undefined || currency !== undefined || isIncludingDeleted) return undefined;
  const updated = sql`
    from customers c
     where c.platform_id = ${tx.platformId} and c.deleted_at is null and c.updated_at >= ${parseDateTime(updatedAfter)}
     order by c.updated_at desc`;
  const beyond = await tx.query(sql`select ${updated} offset ${FEW} limit 1`);
  // Some more may have changed since the count. With the limit, the planner always reads along the index.
  return beyond.length > 0 ? undefined : sql`(select c.* ${updated} limit ${2 * FEW}) t`;
}

function operatorConditions(tx: ReadTx, { status, name }: OperatorSearch): Sql[] {
  return [
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
    ...(name === undefined ? [] : [hasName(tx, name)]),
  ];
}

/** Customers with all these words in their names. The index finds them first, because few share all words of a name. */
function hasName(tx: ReadTx, name: string): Sql {
  const words = nameWords(name);
  if (words.length === 0) return sql`false`;
  const found = hashWordsToFind(tx, words).map(
    (hashes) => sql`
      select c.id from customers c where c.platform_id = ${tx.platformId} and c.name_hashes @> ${hashes}`,
  );
  return sql`t.id in (${joinSql(found, ' union all ')})`;
}

/** A customer who may be the same person or business as another one, and the values that both have. */
export interface PossibleDuplicate {
  readonly customer_id: CustomerId;
  readonly shares: readonly ('email' | 'phone' | 'name')[];
}

/** Returns conditions on customers with this value, one for each version of its hash. */
function shareOne(tx: ReadTx, field: 'email' | 'phone', value: string | null) {
  if (value === null) return [];
  const column = field === 'email' ? sql`c.email_hash` : sql`c.phone_hash`;
  return versionsOf(hashCustomer(tx.vault, field, value)).map((hash) => ({
    field,
    condition: sql`${column} = ${hash}`,
  }));
}

/** Finds the other customers of the platform with the same e-mail address, phone number or name, the newest first. */
export async function findPossibleDuplicates(
  tx: ReadTx,
  { id, email, phone_number: phone, profile }: CustomerRow,
  limit: number,
): Promise<PossibleDuplicate[]> {
  const shared = [
    ...shareOne(tx, 'email', email),
    ...shareOne(tx, 'phone', phone),
    ...hashWordsToFind(tx, profileWords(profile)).map((hashes) => ({
      field: 'name',
      condition: sql`c.name_hashes @> ${hashes} and c.name_hashes <@ ${hashes}`,
    })),
  ];
  if (shared.length === 0) return [];
  const found = shared.map(
    ({ field, condition }) => sql`
        select c.id, c.created_at, ${field}::text as field from customers c
         where c.platform_id = ${tx.platformId} and ${condition} and c.deleted_at is null`,
  );
  return tx.sql<PossibleDuplicate>`
    select same.id as customer_id, array_agg(same.field order by same.field) as shares
      from (${joinSql(found, ' union all ')}) same
     where same.id <> ${id}
     group by same.id, same.created_at
     order by same.created_at desc, same.id desc limit ${limit}`;
}

function searchByQuery(tx: ReadTx, query: CustomerQuery, fewUpdated: Sql | undefined): KeysetQuery {
  const { currency, email, isIncludingDeleted = false } = query;
  const columns = customerColumns(sql`t`);
  if (currency !== undefined && !isIncludingDeleted) return { columns, ...holders(tx, currency, query) };
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    ...(isIncludingDeleted ? [] : [sql`t.deleted_at is null`]),
    ...(currency === undefined ? [] : [sql`t.currencies @> array[${currency}::text]`]),
    ...conditions(tx, query),
  ];
  if (fewUpdated || email === undefined) {
    return { columns, from: fewUpdated ?? sql`customers t`, where: [...where, ...hasEmail(tx, email)] };
  }
  const alternatives = valueConditions(tx, sql`t`, 'email', email).map((condition) => [condition]);
  return { columns, from: sql`customers t`, where, alternatives };
}

function hasEmail(tx: ReadTx, email: string | undefined): Sql[] {
  return email === undefined ? [] : [hasValue(tx, sql`t`, 'email', email)];
}

/**
 * Live customers of one currency, read from the side table that has them in the list's order. Every entry has a
 * customer, so the outer join changes no result, but lets the count skip the customers table.
 */
function holders(tx: ReadTx, currency: string, query: CustomerQuery): Pick<KeysetQuery, 'from' | 'where'> {
  const from = sql`(
    select h.platform_id, h.currency, h.created_at, h.customer_id as id, c.customer_type, c.platform_customer_id,
           c.uma_address, c.status, c.region, c.currencies, c.email, c.phone_number, c.address, c.profile,
           c.reference, c.uma, c.person,
           c.identifier, c.tax_id, c.registration_number, c.email_verification, c.phone_verification,
           c.terms_consent, c.terms_ip, c.updated_at, c.deleted_at, c.erased_at
      from customer_currencies h
      left join customers c on c.platform_id = h.platform_id and c.id = h.customer_id) t`;
  const own = [sql`t.platform_id = ${tx.platformId}`, sql`t.currency = ${currency}`];
  return { from, where: [...own, ...hasEmail(tx, query.email), ...conditions(tx, query)] };
}

function conditions(tx: ReadTx, query: CustomerQuery): Sql[] {
  const { platformCustomerId, customerType, region, umaAddress } = query;
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = query;
  return [
    platformCustomerId !== undefined && hasValue(tx, sql`t`, 'reference', platformCustomerId),
    customerType !== undefined && sql`t.customer_type = ${customerType}`,
    region !== undefined && sql`t.region = ${region}`,
    umaAddress !== undefined && hasValue(tx, sql`t`, 'uma', readUmaAddress(umaAddress)),
    createdAfter !== undefined && sql`t.created_at >= ${parseDateTime(createdAfter)}`,
    createdBefore !== undefined && sql`t.created_at <= ${parseDateTime(createdBefore)}`,
    updatedAfter !== undefined && sql`t.updated_at >= ${parseDateTime(updatedAfter)}`,
    // No customer changes before its creation, so the second condition only lets the scan start at the first match.
    updatedBefore !== undefined &&
      sql`t.updated_at <= ${parseDateTime(updatedBefore)} and t.created_at <= ${parseDateTime(updatedBefore)}`,
  ].filter((condition) => condition !== false);
}

/** A customer under review, for a list over platforms: `created_at` is the time since when the customer waits. */
export interface WaitingCustomer extends RowKey {
  readonly id: CustomerId;
  readonly customer_type: CustomerRow['customer_type'];
  readonly status: CustomerRow['status'];
}

/** Lists customers under review or on hold, or in one of these, the shortest waiting first. */
export function pagePendingCustomers(
  tx: ReadTx,
  request: PageRequest,
  status: 'PENDING' | 'HOLD' | undefined,
): Promise<Page<WaitingCustomer>> {
  const from = sql`(
    select c.platform_id, c.id, c.updated_at as created_at, c.customer_type, c.status from customers c
     where c.status in ('PENDING', 'HOLD') and c.deleted_at is null) t`;
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
  const columns = sql`t.id, t.created_at, t.customer_type, t.status`;
  return keysetPage(tx, request, { columns, from, where }, (row: WaitingCustomer) => row);
}

export type PendingCustomer = Pick<
  CustomerRow,
  'id' | 'customer_type' | 'platform_customer_id' | 'status' | 'updated_at'
>;

/** For the operator's list: customers under review or on hold, the longest waiting first. */
export async function findPendingCustomers(tx: ReadTx): Promise<PendingCustomer[]> {
  const rows = await tx.sql<StoredCustomer>`
    select ${customerColumns(sql`c`)} from customers c
     where c.platform_id = ${tx.platformId} and c.status in ('PENDING', 'HOLD') and c.deleted_at is null
     order by c.updated_at, c.id`;
  return openCustomers(tx, rows);
}
