import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { Address, country, date, email, phoneNumber, words } from '#capabilities/customers/field-schemas.ts';
import { component, stringEnum, tagged } from '#foundation/http/schema.ts';

/** Names are trimmed before their length is checked, so the schema sets no length (accounts.md §4.5.52). */
function name(description: string, example: string) {
  return Type.String({
    minLength: 1,
    description: `${description} 1 to 200 characters.`,
    examples: [example],
  });
}

const PERSON = {
  fullName: name('Name of the holder.', 'Ada Lovelace'),
  birthDate: date('Date of birth.'),
  nationality: country('Nationality, ISO 3166-1 alpha-2.'),
  email: email('E-mail address.'),
  phoneNumber: phoneNumber('Phone number, E.164.'),
  countryOfResidence: country('Country where the holder lives, ISO 3166-1 alpha-2.'),
  address: Address,
};

/** Fields about a person that only some countries need. */
export const INDIVIDUAL_EXTRAS = {
  canada: {
    registrationNumber: words(255, { description: 'Registration number of the holder’s business.' }),
  },
  colombia: {
    documentType: stringEnum(['CC', 'CE', 'TI', 'NIT', 'PP'], {
      description: 'Kind of identity document: citizen, foreigner or youth card, tax number, passport.',
    }),
    documentNumber: words(50, { description: 'Number of the identity document.' }),
  },
};

export const IndividualBeneficiary = component('IndividualBeneficiary', 'The person who holds the account.', {
  beneficiaryType: Type.Literal('INDIVIDUAL', { description: 'The holder is a person.' }),
  ...withRequired(PERSON, ['fullName']),
});

export const BusinessBeneficiary = component('BusinessBeneficiary', 'The business that holds the account.', {
  beneficiaryType: Type.Literal('BUSINESS', { description: 'The holder is a company or organisation.' }),
  legalName: name('Registered name of the holder.', 'Analytical Engines Ltd'),
  registrationNumber: Type.Optional(words(255, { description: 'Number in the company register.' })),
  taxId: Type.Optional(words(255, { description: 'Tax number.' })),
  email: Type.Optional(PERSON.email),
  phoneNumber: Type.Optional(PERSON.phoneNumber),
  countryOfResidence: Type.Optional(country('Country where the business is registered, ISO 3166-1 alpha-2.')),
  address: Type.Optional(Address),
});

const WalletIndividualBeneficiary = component(
  'WalletIndividualBeneficiary',
  'The person who holds the wallet.',
  {
    beneficiaryType: Type.Literal('INDIVIDUAL', { description: 'The holder is a person.' }),
    fullName: PERSON.fullName,
    countryOfResidence: PERSON.countryOfResidence,
  },
);

type Fields = Omit<Static<typeof IndividualBeneficiary>, 'beneficiaryType'> &
  Omit<Static<typeof BusinessBeneficiary>, 'beneficiaryType'>;

/** A person or a business. Its fields depend on that and on the account's type. */
export type Beneficiary = { readonly beneficiaryType: 'INDIVIDUAL' | 'BUSINESS' } & Readonly<Partial<Fields>>;

/** The holder of a bank account; `prefix` names the schema if it differs from the common one. */
export function bankBeneficiary(
  prefix: string,
  rules: { readonly required?: readonly string[]; readonly optional?: TProperties } | undefined,
) {
  const person = rules ? individual(prefix, rules) : IndividualBeneficiary;
  return holder([person, BusinessBeneficiary]);
}

export function walletBeneficiary() {
  return holder([WalletIndividualBeneficiary, BusinessBeneficiary]);
}

function individual(
  prefix: string,
  {
    required = [],
    optional = {},
  }: { readonly required?: readonly string[]; readonly optional?: TProperties },
): TObject {
  return component(`${prefix}Beneficiary`, 'The person who holds the account.', {
    beneficiaryType: IndividualBeneficiary.properties.beneficiaryType,
    ...withRequired(PERSON, ['fullName', ...required]),
    ...withRequired(optional, []),
  });
}

function holder(branches: TObject[]) {
  return tagged('beneficiaryType', branches, { description: 'The holder of the account.' });
}

/** The same properties, all of them optional except those listed. */
export function withRequired<P extends TProperties>(properties: P, required: readonly string[]): P {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [
      key,
      required.includes(key) ? schema : Type.Optional(schema),
    ]),
  ) as P;
}
