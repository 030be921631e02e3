import type { Customer, Verification } from '../generated/schemas.ts';
import { type Recipe, type Recipes, type Scene, TriggerError } from './scene.ts';

const ADDRESS = {
  line1: '1 Market St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
};

type Person = Parameters<Scene['corridor']['createCustomer']>[0] & { customerType: 'INDIVIDUAL' };

/**
 * Creates a person whose verification is still open. Some platforms approve people at creation; the end of this name
 * prevents that. The end of the name at the submission decides the outcome.
 */
async function newPerson({ corridor, name }: Scene, more: Partial<Person> = {}): Promise<string> {
  const made = await corridor.createCustomer({
    customerType: 'INDIVIDUAL',
    platformCustomerId: name,
    fullName: 'Trigger Example 003',
    birthDate: '1990-12-10',
    nationality: 'US',
    email: `${name}@example.com`,
    idType: 'SSN',
    identifier: '123-45-6789',
    address: ADDRESS,
    endUserTermsConsent: await consent(corridor),
    ...more,
  });
  return idOf(made);
}

/** Every customer has an id, although the contract marks it as optional in a reply. */
function idOf({ id = '' }: Customer): string {
  return id;
}

async function consent(corridor: Scene['corridor']) {
  const { version } = await corridor.getEndUserTerms();
  const acceptedAt = '2026-03-02T09:00:00Z';
  return {
    acceptedAt,
    ipAddress: '203.0.113.7',
    termsVersion: version,
    acceptanceMethod: 'CHECKBOX',
  } as const;
}

const paper = () => new File(['%PDF-1.4'], 'trigger.pdf', { type: 'application/pdf' });

async function submitPerson(
  { corridor }: Scene,
  customerId: string,
  { fullName, country = 'US' }: { fullName: string; country?: string },
): Promise<Verification> {
  await corridor.updateCustomerById(customerId, { customerType: 'INDIVIDUAL', fullName });
  await corridor.uploadDocument({
    ...{ documentHolder: customerId, documentType: 'PASSPORT', country, documentNumber: 'C01X00T47' },
    ...{ issuingAuthority: 'Department of State', file: paper() },
  });
  return corridor.createVerification({ customerId });
}

const APPROVED = 'Trigger Example';

/** Creates an approved customer, whose money may move. */
export async function approvedPerson(scene: Scene): Promise<string> {
  const customerId = await newPerson(scene);
  await submitPerson(scene, customerId, { fullName: APPROVED });
  return customerId;
}

/** Creates a customer in Germany with verified contacts, logged in: such a customer has to authorize payments. */
export async function europeanPerson(scene: Scene): Promise<string> {
  const { corridor } = scene;
  const customerId = await newPerson(scene, {
    ...{ region: 'DE', nationality: 'DE', phoneNumber: '+4915112345678' },
    ...{ idType: 'NON_US_TAX_ID', identifier: '86095742719' },
    address: { line1: 'Hauptstr. 23', city: 'Erlangen', postalCode: '91054', country: 'DE' },
  });
  const code = '123456';
  await corridor.sendCustomerEmailVerification(customerId);
  await corridor.confirmCustomerEmailVerification(customerId, { code });
  await corridor.sendCustomerPhoneVerification(customerId);
  await corridor.confirmCustomerPhoneVerification(customerId, { code });
  await submitPerson(scene, customerId, { fullName: APPROVED, country: 'DE' });
  const { challengeId } = await corridor.startScaLogin({ customerId, factor: 'SMS_OTP' });
  await corridor.completeScaLogin({
    ...{ customerId, factor: 'SMS_OTP', code, endUserIpAddress: '203.0.113.7' },
    ...(challengeId != null && { challengeId }),
  });
  return customerId;
}

export async function fetchAccountId(
  { corridor }: Scene,
  customerId: string,
  currency: string,
): Promise<string> {
  const { data } = await corridor.listCustomerInternalAccounts({ customerId, currency });
  const [account] = data;
  if (account) return account.id;
  throw new TriggerError(
    `Your platform does not have ${currency}: add it to supportedCurrencies (PATCH /config) and try again.`,
  );
}

const person = (how: string, fullName: string): Recipe => ({
  how,
  async act(scene) {
    const customerId = await newPerson(scene);
    await submitPerson(scene, customerId, { fullName });
    return customerId;
  },
});

const submission = (how: string, fullName: string): Recipe => ({
  how,
  async act(scene) {
    return (await submitPerson(scene, await newPerson(scene), { fullName })).id;
  },
});

const PAPERS = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'PROOF_OF_ADDRESS',
] as const;

async function newBusiness({ corridor, name }: Scene, registrationNumber: string): Promise<string> {
  const made = await corridor.createCustomer({
    ...{ customerType: 'BUSINESS', platformCustomerId: name, email: `${name}@example.com`, address: ADDRESS },
    businessInfo: {
      ...{
        legalName: 'Trigger Example Inc.',
        country: 'US',
        taxId: '12-3456789',
        incorporatedOn: '2015-06-01',
      },
      ...{ registrationNumber, entityType: 'CORPORATION', countriesOfOperation: ['US'] },
      ...{ businessType: 'INFORMATION', purposeOfAccount: 'SUPPLIER_PAYMENTS', sourceOfFunds: 'Sales' },
      expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
      expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
      expectedRecipientJurisdictions: ['US'],
    },
  });
  const customerId = idOf(made);
  for (const documentType of PAPERS) {
    await corridor.uploadDocument({ documentHolder: customerId, documentType, country: 'US', file: paper() });
  }
  await corridor.createBeneficialOwner({
    ...{ customerId, roles: ['UBO', 'DIRECTOR'], ownershipPercentage: 60 },
    personalInfo: {
      ...{ firstName: 'Trigger', lastName: 'Owner', birthDate: '1971-12-26', nationality: 'US' },
      ...{ address: ADDRESS, idType: 'SSN', identifier: '219-09-9999' },
    },
  });
  return customerId;
}

const business = (how: string, registrationNumber: string): Recipe => ({
  how,
  async act(scene) {
    const customerId = await newBusiness(scene, registrationNumber);
    await scene.corridor.createVerification({ customerId });
    return customerId;
  },
});

export const CUSTOMERS: Recipes<'CUSTOMER'> = {
  'CUSTOMER.KYC_PENDING': person('a person whose submission is reviewed by hand', `${APPROVED} 001`),
  'CUSTOMER.KYC_APPROVED': person('a person who is submitted and approved', APPROVED),
  'CUSTOMER.KYC_REJECTED': person('a person who is submitted and rejected', `${APPROVED} 002`),
  'CUSTOMER.KYB_PENDING': business('a business whose submission is reviewed by hand', 'REG-001'),
  'CUSTOMER.KYB_APPROVED': business('a business that is submitted and approved', 'REG-777'),
  'CUSTOMER.KYB_REJECTED': business('a business that is submitted and rejected', 'REG-002'),
};

export const VERIFICATIONS: Recipes<'VERIFICATION'> = {
  'VERIFICATION.READY_FOR_VERIFICATION': { by: 'nobody', how: 'declared, but never sent' },
  'VERIFICATION.IN_PROGRESS': {
    how: 'a business whose submission is reviewed by hand',
    async act(scene) {
      const customerId = await newBusiness(scene, 'REG-001');
      return (await scene.corridor.createVerification({ customerId })).id;
    },
  },
  'VERIFICATION.RESOLVE_ERRORS': submission('a person whose passport cannot be read', `${APPROVED} 003`),
  'VERIFICATION.PENDING_MANUAL_REVIEW': submission(
    'a person whose submission is reviewed by hand',
    `${APPROVED} 001`,
  ),
  'VERIFICATION.APPROVED': submission('a person who is submitted and approved', APPROVED),
  'VERIFICATION.REJECTED': submission('a person who is submitted and rejected', `${APPROVED} 002`),
};
