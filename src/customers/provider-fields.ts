import type { Profile } from '#customers/profile.ts';
import { problem } from '#customers/profile-rules.ts';
import type { FieldError } from '#lib/refusals.ts';
import type { CurrencyRule } from '#platform/config.ts';
import type { CustomerInfoFieldName } from '#platform/schemas.ts';

/**
 * What each fact is called on a customer, and whether it is known. A fact that a customer of this type does
 * not have, that every customer has, or that belongs to a payment or an institution, asks for nothing here.
 */
const FIELDS: Partial<Record<CustomerInfoFieldName, (profile: Profile) => [field: string, known: unknown]>> =
  {
    FULL_NAME: ({ customerType, person, business }) =>
      customerType === 'INDIVIDUAL'
        ? ['fullName', person.fullName]
        : ['businessInfo.legalName', business.legalName],
    BIRTH_DATE: ({ customerType, person }) => ['birthDate', customerType === 'BUSINESS' || person.birthDate],
    NATIONALITY: ({ customerType, person }) => [
      'nationality',
      customerType === 'BUSINESS' || person.nationality,
    ],
    PHONE_NUMBER: ({ phoneNumber }) => ['phoneNumber', phoneNumber],
    EMAIL: ({ email }) => ['email', email],
    POSTAL_ADDRESS: ({ address }) => ['address', address],
    TAX_ID: ({ customerType, person, business }) =>
      customerType === 'INDIVIDUAL'
        ? ['identifier', person.identifier]
        : ['businessInfo.taxId', business.taxId],
    REGISTRATION_NUMBER: ({ customerType, business }) => [
      'businessInfo.registrationNumber',
      customerType === 'INDIVIDUAL' || business.registrationNumber,
    ],
    IDENTIFIER: ({ customerType, person }) => [
      'identifier',
      customerType === 'BUSINESS' || person.identifier,
    ],
    BUSINESS_TYPE: ({ customerType, business }) => [
      'businessInfo.businessType',
      customerType === 'INDIVIDUAL' || business.businessType,
    ],
    COMPANY_LEGAL_NAME: ({ customerType, business }) => [
      'businessInfo.legalName',
      customerType === 'INDIVIDUAL' || business.legalName,
    ],
    ID_TYPE: ({ customerType, person }) => ['idType', customerType === 'BUSINESS' || person.idType],
    ID_NUMBER: ({ customerType, person }) => ['identifier', customerType === 'BUSINESS' || person.identifier],
  };

/** Whether the record says it. A fact that no customer's record has a place for is never known. */
export function knowsFact(profile: Profile, fact: string): boolean {
  // Providers ask in words of their own.
  if (!Object.hasOwn(FIELDS, fact)) return false;
  const [, known] = FIELDS[fact as CustomerInfoFieldName]?.(profile) ?? ['', undefined];
  return known !== undefined;
}

/** What the providers of these currencies must know and the record does not say (rule 14). */
export function missingProviderFields(profile: Profile, rules: readonly CurrencyRule[]): FieldError[] {
  const missing = new Map<string, string[]>();
  for (const { currencyCode, providerRequiredCustomerFields } of rules) {
    for (const fact of providerRequiredCustomerFields) {
      const [field, known] = FIELDS[fact]?.(profile) ?? ['', true];
      if (known === undefined) missing.set(field, [...(missing.get(field) ?? []), currencyCode]);
    }
  }
  return [...missing].map(([field, codes]) =>
    problem(field, `is required for ${[...new Set(codes)].join(', ')}`),
  );
}
