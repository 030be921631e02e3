import type {
  CustomerRow,
  CustomerValues,
  OpenBusiness,
  OpenPerson,
} from '#capabilities/customers/customer-row.ts';
import { ERASED_UMA } from '#capabilities/customers/customer-row.ts';
import type { Address } from '#capabilities/customers/field-schemas.ts';
import { hashName } from '#capabilities/customers/name-words.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { PersonErased } from '#foundation/crypto/person-seal.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** The values of a customer that are sealed with the customer's own key. */
type PersonalName = 'platform_customer_id' | 'uma_address' | 'email' | 'phone_number' | 'address' | 'profile';

/**
 * A customer as it is stored: either the personal values are sealed and the columns in clear text are null or, in a row
 * of an earlier version that no job has sealed yet, the other way round.
 */
export type StoredCustomer = Omit<CustomerRow, PersonalName> & {
  readonly [Name in PersonalName]: CustomerRow[Name] | null;
} & { readonly reference: Buffer | null; readonly uma: Buffer | null; readonly person: Buffer | null };

/** All personal values. Other rows and look-ups need two of them by themselves, so these have columns of their own, too. */
interface SealedPerson {
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly address: Address | null;
  readonly profile: OpenPerson | OpenBusiness;
  /** Here as well, so that a page opens one value of each customer. Absent in rows that were sealed without them. */
  readonly reference?: string;
  readonly uma?: string;
}

/** The sealed columns of the personal values, and the hashes that find them. */
export interface SealedColumns {
  readonly reference: Buffer;
  readonly uma: Buffer;
  readonly person: Buffer;
  readonly reference_hash: Buffer;
  readonly uma_hash: Buffer;
  readonly email_hash: Buffer | null;
  readonly phone_hash: Buffer | null;
  readonly name_hashes: readonly Buffer[];
}

type SealedColumn = 'reference' | 'uma' | 'person';

function contextOf(column: SealedColumn, customerId: CustomerId): string {
  return `customers.${column}:${customerId}`;
}

export function sealCustomer(
  tx: Pick<ReadTx, 'vault' | 'platformId'>,
  id: CustomerId,
  values: Pick<CustomerValues, PersonalName>,
): SealedColumns {
  const { vault } = tx;
  const { platform_customer_id, uma_address, email, phone_number: phoneNumber, address, profile } = values;
  const names = { reference: platform_customer_id, uma: uma_address };
  const person: SealedPerson = { email, phoneNumber, address, profile, ...names };
  const seal = (column: SealedColumn, text: string) => vault.sealFor([id], text, contextOf(column, id));
  return {
    reference: seal('reference', platform_customer_id),
    uma: seal('uma', uma_address),
    person: seal('person', JSON.stringify(person)),
    reference_hash: hashCustomer(vault, 'reference', platform_customer_id).toStore,
    uma_hash: hashCustomer(vault, 'uma', uma_address).toStore,
    email_hash: email === null ? null : hashCustomer(vault, 'email', email).toStore,
    phone_hash: phoneNumber === null ? null : hashCustomer(vault, 'phone', phoneNumber).toStore,
    name_hashes: hashName(tx, profile),
  };
}

/** Returns the keyed hash that finds customers with the same value. E-mail addresses match in any letter case. */
export function hashCustomer(
  vault: Pick<Vault, 'hash'>,
  field: 'reference' | 'uma' | 'email' | 'phone',
  value: string,
): KeyedHash {
  const normalised = field === 'email' ? value.toLowerCase() : value;
  return vault.hash(normalised, `customers.${field}`);
}

/**
 * Opens the customers of one read. The keys of several people are fetched in one trip. A customer whose key is destroyed
 * looks erased, although a restored database has not emptied the row yet: one such customer must not fail a whole page.
 */
export async function openCustomers(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredCustomer[],
): Promise<CustomerRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ person }) => person));
  return rows.map((row) => openKeptCustomer(vault, row) ?? erasedForm(row));
}

function openCustomer(vault: Vault, stored: StoredCustomer): CustomerRow {
  const { reference, uma, person, ...row } = stored;
  // A constraint keeps both forms apart: a row that is not sealed is in clear text.
  if (person === null) return row as CustomerRow;
  const { email, phoneNumber, address, profile, ...names } = openPerson(vault, { id: row.id, person });
  return {
    ...row,
    platform_customer_id:
      names.reference ?? openReference(vault, { id: row.id, reference, platform_customer_id: null }),
    uma_address: names.uma ?? openUma(vault, { id: row.id, uma, uma_address: null }),
    email,
    phone_number: phoneNumber,
    address,
    profile,
  };
}

/** The form that `eraseProfile` gives to a customer. */
function erasedForm({ reference: _, uma: __, person: ___, ...row }: StoredCustomer): CustomerRow {
  return {
    ...row,
    platform_customer_id: row.id,
    uma_address: ERASED_UMA,
    ...{ email: null, phone_number: null, address: null, profile: {} },
    ...{ identifier: null, tax_id: null, registration_number: null, terms_consent: null, terms_ip: null },
  } as CustomerRow;
}

/** Opens a customer, or returns nothing if the customer's key was destroyed. */
export function openKeptCustomer(vault: PersonVault, stored: StoredCustomer): CustomerRow | undefined {
  try {
    return openCustomer(vault, stored);
  } catch (error) {
    if (error instanceof PersonErased) return undefined;
    throw error;
  }
}

/** Opens the contacts and the profile alone, for statements that read few columns of a customer. */
export function openPerson(vault: Vault, { id, person }: { id: CustomerId; person: Buffer }): SealedPerson {
  return JSON.parse(vault.openText(person, contextOf('person', id))) as SealedPerson;
}

/** The same for readers outside a `Work`: returns nothing if the customer's key was destroyed. */
export function openKeptPerson(
  vault: PersonVault,
  { id, person }: { id: CustomerId; person: Buffer },
): SealedPerson | undefined {
  const text = vault.openKept(person, contextOf('person', id));
  return text === undefined ? undefined : (JSON.parse(text) as SealedPerson);
}

/** Opens the platform's own reference alone. */
export function openReference(
  vault: Vault,
  row: Pick<StoredCustomer, 'id' | 'reference' | 'platform_customer_id'>,
): string {
  const { id, reference, platform_customer_id: clear } = row;
  if (reference !== null) return vault.openText(reference, contextOf('reference', id));
  if (clear === null) throw new Error('a customer has its reference neither sealed nor in clear text');
  return clear;
}

function openUma(vault: Vault, row: Pick<StoredCustomer, 'id' | 'uma' | 'uma_address'>): string {
  const { id, uma, uma_address: clear } = row;
  if (uma !== null) return vault.openText(uma, contextOf('uma', id));
  if (clear === null) throw new Error('a customer has its UMA address neither sealed nor in clear text');
  return clear;
}

/** A row of another table, with the reference of its customer as it is stored. */
export interface WithStoredReference {
  readonly customer_id: CustomerId;
  readonly reference: Buffer | null;
  readonly platform_customer_id: string | null;
}

/** Opens the references of the customers that rows of another table belong to. */
export async function openReferences<Row extends WithStoredReference>(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly Row[],
): Promise<(Omit<Row, 'reference' | 'platform_customer_id'> & { platform_customer_id: string })[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ reference }) => reference));
  return rows.map(({ reference, platform_customer_id, ...row }) => ({
    ...row,
    platform_customer_id: openReference(vault, { id: row.customer_id, reference, platform_customer_id }),
  }));
}
