import type { BeneficialOwner, BeneficialOwnerCreateRequest } from '#capabilities/customers/owner-schemas.ts';
import type {
  CustomerCreateRequest,
  CustomerReply,
  CustomerUpdateRequest,
} from '#capabilities/customers/schemas.ts';
import {
  EXAMPLE_IDS,
  EXAMPLE_TIME,
  EXAMPLE_WALLET_SIGNATURE,
  exampleChallenge,
  exampleOpaqueId,
} from '#foundation/lib/examples.ts';

type CustomerOf<Customer, Type> = Extract<Customer, { customerType: Type }>;

/** Fields that every new customer of the examples' platform has. */
const MADE = {
  currencies: ['USD', 'USDC', 'USDB'],
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  isDeleted: false,
};

const ADA_SHOWN = {
  customerType: 'INDIVIDUAL',
  platformCustomerId: 'user-4711',
  region: 'US',
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'US',
  email: 'ada@example.com',
  phoneNumber: '+14155550123',
  address: { line1: '1 Market St', city: 'San Francisco', state: 'CA', postalCode: '94105', country: 'US' },
  idType: 'SSN',
  endUserTermsConsent: {
    acceptedAt: '2026-03-02T09:00:00.000Z',
    ipAddress: '203.0.113.7',
    termsVersion: 'V1',
    acceptanceMethod: 'CHECKBOX',
  },
} satisfies CustomerOf<CustomerCreateRequest, 'INDIVIDUAL'>;

/** Has everything that a verification requires, and the consent that she needs to move money. */
export const ADA_REQUEST: CustomerCreateRequest = { ...ADA_SHOWN, identifier: '123-45-6789' };

/** The customer before verification. */
export const ADA: CustomerOf<CustomerReply, 'INDIVIDUAL'> = {
  ...ADA_SHOWN,
  ...MADE,
  id: EXAMPLE_IDS.ada,
  umaAddress: '$726b38031b8d5a1eacee@uma.localhost',
  kycStatus: 'UNVERIFIED',
  countryOfIssuance: 'US',
};

export const ADA_APPROVED: CustomerReply = { ...ADA, kycStatus: 'APPROVED' };

/** Her wallet's codes go to the new address from now on, so the wallet's owner must sign the change. */
export const ADA_NEW_EMAIL = {
  params: { customerId: EXAMPLE_IDS.ada },
  body: { customerType: 'INDIVIDUAL', email: 'ada.king@example.com' } as const,
  challenge: exampleChallenge(EXAMPLE_IDS.contactRequest, 9, {
    type: 'UPDATE_USER_EMAIL',
    parameters: {
      userEmail: 'ada.king@example.com',
      userId: exampleOpaqueId('user', EXAMPLE_IDS.ada),
    },
  }),
  signature: EXAMPLE_WALLET_SIGNATURE,
  reply: { ...ADA_APPROVED, email: 'ada.king@example.com' },
};

export const ENGINES_REQUEST = {
  customerType: 'BUSINESS',
  platformCustomerId: 'business-77',
  email: 'office@example.com',
  address: { line1: '1 Engine Way', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' },
  businessInfo: {
    legalName: 'Analytical Engines Inc.',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2015-06-01',
    registrationNumber: 'REG-4711',
    entityType: 'CORPORATION',
    countriesOfOperation: ['US'],
    businessType: 'INFORMATION',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'Sales of engines',
    expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
    expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
    expectedRecipientJurisdictions: ['US', 'GB'],
  },
} satisfies CustomerCreateRequest;

export const ENGINES: CustomerOf<CustomerReply, 'BUSINESS'> = {
  ...ENGINES_REQUEST,
  ...MADE,
  id: EXAMPLE_IDS.engines,
  umaAddress: '$1722c35f18274c6860aa@uma.localhost',
  region: 'US',
  kybStatus: 'UNVERIFIED',
  beneficialOwners: [],
};

export const EMMY_REQUEST = {
  customerType: 'INDIVIDUAL',
  platformCustomerId: 'user-4712',
  fullName: 'Emmy Noether',
  region: 'DE',
  email: 'emmy@example.com',
  phoneNumber: '+4915112345678',
} satisfies CustomerCreateRequest;

export const EMMY: CustomerOf<CustomerReply, 'INDIVIDUAL'> = {
  ...EMMY_REQUEST,
  ...MADE,
  id: EXAMPLE_IDS.emmy,
  umaAddress: '$0f736fc9cba65f85bc69@uma.localhost',
  contactVerification: { email: 'PENDING', phone: 'PENDING' },
  kycStatus: 'UNVERIFIED',
};

/** Her e-mail address is verified first, then her phone. */
export const EMMY_REACHED = {
  Email: { ...EMMY, contactVerification: { email: 'VERIFIED', phone: 'PENDING' } },
  Phone: { ...EMMY, contactVerification: { email: 'VERIFIED', phone: 'VERIFIED' } },
} satisfies Record<string, CustomerReply>;

const EMMY_KNOWN = {
  customerType: 'INDIVIDUAL',
  nationality: 'DE',
  birthDate: '1982-03-23',
  address: { line1: 'Hauptstr. 23', city: 'Erlangen', postalCode: '91054', country: 'DE' },
  idType: 'NON_US_TAX_ID',
  endUserTermsConsent: ADA_SHOWN.endUserTermsConsent,
} satisfies CustomerUpdateRequest;

/** Adds everything that the verification still needs. */
export const EMMY_UPDATE: CustomerUpdateRequest = { ...EMMY_KNOWN, identifier: '86095742719' };

export const EMMY_UPDATED: CustomerReply = { ...EMMY_REACHED.Phone, ...EMMY_KNOWN };

export const EMMY_APPROVED: CustomerReply = { ...EMMY_UPDATED, kycStatus: 'APPROVED' };

export const BABBAGE_REQUEST = {
  customerId: EXAMPLE_IDS.engines,
  roles: ['UBO', 'DIRECTOR'],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: 'Charles',
    lastName: 'Babbage',
    birthDate: '1971-12-26',
    nationality: 'US',
    address: { line1: '5 Devonshire St', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' },
    idType: 'SSN',
    identifier: '219-09-9999',
  },
} satisfies BeneficialOwnerCreateRequest;

export const BABBAGE: BeneficialOwner = {
  ...BABBAGE_REQUEST,
  id: EXAMPLE_IDS.babbage,
  personalInfo: { ...BABBAGE_REQUEST.personalInfo, countryOfIssuance: 'US' },
  kycStatus: 'UNVERIFIED',
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const BABBAGE_UPDATE = { ownershipPercentage: 75, personalInfo: { email: 'charles@example.com' } };

export const BABBAGE_UPDATED: BeneficialOwner = {
  ...BABBAGE,
  ...BABBAGE_UPDATE,
  personalInfo: { ...BABBAGE.personalInfo, ...BABBAGE_UPDATE.personalInfo },
};
