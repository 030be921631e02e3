import type { Vault } from '#crypto/vault.ts';
import { type Address, type AddressUpdate, readAddress } from '#customers/field-schemas.ts';
import { readName, withoutIdleDescriptions } from '#customers/profile-rules.ts';
import {
  BUSINESS_NAMES,
  type Business,
  type CustomerCreateRequest,
  type CustomerUpdateRequest,
  INDIVIDUAL_NAMES,
  type Individual,
} from '#customers/schemas.ts';
import type { CustomerRow, CustomerValues, OpenBusiness, OpenPerson } from '#customers/store.ts';

/** What is known of a customer, with identification numbers in clear; what is not known is absent. */
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

/** What the first request says. Only known names are taken; anything else is ignored (customers.md §2.1.2). */
export function profileOfRequest(body: CustomerCreateRequest): Profile {
  const blank: Profile = { customerType: body.customerType, person: {}, business: {} };
  return mergeProfile(blank, body);
}

/** Fields merge, `null` clears; the address replaces whole, businessInfo merges key by key (customers.md §2.3.20). */
export function mergeProfile(stored: Profile, sent: CustomerCreateRequest | CustomerUpdateRequest): Profile {
  const email = after(stored.email, sent.email);
  const phoneNumber = after(stored.phoneNumber, sent.phoneNumber);
  const address = after(
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
    business: withoutIdleDescriptions(business),
  };
}

function tidyPerson(person: Individual): Individual {
  const { fullName, ...rest } = withoutIdleDescriptions(person);
  // That an SSN or ITIN is American goes without saying; kept, it would stand in the way of another idType.
  if (rest.countryOfIssuance === 'US' && isAmerican(rest.idType)) delete rest.countryOfIssuance;
  return { ...(fullName !== undefined && { fullName: readName(fullName) }), ...rest };
}

export function isAmerican(idType: Individual['idType']): boolean {
  return idType === 'SSN' || idType === 'ITIN';
}

function after<Value>(
  stored: Value | undefined,
  sent: Value | null | undefined,
  given: unknown = sent,
): Value | undefined {
  if (given === undefined) return stored;
  return given === null ? undefined : (sent ?? undefined);
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

/** The place a number is sealed to. */
function numberContext(column: SealedName, customerId: string): string {
  return `customers.${column}:${customerId}`;
}

export function openNumber(vault: Vault, row: CustomerRow, column: SealedName): string | undefined {
  const sealed = row[column];
  return sealed === null ? undefined : vault.openText(sealed, numberContext(column, row.id));
}

/** The stored customer with its numbers opened; for rules and providers, never for a reply. */
export function profileOf(vault: Vault, row: CustomerRow): Profile {
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

/** As it is stored: numbers sealed to the customer's row, the rest open. */
export function storedProfile(vault: Vault, customerId: string, profile: Profile): StoredProfile {
  const { identifier, ...person } = profile.person;
  const { taxId, registrationNumber, ...business } = profile.business;
  const sealed = (column: SealedName, number: string | undefined) =>
    number === undefined ? null : vault.seal(number, numberContext(column, customerId));
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
