export type FieldKind =
  | 'text'
  | 'long'
  | 'date'
  | 'country'
  | 'countries'
  | 'choice'
  | 'choices'
  | 'percent'
  | 'secret';

/** One field of the page: its name is the API's dot path. */
export interface FormField {
  readonly path: string;
  readonly label: string;
  /** Shown if the field is empty; `{whose}` is replaced by the person, such as `your`. */
  readonly ask: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly autocomplete?: string;
  /** Whether a blank clears the stored value, keeps it, or is refused. */
  readonly blank: 'clears' | 'keeps' | 'refused';
  readonly isOptional?: boolean;
  readonly isNarrow?: boolean;
}

function address(prefix: string, whose: 'your' | 'the' | '{whose}'): FormField[] {
  const fill = (name: string) => (whose === 'your' ? { autocomplete: name } : {});
  const part = { kind: 'text', blank: 'keeps' } as const;
  return [
    {
      ...part,
      path: `${prefix}line1`,
      label: 'Street and house number',
      ask: `Enter ${whose} street and house number`,
      ...fill('address-line1'),
    },
    {
      ...part,
      path: `${prefix}line2`,
      label: 'Flat, floor or building',
      ask: `Enter ${whose} flat, floor or building`,
      isOptional: true,
      ...fill('address-line2'),
    },
    {
      ...part,
      path: `${prefix}city`,
      label: 'City',
      ask: `Enter ${whose} city`,
      isNarrow: true,
      ...fill('address-level2'),
    },
    {
      ...part,
      path: `${prefix}postalCode`,
      label: 'Postal code',
      ask: `Enter ${whose} postal code`,
      isNarrow: true,
      ...fill('postal-code'),
    },
    {
      ...part,
      path: `${prefix}state`,
      label: 'State or province',
      ask: `Enter ${whose} state or province`,
      hint: 'Needed in the United States and Canada',
      isNarrow: true,
      ...fill('address-level1'),
    },
    {
      ...part,
      path: `${prefix}country`,
      label: 'Country',
      ask: `Choose ${whose} country`,
      kind: 'country',
      isNarrow: true,
      ...fill('country'),
    },
  ];
}

const ID_TYPES = [
  ['SSN', 'US social security number (SSN)'],
  ['ITIN', 'US individual taxpayer number (ITIN)'],
  ['NON_US_TAX_ID', 'Tax number of another country'],
] as const;

function identification(prefix: string, number: string, blank: FormField['blank']): FormField[] {
  return [
    {
      path: `${prefix}idType`,
      label: 'Kind of number',
      ask: `Choose the kind of ${number}`,
      kind: 'choice',
      options: ID_TYPES,
      blank,
    },
    {
      path: `${prefix}identifier`,
      label: 'Number',
      ask: `Enter ${number}`,
      kind: 'secret',
      hint: 'An SSN or ITIN is written 123-45-6789',
      blank: 'keeps',
      isNarrow: true,
    },
    {
      path: `${prefix}countryOfIssuance`,
      label: 'Country that issued it',
      ask: `Choose the country that issued ${number}`,
      kind: 'country',
      hint: 'Only for numbers of other countries',
      blank: 'clears',
      isOptional: true,
      isNarrow: true,
    },
  ];
}

export const PERSON_ABOUT: readonly FormField[] = [
  {
    path: 'fullName',
    label: 'Full name',
    ask: 'Enter your full name',
    kind: 'text',
    hint: 'First and last name, as on your identity document',
    autocomplete: 'name',
    blank: 'clears',
  },
  {
    path: 'birthDate',
    label: 'Date of birth',
    ask: 'Enter your date of birth',
    kind: 'date',
    autocomplete: 'bday',
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: 'nationality',
    label: 'Nationality',
    ask: 'Choose your nationality',
    kind: 'country',
    blank: 'clears',
    isNarrow: true,
  },
];

export const PERSON_ADDRESS: readonly FormField[] = address('address.', 'your');
export const PERSON_NUMBER: readonly FormField[] = identification('', 'your tax number', 'clears');

const B = 'businessInfo.';

export const COMPANY: readonly FormField[] = [
  {
    path: `${B}legalName`,
    label: 'Registered name',
    ask: 'Enter the registered name',
    kind: 'text',
    autocomplete: 'organization',
    blank: 'refused',
  },
  {
    path: `${B}doingBusinessAs`,
    label: 'Name used in trade',
    ask: 'Enter the name used in trade',
    kind: 'text',
    hint: 'If it differs from the registered name',
    blank: 'clears',
    isOptional: true,
  },
  {
    path: `${B}country`,
    label: 'Country of registration',
    ask: 'Choose the country of registration',
    kind: 'country',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${B}incorporatedOn`,
    label: 'Date of incorporation',
    ask: 'Enter the date of incorporation',
    kind: 'date',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${B}taxId`,
    label: 'Tax number',
    ask: 'Enter the tax number of the business',
    kind: 'text',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${B}registrationNumber`,
    label: 'Number in the company register',
    ask: 'Enter the number in the company register',
    kind: 'text',
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: `${B}entityType`,
    label: 'Legal form',
    ask: 'Choose the legal form',
    kind: 'choice',
    options: [
      ['SOLE_PROPRIETORSHIP', 'Sole proprietorship'],
      ['PARTNERSHIP', 'Partnership'],
      ['LLC', 'Limited liability company'],
      ['CORPORATION', 'Corporation'],
      ['S_CORPORATION', 'S corporation'],
      ['NON_PROFIT', 'Non-profit organisation'],
      ['PUBLICLY_LISTED_COMPANY', 'Publicly listed company'],
      ['TRUST', 'Trust'],
      ['PRIVATE_FOUNDATION', 'Private foundation'],
      ['CHARITY', 'Charity'],
      ['OTHER', 'Another form'],
    ],
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: `${B}businessType`,
    label: 'Line of business',
    ask: 'Choose the line of business',
    kind: 'choice',
    options: [
      ['AGRICULTURE_FORESTRY_FISHING_AND_HUNTING', 'Agriculture, forestry, fishing'],
      ['MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION', 'Mining, oil and gas'],
      ['UTILITIES', 'Utilities'],
      ['CONSTRUCTION', 'Construction'],
      ['MANUFACTURING', 'Manufacturing'],
      ['WHOLESALE_TRADE', 'Wholesale trade'],
      ['RETAIL_TRADE', 'Retail trade'],
      ['TRANSPORTATION_AND_WAREHOUSING', 'Transport and storage'],
      ['INFORMATION', 'Information and software'],
      ['FINANCE_AND_INSURANCE', 'Finance and insurance'],
      ['REAL_ESTATE_AND_RENTAL_AND_LEASING', 'Real estate and leasing'],
      ['PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES', 'Professional and technical work'],
      ['MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES', 'Management of companies'],
      [
        'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
        'Administration, support, waste management',
      ],
      ['EDUCATIONAL_SERVICES', 'Education'],
      ['HEALTH_CARE_AND_SOCIAL_ASSISTANCE', 'Health and social care'],
      ['ARTS_ENTERTAINMENT_AND_RECREATION', 'Arts, entertainment, recreation'],
      ['ACCOMMODATION_AND_FOOD_SERVICES', 'Hotels and restaurants'],
      ['OTHER_SERVICES', 'Another line of business'],
      ['PUBLIC_ADMINISTRATION', 'Public administration'],
    ],
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: `${B}countriesOfOperation`,
    label: 'Countries you are active in',
    ask: 'Choose the countries you are active in',
    kind: 'countries',
    blank: 'clears',
  },
];

/** Shown only if contacts must be verified (customers.md §2.1.10). */
export const COMPANY_CONTACT: readonly FormField[] = [
  {
    path: `${B}primaryContactFirstName`,
    label: 'First name of your contact person',
    ask: 'Enter the first name of your contact person',
    kind: 'text',
    blank: 'keeps',
    isNarrow: true,
  },
  {
    path: `${B}primaryContactLastName`,
    label: 'Last name of your contact person',
    ask: 'Enter the last name of your contact person',
    kind: 'text',
    blank: 'keeps',
    isNarrow: true,
  },
];

export const COMPANY_ADDRESS: readonly FormField[] = address('address.', 'the');

export const ACTIVITY: readonly FormField[] = [
  {
    path: `${B}purposeOfAccount`,
    label: 'What the account is for',
    ask: 'Choose what the account is for',
    kind: 'choice',
    options: [
      ['CONTRACTOR_PAYOUTS', 'Paying contractors'],
      ['CREATOR_PAYOUTS', 'Paying creators'],
      ['EMPLOYEE_PAYOUTS', 'Paying employees'],
      ['MARKETPLACE_SELLER_PAYOUTS', 'Paying sellers of a marketplace'],
      ['SUPPLIER_PAYMENTS', 'Paying suppliers'],
      ['CROSS_BORDER_B2B', 'Payments between businesses across borders'],
      ['AR_AUTOMATION', 'Collecting receivables'],
      ['AP_AUTOMATION', 'Paying bills'],
      ['EMBEDDED_PAYMENTS', 'Payments inside our own product'],
      ['PLATFORM_FEE_COLLECTION', 'Collecting platform fees'],
      ['P2P_TRANSFERS', 'Transfers between people'],
      ['CHARITABLE_DONATIONS', 'Donations'],
      ['OTHER', 'Something else'],
    ],
    blank: 'clears',
  },
  {
    path: `${B}purposeOfAccountOtherDescription`,
    label: 'What else it is for',
    ask: 'Say what else the account is for',
    kind: 'text',
    hint: 'If you chose “Something else”',
    blank: 'clears',
    isOptional: true,
  },
  {
    path: `${B}sourceOfFunds`,
    label: 'Where the money comes from',
    ask: 'Say where the money comes from',
    kind: 'long',
    hint: 'For example: sales of our products',
    blank: 'clears',
  },
  {
    path: `${B}expectedMonthlyTransactionCount`,
    label: 'Payments in a month',
    ask: 'Choose how many payments you expect in a month',
    kind: 'choice',
    options: [
      ['COUNT_UNDER_10', 'Under 10'],
      ['COUNT_10_TO_100', '10 to 100'],
      ['COUNT_100_TO_500', '100 to 500'],
      ['COUNT_500_TO_1000', '500 to 1,000'],
      ['COUNT_OVER_1000', 'Over 1,000'],
    ],
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: `${B}expectedMonthlyTransactionVolume`,
    label: 'Money moved in a month',
    ask: 'Choose how much money you expect to move in a month',
    kind: 'choice',
    options: [
      ['VOLUME_UNDER_10K', 'Under $10,000'],
      ['VOLUME_10K_TO_100K', '$10,000 to $100,000'],
      ['VOLUME_100K_TO_1M', '$100,000 to $1 million'],
      ['VOLUME_1M_TO_10M', '$1 million to $10 million'],
      ['VOLUME_OVER_10M', 'Over $10 million'],
    ],
    blank: 'clears',
    isNarrow: true,
  },
  {
    path: `${B}expectedRecipientJurisdictions`,
    label: 'Countries you will pay to',
    ask: 'Choose the countries you will pay to',
    kind: 'countries',
    blank: 'clears',
  },
];

const P = 'personalInfo.';

export const OWNER: readonly FormField[] = [
  {
    path: `${P}firstName`,
    label: 'First name',
    ask: 'Enter {whose} first name',
    kind: 'text',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${P}lastName`,
    label: 'Last name',
    ask: 'Enter {whose} last name',
    kind: 'text',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${P}middleName`,
    label: 'Middle name',
    ask: 'Enter {whose} middle name',
    kind: 'text',
    blank: 'clears',
    isOptional: true,
    isNarrow: true,
  },
  {
    path: `${P}birthDate`,
    label: 'Date of birth',
    ask: 'Enter {whose} date of birth',
    kind: 'date',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: `${P}nationality`,
    label: 'Nationality',
    ask: 'Choose {whose} nationality',
    kind: 'country',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: 'ownershipPercentage',
    label: 'Share of the business in percent',
    ask: 'Enter {whose} share of the business',
    kind: 'percent',
    hint: '0 for a person who only controls the business',
    blank: 'refused',
    isNarrow: true,
  },
  {
    path: 'roles',
    label: 'Part in the business',
    ask: 'Choose {whose} part in the business',
    kind: 'choices',
    options: [
      ['UBO', 'Owner'],
      ['DIRECTOR', 'Director'],
      ['COMPANY_OFFICER', 'Company officer'],
      ['CONTROL_PERSON', 'Person in control'],
      ['TRUSTEE', 'Trustee'],
      ['GENERAL_PARTNER', 'General partner'],
    ],
    blank: 'refused',
  },
  ...address(`${P}address.`, '{whose}'),
  ...identification(P, '{whose} identification number', 'refused').map((field) =>
    field.path === `${P}idType`
      ? { ...field, options: [...ID_TYPES, ['EIN', 'US employer number (EIN)'] as const] }
      : field,
  ),
];

export const DOCUMENT_LABELS: Readonly<Record<string, string>> = {
  PASSPORT: 'Passport',
  DRIVERS_LICENSE: 'Driver’s licence',
  NATIONAL_ID: 'National identity card',
  PROOF_OF_ADDRESS: 'Proof of address',
  BANK_STATEMENT: 'Bank statement',
  TAX_RETURN: 'Tax return',
  CERTIFICATE_OF_INCORPORATION: 'Certificate of incorporation',
  ARTICLES_OF_INCORPORATION: 'Articles of incorporation',
  ARTICLES_OF_ASSOCIATION: 'Articles of association',
  STATE_REGISTRY_EXCERPT: 'Excerpt from the company register',
  GOOD_STANDING_CERTIFICATE: 'Certificate of good standing',
  INFORMATION_STATEMENT: 'Information statement',
  INCUMBENCY_CERTIFICATE: 'Certificate of incumbency',
  BUSINESS_LICENSE: 'Business licence',
  SHAREHOLDER_REGISTER: 'Register of shareholders',
  POWER_OF_ATTORNEY: 'Power of attorney',
  UTILITY_BILL: 'Utility bill',
  ELECTRICITY_BILL: 'Electricity bill',
  RENT_OR_LEASE_AGREEMENT: 'Rent or lease agreement',
  DIRECTOR_REGISTRY: 'Register of directors',
  TRUST_AGREEMENT: 'Trust agreement',
  STATE_COMPANY_REGISTRY: 'State company registry',
  PARTNERSHIP_CONTROL_AGREEMENT: 'Partnership agreement on control',
  PARTNERSHIP_AGREEMENT: 'Partnership agreement',
  SELFIE: 'Photo of yourself',
  OTHER: 'Another document',
};

/** One slot for a document on the page; its field names start with `documents.N.`. */
export interface DocumentPlace {
  /** The packet check's error type that belongs to this slot. */
  readonly type: string;
  readonly title: string;
  readonly hint: string;
  readonly accepted: readonly string[];
  /** Identity documents have a number, an issuer and, for cards, a back. */
  readonly isIdentity: boolean;
  readonly hasBack: boolean;
}

const IDENTITY = { type: 'MISSING_IDENTITY_DOCUMENT', isIdentity: true } as const;
const PAPER = { isIdentity: false, hasBack: false } as const;

export const PERSON_PLACES: readonly DocumentPlace[] = [
  {
    ...IDENTITY,
    title: 'Passport, driver’s licence or identity card',
    hint: 'For a card we need front and back',
    accepted: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
    hasBack: true,
  },
];

export const OWNER_PLACES: readonly DocumentPlace[] = [
  { ...IDENTITY, title: 'Passport', hint: 'The page with the photo', accepted: ['PASSPORT'], hasBack: false },
  {
    ...IDENTITY,
    title: 'A second identity document',
    hint: 'Front and back',
    accepted: ['NATIONAL_ID', 'DRIVERS_LICENSE'],
    hasBack: true,
  },
];

export const COMPANY_PLACES: readonly DocumentPlace[] = [
  {
    ...PAPER,
    type: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
    title: 'Formation',
    hint: 'Shows that the business exists',
    accepted: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
    ],
  },
  {
    ...PAPER,
    type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    title: 'Ownership',
    hint: 'Shows who owns the business',
    accepted: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
  },
  {
    ...PAPER,
    type: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    title: 'Control',
    hint: 'Shows who controls the business. A trust agreement proves both ownership and control',
    accepted: [
      'DIRECTOR_REGISTRY',
      'TRUST_AGREEMENT',
      'STATE_COMPANY_REGISTRY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
    ],
  },
  {
    ...PAPER,
    type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    title: 'Address',
    hint: 'Shows where the business is',
    accepted: [
      'PROOF_OF_ADDRESS',
      'UTILITY_BILL',
      'RENT_OR_LEASE_AGREEMENT',
      'ELECTRICITY_BILL',
      'BANK_STATEMENT',
      'TAX_RETURN',
    ],
  },
];
