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
  idOf,
  ignored,
  namedSchema,
  oneOf,
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

const IndividualSourceOfFundsCategory = namedSchema(
  'IndividualSourceOfFundsCategory',
  oneOf(
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
    { description: "Where a person's money for this account comes from." },
  ),
);

const SourceOfWealthCategory = namedSchema(
  'SourceOfWealthCategory',
  oneOf(
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
    { description: "How a person's wealth as a whole came about." },
  ),
);

const SourceOfFundsCategory = namedSchema(
  'SourceOfFundsCategory',
  oneOf(
    [
      'OPERATING_REVENUE',
      'INVESTMENT_INCOME',
      'LOANS',
      'VENTURE_CAPITAL',
      'PERSONAL_SAVINGS',
      'DONATIONS',
      'OTHER',
    ],
    { description: "Where a business's money for this account comes from." },
  ),
);

const PurposeOfAccount = namedSchema(
  'PurposeOfAccount',
  oneOf(
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
    { description: 'What the account is for. `OTHER` needs `purposeOfAccountOtherDescription`.' },
  ),
);

const ExpectedMonthlyTransactionCount = namedSchema(
  'ExpectedMonthlyTransactionCount',
  oneOf(['COUNT_UNDER_10', 'COUNT_10_TO_100', 'COUNT_100_TO_500', 'COUNT_500_TO_1000', 'COUNT_OVER_1000'], {
    description: 'How many payments a month are expected.',
  }),
);

const ExpectedMonthlyTransactionVolume = namedSchema(
  'ExpectedMonthlyTransactionVolume',
  oneOf(
    ['VOLUME_UNDER_10K', 'VOLUME_10K_TO_100K', 'VOLUME_100K_TO_1M', 'VOLUME_1M_TO_10M', 'VOLUME_OVER_10M'],
    { description: 'How much money a month is expected to move, in US dollars.' },
  ),
);

const AnnualIncomeRange = namedSchema(
  'AnnualIncomeRange',
  oneOf(['UNDER_50K', 'RANGE_50K_100K', 'RANGE_100K_250K', 'RANGE_250K_1M', 'OVER_1M'], {
    description: 'Income in a year, in US dollars.',
  }),
);

const NetWorthRange = namedSchema(
  'NetWorthRange',
  oneOf(['UNDER_100K', 'RANGE_100K_500K', 'RANGE_500K_1M', 'RANGE_1M_5M', 'RANGE_5M_25M', 'OVER_25M'], {
    description: 'What a person owns less what they owe, in US dollars.',
  }),
);

const PepStatus = namedSchema(
  'PepStatus',
  oneOf(['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'], {
    description:
      'Whether the person is politically exposed: at home, abroad, in an international organisation, or as ' +
      'somebody close to such a person.',
  }),
);

function otherDescription(of: string) {
  return words(500, { description: `What is meant by \`OTHER\` in \`${of}\`. Dropped without it.` });
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

// -- What a platform says about its customer --------------------------------------------------------------

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
      'The identification number, never returned. An SSN is `ddd-dd-dddd`, an ITIN the same starting with ' +
      '9, any other 4 to 30 letters, digits and `-./`.',
  }),
  countryOfIssuance: country(
    'Who issued the number. `US` for an SSN or ITIN, where it may be left out; another country otherwise.',
  ),
};

/** In the contract's order, in which the address comes between the person and the identification. */
const INDIVIDUAL = { ...PERSON, address: Address, ...IDENTIFICATION, ...EDD };

const BUSINESS_BASICS = {
  legalName: words(250, { description: 'Registered name.', examples: ['Analytical Engines GmbH'] }),
  country: country('Where the business is registered, ISO 3166-1 alpha-2.'),
  taxId: text(1, 64, {
    description:
      'Tax number. Of a US business 9 digits, a leading `EIN-` and punctuation allowed; of any other 4 to ' +
      '30 letters, digits and `-./`.',
    examples: ['12-3456789'],
  }),
  incorporatedOn: date('When the business was founded, after 1900-01-01 and not in the future.'),
};

const BUSINESS_DETAILS = {
  doingBusinessAs: words(250, { description: 'Name used in trade, where it differs.' }),
  registrationNumber: words(100, { description: 'Number in the company register.' }),
  entityType: namedSchema(
    'EntityType',
    oneOf(
      [
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
      ],
      { description: 'Legal form.' },
    ),
  ),
  countriesOfOperation: countries('Where the business is active.'),
  businessType: namedSchema(
    'BusinessType',
    oneOf(
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
      { description: 'Trade, by sector of the North American industry classification.' },
    ),
  ),
  purposeOfAccount: PurposeOfAccount,
  sourceOfFunds: words(1000, { description: 'Where the money comes from, in words.' }),
  expectedMonthlyTransactionCount: ExpectedMonthlyTransactionCount,
  expectedMonthlyTransactionVolume: ExpectedMonthlyTransactionVolume,
  expectedRecipientJurisdictions: countries('Where payments are expected to go.'),
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
  expectedCounterpartyCountries: countries('Where the other sides of payments are.'),
  primaryContactFirstName: words(250, {
    description: 'First name of the person to talk to. Required where contacts have to be verified.',
  }),
  primaryContactLastName: words(250, {
    description: 'Last name of the person to talk to. Required where contacts have to be verified.',
  }),
};

const BusinessInfo = component(
  'BusinessInfo',
  { ...BUSINESS_BASICS, ...optional(BUSINESS_DETAILS) },
  { description: 'What a business is.' },
);

const BusinessInfoUpdate = component(
  'BusinessInfoUpdate',
  { ...optional(BUSINESS_BASICS), ...optionalOrNull(BUSINESS_DETAILS) },
  { description: 'Changes to what a business is, key by key; `null` clears.' },
);

const BusinessInfoResponse = component(
  'BusinessInfoResponse',
  {
    legalName: BUSINESS_BASICS.legalName,
    ...optional({
      country: BUSINESS_BASICS.country,
      taxId: BUSINESS_BASICS.taxId,
      incorporatedOn: BUSINESS_BASICS.incorporatedOn,
      ...BUSINESS_DETAILS,
    }),
  },
  { description: 'What is known of a business.' },
);

// -- Terms and contact ------------------------------------------------------------------------------------

const CONSENT = {
  acceptedAt: dateTime({ description: 'When the end user agreed; at most 5 minutes ahead of our clock.' }),
  ipAddress: Type.String({
    maxLength: 45,
    description: 'IPv4 or IPv6 address the end user agreed from.',
    examples: ['203.0.113.7'],
  }),
  termsVersion: text(1, 100, { description: 'The version agreed to; any ever published.', examples: ['V1'] }),
  acceptanceMethod: namedSchema(
    'EndUserTermsAcceptanceMethod',
    oneOf(['CHECKBOX', 'CLICK_TO_ACCEPT'], { description: 'How the end user agreed.' }),
  ),
};

const EndUserTermsConsentRequest = component('EndUserTermsConsentRequest', CONSENT, {
  description: "The end user's consent to our terms. A later one replaces it; it cannot be taken back.",
});

const EndUserTermsConsent = component('EndUserTermsConsent', CONSENT, {
  description: 'The consent on file.',
});

export type EndUserTermsConsent = Static<typeof EndUserTermsConsent>;

export const EndUserTerms = component(
  'EndUserTerms',
  {
    version: Type.String({ description: 'The version now in force.', examples: ['V1'] }),
    url: Type.String({ format: 'url', description: 'Where end users can read it.' }),
  },
  { description: 'The end-user terms now in force.' },
);

const ContactVerificationStatus = namedSchema(
  'ContactVerificationStatus',
  oneOf(['PENDING', 'VERIFIED'], {
    description: 'Whether the customer has shown that the contact is theirs.',
  }),
);

const ContactVerification = component(
  'ContactVerification',
  optional({ email: ContactVerificationStatus, phone: ContactVerificationStatus }),
  { description: 'Present only where the customer’s region asks for verified contacts.' },
);

export const ContactVerificationConfirmRequest = component(
  'ContactVerificationConfirmRequest',
  { code: text(1, 20, { description: 'The code from the message.', examples: ['123456'] }) },
  { description: 'The code that was sent.' },
);

// -- Requests ---------------------------------------------------------------------------------------------

const REFERENCE = text(1, 255, {
  description: 'Your own reference, unique among your customers that are not deleted. Absent: generated.',
  examples: ['user-4711'],
});

const REGION = country(
  'Where the customer is, ISO 3166-1 alpha-2; fixed once set. Absent: taken from the address, the business or ' +
    'the first currency of a single country, else `US`.',
);

const CURRENCIES = Type.Array(Type.String({ examples: ['USD'] }), {
  minItems: 1,
  maxItems: 200,
  description:
    "Currencies the customer holds accounts in, each among the platform's. Absent on create: all of them, " +
    'without `USDB` if there is no email. With an email the embedded wallet in `USDB` comes with the customer, named ' +
    'here or not.',
});

const UMA_ADDRESS = Type.String({
  description:
    'UMA address `$user@domain`: up to 64 characters before the `@`, of `a-z 0-9 - _ . +`, stored in lower ' +
    'case. Absent: generated.',
  examples: ['$ada@example.com'],
});

const CONTACT = {
  email: email('Email address. Required for `USDB` and where contacts have to be verified.'),
  phoneNumber: phoneNumber('Phone number in E.164 form. Required where contacts have to be verified.'),
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
      component(
        'IndividualCustomerCreateRequest',
        { customerType: individualTag, ...CREATE, kycStatus: ignored(KycStatus), ...optional(INDIVIDUAL) },
        { description: 'A new customer who is a person.' },
      ),
      component(
        'BusinessCustomerCreateRequest',
        {
          customerType: businessTag,
          ...CREATE,
          kybStatus: ignored(KybStatus),
          address: Type.Optional(Address),
          businessInfo: BusinessInfo,
        },
        { description: 'A new customer that is a business.' },
      ),
    ],
    { description: 'A new customer; `customerType` says which fields apply.' },
  ),
);

export type CustomerCreateRequest = Static<typeof CustomerCreateRequest>;

const UPDATE = {
  platformCustomerId: Type.Optional(text(1, 255, { description: 'May be repeated; cannot change.' })),
  region: Type.Optional(Type.String({ description: 'May be repeated; cannot change.' })),
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
        {
          customerType: individualTag,
          ...UPDATE,
          kycStatus: ignored(KycStatus),
          ...optionalOrNull({ ...PERSON, address: AddressUpdate, ...IDENTIFICATION, ...EDD }),
        },
        { description: 'Changes to a person; what is left out stays, `null` clears.' },
      ),
      component(
        'BusinessCustomerUpdateRequest',
        {
          customerType: businessTag,
          ...UPDATE,
          kybStatus: ignored(KybStatus),
          address: Type.Optional(clearable(AddressUpdate)),
          businessInfo: Type.Optional(BusinessInfoUpdate),
        },
        { description: 'Changes to a business; what is left out stays, `null` clears.' },
      ),
    ],
    { description: 'Changes to a customer; `customerType` repeats the stored one.' },
  ),
);

export type CustomerUpdateRequest = Static<typeof CustomerUpdateRequest>;

// -- Replies ----------------------------------------------------------------------------------------------

const SHOWN = {
  id: idOf('Customer', { readOnly: true, description: 'The customer.' }),
  platformCustomerId: Type.String({ description: 'Your own reference.', examples: ['user-4711'] }),
  umaAddress: Type.String({ description: 'UMA address.', examples: ['$ada@example.com'] }),
};

const SHOWN_IF_KNOWN = optional({
  endUserTermsConsent: EndUserTermsConsent,
  region: Type.String({ description: 'Where the customer is, ISO 3166-1 alpha-2.', examples: ['DE'] }),
  currencies: Type.Array(Type.String(), { description: 'Currencies the customer holds accounts in.' }),
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
      component(
        'IndividualCustomer',
        {
          customerType: individualTag,
          ...SHOWN,
          ...SHOWN_IF_KNOWN,
          kycStatus: Type.Optional(KycStatus),
          ...optional(INDIVIDUAL),
        },
        { description: 'A customer who is a person. `identifier` is never sent back.' },
      ),
      component(
        'BusinessCustomer',
        {
          customerType: businessTag,
          ...SHOWN,
          ...SHOWN_IF_KNOWN,
          kybStatus: Type.Optional(KybStatus),
          address: Type.Optional(Address),
          businessInfo: Type.Optional(BusinessInfoResponse),
          beneficialOwners: Type.Optional(
            Type.Array(BeneficialOwner, { description: 'Owners and people in control, oldest first.' }),
          ),
        },
        { description: 'A customer that is a business.' },
      ),
    ],
    { description: 'A customer; `customerType` says which fields apply.' },
  ),
);

export type CustomerReply = Static<typeof CustomerReply>;

export const CustomerPage = page('CustomerListResponse', CustomerReply);

export const CustomerQuery = pageQuery(
  optional({
    platformCustomerId: Type.String({ description: 'Your own reference, exactly.' }),
    customerType: CustomerType,
    createdAfter: dateTime({ description: 'Created at this moment or later.' }),
    createdBefore: dateTime({ description: 'Created at this moment or earlier.' }),
    updatedAfter: dateTime({ description: 'Last changed at this moment or later.' }),
    updatedBefore: dateTime({ description: 'Last changed at this moment or earlier.' }),
    region: Type.String({ description: 'Region, ISO 3166-1 alpha-2.', examples: ['DE'] }),
    currency: Type.String({ description: 'A currency among those the customer holds.', examples: ['EUR'] }),
    umaAddress: Type.String({ description: 'UMA address, in any case.' }),
    isIncludingDeleted: Type.Boolean({
      description: 'Whether deleted customers are listed too. Default no.',
    }),
  }),
);

export type CustomerQuery = Static<typeof CustomerQuery>;

// -- Field types for the rest of the folder ---------------------------------------------------------------

/** What is known about a person besides contact and address. */
export type Individual = Static<ReturnType<typeof individualFields>>;
/** What is known about a business. */
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
