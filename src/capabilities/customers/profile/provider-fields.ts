import type { Profile } from '#capabilities/customers/profile/profile.ts';
import { problem } from '#capabilities/customers/profile/profile-rules.ts';
import type { CurrencyRule } from '#capabilities/platform/config.ts';
import type { CustomerInfoFieldName } from '#capabilities/platform/schemas.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** The field that contains a fact, and how to read it. */
interface FactSource {
  readonly field: string;
  valueOf(profile: Profile): string | undefined;
}

/** By type of customer; a type without an entry does not have the fact, so the fact is not required. */
type FactSources = Partial<Record<Profile['customerType'], FactSource>>;

const LEGAL_NAME: FactSource = {
  field: 'businessInfo.legalName',
  valueOf: ({ business }) => business.legalName,
};
const IDENTIFIER: FactSource = { field: 'identifier', valueOf: ({ person }) => person.identifier };

/** Facts that every customer has, or that belong to a payment or an institution, are not in this table. */
const FACTS: Partial<Record<CustomerInfoFieldName, FactSources>> = {
  FULL_NAME: {
    INDIVIDUAL: { field: 'fullName', valueOf: ({ person }) => person.fullName },
    BUSINESS: LEGAL_NAME,
  },
  BIRTH_DATE: { INDIVIDUAL: { field: 'birthDate', valueOf: ({ person }) => person.birthDate } },
  NATIONALITY: { INDIVIDUAL: { field: 'nationality', valueOf: ({ person }) => person.nationality } },
  PHONE_NUMBER: forBothTypes({ field: 'phoneNumber', valueOf: ({ phoneNumber }) => phoneNumber }),
  EMAIL: forBothTypes({ field: 'email', valueOf: ({ email }) => email }),
  POSTAL_ADDRESS: forBothTypes({
    field: 'address',
    valueOf: ({ address }) => address && formatAddress(address),
  }),
  TAX_ID: {
    INDIVIDUAL: IDENTIFIER,
    BUSINESS: { field: 'businessInfo.taxId', valueOf: ({ business }) => business.taxId },
  },
  REGISTRATION_NUMBER: {
    BUSINESS: {
      field: 'businessInfo.registrationNumber',
      valueOf: ({ business }) => business.registrationNumber,
    },
  },
  IDENTIFIER: { INDIVIDUAL: IDENTIFIER },
  BUSINESS_TYPE: {
    BUSINESS: { field: 'businessInfo.businessType', valueOf: ({ business }) => business.businessType },
  },
  COMPANY_LEGAL_NAME: { BUSINESS: LEGAL_NAME },
  ID_TYPE: { INDIVIDUAL: { field: 'idType', valueOf: ({ person }) => person.idType } },
  ID_NUMBER: { INDIVIDUAL: IDENTIFIER },
};

/** Returns the recorded value of a fact, by the name that providers use, or undefined. */
export function factOnFile(profile: Profile, fact: string): string | undefined {
  return sourcesOf(fact)?.[profile.customerType]?.valueOf(profile);
}

/** True if the fact need not be requested: it is on record, or customers of this type do not have it. */
export function isAlreadyKnown(profile: Profile, fact: string): boolean {
  const sources = sourcesOf(fact);
  if (!sources) return false;
  const source = sources[profile.customerType];
  return source === undefined || source.valueOf(profile) !== undefined;
}

/** The customer before a change: a currency that it already had without a fact does not require the fact now. */
export interface PreviousCustomer {
  readonly profile: Profile;
  readonly currencies: readonly string[];
}

/**
 * Returns the facts that the providers of these currencies require and the record lacks, or has lost
 * (customers.md §2.1.14).
 */
export function missingProviderFields(
  profile: Profile,
  rules: readonly CurrencyRule[],
  previous?: PreviousCustomer,
): FieldError[] {
  const missing = new Map<string, string[]>();
  for (const { currencyCode, providerRequiredCustomerFields } of rules) {
    const held = previous?.currencies.includes(currencyCode) ? previous.profile : undefined;
    for (const fact of providerRequiredCustomerFields) {
      const source = FACTS[fact]?.[profile.customerType];
      if (!source || source.valueOf(profile) !== undefined) continue;
      if (held && source.valueOf(held) === undefined) continue;
      missing.set(source.field, [...(missing.get(source.field) ?? []), currencyCode]);
    }
  }
  return [...missing].map(([field, codes]) =>
    problem(field, `is required for ${[...new Set(codes)].join(', ')}`),
  );
}

/** Undefined for names that this table lacks; providers may ask for any fact. */
function sourcesOf(fact: string): FactSources | undefined {
  return Object.hasOwn(FACTS, fact) ? FACTS[fact as CustomerInfoFieldName] : undefined;
}

function forBothTypes(source: FactSource): FactSources {
  return { INDIVIDUAL: source, BUSINESS: source };
}

function formatAddress(address: NonNullable<Profile['address']>): string {
  const { line1, line2, city, state, postalCode, country } = address;
  return [line1, line2, city, state, postalCode, country].filter((part) => part !== undefined).join(', ');
}
