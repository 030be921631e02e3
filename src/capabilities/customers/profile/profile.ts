import type {
  CustomerRow,
  CustomerValues,
  OpenBusiness,
  OpenPerson,
} from '#capabilities/customers/customer-row.ts';
import { type Address, type AddressUpdate, readAddress } from '#capabilities/customers/field-schemas.ts';
import { readName, withoutUnusedDescriptions } from '#capabilities/customers/profile/profile-rules.ts';
import {
  BUSINESS_NAMES,
  type Business,
  type CustomerCreateRequest,
  type CustomerUpdateRequest,
  INDIVIDUAL_NAMES,
  type Individual,
} from '#capabilities/customers/schemas.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';

/** A customer's known details, with identification numbers in clear text; unknown fields are absent. */
export interface Profile {
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly address?: Address;
  /** Empty for a business. */
  readonly person: Individual;
  /** Empty for an individual. */
  readonly business: Business;
}

/** The profile of a new customer; unknown fields are ignored (customers.md §2.1.2). */
export function profileOfRequest(body: CustomerCreateRequest): Profile {
  const blank: Profile = { customerType: body.customerType, person: {}, business: {} };
  return mergeProfile(blank, body);
}

/**
 * Merges field by field, also in `businessInfo`; `null` clears, and an address is replaced entirely (customers.md
 * §2.3.20).
 */
export function mergeProfile(stored: Profile, sent: CustomerCreateRequest | CustomerUpdateRequest): Profile {
  const email = mergeValue(stored.email, sent.email);
  const phoneNumber = mergeValue(stored.phoneNumber, sent.phoneNumber);
  const address = mergeValue(
    stored.address,
    sent.address && readAddress(sent.address as AddressUpdate),
    sent.address,
  );
  const person = sent.customerType === 'INDIVIDUAL' ? merge(stored.person, sent, INDIVIDUAL_NAMES) : {};
  const business =
    sent.customerType === 'BUSINESS' ? merge(stored.business, sent.businessInfo ?? {}, BUSINESS_NAMES) : {};
  return {
    customerType: stored.customerType,
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(address !== undefined && { address }),
    person: tidyPerson(person),
    business: withoutUnusedDescriptions(business),
  };
}

function tidyPerson(person: Individual): Individual {
  const { fullName, ...rest } = withoutUnusedDescriptions(person);
  // An SSN or ITIN implies the US. If the US were stored, it would contradict a later change to another idType.
  if (rest.countryOfIssuance === 'US' && isUsNumber(rest.idType)) delete rest.countryOfIssuance;
  return { ...(fullName !== undefined && { fullName: readName(fullName) }), ...rest };
}

export function isUsNumber(idType: Individual['idType']): boolean {
  return idType === 'SSN' || idType === 'ITIN';
}

function mergeValue<Value>(
  stored: Value | undefined,
  sent: Value | null | undefined,
  raw: unknown = sent,
): Value | undefined {
  if (raw === undefined) return stored;
  return raw === null ? undefined : (sent ?? undefined);
}

function merge<Fields extends object>(
  stored: Fields,
  sent: object,
  names: readonly (keyof Fields)[],
): Fields {
  const merged = { ...stored };
  for (const name of names) {
    const value = (sent as { [Name in keyof Fields]?: Fields[Name] | null })[name];
    if (value === null) delete merged[name];
    else if (value !== undefined) merged[name] = value;
  }
  return merged;
}

type SealedName = 'identifier' | 'tax_id' | 'registration_number';

/** The sealed number can be opened for this column of this customer only. */
function numberContext(column: SealedName, customerId: CustomerId): string {
  return `customers.${column}:${customerId}`;
}

export function openNumber(vault: Vault, row: CustomerRow, column: SealedName): string | undefined {
  const sealed = row[column];
  return sealed === null ? undefined : vault.openText(sealed, numberContext(column, row.id));
}

/** Returns the stored customer with its numbers opened, for rules and providers, never for a reply. */
export function openProfile(vault: Vault, row: CustomerRow): Profile {
  const isPerson = row.customer_type === 'INDIVIDUAL';
  const identifier = openNumber(vault, row, 'identifier');
  return {
    customerType: row.customer_type,
    ...(row.email !== null && { email: row.email }),
    ...(row.phone_number !== null && { phoneNumber: row.phone_number }),
    ...(row.address !== null && { address: row.address }),
    person: isPerson
      ? { ...(row.profile as OpenPerson), ...(identifier !== undefined && { identifier }) }
      : {},
    business: isPerson ? {} : openBusiness(vault, row),
  };
}

export function openBusiness(vault: Vault, row: CustomerRow): Business {
  const taxId = openNumber(vault, row, 'tax_id');
  const registrationNumber = openNumber(vault, row, 'registration_number');
  return {
    ...(row.profile as OpenBusiness),
    ...(taxId !== undefined && { taxId }),
    ...(registrationNumber !== undefined && { registrationNumber }),
  };
}

type StoredProfile = Pick<
  CustomerValues,
  'email' | 'phone_number' | 'address' | 'profile' | 'identifier' | 'tax_id' | 'registration_number'
>;

/** The row's values; identification numbers are sealed for this customer. */
export function storedProfile(vault: PersonVault, customerId: CustomerId, profile: Profile): StoredProfile {
  const { identifier, ...person } = profile.person;
  const { taxId, registrationNumber, ...business } = profile.business;
  const sealed = (column: SealedName, number: string | undefined) =>
    number === undefined ? null : vault.sealFor([customerId], number, numberContext(column, customerId));
  return {
    email: profile.email ?? null,
    phone_number: profile.phoneNumber ?? null,
    address: profile.address ?? null,
    profile: profile.customerType === 'INDIVIDUAL' ? person : business,
    identifier: sealed('identifier', identifier),
    tax_id: sealed('tax_id', taxId),
    registration_number: sealed('registration_number', registrationNumber),
  };
}
