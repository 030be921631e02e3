import type { Address } from '#capabilities/customers/field-schemas.ts';
import type { Business, EndUserTermsConsent, Individual } from '#capabilities/customers/schemas.ts';
import { violates } from '#foundation/database/failures.ts';
import { requireRow } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

export type ContactStatus = 'PENDING' | 'VERIFIED';

/** One row of `customers`. Identification numbers are sealed; profile.ts opens them. */
export interface CustomerRow {
  id: CustomerId;
  customer_type: 'INDIVIDUAL' | 'BUSINESS';
  platform_customer_id: string;
  uma_address: string;
  status: IdentityStatus;
  region: string;
  currencies: string[];
  email: string | null;
  phone_number: string | null;
  address: Address | null;
  /** Its fields depend on the type of the customer. */
  profile: OpenPerson | OpenBusiness;
  identifier: Buffer | null;
  tax_id: Buffer | null;
  registration_number: Buffer | null;
  email_verification: ContactStatus | null;
  phone_verification: ContactStatus | null;
  /** The latest consent; its address is in `terms_ip`, unless it has not been sealed yet. */
  terms_consent: StoredConsent | null;
  terms_ip: Buffer | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
}

/** A consent without its IP address; only consents from before addresses were sealed still have it here. */
export type StoredConsent = Omit<EndUserTermsConsent, 'ipAddress'> &
  Partial<Pick<EndUserTermsConsent, 'ipAddress'>>;

/** The contexts that addresses are sealed with. */
export function termsIpContext(customerId: CustomerId): string {
  return `customers.terms_ip:${customerId}`;
}

export function consentContext(id: string): string {
  return `end_user_terms_consents.ip:${id}`;
}

/** Fields that are stored unsealed: all but identification numbers. */
export type OpenPerson = Omit<Individual, 'identifier'>;
export type OpenBusiness = Omit<Business, 'taxId' | 'registrationNumber'>;

/** Columns that a platform, or a use case on its behalf, can change. */
export type CustomerValues = Omit<
  CustomerRow,
  'id' | 'created_at' | 'updated_at' | 'deleted_at' | 'erased_at'
>;

export function customerColumns(alias: Sql): Sql {
  return sql`${alias}.id, ${alias}.customer_type, ${alias}.platform_customer_id, ${alias}.uma_address,
    ${alias}.status, ${alias}.region, ${alias}.currencies, ${alias}.email, ${alias}.phone_number, ${alias}.address,
    ${alias}.profile, ${alias}.identifier, ${alias}.tax_id, ${alias}.registration_number,
    ${alias}.email_verification, ${alias}.phone_verification, ${alias}.terms_consent, ${alias}.terms_ip, ${alias}.created_at,
    ${alias}.updated_at, ${alias}.deleted_at, ${alias}.erased_at`;
}

const COLUMNS = customerColumns(sql`c`);

/** Also finds deleted customers (customers.md §2.2.18). */
export async function findCustomer(tx: ReadTx, id: CustomerId): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}`;
  return row;
}

/** Only GET and the list show deleted customers (customers.md §2.4.26). */
export async function findLiveCustomer(tx: ReadTx, id: CustomerId): Promise<CustomerRow | undefined> {
  const row = await findCustomer(tx, id);
  return row?.deleted_at === null ? row : undefined;
}

/** A live customer of this platform, by its UMA address in lower case. */
export async function findCustomerByUma(tx: ReadTx, umaAddress: string): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    select ${COLUMNS} from customers c
     where c.platform_id = ${tx.platformId} and c.uma_address = ${umaAddress} and c.deleted_at is null`;
  return row;
}

/** Finds and locks it, so that it cannot be deleted until the transaction ends; other changes do not wait. */
export async function lockCustomerByUma(tx: Tx, umaAddress: string): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    select ${COLUMNS} from customers c
     where c.platform_id = ${tx.platformId} and c.uma_address = ${umaAddress} and c.deleted_at is null
       for key share`;
  return row;
}

/** Locks until the transaction ends; rows that merely refer to the customer can still be inserted. */
export async function lockCustomer(tx: Tx, id: CustomerId): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}
       for no key update`;
  return row;
}

/** Like `lockCustomer`, but no row that refers to the customer can be inserted meanwhile. */
export async function lockCustomerForDeletion(tx: Tx, id: CustomerId): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    select ${COLUMNS} from customers c where c.platform_id = ${tx.platformId} and c.id = ${id}
       for update`;
  return row;
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
  const rows = await tx.sql<CustomerRow>`
    with c as (
      insert into customers (
        platform_id, id, environment, customer_type, platform_customer_id, uma_address, status, region, currencies,
        email, phone_number, address, profile, identifier, tax_id, registration_number, email_verification,
        phone_verification, terms_consent, terms_ip, created_at, updated_at)
      select p.id, ${id}, environment, ${values.customer_type}, ${values.platform_customer_id},
             ${values.uma_address}, ${values.status}, ${values.region}, ${values.currencies}, ${values.email},
             ${values.phone_number}, ${json(values.address)}::jsonb, ${json(values.profile)}::jsonb,
             ${values.identifier}::bytea, ${values.tax_id}::bytea, ${values.registration_number}::bytea,
             ${values.email_verification}, ${values.phone_verification}, ${json(values.terms_consent)}::jsonb,
             ${values.terms_ip}::bytea, ${tx.now}::timestamptz, ${tx.now}::timestamptz
        from platforms p where p.id = ${tx.platformId}
      returning *),
    held as (
      insert into customer_currencies (platform_id, currency, created_at, customer_id)
      select c.platform_id, unnest(c.currencies), c.created_at, c.id from c)
    select ${COLUMNS} from c`.catch(translateConflict);
  return requireRow(rows);
}

export async function updateCustomer(tx: Tx, id: CustomerId, values: CustomerValues): Promise<CustomerRow> {
  const rows = await tx.sql<CustomerRow>`
    update customers c
       set uma_address = ${values.uma_address}, currencies = ${values.currencies}, email = ${values.email},
           phone_number = ${values.phone_number}, address = ${json(values.address)},
           profile = ${json(values.profile)}, identifier = ${values.identifier}, tax_id = ${values.tax_id},
           registration_number = ${values.registration_number},
           email_verification = ${values.email_verification}, phone_verification = ${values.phone_verification},
           terms_consent = ${json(values.terms_consent)}, terms_ip = ${values.terms_ip}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`.catch(translateConflict);
  return requireRow(rows);
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

export async function insertConsent(
  tx: Tx,
  customerId: CustomerId,
  consent: EndUserTermsConsent,
): Promise<void> {
  const id = tx.newId();
  await tx.sql`
    insert into end_user_terms_consents
      (platform_id, customer_id, id, terms_version, accepted_at, ip, acceptance_method, recorded_at)
    values (${tx.platformId}, ${customerId}, ${id}, ${consent.termsVersion}, ${new Date(consent.acceptedAt)},
            ${tx.vault.seal(consent.ipAddress, consentContext(id))}, ${consent.acceptanceMethod}, ${tx.now})`;
}

/** Undefined if the customer is deleted or already has this status. */
export async function updateCustomerStatus(
  tx: ReadTx,
  id: CustomerId,
  status: IdentityStatus,
): Promise<CustomerRow | undefined> {
  const [row] = await tx.sql<CustomerRow>`
    update customers c set status = ${status}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null and c.status <> ${status}
    returning ${COLUMNS}`;
  return row;
}

export async function updateContactStatus(
  tx: Tx,
  id: CustomerId,
  channel: 'EMAIL' | 'PHONE',
  status: ContactStatus,
): Promise<CustomerRow> {
  const rows = await tx.sql<CustomerRow>`
    update customers c
       set email_verification = case when ${channel} = 'EMAIL' then ${status} else c.email_verification end,
           phone_verification = case when ${channel} = 'PHONE' then ${status} else c.phone_verification end,
           updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`;
  return requireRow(rows);
}

/** Frees the reference and the UMA address, and removes the customer from the index of currencies. */
export async function markCustomerDeleted(tx: Tx, id: CustomerId): Promise<CustomerRow> {
  await tx.sql`
    delete from customer_currencies where platform_id = ${tx.platformId} and customer_id = ${id}`;
  const rows = await tx.sql<CustomerRow>`
    update customers c set deleted_at = ${tx.now}, updated_at = ${tx.now}
     where c.platform_id = ${tx.platformId} and c.id = ${id} and c.deleted_at is null
    returning ${COLUMNS}`;
  return requireRow(rows);
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function translateConflict(error: unknown): never {
  if (violates(error, 'customers_platform_customer_id')) throw referenceTaken();
  if (violates(error, 'customers_uma_address')) throw umaAddressTaken();
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
     where platform_id = ${tx.platformId} and platform_customer_id = ${platformCustomerId}
     order by created_at desc, id desc`;
  return rows.map(({ id }) => id);
}

export interface PendingCustomer {
  readonly id: CustomerId;
  readonly customer_type: 'INDIVIDUAL' | 'BUSINESS';
  readonly platform_customer_id: string;
  readonly status: IdentityStatus;
  readonly updated_at: Date;
}

/** For the operator's list: customers under review or on hold, the longest waiting first. */
export function findPendingCustomers(tx: ReadTx): Promise<PendingCustomer[]> {
  return tx.sql<PendingCustomer>`
    select id, customer_type, platform_customer_id, status, updated_at from customers
     where platform_id = ${tx.platformId} and status in ('PENDING', 'HOLD') and deleted_at is null
     order by updated_at, id`;
}
