import type { Static } from 'typebox';
import Type from 'typebox';
import {
  Address,
  AddressUpdate,
  country,
  date,
  email,
  IdentificationType,
  KycStatus,
  phoneNumber,
} from '#capabilities/customers/field-schemas.ts';
import type { Page } from '#foundation/http/paging.ts';
import {
  clearable,
  component,
  dateTime,
  idSchema,
  namedEnum,
  page,
  pageQuery,
  queryId,
  text,
} from '#foundation/http/schema.ts';

const BeneficialOwnerRole = namedEnum(
  'BeneficialOwnerRole',
  'The person’s role in the business. `UBO` owns a part of it; every other role counts as control of ' +
    'the business.',
  ['UBO', 'DIRECTOR', 'COMPANY_OFFICER', 'CONTROL_PERSON', 'TRUSTEE', 'GENERAL_PARTNER'],
);

function name(description: string, example: string) {
  return Type.String({
    description: `${description}, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,`,
    examples: [example],
  });
}

const PERSON = {
  firstName: name('First name', 'Charles'),
  middleName: name('Middle name', 'Xavier'),
  lastName: name('Last name', 'Babbage'),
  birthDate: date('Date of birth, after 1900-01-01 and not in the future.'),
  nationality: country('Nationality, ISO 3166-1 alpha-2.'),
  email: email('E-mail address.'),
  phoneNumber: phoneNumber('Phone number in E.164 form.'),
  idType: IdentificationType,
  identifier: text(1, 64, {
    description:
      'The identification number. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts with 9, any other ' +
      'number has 4 to 30 letters, digits and `-./`. Inside a customer all but its last four characters are `*`.',
    examples: ['DE-811907980'],
  }),
  countryOfIssuance: country(
    'Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country for ' +
      '`NON_US_TAX_ID`.',
  ),
};

const PersonalInfo = component('BeneficialOwnerPersonalInfo', 'Personal details of the owner.', {
  firstName: PERSON.firstName,
  middleName: Type.Optional(PERSON.middleName),
  lastName: PERSON.lastName,
  birthDate: PERSON.birthDate,
  nationality: PERSON.nationality,
  email: Type.Optional(PERSON.email),
  phoneNumber: Type.Optional(PERSON.phoneNumber),
  address: Address,
  idType: PERSON.idType,
  identifier: PERSON.identifier,
  countryOfIssuance: Type.Optional(PERSON.countryOfIssuance),
});

export type PersonalInfo = Static<typeof PersonalInfo>;

const PersonalInfoUpdate = component(
  'BeneficialOwnerPersonalInfoUpdate',
  'Changes to the owner’s personal details, key by key; the address is replaced entirely.',
  {
    firstName: Type.Optional(PERSON.firstName),
    middleName: Type.Optional(clearable(PERSON.middleName)),
    lastName: Type.Optional(PERSON.lastName),
    birthDate: Type.Optional(PERSON.birthDate),
    nationality: Type.Optional(PERSON.nationality),
    email: Type.Optional(clearable(PERSON.email)),
    phoneNumber: Type.Optional(clearable(PERSON.phoneNumber)),
    address: Type.Optional(AddressUpdate),
    idType: Type.Optional(PERSON.idType),
    identifier: Type.Optional(PERSON.identifier),
    countryOfIssuance: Type.Optional(clearable(PERSON.countryOfIssuance)),
  },
);

export type PersonalInfoUpdate = Static<typeof PersonalInfoUpdate>;

const ROLES = Type.Array(BeneficialOwnerRole, {
  minItems: 1,
  maxItems: 20,
  description: 'At least one role; duplicates count once.',
});

const OWNERSHIP = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Share of the business, in whole percent.',
  examples: [51],
});

export const BeneficialOwner = component('BeneficialOwner', 'A person who owns or controls a business.', {
  id: idSchema('BeneficialOwner', { description: 'Id of the owner.' }),
  customerId: idSchema('Customer', { description: 'Id of the business.' }),
  roles: ROLES,
  ownershipPercentage: OWNERSHIP,
  personalInfo: PersonalInfo,
  kycStatus: KycStatus,
  createdAt: dateTime({ description: 'When the owner was added.' }),
  updatedAt: Type.Optional(dateTime({ description: 'When the owner last changed.' })),
});

export type BeneficialOwner = Static<typeof BeneficialOwner>;

export const BeneficialOwnerCreateRequest = component(
  'BeneficialOwnerCreateRequest',
  'A person who owns or controls the business.',
  {
    customerId: idSchema('Customer', { description: 'Id of the business; an individual has no owners.' }),
    roles: ROLES,
    ownershipPercentage: OWNERSHIP,
    personalInfo: PersonalInfo,
  },
);

export type BeneficialOwnerCreateRequest = Static<typeof BeneficialOwnerCreateRequest>;

export const BeneficialOwnerUpdateRequest = component(
  'BeneficialOwnerUpdateRequest',
  'The fields to change. `roles` is replaced entirely; the status never changes.',
  {
    roles: Type.Optional(ROLES),
    ownershipPercentage: Type.Optional(OWNERSHIP),
    personalInfo: Type.Optional(PersonalInfoUpdate),
  },
);

export type BeneficialOwnerUpdateRequest = Static<typeof BeneficialOwnerUpdateRequest>;

export const BeneficialOwnerPage = Type.Unsafe<Page<BeneficialOwner>>(
  page('BeneficialOwnerListResponse', BeneficialOwner),
);

export const BeneficialOwnerQuery = pageQuery({
  customerId: queryId('Customer', { description: 'The business whose owners are listed.' }),
});
