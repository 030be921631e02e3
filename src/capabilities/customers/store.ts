import type { ContactStatus, CustomerRow, CustomerValues } from '#capabilities/customers/customer-row.ts';
import {
  hashCustomer,
  openCustomers,
  type SealedColumns,
  type StoredCustomer,
  sealCustomer,
} from '#capabilities/customers/sealed-customer.ts';
import { violates } from '#foundation/database/failures.ts';
import { versionsOf } from '#foundation/database/known-hashes.ts';
import { requireRow } from '#foundation/database/rows.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

export function customerColumns(alias: Sql): Sql {
  return sql`${alias}.id, ${alias}.customer_type, ${alias}.platform_customer_id, ${alias}.uma_address,
    ${alias}.status, ${alias}.region, ${alias}.currencies, ${alias}.email, ${alias}.phone_number, ${alias}.address,
    ${alias}.profile, ${alias}.reference, ${alias}.uma, ${alias}.person, ${alias}.identifier, ${alias}.tax_id, ${alias}.registration_number,
    ${alias}.email_verification, ${alias}.phone_verification, ${alias}.terms_consent, ${alias}.terms_ip, ${alias}.created_at,
    ${alias}.updated_at, ${alias}.deleted_at, ${alias}.erased_at`;
}

const COLUMNS = customerColumns(sql`c`);

/**
 * The columns of the customer `c` that a search for a value compares: its hash, and the text in rows that are not
 * sealed yet.
 */
const SEARCHED = {
  reference: (c: Sql) => ({ hash: sql`${c}.reference_hash`, clear: sql`${c}.platform_customer_id` }),
  uma: (c: Sql) => ({ hash: sql`${c}.uma_hash`, clear: sql`${c}.uma_address` }),
  email: (c: Sql) => ({ hash: sql`${c}.email_hash`, clear: sql`lower(${c}.email)` }),
  phone: (c: Sql) => ({ hash: sql`${c}.phone_hash`, clear: sql`${c}.phone_number` }),
} as const;

/**
 * Returns two conditions, and three while the key of hashes is rotated. Each customer with this value meets exactly one of
 * them, and each has an index in the order of the list.
 */
export function valueConditions(
  tx: ReadTx,
  alias: Sql,
  field: keyof typeof SEARCHED,
  value: string,
): readonly Sql[] {
  const { hash, clear } = SEARCHED[field](alias);
  const text = field === 'email' ? value.toLowerCase() : value;
  return [
    ...versionsOf(hashCustomer(tx.vault, field, value)).map((one) => sql`${hash} = ${one}`),
    sql`${clear} = ${text} and ${alias}.person is null`,
  ];
}

/** Returns the condition that a customer under this alias has this value. It is for values that few customers share. */
export function hasValue(tx: ReadTx, alias: Sql, field: keyof typeof SEARCHED, value: string): Sql {
  const found = valueConditions(tx, sql`c`, field, value).map(
    (condition) => sql`select c.id from customers c where c.platform_id = ${tx.platformId} and ${condition}`,
  );
  return sql`${alias}.id in (${joinSql(found, ' union all ')})`;
}

async function openOne(tx: ReadTx, rows: readonly StoredCustomer[]): Promise<CustomerRow | undefined> {
  const [row] = await openCustomers(tx, rows);
  return row;
}

/** Also finds deleted customers (customers.md §2.2.18). */
export async function findCustomer(tx: ReadTx, id: CustomerId): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}`,
  );
}

/** Only GET and the list show deleted customers (customers.md §2.4.26). */
export async function findLiveCustomer(tx: ReadTx, id: CustomerId): Promise<CustomerRow | undefined> {
  const row = await findCustomer(tx, id);
  return row?.deleted_at === null ? row : undefined;
}

/** A live customer of this platform, by its UMA address in lower case. */
export async function findCustomerByUma(tx: ReadTx, umaAddress: string): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c
     where c.platform_id = ${tx.platformId} and ${hasValue(tx, sql`c`, 'uma', umaAddress)} and c.deleted_at is null`,
  );
}

/** Finds and locks it, so that it cannot be deleted until the transaction ends; other changes do not wait. */
export async function lockCustomerByUma(tx: Tx, umaAddress: string): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c
     where c.platform_id = ${tx.platformId} and ${hasValue(tx, sql`c`, 'uma', umaAddress)} and c.deleted_at is null
       for key share`,
  );
}

/** Locks until the transaction ends; rows that merely refer to the customer can still be inserted. */
export async function lockCustomer(tx: Tx, id: CustomerId): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}
       for no key update`,
  );
}

/** Like `lockCustomer`, for an erasure: no value is opened, because the key may already be destroyed. */
export async function lockStoredCustomer(tx: Tx, id: CustomerId): Promise<StoredCustomer | undefined> {
  const [row] = await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}
       for no key update`;
  return row;
}

/** Like `lockCustomer`, but no row that refers to the customer can be inserted meanwhile. */
export async function lockCustomerForDeletion(tx: Tx, id: CustomerId): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}
       for update`,
  );
}

/**
 * Locks these customers so that they cannot be deleted until the transaction ends; other changes do not wait. Returns
 * the ids of those that are already deleted.
 */
export async function lockCustomersAgainstDeletion(
  tx: Tx,
  ids: readonly CustomerId[],
): Promise<CustomerId[]> {
  if (ids.length === 0) return [];
  const rows = await tx.sql<Pick<CustomerRow, 'id' | 'deleted_at'>>`
    select id, deleted_at from customers where platform_id = ${tx.platformId} and id = any(${ids}::uuid[])
     order by id
       for key share`;
  return rows.filter((row) => row.deleted_at !== null).map((row) => row.id);
}

export async function lockLiveCustomer(tx: Tx, id: CustomerId): Promise<CustomerRow | undefined> {
  const row = await lockCustomer(tx, id);
  return row?.deleted_at === null ? row : undefined;
}

/** Inserts the customer and the index of its currencies in one statement. */
export async function insertCustomer(tx: Tx, id: CustomerId, values: CustomerValues): Promise<CustomerRow> {
  const sealed = await sealOrRefuse(tx, id, values);
  const rows = await tx.sql<StoredCustomer>`
    with c as (
      insert into customers (
        platform_id, id, environment, customer_type, profile, reference, uma, person, reference_hash, uma_hash, email_hash,
        phone_hash, name_hashes, status, region, currencies, identifier, tax_id, registration_number, email_verification,
        phone_verification, terms_consent, terms_ip, created_at, updated_at)
      select p.id, ${id}, environment, ${values.customer_type}, null, ${sealed.reference}::bytea, ${sealed.uma}::bytea,
             ${sealed.person}::bytea, ${sealed.reference_hash}::bytea, ${sealed.uma_hash}::bytea,
             ${sealed.email_hash}::bytea, ${sealed.phone_hash}::bytea, ${sealed.name_hashes}::bytea[], ${values.status},
             ${values.region}, ${values.currencies}, ${values.identifier}::bytea, ${values.tax_id}::bytea, ${values.registration_number}::bytea,
             ${values.email_verification}, ${values.phone_verification}, ${json(values.terms_consent)}::jsonb,
             ${values.terms_ip}::bytea, ${tx.now}::timestamptz, ${tx.now}::timestamptz
        from platforms p where p.id = ${tx.platformId}
      returning *),
    held as (
      insert into customer_currencies (platform_id, currency, created_at, customer_id)
      select c.platform_id, unnest(c.currencies), c.created_at, c.id from c)
    select ${COLUMNS} from c`.catch(translateConflict);
  return requireRow(await openCustomers(tx, rows));
}

export async function updateCustomer(tx: Tx, id: CustomerId, values: CustomerValues): Promise<CustomerRow> {
  const sealed = await sealOrRefuse(tx, id, values);
  const rows = await tx.sql<StoredCustomer>`
    update customers c
       set ${sealedColumns(sealed)}, currencies = ${values.currencies}, identifier = ${values.identifier}, tax_id = ${values.tax_id},
           registration_number = ${values.registration_number},
           email_verification = ${values.email_verification}, phone_verification = ${values.phone_verification},
           terms_consent = ${json(values.terms_consent)}, terms_ip = ${values.terms_ip}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`.catch(translateConflict);
  return requireRow(await openCustomers(tx, rows));
}

/** Sets the sealed columns of a customer, and empties the columns in clear text. */
export function sealedColumns(sealed: SealedColumns): Sql {
  return sql`reference = ${sealed.reference}, uma = ${sealed.uma}, person = ${sealed.person},
           reference_hash = ${sealed.reference_hash}, uma_hash = ${sealed.uma_hash},
           email_hash = ${sealed.email_hash}, phone_hash = ${sealed.phone_hash},
           name_hashes = ${sealed.name_hashes}::bytea[], platform_customer_id = null,
           uma_address = null, email = null, phone_number = null, address = null, profile = null`;
}

/**
 * Seals the personal values, and refuses a value that a row in clear text already has: the unique indexes compare
 * sealed rows only. If another transaction seals such a row at the same time, the index sees the sealed row, or this
 * search still finds the row in clear text.
 */
async function sealOrRefuse(tx: Tx, id: CustomerId, values: CustomerValues): Promise<SealedColumns> {
  const [taken] = await tx.sql<{ reference: boolean; uma: boolean }>`
    select exists (select from customers c
                    where c.platform_id = ${tx.platformId} and c.platform_customer_id = ${values.platform_customer_id}
                      and c.deleted_at is null and c.id <> ${id}) as reference,
           exists (select from customers c
                    where environment = (select environment from platforms where id = ${tx.platformId})
                      and c.uma_address = ${values.uma_address}
                      and c.deleted_at is null and (c.platform_id, c.id) <> (${tx.platformId}, ${id})) as uma`;
  if (taken?.reference) throw referenceTaken();
  if (taken?.uma) throw umaAddressTaken();
  return sealCustomer(tx, id, values);
}

export async function addCurrencies(tx: Tx, customer: CustomerRow, added: readonly string[]): Promise<void> {
  await tx.sql`
    insert into customer_currencies (platform_id, currency, created_at, customer_id)
    select ${tx.platformId}, unnest(${added}::text[]), ${customer.created_at}, ${customer.id}`;
}

export async function dropCurrencies(
  tx: Tx,
  customerId: CustomerId,
  dropped: readonly string[],
): Promise<void> {
  await tx.sql`
    delete from customer_currencies
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and currency = any(${dropped})`;
}

/** Undefined if the customer is deleted or already has this status. */
export async function updateCustomerStatus(
  tx: ReadTx,
  id: CustomerId,
  status: IdentityStatus,
): Promise<CustomerRow | undefined> {
  return openOne(
    tx,
    await tx.sql<StoredCustomer>`
    update customers c set status = ${status}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null and c.status <> ${status}
    returning ${COLUMNS}`,
  );
}

export async function updateContactStatus(
  tx: Tx,
  id: CustomerId,
  channel: 'EMAIL' | 'PHONE',
  status: ContactStatus,
): Promise<CustomerRow> {
  const rows = await tx.sql<StoredCustomer>`
    update customers c
       set email_verification = case when ${channel} = 'EMAIL' then ${status} else c.email_verification end,
           phone_verification = case when ${channel} = 'PHONE' then ${status} else c.phone_verification end,
           updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`;
  return requireRow(await openCustomers(tx, rows));
}

/** Frees the reference and the UMA address, and removes the customer from the index of currencies. */
export async function markCustomerDeleted(tx: Tx, id: CustomerId): Promise<CustomerRow> {
  await tx.sql`
    delete from customer_currencies where platform_id = ${tx.platformId} and customer_id = ${id}`;
  const rows = await tx.sql<StoredCustomer>`
    update customers c set deleted_at = ${tx.now}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`;
  return requireRow(await openCustomers(tx, rows));
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function translateConflict(error: unknown): never {
  if (violates(error, 'customers_reference_hash')) throw referenceTaken();
  if (violates(error, 'customers_uma_hash')) throw umaAddressTaken();
  throw error;
}

export function customerNotFound(): Refusal {
  return notFound('CUSTOMER_NOT_FOUND', 'Customer');
}

export function referenceTaken(): Refusal {
  const field = 'platformCustomerId';
  return new Refusal('CONFLICT', 'Another customer already has this platformCustomerId.', { field });
}

export function umaAddressTaken(): Refusal {
  const field = 'umaAddress';
  return new Refusal('UMA_ADDRESS_EXISTS', 'Another customer already has this UMA address.', { field });
}

/** Finds every customer with this platform reference, including deleted ones. */
export async function findCustomerIdsByReference(
  tx: ReadTx,
  platformCustomerId: string,
): Promise<CustomerId[]> {
  const rows = await tx.sql<{ id: CustomerId }>`
    select id from customers
     where platform_id = ${tx.platformId} and ${hasValue(tx, sql`customers`, 'reference', platformCustomerId)}
     order by created_at desc, id desc`;
  return rows.map(({ id }) => id);
}
