import Type, { type Static, type TOptional, type TProperties, type TSchema } from 'typebox';
import {
  Address,
  AddressUpdate,
  CustomerType,
  countries,
  country,
  date,
  email,
  IdentificationType,
  KybStatus,
  KycStatus,
  phoneNumber,
  words,
} from '#capabilities/customers/field-schemas.ts';
import { BeneficialOwner } from '#capabilities/customers/owner-schemas.ts';
import {
  clearable,
  component,
  dateTime,
  idSchema,
  ignored,
  namedEnum,
  namedSchema,
  page,
  pageQuery,
  tagged,
  text,
} from '#foundation/http/schema.ts';

type Optional<P extends TProperties> = { [Name in keyof P]: TOptional<P[Name]> };
type Clearable<P extends TProperties> = {
  [Name in keyof P]: TOptional<ReturnType<typeof clearable<P[Name]>>>;
};

function optional<P extends TProperties>(fields: P): Optional<P> {
  return mapped(fields, Type.Optional) as Optional<P>;
}

function optionalOrNull<P extends TProperties>(fields: P): Clearable<P> {
  return mapped(fields, (schema) => Type.Optional(clearable(schema))) as Clearable<P>;
}

function mapped(fields: TProperties, change: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)]));
}

// -- Enhanced due diligence -------------------------------------------------------------------------------

const IndividualSourceOfFundsCategory = namedEnum(
  'IndividualSourceOfFundsCategory',
  "Where a person's money for this account comes from.",
  [
    'SALARY',
    'SELF_EMPLOYMENT_INCOME',
    'INVESTMENT_INCOME',
    'PENSION',
    'RENTAL_INCOME',
    'GIFT',
    'INHERITANCE',
    'LOAN',
    'SAVINGS',
    'SALE_OF_ASSETS',
    'OTHER',
  ],
);

const SourceOfWealthCategory = namedEnum(
  'SourceOfWealthCategory',
  "Where a person's total wealth comes from.",
  [
    'SALARY',
    'BUSINESS_INCOME',
    'INVESTMENTS',
    'INHERITANCE',
    'PROPERTY_SALE',
    'GIFT',
    'RETIREMENT',
    'SAVINGS',
    'OTHER',
  ],
);

const SourceOfFundsCategory = namedEnum(
  'SourceOfFundsCategory',
  "Where a business's money for this account comes from.",
  [
    'OPERATING_REVENUE',
    'INVESTMENT_INCOME',
    'LOANS',
    'VENTURE_CAPITAL',
    'PERSONAL_SAVINGS',
    'DONATIONS',
    'OTHER',
  ],
);

const PurposeOfAccount = namedEnum(
  'PurposeOfAccount',
  'Purpose of the account. `OTHER` needs `purposeOfAccountOtherDescription`.',
  [
    'CONTRACTOR_PAYOUTS',
    'CREATOR_PAYOUTS',
    'EMPLOYEE_PAYOUTS',
    'MARKETPLACE_SELLER_PAYOUTS',
    'SUPPLIER_PAYMENTS',
    'CROSS_BORDER_B2B',
    'AR_AUTOMATION',
    'AP_AUTOMATION',
    'EMBEDDED_PAYMENTS',
    'PLATFORM_FEE_COLLECTION',
    'P2P_TRANSFERS',
    'CHARITABLE_DONATIONS',
    'OTHER',
  ],
);

const ExpectedMonthlyTransactionCount = namedEnum(
  'ExpectedMonthlyTransactionCount',
  'How many payments a month are expected.',
  ['COUNT_UNDER_10', 'COUNT_10_TO_100', 'COUNT_100_TO_500', 'COUNT_500_TO_1000', 'COUNT_OVER_1000'],
);

const ExpectedMonthlyTransactionVolume = namedEnum(
  'ExpectedMonthlyTransactionVolume',
  'How much money a month is expected to move, in US dollars.',
  ['VOLUME_UNDER_10K', 'VOLUME_10K_TO_100K', 'VOLUME_100K_TO_1M', 'VOLUME_1M_TO_10M', 'VOLUME_OVER_10M'],
);

const AnnualIncomeRange = namedEnum('AnnualIncomeRange', 'Income in a year, in US dollars.', [
  'UNDER_50K',
  'RANGE_50K_100K',
  'RANGE_100K_250K',
  'RANGE_250K_1M',
  'OVER_1M',
]);

const NetWorthRange = namedEnum('NetWorthRange', 'Net worth: assets less debts, in US dollars.', [
  'UNDER_100K',
  'RANGE_100K_500K',
  'RANGE_500K_1M',
  'RANGE_1M_5M',
  'RANGE_5M_25M',
  'OVER_25M',
]);

const PepStatus = namedEnum(
  'PepStatus',
  'Whether the person is politically exposed: at home, abroad, in an international organisation, or as a ' +
    'close associate or relative of such a person.',
  ['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'],
);

function otherDescription(of: string) {
  return words(500, { description: `Describes \`OTHER\` in \`${of}\`. Ignored without \`OTHER\` there.` });
}

const EDD = {
  sourceOfFundsCategories: Type.Array(IndividualSourceOfFundsCategory, {
    maxItems: 50,
    description: 'Sources of the money in this account.',
  }),
  sourceOfFundsOtherDescription: otherDescription('sourceOfFundsCategories'),
  sourceOfWealthCategories: Type.Array(SourceOfWealthCategory, {
    maxItems: 50,
    description: "Sources of the person's wealth.",
  }),
  sourceOfWealthOtherDescription: otherDescription('sourceOfWealthCategories'),
  purposeOfAccount: PurposeOfAccount,
  purposeOfAccountOtherDescription: otherDescription('purposeOfAccount'),
  expectedMonthlyTransactionCount: ExpectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume: ExpectedMonthlyTransactionVolume,
  annualIncomeRange: AnnualIncomeRange,
  netWorthRange: NetWorthRange,
  pepStatus: PepStatus,
};

// -- A platform's details of its customer -----------------------------------------------------------------

const PERSON = {
  fullName: Type.String({
    description:
      "First and last name, 1 to 250 characters: letters of any script, digits, single spaces and ' ’ - . ,",
    examples: ['Ada Lovelace'],
  }),
  birthDate: date('Date of birth, after 1900-01-01 and not in the future.'),
  nationality: country('Nationality, ISO 3166-1 alpha-2.'),
};

const IDENTIFICATION = {
  idType: IdentificationType,
  identifier: text(1, 64, {
    writeOnly: true,
    description:
      'The identification number, never returned. An SSN is `ddd-dd-dddd`, an ITIN has the same form and starts ' +
      'with 9, any other number has 4 to 30 letters, digits and `-./`.',
  }),
  countryOfIssuance: country(
    'Country that issued the number. `US` for an SSN or ITIN, where it may be omitted; another country otherwise.',
  ),
};

/** In the contract's order: the address comes between the person and the identification. */
const INDIVIDUAL = { ...PERSON, address: Address, ...IDENTIFICATION, ...EDD };

const BUSINESS_BASICS = {
  legalName: words(250, { description: 'Registered name.', examples: ['Analytical Engines GmbH'] }),
  country: country('Where the business is registered, ISO 3166-1 alpha-2.'),
  taxId: text(1, 64, {
    description:
      'Tax number. A US business has 9 digits, with an optional leading `EIN-` and punctuation; any other has 4 to ' +
      '30 letters, digits and `-./`.',
    examples: ['12-3456789'],
  }),
  incorporatedOn: date('When the business was founded, after 1900-01-01 and not in the future.'),
};

const BUSINESS_DETAILS = {
  doingBusinessAs: words(250, { description: 'Trade name, if it differs.' }),
  registrationNumber: words(100, { description: 'Number in the company register.' }),
  entityType: namedEnum('EntityType', 'Legal form.', [
    'SOLE_PROPRIETORSHIP',
    'PARTNERSHIP',
    'LLC',
    'CORPORATION',
    'S_CORPORATION',
    'NON_PROFIT',
    'PUBLICLY_LISTED_COMPANY',
    'TRUST',
    'PRIVATE_FOUNDATION',
    'CHARITY',
    'OTHER',
  ]),
  countriesOfOperation: countries('Countries in which the business operates.'),
  businessType: namedEnum(
    'BusinessType',
    'Industry, by sector of the North American industry classification.',
    [
      'AGRICULTURE_FORESTRY_FISHING_AND_HUNTING',
      'MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION',
      'UTILITIES',
      'CONSTRUCTION',
      'MANUFACTURING',
      'WHOLESALE_TRADE',
      'RETAIL_TRADE',
      'TRANSPORTATION_AND_WAREHOUSING',
      'INFORMATION',
      'FINANCE_AND_INSURANCE',
      'REAL_ESTATE_AND_RENTAL_AND_LEASING',
      'PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES',
      'MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES',
      'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
      'EDUCATIONAL_SERVICES',
      'HEALTH_CARE_AND_SOCIAL_ASSISTANCE',
      'ARTS_ENTERTAINMENT_AND_RECREATION',
      'ACCOMMODATION_AND_FOOD_SERVICES',
      'OTHER_SERVICES',
      'PUBLIC_ADMINISTRATION',
    ],
  ),
  purposeOfAccount: PurposeOfAccount,
  sourceOfFunds: words(1000, { description: 'Where the money comes from, as free text.' }),
  expectedMonthlyTransactionCount: ExpectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume: ExpectedMonthlyTransactionVolume,
  expectedRecipientJurisdictions: countries('Countries that payments are expected to go to.'),
  naicsCode: Type.String({
    pattern: '^\\d{2,6}$',
    description: 'Code in the North American industry classification.',
    examples: ['522320'],
  }),
  sourceOfFundsCategories: Type.Array(SourceOfFundsCategory, {
    maxItems: 50,
    description: "Sources of the business's money.",
  }),
  sourceOfFundsOtherDescription: otherDescription('sourceOfFundsCategories'),
  purposeOfAccountOtherDescription: otherDescription('purposeOfAccount'),
  expectedCounterpartyCountries: countries('Countries of the counterparties of payments.'),
  primaryContactFirstName: words(250, {
    description: 'First name of the contact person. Required in regions that require verified contacts.',
  }),
  primaryContactLastName: words(250, {
    description: 'Last name of the contact person. Required in regions that require verified contacts.',
  }),
};

const BusinessInfo = component('BusinessInfo', 'Details of a business.', {
  ...BUSINESS_BASICS,
  ...optional(BUSINESS_DETAILS),
});

const BusinessInfoUpdate = component(
  'BusinessInfoUpdate',
  'Changes to the details of a business, key by key; `null` clears.',
  { ...optional(BUSINESS_BASICS), ...optionalOrNull(BUSINESS_DETAILS) },
);

const BusinessInfoResponse = component('BusinessInfoResponse', 'Known details of a business.', {
  legalName: BUSINESS_BASICS.legalName,
  ...optional({
    country: BUSINESS_BASICS.country,
    taxId: BUSINESS_BASICS.taxId,
    incorporatedOn: BUSINESS_BASICS.incorporatedOn,
    ...BUSINESS_DETAILS,
  }),
});

// -- Terms and contact ------------------------------------------------------------------------------------

const CONSENT = {
  acceptedAt: dateTime({ description: 'When the end user agreed; at most 5 minutes ahead of our clock.' }),
  ipAddress: Type.String({
    maxLength: 45,
    description: 'IPv4 or IPv6 address from which the end user agreed.',
    examples: ['203.0.113.7'],
  }),
  termsVersion: text(1, 100, {
    description: 'The version that the end user agreed to; any version ever published.',
    examples: ['V1'],
  }),
  acceptanceMethod: namedEnum('EndUserTermsAcceptanceMethod', 'How the end user agreed.', [
    'CHECKBOX',
    'CLICK_TO_ACCEPT',
  ]),
};

const EndUserTermsConsentRequest = component(
  'EndUserTermsConsentRequest',
  "The end user's consent to our terms. A later consent replaces it; it cannot be withdrawn.",
  CONSENT,
);

const EndUserTermsConsent = component('EndUserTermsConsent', 'The consent on file.', CONSENT);

export type EndUserTermsConsent = Static<typeof EndUserTermsConsent>;

export const EndUserTerms = component('EndUserTerms', 'The end-user terms now in force.', {
  version: Type.String({ description: 'The version now in force.', examples: ['V1'] }),
  url: Type.String({ format: 'url', description: 'URL at which end users can read it.' }),
});

const ContactVerificationStatus = namedEnum(
  'ContactVerificationStatus',
  'Whether the customer has proved that the contact is theirs.',
  ['PENDING', 'VERIFIED'],
);

const ContactVerification = component(
  'ContactVerification',
  'Present only if the customer’s region requires verified contacts.',
  optional({ email: ContactVerificationStatus, phone: ContactVerificationStatus }),
);

export const ContactVerificationConfirmRequest = component(
  'ContactVerificationConfirmRequest',
  'The code that was sent.',
  { code: text(1, 20, { description: 'The code from the message.', examples: ['123456'] }) },
);

// -- Requests ---------------------------------------------------------------------------------------------

const REFERENCE = text(1, 255, {
  description: 'Your own reference, unique among your customers that are not deleted. Absent: generated.',
  examples: ['user-4711'],
});

const REGION = country(
  'Country of the customer, ISO 3166-1 alpha-2; cannot change. Absent: inferred from the address, the business or ' +
    'the first currency of a single country, else `US`.',
);

const CURRENCIES = Type.Array(Type.String({ examples: ['USD'] }), {
  minItems: 1,
  maxItems: 200,
  description:
    'Currencies in which the customer has accounts; each must be one of the platform’s. Absent on create: ' +
    'all of them, without `USDB` if there is no `email`. A customer with an `email` also gets the embedded ' +
    'wallet in `USDB`, even if `USDB` is not listed here.',
});

const UMA_ADDRESS = Type.String({
  description:
    'UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower ' +
    'case. Absent: generated.',
  examples: ['$ada@example.com'],
});

const CONTACT = {
  email: email('E-mail address. Required for `USDB` and in regions that require verified contacts.'),
  phoneNumber: phoneNumber('Phone number in E.164 form. Required in regions that require verified contacts.'),
};

const individualTag = Type.Literal('INDIVIDUAL', { description: 'A natural person.' });
const businessTag = Type.Literal('BUSINESS', { description: 'A company or other organisation.' });

const CREATE = optional({
  platformCustomerId: REFERENCE,
  region: REGION,
  currencies: CURRENCIES,
  ...CONTACT,
  umaAddress: UMA_ADDRESS,
  endUserTermsConsent: EndUserTermsConsentRequest,
});

export const CustomerCreateRequest = namedSchema(
  'CustomerCreateRequest',
  tagged(
    'customerType',
    [
      component('IndividualCustomerCreateRequest', 'A new customer who is a person.', {
        customerType: individualTag,
        ...CREATE,
        kycStatus: ignored(KycStatus),
        ...optional(INDIVIDUAL),
      }),
      component('BusinessCustomerCreateRequest', 'A new customer that is a business.', {
        customerType: businessTag,
        ...CREATE,
        kybStatus: ignored(KybStatus),
        address: Type.Optional(Address),
        businessInfo: BusinessInfo,
      }),
    ],
    { description: 'A new customer; `customerType` says which fields apply.' },
  ),
);

export type CustomerCreateRequest = Static<typeof CustomerCreateRequest>;

const UPDATE = {
  platformCustomerId: Type.Optional(
    text(1, 255, { description: 'May be sent with the stored value; cannot change.' }),
  ),
  region: Type.Optional(Type.String({ description: 'May be sent with the stored value; cannot change.' })),
  currencies: Type.Optional(CURRENCIES),
  ...optionalOrNull(CONTACT),
  umaAddress: Type.Optional(UMA_ADDRESS),
  endUserTermsConsent: Type.Optional(EndUserTermsConsentRequest),
};

export const CustomerUpdateRequest = namedSchema(
  'CustomerUpdateRequest',
  tagged(
    'customerType',
    [
      component(
        'IndividualCustomerUpdateRequest',
        'Changes to a person; omitted fields keep their values, `null` clears.',
        {
          customerType: individualTag,
          ...UPDATE,
          kycStatus: ignored(KycStatus),
          ...optionalOrNull({ ...PERSON, address: AddressUpdate, ...IDENTIFICATION, ...EDD }),
        },
      ),
      component(
        'BusinessCustomerUpdateRequest',
        'Changes to a business; omitted fields keep their values, `null` clears.',
        {
          customerType: businessTag,
          ...UPDATE,
          kybStatus: ignored(KybStatus),
          address: Type.Optional(clearable(AddressUpdate)),
          businessInfo: Type.Optional(BusinessInfoUpdate),
        },
      ),
    ],
    { description: 'Changes to a customer; `customerType` must be the stored one.' },
  ),
);

export type CustomerUpdateRequest = Static<typeof CustomerUpdateRequest>;

// -- Replies ----------------------------------------------------------------------------------------------

const SHOWN = {
  id: idSchema('Customer', { readOnly: true, description: 'Id of the customer.' }),
  platformCustomerId: Type.String({ description: 'Your own reference.', examples: ['user-4711'] }),
  umaAddress: Type.String({ description: 'UMA address.', examples: ['$ada@example.com'] }),
};

const SHOWN_IF_KNOWN = optional({
  endUserTermsConsent: EndUserTermsConsent,
  region: Type.String({ description: 'Country of the customer, ISO 3166-1 alpha-2.', examples: ['DE'] }),
  currencies: Type.Array(Type.String(), { description: 'Currencies in which the customer has accounts.' }),
  ...CONTACT,
  createdAt: dateTime({ readOnly: true, description: 'When the customer was created.' }),
  updatedAt: dateTime({ readOnly: true, description: 'When the customer last changed.' }),
  isDeleted: Type.Boolean({ readOnly: true, description: 'Whether the customer was deleted.' }),
  contactVerification: ContactVerification,
});

export const CustomerReply = namedSchema(
  'Customer',
  tagged(
    'customerType',
    [
      component('IndividualCustomer', 'A customer who is a person. `identifier` is never sent back.', {
        customerType: individualTag,
        ...SHOWN,
        ...SHOWN_IF_KNOWN,
        kycStatus: Type.Optional(KycStatus),
        ...optional(INDIVIDUAL),
      }),
      component('BusinessCustomer', 'A customer that is a business.', {
        customerType: businessTag,
        ...SHOWN,
        ...SHOWN_IF_KNOWN,
        kybStatus: Type.Optional(KybStatus),
        address: Type.Optional(Address),
        businessInfo: Type.Optional(BusinessInfoResponse),
        beneficialOwners: Type.Optional(
          Type.Array(BeneficialOwner, { description: 'Owners and people in control, oldest first.' }),
        ),
      }),
    ],
    { description: 'A customer; `customerType` says which fields apply.' },
  ),
);

export type CustomerReply = Static<typeof CustomerReply>;

export const CustomerPage = page('CustomerListResponse', CustomerReply);

export const CustomerQuery = pageQuery(
  optional({
    platformCustomerId: Type.String({
      description: 'Only the customer with exactly this reference of yours.',
    }),
    customerType: CustomerType,
    createdAfter: dateTime({ description: 'Created at this time or later.' }),
    createdBefore: dateTime({ description: 'Created at this time or earlier.' }),
    updatedAfter: dateTime({ description: 'Last changed at this time or later.' }),
    updatedBefore: dateTime({ description: 'Last changed at this time or earlier.' }),
    region: Type.String({ description: 'Region, ISO 3166-1 alpha-2.', examples: ['DE'] }),
    currency: Type.String({
      description: 'Only customers with an account in this currency.',
      examples: ['EUR'],
    }),
    email: Type.String({
      description: 'Only customers with this whole e-mail address, matched in any case. Beyond the contract.',
    }),
    umaAddress: Type.String({ description: 'UMA address, matched in any case.' }),
    isIncludingDeleted: Type.Boolean({
      description: 'Whether deleted customers are listed as well. Default: no.',
    }),
  }),
);

export type CustomerQuery = Static<typeof CustomerQuery>;

// -- Field types for the rest of the folder ---------------------------------------------------------------

/** Known details of a person, except contact and address. */
export type Individual = Static<ReturnType<typeof individualFields>>;
/** Known details of a business. */
export type Business = Static<ReturnType<typeof businessFields>>;

function individualFields() {
  return Type.Object(optional({ ...PERSON, ...IDENTIFICATION, ...EDD }));
}

function businessFields() {
  return Type.Object(optional({ ...BUSINESS_BASICS, ...BUSINESS_DETAILS }));
}

/** The fields that a platform may send, in document order; all others are ignored (customers.md §2.1.2). */
export const INDIVIDUAL_NAMES = Object.keys({ ...PERSON, ...IDENTIFICATION, ...EDD }) as (keyof Individual)[];
export const BUSINESS_NAMES = Object.keys({ ...BUSINESS_BASICS, ...BUSINESS_DETAILS }) as (keyof Business)[];
