import assert from 'node:assert/strict';
import type { FieldError } from '#foundation/lib/refusals.ts';
import { supports } from '#tests/given/accounts.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** A person with every field, outside the regions that require verified contacts. */
export const PERSON = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'US',
  email: 'ada@example.com',
  phoneNumber: '+14155550123',
  address: { line1: '1 Market St', city: 'San Francisco', state: 'CA', postalCode: '94105', country: 'US' },
  idType: 'SSN',
  identifier: '123-45-6789',
};

export const BUSINESS = {
  customerType: 'BUSINESS',
  email: 'office@example.com',
  businessInfo: {
    legalName: 'Analytical Engines Inc.',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2015-06-01',
  },
};

/** A person in a region where both contacts have to be verified. */
export const EUROPEAN = {
  customerType: 'INDIVIDUAL',
  fullName: 'Emmy Noether',
  region: 'DE',
  email: 'emmy@example.com',
  phoneNumber: '+4915112345678',
};

/** A customer as the API shows it. */
export type CreatedCustomer = BodyOf<'createCustomer'>;

/** A customer made through the API; it must succeed. */
export async function givenCustomer(
  platform: TestPlatform,
  body: RequestOf<'createCustomer'> = PERSON,
): Promise<CreatedCustomer> {
  const made = await platform.call('createCustomer', { body });
  assert.equal(made.status, 201, made.raw);
  return made.body;
}

interface RefusedBody {
  readonly details?: object | undefined;
}

/** The errors of a refusal as `field → constraint`. */
export function constraintsOf(body: RefusedBody): Record<string, unknown> {
  const { errors = [] } = (body.details ?? {}) as { errors?: FieldError[] };
  return Object.fromEntries(errors.map(({ field, constraint }) => [field, constraint]));
}

export function fieldsOf(body: RefusedBody): string[] {
  return Object.keys(constraintsOf(body));
}

/**
 * A person where both contacts have to be verified, without an embedded wallet, whose owner would have to sign for another
 * address (customers.md §2.3.25): the platform no longer supports USDB (accounts.md §2.1.2).
 */
export async function givenWithoutWallet(platform: TestPlatform): Promise<CreatedCustomer> {
  await supports(platform, ['USD']);
  return givenCustomer(platform, EUROPEAN);
}
