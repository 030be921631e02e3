// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCustomer } from '#capabilities/customers/lifecycle/create-customer.ts';
import type { CustomerCreateRequest } from '#capabilities/customers/schemas.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { saveProviderFields } from '#capabilities/platform/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import {
  BUSINESS,
  constraintsOf,
  EUROPEAN,
  fieldsOf,
  givenCustomer,
  PERSON,
} from '#tests/given/customers.ts';
import { type RequestOf, untyped } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const CONSENT = {
  acceptedAt: '2026-03-02T09:00:00Z',
  ipAddress: '203.0.113.7',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
};

describe('creating customers', () => {
  const world = testWorld();

  async function refused(platform: TestPlatform, body: unknown, code = 'INVALID_INPUT', status = 400) {
    const reply = await platform.send('createCustomer', { body });
    assert.equal(reply.status, status, reply.raw);
    assert.equal(reply.body.code, code, reply.raw);
    return reply.body;
  }

  async function supports(platform: TestPlatform, codes: string[]): Promise<void> {
    const supportedCurrencies = codes.map((currencyCode) => ({
      currencyCode,
      minAmount: 1,
      maxAmount: 1_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
    }));
    const reply = await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.equal(reply.status, 200, reply.raw);
  }

  it('customers.md §2.1.1, §1.5: an individual needs only its type; generated and inferred fields are filled in, the rest is absent', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    assert.match(customer.id, /^Customer:/);
    assert.match(customer.platformCustomerId, /^[0-9a-f-]{36}$/);
    assert.match(customer.umaAddress, /^\$[0-9a-f]{20}@uma\.corridor\.test$/);
    assert.deepEqual(
      { ...customer, id: 0, platformCustomerId: 0, umaAddress: 0 },
      {
        customerType: 'INDIVIDUAL',
        id: 0,
        platformCustomerId: 0,
        umaAddress: 0,
        region: 'US',
        currencies: ['USD', 'USDC'],
        kycStatus: 'UNVERIFIED',
        createdAt: '2026-03-02T10:00:00.000Z',
        updatedAt: '2026-03-02T10:00:00.000Z',
        isDeleted: false,
      },
    );
  });

  it('customers.md §2.1.1: a business also needs its name, country, tax number and incorporation date', async () => {
    const platform = await world.platform();
    assert.deepEqual(fieldsOf(await refused(platform, { customerType: 'BUSINESS' })), ['businessInfo']);
    const empty = await refused(platform, { customerType: 'BUSINESS', businessInfo: {} });
    assert.deepEqual(
      fieldsOf(empty),
      ['legalName', 'country', 'taxId', 'incorporatedOn'].map((name) => `businessInfo.${name}`),
    );
  });

  it('customers.md §2.1.2: read-only and unknown fields are ignored', async () => {
    const platform = await world.platform();
    const body = {
      customerType: 'INDIVIDUAL',
      id: 'Customer:00000000-0000-7000-8000-000000000000',
      kycStatus: 'APPROVED',
      kybStatus: 5,
      createdAt: 'yesterday',
      isDeleted: true,
      contactVerification: { email: 'VERIFIED' },
      beneficialOwners: [{}],
      shoeSize: 43,
    };
    const customer = await givenCustomer(platform, untyped(body));
    assert.notEqual(customer.id, 'Customer:00000000-0000-7000-8000-000000000000');
    assert.equal(customer.kycStatus, 'UNVERIFIED');
    assert.equal(customer.isDeleted, false);
    for (const name of ['kybStatus', 'contactVerification', 'beneficialOwners', 'shoeSize'])
      assert.ok(!(name in customer), name);
    assert.equal(
      (await givenCustomer(platform, untyped({ customerType: 'INDIVIDUAL', kycStatus: 42 }))).kycStatus,
      'UNVERIFIED',
    );
  });

  it('customers.md §2.1.3: a platformCustomerId is unique among live customers, byte by byte, and per platform', async () => {
    const platform = await world.platform();
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', platformCustomerId: 'Anna' });
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', platformCustomerId: 'anna' });
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', platformCustomerId: 'Anna ' });
    await refused(platform, { customerType: 'INDIVIDUAL', platformCustomerId: 'Anna' }, 'CONFLICT', 409);
    await givenCustomer(await world.platform(), { customerType: 'INDIVIDUAL', platformCustomerId: 'Anna' });
  });

  it('customers.md §2.1.3: of twenty parallel creates with one platformCustomerId one succeeds, nineteen are refused', async () => {
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', platformCustomerId: 'the-one' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => platform.call('createCustomer', { body })),
    );
    assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
    assert.equal(replies.filter((reply) => reply.body.code === 'CONFLICT').length, 19);
    const listed = await platform.call('listCustomers', { query: { platformCustomerId: 'the-one' } });
    assert.equal(listed.body.totalCount, 1);
  });

  it('customers.md §2.1.4: a UMA address is stored in lower case and unique across platforms', async () => {
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', umaAddress: '$Grace.H@Uma.Corridor.Test' };
    assert.equal((await givenCustomer(platform, body)).umaAddress, '$grace.h@uma.corridor.test');
    await refused(platform, body, 'UMA_ADDRESS_EXISTS', 409);
    await refused(await world.platform(), body, 'UMA_ADDRESS_EXISTS', 409);
  });

  it('customers.md §2.1.4: of ten parallel creates with one UMA address one succeeds', async () => {
    const platforms = [await world.platform(), await world.platform()];
    const body = { customerType: 'INDIVIDUAL', umaAddress: '$race@uma.corridor.test' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => platforms[i % 2]?.call('createCustomer', { body })),
    );
    assert.equal(replies.filter((reply) => reply?.status === 201).length, 1);
    assert.equal(replies.filter((reply) => reply?.body.code === 'UMA_ADDRESS_EXISTS').length, 9);
  });

  it('customers.md §2.1.4: sandbox and production have separate UMA addresses', async () => {
    const body = { customerType: 'INDIVIDUAL', umaAddress: '$both@uma.corridor.test' };
    await givenCustomer(await world.platform(), body);
    await givenCustomer(await world.platform({ environment: 'PRODUCTION' }), body);
  });

  it('customers.md §2.1.4: an invalid UMA address has its own code, unless other fields are invalid as well', async () => {
    const platform = await world.platform();
    const body = { customerType: 'INDIVIDUAL', umaAddress: 'ada@example.com' };
    assert.deepEqual(fieldsOf(await refused(platform, body, 'INVALID_UMA_ADDRESS')), ['umaAddress']);
    assert.deepEqual(fieldsOf(await refused(platform, { ...body, email: 'no' })), ['email', 'umaAddress']);
  });

  it("customers.md §2.1.4: the address has the platform's domain if it has one, and never another platform's", async () => {
    const [platform, other] = [await world.platform(), await world.platform()];
    const domain = await platform.call('updatePlatformConfig', { body: { umaDomain: 'pay.acme.test' } });
    assert.equal(domain.status, 200);
    const generated = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    assert.ok(generated.umaAddress.endsWith('@pay.acme.test'));
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', umaAddress: '$bob@pay.acme.test' });
    for (const [who, address] of [
      [platform, '$bob@other.test'],
      [other, '$eve@pay.acme.test'],
      [other, '$eve@sandbox.corridor.test'],
    ] as const) {
      await refused(who, { customerType: 'INDIVIDUAL', umaAddress: address }, 'INVALID_UMA_ADDRESS');
    }
    await givenCustomer(other, { customerType: 'INDIVIDUAL', umaAddress: '$eve@unclaimed.test' });
  });

  it('customers.md §2.1.4: an address from before its domain was claimed stays with its customer', async () => {
    const [early, owner] = [await world.platform(), await world.platform()];
    const body = { customerType: 'INDIVIDUAL', umaAddress: '$eve@late.acme.test' };
    const { id } = await givenCustomer(early, body);
    const claim = await owner.call('updatePlatformConfig', { body: { umaDomain: 'late.acme.test' } });
    assert.equal(claim.status, 200, claim.raw);
    const { body: kept } = await early.call('getCustomerById', { params: { customerId: id } });
    assert.equal(kept.umaAddress, '$eve@late.acme.test');
    await refused(owner, body, 'UMA_ADDRESS_EXISTS', 409);
    await refused(early, { ...body, umaAddress: '$bob@late.acme.test' }, 'INVALID_UMA_ADDRESS');
  });

  it('customers.md §2.1.5: the identifier is in no reply', async () => {
    const platform = await world.platform();
    const made = await platform.call('createCustomer', { body: PERSON });
    const got = await platform.call('getCustomerById', { params: { customerId: made.body.id } });
    const listed = await platform.call('listCustomers');
    for (const reply of [made, got, listed])
      assert.ok(!reply.raw.includes('123-45-6789') && !reply.raw.includes('identifier'));
    assert.equal(got.body.idType, 'SSN');
    assert.equal(got.body.countryOfIssuance, 'US');
  });

  it('customers.md §2.1.6: individuals have a kycStatus, businesses a kybStatus and a list of owners', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const business = await givenCustomer(platform, BUSINESS);
    const [ofPerson, ofBusiness] = [Object.keys(person), Object.keys(business)];
    assert.ok(ofPerson.includes('kycStatus') && !ofPerson.includes('kybStatus'));
    assert.ok(!ofPerson.includes('beneficialOwners'));
    assert.ok(ofBusiness.includes('kybStatus') && !ofBusiness.includes('kycStatus'));
    assert.deepEqual(business.beneficialOwners, []);
    assert.deepEqual(business.businessInfo, BUSINESS.businessInfo);
  });

  it('customers.md §2.1.7: contact verification starts as pending in SCA regions and is absent elsewhere', async () => {
    const platform = await world.platform();
    const european = await givenCustomer(platform, EUROPEAN);
    assert.deepEqual(european.contactVerification, { email: 'PENDING', phone: 'PENDING' });
    assert.ok(!('contactVerification' in (await givenCustomer(platform))));
  });

  it('customers.md §2.1.10: a region that cannot be determined requires no contacts', async () => {
    const platform = await world.platform();
    const address = { line1: 'Hauptstrasse 1', postalCode: '10115', country: 'DE' };
    const body = { customerType: 'INDIVIDUAL', address };
    assert.deepEqual(fieldsOf(await refused(platform, { ...body, region: 'de' })), ['region']);
    assert.deepEqual(fieldsOf(await refused(platform, body)), ['email', 'phoneNumber']);
  });

  it('customers.md §2.1.8: an Idempotency-Key is honoured, and other methods are 405', async () => {
    const platform = await world.platform();
    const first = await platform.call('createCustomer', { body: PERSON, key: 'k1' });
    const again = await platform.call('createCustomer', { body: PERSON, key: 'k1' });
    assert.equal(again.status, 201);
    assert.equal(again.raw, first.raw);
    const put = await world.app.http.inject({
      method: 'PUT',
      url: '/svc/2025-10-13/customers',
      headers: { authorization: platform.authorization },
    });
    assert.equal(put.statusCode, 405);
    assert.equal(put.json().code, 'METHOD_NOT_ALLOWED');
  });

  it('customers.md §2.1.9: checks run in order: fields, terms version, missing information, conflicts', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'PHP']);
    const work = await platform.work();
    await work.write((tx) => saveProviderFields(tx, { PHP: { customer: ['FULL_NAME', 'POSTAL_ADDRESS'] } }));
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', platformCustomerId: 'taken' });
    const body = {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'taken',
      currencies: ['PHP'],
      endUserTermsConsent: { ...CONSENT, termsVersion: 'V0' },
      email: 'no',
    };
    assert.deepEqual(fieldsOf(await refused(platform, body)), ['email']);
    const { email: _email, ...noField } = body;
    await refused(platform, noField, 'END_USER_TERMS_VERSION_NOT_FOUND');
    const { endUserTermsConsent: _consent, ...noConsent } = noField;
    const missing = await refused(platform, noConsent, 'MISSING_MANDATORY_USER_INFO');
    assert.deepEqual(fieldsOf(missing), ['fullName', 'address']);
    const whole = { ...noConsent, fullName: 'Jose Rizal', address: PERSON.address };
    await refused(platform, whole, 'CONFLICT', 409);
    assert.equal((await givenCustomer(platform, { ...whole, platformCustomerId: 'free' })).region, 'US');
  });

  it('customers.md §2.1.10: all invalid fields, by schema or by rule, are named together in document order', async () => {
    const platform = await world.platform();
    const body = await refused(platform, {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 7,
      region: 'ZZ',
      currencies: ['USD', 'XXX'],
      email: 'nobody',
      phoneNumber: '0151',
      umaAddress: 'nothing',
      endUserTermsConsent: { acceptedAt: '2026-03-02T10:06:00Z', ipAddress: 'localhost', termsVersion: 'V1' },
      fullName: 'x'.repeat(251),
      birthDate: '2027-01-01',
      nationality: 'us',
      address: { city: 'Berlin' },
      idType: 'SSN',
      identifier: '12',
      countryOfIssuance: 'DE',
      purposeOfAccount: 'OTHER',
      pepStatus: 'MAYBE',
    });
    assert.deepEqual(constraintsOf(body), {
      platformCustomerId: undefined,
      region: { format: 'iso3166-1-alpha-2' },
      'currencies.1': { enum: ['USD', 'USDC', 'USDB'] },
      email: { format: 'email' },
      phoneNumber: { pattern: '^\\+[1-9]\\d{6,14}$', format: 'e.164' },
      umaAddress: constraintsOf(body).umaAddress,
      'endUserTermsConsent.acceptedAt': { format: 'date-time' },
      'endUserTermsConsent.ipAddress': undefined,
      'endUserTermsConsent.acceptanceMethod': { enum: ['CHECKBOX', 'CLICK_TO_ACCEPT'] },
      fullName: { maxLength: 250 },
      birthDate: { format: 'date' },
      nationality: { format: 'iso3166-1-alpha-2' },
      'address.line1': undefined,
      'address.postalCode': undefined,
      'address.country': undefined,
      identifier: { format: 'us-ssn' },
      countryOfIssuance: { enum: ['US'] },
      purposeOfAccountOtherDescription: undefined,
      pepStatus: { enum: ['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'] },
    });
    assert.deepEqual(fieldsOf(body).slice(0, 3), ['platformCustomerId', 'region', 'currencies.1']);
  });

  it('customers.md §2.1.10: text of spaces only counts as missing, in an address and in a business', async () => {
    const platform = await world.platform();
    const address = {
      line1: ' ',
      line2: '\t',
      city: '\u3000',
      state: ' ',
      postalCode: '\u00a0',
      country: 'US',
    };
    const person = await refused(platform, { ...PERSON, address });
    const parts = ['line1', 'line2', 'city', 'state', 'postalCode'].map((part) => `address.${part}`);
    assert.deepEqual(fieldsOf(person), parts);
    const blank = { legalName: ' ', doingBusinessAs: ' ', registrationNumber: ' ', sourceOfFunds: '\n' };
    const business = await refused(platform, {
      ...BUSINESS,
      businessInfo: { ...BUSINESS.businessInfo, ...blank },
    });
    assert.deepEqual(
      fieldsOf(business),
      Object.keys(blank).map((name) => `businessInfo.${name}`),
    );
  });

  it('customers.md §2.1.10: every invalid currency is named, including one that is not text', async () => {
    const platform = await world.platform();
    const body = await refused(platform, { ...PERSON, currencies: ['usd', 5, 'USD', 'EUR'] });
    assert.deepEqual(fieldsOf(body), ['currencies.0', 'currencies.1', 'currencies.3']);
  });

  it('customers.md §2.1.10: a business is checked by its own rules', async () => {
    const platform = await world.platform();
    const body = await refused(platform, {
      customerType: 'BUSINESS',
      region: 'FR',
      businessInfo: {
        ...BUSINESS.businessInfo,
        taxId: '12',
        incorporatedOn: '1899-01-01',
        countriesOfOperation: ['US', 'QQ'],
        naicsCode: 'x',
        sourceOfFundsCategories: ['OTHER'],
      },
    });
    assert.deepEqual(
      new Set(fieldsOf(body)),
      new Set([
        'email',
        'phoneNumber',
        'businessInfo.taxId',
        'businessInfo.incorporatedOn',
        'businessInfo.countriesOfOperation.1',
        'businessInfo.naicsCode',
        'businessInfo.sourceOfFundsOtherDescription',
        'businessInfo.primaryContactFirstName',
        'businessInfo.primaryContactLastName',
      ]),
    );
  });

  it('customers.md §2.1.10: null counts as absent on POST; a missing type, invalid JSON and a non-object have their own refusals', async () => {
    const platform = await world.platform();
    const nulls = { customerType: 'INDIVIDUAL', fullName: null, address: null };
    const customer = await givenCustomer(platform, untyped(nulls));
    assert.ok(!('fullName' in customer));
    assert.deepEqual(fieldsOf(await refused(platform, {})), ['customerType']);
    assert.deepEqual(fieldsOf(await refused(platform, { customerType: 'ROBOT', email: 'no' })), [
      'customerType',
    ]);
    for (const text of ['{', '[]', '"x"']) {
      const broken = await refused(platform, text, 'INVALID_REQUEST_FORMAT');
      assert.equal(broken.details, undefined);
    }
  });

  it('customers.md §2.1.10: no odd value makes the service fail', async () => {
    const platform = await world.platform();
    const odd = [0, -1, 1e308, true, '', 'x'.repeat(5000), [], [[]], {}, { a: {} }, '\u{1F600}'];
    const names = [
      'platformCustomerId',
      'region',
      'currencies',
      'email',
      'umaAddress',
      'endUserTermsConsent',
      'fullName',
    ];
    for (const name of [
      ...names,
      'birthDate',
      'address',
      'idType',
      'identifier',
      'sourceOfFundsCategories',
    ]) {
      for (const value of odd) {
        const reply = await platform.call('createCustomer', {
          body: { customerType: 'INDIVIDUAL', [name]: value },
        });
        assert.ok(
          [201, 400].includes(reply.status),
          `${name} ${JSON.stringify(value)?.slice(0, 40)}: ${reply.status}`,
        );
      }
    }
    for (const value of odd) {
      const reply = await platform.send('createCustomer', {
        body: { customerType: 'BUSINESS', businessInfo: value },
      });
      assert.equal(reply.status, 400);
    }
  });

  it('customers.md §2.1.10: more invalid fields than a refusal can name are still refused', async () => {
    const platform = await world.platform();
    const currencies = Array.from({ length: 150 }, () => 1);
    for (const rest of [{ fullName: 7, birthDate: 7, idType: 'SSN', identifier: 7 }, { address: 7 }]) {
      const body = await refused(platform, { customerType: 'INDIVIDUAL', currencies, ...rest });
      assert.equal(fieldsOf(body).length, 100);
    }
    const roles = Array.from({ length: 150 }, () => 'KING');
    const { id: customerId } = await givenCustomer(platform, BUSINESS);
    const personalInfo = { firstName: 7, identifier: 7 };
    const reply = await platform.send('createBeneficialOwner', { body: { customerId, roles, personalInfo } });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
  });

  it('customers.md §2.1.11: enhanced due diligence is kept, and a description without OTHER is dropped', async () => {
    const platform = await world.platform();
    const edd = {
      sourceOfFundsCategories: ['SALARY', 'OTHER'],
      sourceOfFundsOtherDescription: 'lottery',
      sourceOfWealthCategories: ['SALARY'],
      purposeOfAccount: 'P2P_TRANSFERS',
      expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
      expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
      annualIncomeRange: 'UNDER_50K',
      netWorthRange: 'UNDER_100K',
      pepStatus: 'NONE',
    };
    const customer = await givenCustomer(platform, {
      ...PERSON,
      ...edd,
      sourceOfWealthOtherDescription: 'idle',
    });
    assert.deepEqual({ ...customer, ...edd }, customer);
    assert.ok(!('sourceOfWealthOtherDescription' in customer));
  });

  it('customers.md §2.1.12: the region comes from the address, the business, the first single-country currency, or is US', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'EUR', 'BRL']);
    const createForRegion = async (body: RequestOf<'createCustomer'>) =>
      (await givenCustomer(platform, body)).region;
    const address = { ...PERSON.address, country: 'BR' };
    assert.equal(await createForRegion({ customerType: 'INDIVIDUAL', address }), 'BR');
    assert.equal(
      await createForRegion({
        ...BUSINESS,
        address,
        businessInfo: { ...BUSINESS.businessInfo, country: 'CA', taxId: 'AB123456' },
      }),
      'CA',
    );
    assert.equal(await createForRegion({ customerType: 'INDIVIDUAL', currencies: ['EUR', 'BRL'] }), 'BR');
    assert.equal(await createForRegion({ customerType: 'INDIVIDUAL', currencies: ['EUR'] }), 'US');
    assert.equal(await createForRegion({ customerType: 'INDIVIDUAL', region: 'GB', address }), 'GB');
  });

  it('customers.md §2.1.13: currencies default to all, USDB only with an email; named ones must be supported', async () => {
    const platform = await world.platform();
    assert.deepEqual((await givenCustomer(platform)).currencies, ['USD', 'USDC', 'USDB']);
    const twice = { customerType: 'INDIVIDUAL', currencies: ['USDC', 'USD', 'USDC'] };
    assert.deepEqual((await givenCustomer(platform, twice)).currencies, ['USDC', 'USD']);
    assert.deepEqual(fieldsOf(await refused(platform, { ...twice, currencies: ['EUR', 'USD', 'usd'] })), [
      'currencies.0',
      'currencies.2',
    ]);
    assert.deepEqual(fieldsOf(await refused(platform, { ...twice, currencies: ['USDB'] })), ['email']);
  });

  it('customers.md §2.1.13: combinations that need separate customers are refused if the service lists any', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const policy = {
      terms: SAMPLE_TERMS,
      publicUrl: () => '',
      domains: TEST_DOMAINS,
      separateCurrencies: [['USD', 'USDC']],
    };
    const create = (currencies: string[]) =>
      work.write((tx) => {
        const body = { customerType: 'INDIVIDUAL', currencies } as CustomerCreateRequest;
        return createCustomer(tx, { body, problems: [] }, policy);
      });
    await create(['USD']);
    await assert.rejects(create(['USD', 'USDC']), (error: Refusal) => {
      assert.ok(error instanceof Refusal && error.code === 'INVALID_INPUT');
      assert.deepEqual(fieldsOf({ details: error.details }), ['currencies']);
      return true;
    });
  });

  it('customers.md §2.1.14: only named currencies require their providers’ fields', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'PHP']);
    const work = await platform.work();
    const facts = ['FULL_NAME', 'TAX_ID', 'REGISTRATION_NUMBER', 'USER_TYPE', 'PURPOSE_OF_PAYMENT'] as const;
    await work.write((tx) => saveProviderFields(tx, { PHP: { customer: [...facts] } }));
    await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    const named = await refused(
      platform,
      { customerType: 'INDIVIDUAL', currencies: ['PHP'] },
      'MISSING_MANDATORY_USER_INFO',
    );
    assert.deepEqual(fieldsOf(named), ['fullName', 'identifier']);
    const business = await refused(
      platform,
      { ...BUSINESS, currencies: ['PHP'] },
      'MISSING_MANDATORY_USER_INFO',
    );
    assert.deepEqual(fieldsOf(business), ['businessInfo.registrationNumber']);
  });

  it('customers.md §2.1.17: a consent is returned once recorded, in UTC, and all its fields are required', async () => {
    const platform = await world.platform();
    const consent = {
      ...CONSENT,
      acceptedAt: '2026-03-02T11:04:59+01:00',
      ipAddress: '2001:db8::1',
      note: 'ignored',
    };
    const customer = await givenCustomer(platform, { ...PERSON, endUserTermsConsent: consent });
    assert.deepEqual(customer.endUserTermsConsent, {
      ...CONSENT,
      acceptedAt: '2026-03-02T10:04:59.000Z',
      ipAddress: '2001:db8::1',
    });
    const partial = await refused(platform, { ...PERSON, endUserTermsConsent: {} });
    assert.equal(fieldsOf(partial).length, 4);
  });

  it('customers.md §2.1.17: an IPv6 address with a zone is refused', async () => {
    const platform = await world.platform();
    const endUserTermsConsent = { ...CONSENT, ipAddress: 'fe80::1%eth0' };
    const body = await refused(platform, { ...PERSON, endUserTermsConsent });
    assert.deepEqual(fieldsOf(body), ['endUserTermsConsent.ipAddress']);
  });

  it('platform.md §1.1.5: missing credentials are 401 and a token without MANAGE is 403, before the body is read', async () => {
    const platform = await world.platform({ permissions: ['VIEW', 'TRANSACT'] });
    assert.equal((await platform.send('createCustomer', { body: '{', as: 'nobody' })).status, 401);
    assert.equal((await platform.send('createCustomer', { body: '{' })).status, 403);
  });

  it('customers.md §8, §8.1: the initial status emits one event with the customer as GET returns it', async () => {
    const platform = await world.platform({ settings: { skipVerificationPaperwork: true } });
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.received.length = 0;
    const approved = await givenCustomer(platform, { ...PERSON, fullName: 'Ada Lovelace' });
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', fullName: 'Waits 001' });
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', fullName: 'Fails 002' });
    await givenCustomer(platform, { customerType: 'INDIVIDUAL', fullName: 'Stays 003' });
    await givenCustomer(platform, BUSINESS);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(receiver.types().sort(), [
      'CUSTOMER.KYC_APPROVED',
      'CUSTOMER.KYC_PENDING',
      'CUSTOMER.KYC_REJECTED',
    ]);
    const told = receiver.received.find(({ body }) => body.type === 'CUSTOMER.KYC_APPROVED');
    assert.deepEqual(told?.body.data, approved);
  });

  it('customers.md §9: individuals of a regulated production platform are approved at creation, those of others are not', async () => {
    const regulated = await world.platform({
      environment: 'PRODUCTION',
      settings: { isRegulatedFinancialInstitution: true },
    });
    assert.equal(
      (await givenCustomer(regulated, { ...PERSON, fullName: 'Any Name 002' })).kycStatus,
      'APPROVED',
    );
    const unregulated = await world.platform({ environment: 'PRODUCTION' });
    assert.equal((await givenCustomer(unregulated)).kycStatus, 'UNVERIFIED');
  });

  it('a customer, its currencies and its event are one commit: a refused create stores nothing', async () => {
    const platform = await world.platform({ settings: { skipVerificationPaperwork: true } });
    await givenCustomer(platform, { ...PERSON, platformCustomerId: 'x' });
    await refused(platform, { ...PERSON, platformCustomerId: 'x' }, 'CONFLICT', 409);
    const [rows] = await world.database.query<{ customers: bigint; held: bigint; events: bigint }>(sql`
      select (select count(*) from customers where platform_id = ${platform.id}) as customers,
             (select count(*) from customer_currencies where platform_id = ${platform.id}) as held,
             (select count(*) from events where platform_id = ${platform.id}) as events`);
    assert.deepEqual(rows, { customers: 1n, held: 3n, events: 1n });
  });
});
