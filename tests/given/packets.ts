import assert from 'node:assert/strict';
import { payloadContext } from '#foundation/events/emit.ts';
import { BUSINESS, type CreatedCustomer, givenCustomer, PERSON } from '#tests/given/customers.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** Complete papers for a submission, made through the API. */

export interface FileOptions {
  name?: string;
  type?: string;
  content?: string | Uint8Array;
}

export const PDF = '%PDF-1.7 a test document';

/** A multipart form; the file comes last unless `fileFirst`. */
export function documentForm(
  fields: Record<string, string>,
  file: FileOptions | undefined = {},
  fileFirst = false,
): FormData {
  const form = new FormData();
  const addFile = () => {
    const { name = 'paper.pdf', type = 'application/pdf', content = PDF } = file;
    form.append('file', new Blob([content as string], { type }), name);
  };
  if (fileFirst) addFile();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (!fileFirst) addFile();
  return form;
}

/** A form whose files have neither type nor name, as a program may write it. */
export function namelessForm(fields: Record<string, string>, files: Record<string, string>) {
  const parts = Object.entries({ ...fields, ...files }).map(
    ([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${parts.join('')}--cut--\r\n`, 'latin1'),
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
  };
}

/** The fields of an upload, suitable for its type. */
export function documentFields(
  documentHolder: string,
  documentType = 'PASSPORT',
  more: Record<string, string> = {},
): Record<string, string> {
  const isIdentity = ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'].includes(documentType);
  return {
    documentHolder,
    documentType,
    country: 'US',
    ...(isIdentity && { documentNumber: 'C01X00T47', issuingAuthority: 'Department of State' }),
    ...more,
  };
}

export async function givenDocument(
  platform: TestPlatform,
  holder: string,
  type?: string,
  more?: Record<string, string>,
) {
  const made = await platform.call('uploadDocument', {
    body: documentForm(documentFields(holder, type, more)),
  });
  assert.equal(made.status, 201, made.raw);
  return made.body;
}

/** A person with everything that a submission requires. */
export async function givenCompletePerson(platform: TestPlatform, fullName = 'Ada Lovelace') {
  const customer = await givenCustomer(platform, { ...PERSON, fullName });
  await givenDocument(platform, customer.id);
  return customer;
}

export const FULL_BUSINESS = {
  ...BUSINESS,
  address: { line1: '1 Engine Way', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' },
  businessInfo: {
    ...BUSINESS.businessInfo,
    registrationNumber: 'REG-777',
    entityType: 'CORPORATION',
    countriesOfOperation: ['US'],
    businessType: 'INFORMATION',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'Sales of engines',
    expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
    expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
    expectedRecipientJurisdictions: ['US', 'GB'],
  },
};

export const OWNER_PERSON = {
  firstName: 'Charles',
  lastName: 'Babbage',
  birthDate: '1971-12-26',
  nationality: 'US',
  address: { line1: '5 Devonshire St', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' },
  idType: 'SSN',
  identifier: '219-09-9999',
};

type OwnerRequest = RequestOf<'createBeneficialOwner'>;
type PersonRequest = NonNullable<OwnerRequest['personalInfo']>;

export function ownerBody(customerId: string, person: PersonRequest = {}, more: OwnerRequest = {}) {
  return {
    customerId,
    roles: ['UBO', 'DIRECTOR'],
    ownershipPercentage: 60,
    personalInfo: { ...OWNER_PERSON, ...person },
    ...more,
  };
}

export async function givenOwner(
  platform: TestPlatform,
  customerId: string,
  person: PersonRequest = {},
  more: OwnerRequest = {},
) {
  const made = await platform.call('createBeneficialOwner', { body: ownerBody(customerId, person, more) });
  assert.equal(made.status, 201, made.raw);
  return made.body;
}

export const BUSINESS_PAPERS = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'PROOF_OF_ADDRESS',
];

export async function givenBusiness(platform: TestPlatform, registrationNumber = 'REG-777') {
  const businessInfo = { ...FULL_BUSINESS.businessInfo, registrationNumber };
  return givenCustomer(platform, { ...FULL_BUSINESS, businessInfo });
}

/** A business with everything that a submission requires: papers and one American owner in control. */
export async function givenCompleteBusiness(platform: TestPlatform, registrationNumber?: string) {
  const customer = await givenBusiness(platform, registrationNumber);
  for (const type of BUSINESS_PAPERS) await givenDocument(platform, customer.id, type);
  await givenOwner(platform, customer.id);
  return customer;
}

export async function submitted(platform: TestPlatform, customerId: string) {
  const reply = await platform.call('createVerification', { body: { customerId } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

export async function fetchCustomerStatus(platform: TestPlatform, customerId: string): Promise<string> {
  const { body } = await platform.call('getCustomerById', { params: { customerId } });
  return body.kycStatus ?? body.kybStatus;
}

export interface CustomerEvent {
  readonly type: string;
  readonly data: CreatedCustomer & { readonly verificationStatus: string };
}

/** The platform's events about customers and verifications so far, in order, read from the outbox. */
export async function listCustomerEvents(platform: TestPlatform): Promise<CustomerEvent[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<{ id: EventId; type: string; payload: Buffer }>`
      select id, type, payload from events
       where platform_id = ${tx.platformId} and type ~ '^(CUSTOMER|VERIFICATION)[.]'
       order by seq`;
    return rows.map(({ id, type, payload }) => ({
      type,
      data: JSON.parse(tx.vault.openText(payload, payloadContext(id))),
    }));
  });
}

export async function listCustomerEventTypes(platform: TestPlatform): Promise<string[]> {
  return (await listCustomerEvents(platform)).map(({ type }) => type);
}
