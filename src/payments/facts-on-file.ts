import type { Profile } from '#customers/profile.ts';
import type { PayerDataField } from '#rails/counterparties.ts';

type Facts = Readonly<Record<string, unknown>>;

/** The fields that the record answers in the platform's place: mandatory ones that need not come anew. */
export function answeredOnFile(profile: Profile, fields: readonly PayerDataField[]): string[] {
  const known = factsOf(profile);
  return fields
    .filter(({ name, mandatory, isAskedAnew }) => mandatory && !isAskedAnew && Object.hasOwn(known, name))
    .map(({ name }) => name);
}

/** What the record says, by the names under which providers ask; what it does not say is left out. */
export function factsOnFile(profile: Profile, names: readonly string[]): Facts {
  const known = factsOf(profile);
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(known, name)).map((name) => [name, known[name]]),
  );
}

function factsOf({ person, business, email, phoneNumber, address }: Profile): Facts {
  const facts = {
    FULL_NAME: person.fullName ?? business.legalName,
    BIRTH_DATE: person.birthDate,
    NATIONALITY: person.nationality,
    PHONE_NUMBER: phoneNumber,
    EMAIL: email,
    POSTAL_ADDRESS: address && inOneLine(address),
    TAX_ID: person.identifier ?? business.taxId,
    REGISTRATION_NUMBER: business.registrationNumber,
    IDENTIFIER: person.identifier,
    BUSINESS_TYPE: business.businessType,
    COMPANY_LEGAL_NAME: business.legalName,
    ID_TYPE: person.idType,
    ID_NUMBER: person.identifier,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

function inOneLine(address: NonNullable<Profile['address']>): string {
  const { line1, line2, city, state, postalCode, country } = address;
  return [line1, line2, city, state, postalCode, country].filter((part) => part !== undefined).join(', ');
}
