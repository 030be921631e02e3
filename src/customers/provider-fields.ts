import type { Profile } from '#customers/profile.ts';
import { problem } from '#customers/profile-rules.ts';
import type { FieldError } from '#lib/refusals.ts';
import type { CurrencyRule } from '#platform/config.ts';
import type { CustomerInfoFieldName } from '#platform/schemas.ts';

/** Where the record has a fact: under which field, and what it says there. */
interface Place {
  readonly field: string;
  valueOf(profile: Profile): string | undefined;
}

/** By type of customer; a fact that customers of a type do not have asks for nothing of them. */
type Places = Partial<Record<Profile['customerType'], Place>>;

const LEGAL_NAME: Place = {
  field: 'businessInfo.legalName',
  valueOf: ({ business }) => business.legalName,
};
const IDENTIFIER: Place = { field: 'identifier', valueOf: ({ person }) => person.identifier };

/** A fact that every customer has, or that belongs to a payment or an institution, has no place here. */
const FACTS: Partial<Record<CustomerInfoFieldName, Places>> = {
  FULL_NAME: {
    INDIVIDUAL: { field: 'fullName', valueOf: ({ person }) => person.fullName },
    BUSINESS: LEGAL_NAME,
  },
  BIRTH_DATE: { INDIVIDUAL: { field: 'birthDate', valueOf: ({ person }) => person.birthDate } },
  NATIONALITY: { INDIVIDUAL: { field: 'nationality', valueOf: ({ person }) => person.nationality } },
  PHONE_NUMBER: ofBoth({ field: 'phoneNumber', valueOf: ({ phoneNumber }) => phoneNumber }),
  EMAIL: ofBoth({ field: 'email', valueOf: ({ email }) => email }),
  POSTAL_ADDRESS: ofBoth({ field: 'address', valueOf: ({ address }) => address && inOneLine(address) }),
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

/** What the record says, by the name under which providers ask; undefined where it does not. */
export function factOnFile(profile: Profile, fact: string): string | undefined {
  return placesOf(fact)?.[profile.customerType]?.valueOf(profile);
}

/** Whether nothing is left to ask: the record says it, or a customer of this type does not have it. */
export function isAlreadyKnown(profile: Profile, fact: string): boolean {
  const places = placesOf(fact);
  if (!places) return false;
  const place = places[profile.customerType];
  return place === undefined || place.valueOf(profile) !== undefined;
}

/** The customer before a change: a currency that it held without a fact goes on without it. */
export interface Before {
  readonly profile: Profile;
  readonly currencies: readonly string[];
}

/**
 * What the providers of these currencies must know and the record does not, or no longer, say (customers.md §2.1.14).
 */
export function missingProviderFields(
  profile: Profile,
  rules: readonly CurrencyRule[],
  before?: Before,
): FieldError[] {
  const missing = new Map<string, string[]>();
  for (const { currencyCode, providerRequiredCustomerFields } of rules) {
    const held = before?.currencies.includes(currencyCode) ? before.profile : undefined;
    for (const fact of providerRequiredCustomerFields) {
      const place = FACTS[fact]?.[profile.customerType];
      if (!place || place.valueOf(profile) !== undefined) continue;
      if (held && place.valueOf(held) === undefined) continue;
      missing.set(place.field, [...(missing.get(place.field) ?? []), currencyCode]);
    }
  }
  return [...missing].map(([field, codes]) =>
    problem(field, `is required for ${[...new Set(codes)].join(', ')}`),
  );
}

/** Providers ask in words of their own. */
function placesOf(fact: string): Places | undefined {
  return Object.hasOwn(FACTS, fact) ? FACTS[fact as CustomerInfoFieldName] : undefined;
}

function ofBoth(place: Place): Places {
  return { INDIVIDUAL: place, BUSINESS: place };
}

function inOneLine(address: NonNullable<Profile['address']>): string {
  const { line1, line2, city, state, postalCode, country } = address;
  return [line1, line2, city, state, postalCode, country].filter((part) => part !== undefined).join(', ');
}
