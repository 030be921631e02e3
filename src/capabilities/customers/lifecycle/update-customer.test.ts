// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { customerContactChanged } from '#capabilities/customers/announcements.ts';
import { prepareUpdate } from '#capabilities/customers/lifecycle/update-customer.ts';
import type { CustomerUpdateRequest } from '#capabilities/customers/schemas.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { saveProviderFields } from '#capabilities/platform/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { on, reactionTable } from '#foundation/events/reactions.ts';
import { type Gate, PASSED } from '#foundation/http/declare/gates.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';
import { supports } from '#tests/given/accounts.ts';
import {
  BUSINESS,
  type CreatedCustomer,
  constraintsOf,
  EUROPEAN,
  fieldsOf,
  givenCustomer,
  givenWithoutWallet,
  PERSON,
} from '#tests/given/customers.ts';
import { type RequestOf, untyped } from '#tests/harness/api-types.ts';
import { commitPlan } from '#tests/harness/commit-plan.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const POLICY = { terms: SAMPLE_TERMS, publicUrl: () => '', domains: TEST_DOMAINS, separateCurrencies: [] };

type Patch = RequestOf<'updateCustomerById'>;

describe('updating customers', () => {
  const world = testWorld();

  async function patch(platform: TestPlatform, { id, customerType }: CreatedCustomer, body: Patch) {
    return platform.call('updateCustomerById', {
      params: { customerId: id },
      body: { customerType, ...body },
    });
  }

  async function changed(platform: TestPlatform, customer: CreatedCustomer, body: Patch) {
    const reply = await patch(platform, customer, body);
    assert.equal(reply.status, 200, reply.raw);
    return reply.body;
  }

  async function refused(
    platform: TestPlatform,
    customer: CreatedCustomer,
    body: object,
    code = 'INVALID_INPUT',
    status = 400,
  ) {
    const reply = await patch(platform, customer, untyped(body));
    assert.equal(reply.status, status, reply.raw);
    assert.equal(reply.body.code, code, reply.raw);
    return reply.body;
  }

  it('customers.md §2.3.20: fields merge, omitted fields keep their values, and GET shows the same', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    world.clock.advance(5000);
    const after = await changed(platform, customer, { fullName: ' Ada King ', nationality: 'GB' });
    assert.deepEqual(after, {
      ...customer,
      fullName: 'Ada King',
      nationality: 'GB',
      updatedAt: after.updatedAt,
    });
    assert.ok(after.updatedAt > customer.updatedAt);
    assert.deepEqual(
      (await platform.call('getCustomerById', { params: { customerId: customer.id } })).body,
      after,
    );
  });

  it('customers.md §2.3.20: customerType is required and must be the stored one', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const missing = await platform.call('updateCustomerById', {
      params: { customerId: customer.id },
      body: { fullName: 'X' },
    });
    assert.deepEqual(fieldsOf(missing.body), ['customerType']);
    const other = await refused(platform, { ...customer, customerType: 'BUSINESS' }, {});
    assert.deepEqual(constraintsOf(other), { customerType: { enum: ['INDIVIDUAL'] } });
  });

  it('customers.md §2.3.20: the address and lists are replaced entirely, businessInfo merges key by key', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform, { ...PERSON, sourceOfFundsCategories: ['GIFT', 'LOAN'] });
    const address = { line1: 'Hauptstrasse 1', line2: null, postalCode: '10115', country: 'DE' };
    const after = await changed(platform, person, { address, sourceOfFundsCategories: ['SALARY'] });
    assert.deepEqual(after.address, { line1: 'Hauptstrasse 1', postalCode: '10115', country: 'DE' });
    assert.deepEqual(after.sourceOfFundsCategories, ['SALARY']);
    assert.deepEqual(fieldsOf(await refused(platform, person, { address: { city: 'Rome' } })), [
      'address.line1',
      'address.postalCode',
      'address.country',
    ]);
    const business = await givenCustomer(platform, BUSINESS);
    const info = { registrationNumber: 'HRB 001', countriesOfOperation: ['US', 'CA'] };
    const grown = await changed(platform, business, { businessInfo: info });
    assert.deepEqual(grown.businessInfo, { ...BUSINESS.businessInfo, ...info });
    const shrunk = await changed(platform, business, {
      businessInfo: { registrationNumber: null, countriesOfOperation: ['MX'] },
    });
    assert.deepEqual(shrunk.businessInfo, { ...BUSINESS.businessInfo, countriesOfOperation: ['MX'] });
  });

  it('customers.md §2.1.10: null clears an optional field and is an error for any other', async () => {
    const platform = await world.platform();
    // With USDB there would be a wallet, and the email that receives its codes cannot be cleared.
    await supports(platform, ['USD', 'USDC']);
    const person = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    const cleared = await changed(platform, person, {
      fullName: null,
      address: null,
      idType: null,
      identifier: null,
      email: null,
    });
    for (const name of ['fullName', 'address', 'idType', 'countryOfIssuance', 'email'])
      assert.ok(!(name in cleared), name);
    const bad = await refused(platform, person, {
      currencies: null,
      umaAddress: null,
      endUserTermsConsent: null,
      region: null,
      platformCustomerId: null,
    });
    assert.deepEqual(fieldsOf(bad), [
      'platformCustomerId',
      'region',
      'currencies',
      'umaAddress',
      'endUserTermsConsent',
    ]);
    const business = await givenCustomer(platform, BUSINESS);
    assert.deepEqual(fieldsOf(await refused(platform, business, { businessInfo: null })), ['businessInfo']);
    const keys = { legalName: null, country: null, taxId: null, incorporatedOn: null };
    assert.equal(fieldsOf(await refused(platform, business, { businessInfo: keys })).length, 4);
  });

  it('customers.md §2.1.10: all invalid fields of the merged record are named together', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform, {
      customerType: 'INDIVIDUAL',
      identifier: '12',
      currencies: ['USD'],
    });
    const bad = await refused(platform, person, {
      currencies: ['EUR'],
      phoneNumber: 'x',
      birthDate: '1800-01-01',
      idType: 'SSN',
      purposeOfAccount: 'OTHER',
    });
    assert.deepEqual(fieldsOf(bad), [
      'currencies.0',
      'phoneNumber',
      'birthDate',
      'identifier',
      'purposeOfAccountOtherDescription',
    ]);
    const whole = await changed(platform, person, {
      idType: 'NON_US_TAX_ID',
      identifier: 'AB1234',
      countryOfIssuance: 'DE',
    });
    assert.equal(whole.countryOfIssuance, 'DE');
    assert.deepEqual(fieldsOf(await refused(platform, person, { idType: 'SSN' })), [
      'identifier',
      'countryOfIssuance',
    ]);
  });

  it('customers.md §2.1.10: no odd value makes the service fail', async () => {
    const platform = await world.platform();
    const [person, business] = [await givenCustomer(platform), await givenCustomer(platform, BUSINESS)];
    const odd = [0, -1, 1e308, true, null, '', 'x'.repeat(5000), [], [[]], {}, { a: {} }, '\u{1F600}'];
    const names = [
      'platformCustomerId',
      'region',
      'currencies',
      'email',
      'umaAddress',
      'endUserTermsConsent',
      'fullName',
    ];
    for (const value of odd) {
      for (const name of [
        ...names,
        'birthDate',
        'address',
        'idType',
        'identifier',
        'sourceOfFundsCategories',
        'customerType',
      ]) {
        const reply = await patch(platform, person, { [name]: value });
        assert.ok([200, 400].includes(reply.status), `${name}: ${reply.status}`);
      }
      for (const name of ['legalName', 'taxId', 'country', 'registrationNumber', 'sourceOfFundsCategories']) {
        const reply = await patch(platform, business, { businessInfo: { [name]: value } });
        assert.ok([200, 400].includes(reply.status), `businessInfo.${name}: ${reply.status}`);
      }
      assert.ok(
        [200, 400].includes((await patch(platform, business, untyped({ businessInfo: value }))).status),
      );
    }
  });

  it('customers.md §2.1.10: an SSN may be replaced by another number without sending its country again', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform, { ...PERSON, countryOfIssuance: 'US' });
    const after = await changed(platform, person, { idType: 'NON_US_TAX_ID', identifier: 'DE811907980' });
    assert.ok(!('countryOfIssuance' in after));
  });

  it('customers.md §2.1.11: a description whose choice is no longer OTHER is dropped', async () => {
    const platform = await world.platform();
    const edd = { purposeOfAccount: 'OTHER', purposeOfAccountOtherDescription: 'stamps' };
    const person = await givenCustomer(platform, { ...PERSON, ...edd });
    const after = await changed(platform, person, { purposeOfAccount: 'P2P_TRANSFERS' });
    assert.ok(!('purposeOfAccountOtherDescription' in after));
    const again = await refused(platform, person, { purposeOfAccount: 'OTHER' });
    assert.deepEqual(fieldsOf(again), ['purposeOfAccountOtherDescription']);
  });

  it('customers.md §2.3.20: currencies are replaced; an added one gets an account, a dropped empty one is closed', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    const after = await changed(platform, customer, { currencies: ['USDC', 'USDC'] });
    assert.deepEqual(after.currencies, ['USDC']);
    const query = { customerId: customer.id };
    const accounts = await platform.call('listCustomerInternalAccounts', { query });
    assert.equal(accounts.status, 200, accounts.raw);
    const states = accounts.body.data.map(({ balance, status }) => [balance.currency.code, status]);
    assert.deepEqual(Object.fromEntries(states), { USDC: 'ACTIVE', USD: 'CLOSED', USDB: 'ACTIVE' });
    for (const [currency, ids] of [
      ['USDC', [customer.id]],
      ['USD', []],
    ] as const) {
      const listed = await platform.call('listCustomers', { query: { currency } });
      assert.deepEqual(
        listed.body.data.map((row) => row.id),
        ids,
      );
    }
  });

  it('customers.md §2.3.20: a currency that the platform has dropped may stay, but not be added again', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { ...PERSON, currencies: ['USD', 'USDC'] });
    const { body: config } = await platform.call('getPlatformConfig');
    const supportedCurrencies = config.supportedCurrencies.filter((rule) => rule.currencyCode !== 'USDC');
    await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.deepEqual((await changed(platform, customer, { currencies: ['USDC'] })).currencies, ['USDC']);
    await changed(platform, customer, { currencies: ['USD'] });
    assert.deepEqual(fieldsOf(await refused(platform, customer, { currencies: ['USDC'] })), ['currencies.0']);
  });

  it('customers.md §2.1.13: USDB needs an email, whether the currency or the email changes', async () => {
    const platform = await world.platform();
    const withWallet = await givenCustomer(platform);
    assert.deepEqual(fieldsOf(await refused(platform, withWallet, { email: null })), ['email']);
    const without = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    assert.deepEqual(fieldsOf(await refused(platform, without, { currencies: ['USDB'] })), ['email']);
    assert.equal(
      (await changed(platform, without, { currencies: ['USDB'], email: 'a@example.com' })).email,
      'a@example.com',
    );
  });

  it('customers.md §2.1.13: combinations that need separate customers are refused when an update would create them', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    const policy = { ...POLICY, separateCurrencies: [['USD', 'USDC']] };
    const work = await platform.work();
    const hold = (currencies: string[]) =>
      commitPlan(work, (tx) => {
        const body = { customerType: 'INDIVIDUAL', currencies } as CustomerUpdateRequest;
        return prepareUpdate(tx, uuidOf(customer.id), { body, problems: [] }, policy);
      });
    await assert.rejects(hold(['USD', 'USDC']), (error: Refusal) => {
      assert.deepEqual([error.code, fieldsOf({ details: error.details })], ['INVALID_INPUT', ['currencies']]);
      return true;
    });
    assert.deepEqual((await hold(['USDC'])).currencies, ['USDC']);
  });

  it('customers.md §2.1.14: added currencies require their providers’ fields, on the merged record', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL', currencies: ['USD'] });
    const work = await platform.work();
    await work.write((tx) => saveProviderFields(tx, { USDC: { customer: ['FULL_NAME', 'BIRTH_DATE'] } }));
    const added = { currencies: ['USD', 'USDC'], fullName: 'Ada Lovelace' };
    const missing = await refused(platform, customer, added, 'MISSING_MANDATORY_USER_INFO');
    assert.deepEqual(fieldsOf(missing), ['birthDate']);
    await changed(platform, customer, { birthDate: '1990-12-10' });
    assert.deepEqual((await changed(platform, customer, added)).currencies, ['USD', 'USDC']);
  });

  it('customers.md §2.1.14: a field that the provider of a held currency requires cannot be cleared', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const businessInfo = { ...BUSINESS.businessInfo, registrationNumber: 'REG-1' };
    const business = await givenCustomer(platform, { ...BUSINESS, businessInfo });
    // Its currencies were never named, so the missing required fields block nothing.
    const bare = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    const asked = ['FULL_NAME', 'BIRTH_DATE', 'POSTAL_ADDRESS', 'TAX_ID', 'REGISTRATION_NUMBER'] as const;
    const work = await platform.work();
    await work.write((tx) => saveProviderFields(tx, { USD: { customer: [...asked] } }));
    const code = 'MISSING_MANDATORY_USER_INFO';
    const cleared = { fullName: null, birthDate: null, address: null, identifier: null };
    const missing = await refused(platform, person, cleared, code);
    assert.deepEqual(fieldsOf(missing), ['fullName', 'birthDate', 'address', 'identifier']);
    const { body } = await platform.call('getCustomerById', { params: { customerId: person.id } });
    assert.deepEqual(body, person);
    const kept = await refused(platform, business, { businessInfo: { registrationNumber: null } }, code);
    assert.deepEqual(fieldsOf(kept), ['businessInfo.registrationNumber']);
    // Fields that no provider requires can be cleared, the others once the currency is dropped; absent ones are not missed.
    await changed(platform, person, { nationality: null, birthDate: '1990-12-11' });
    await changed(platform, person, { ...cleared, currencies: ['USDC'] });
    await changed(platform, bare, { nationality: 'FR', fullName: null });
  });

  it('customers.md §2.3.21: region and platformCustomerId may be sent again, but not changed', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const { region, platformCustomerId } = customer;
    await changed(platform, customer, { region, platformCustomerId });
    const bad = await refused(platform, customer, { region: 'BR', platformCustomerId: 'other' });
    assert.deepEqual(fieldsOf(bad), ['platformCustomerId', 'region']);
  });

  it('customers.md §2.1.4: an address may change to a free one, and keep a domain that the platform no longer has', async () => {
    const platform = await world.platform();
    const [a, b] = [await givenCustomer(platform), await givenCustomer(platform)];
    const moved = await changed(platform, a, { umaAddress: '$Moved@uma.corridor.test' });
    assert.equal(moved.umaAddress, '$moved@uma.corridor.test');
    await refused(platform, b, { umaAddress: '$moved@uma.corridor.test' }, 'UMA_ADDRESS_EXISTS', 409);
    await platform.call('updatePlatformConfig', { body: { umaDomain: 'new.acme.test' } });
    await changed(platform, a, { umaAddress: '$MOVED@uma.corridor.test' });
    await refused(platform, a, { umaAddress: '$else@uma.corridor.test' }, 'INVALID_UMA_ADDRESS');
  });

  it('customers.md §2.3.22: email and phoneNumber cannot be sent together, for any customer and any value', async () => {
    const platform = await world.platform();
    for (const body of [PERSON, EUROPEAN, BUSINESS]) {
      const customer = await givenCustomer(platform, body);
      const both = { email: customer.email, phoneNumber: customer.phoneNumber ?? null };
      assert.deepEqual(fieldsOf(await refused(platform, customer, both)), ['email', 'phoneNumber']);
    }
  });

  it('customers.md §2.3.23: in SCA regions a changed contact is pending again, an unchanged one is not, and neither can be cleared', async () => {
    const platform = await world.platform();
    const customer = await givenWithoutWallet(platform);
    for (const channel of ['Email', 'Phone'] as const) {
      const params = { customerId: customer.id };
      assert.equal((await platform.call(`sendCustomer${channel}Verification`, { params })).status, 204);
      const body = { code: '123456' };
      assert.equal(
        (await platform.call(`confirmCustomer${channel}Verification`, { params, body })).status,
        200,
      );
    }
    const same = await changed(platform, customer, { email: EUROPEAN.email });
    assert.deepEqual(same.contactVerification, { email: 'VERIFIED', phone: 'VERIFIED' });
    const moved = await changed(platform, customer, { email: 'new@example.com' });
    assert.deepEqual(moved.contactVerification, { email: 'PENDING', phone: 'VERIFIED' });
    const rung = await changed(platform, customer, { phoneNumber: '+4915100000001' });
    assert.deepEqual(rung.contactVerification, { email: 'PENDING', phone: 'PENDING' });
    assert.deepEqual(fieldsOf(await refused(platform, customer, { phoneNumber: null })), ['phoneNumber']);
  });

  it('customers.md §2.3.23: a code sent to the old address proves nothing about the new one', async () => {
    const platform = await world.platform();
    const customer = await givenWithoutWallet(platform);
    const params = { customerId: customer.id };
    await platform.call('sendCustomerEmailVerification', { params });
    await changed(platform, customer, { email: 'new@example.com' });
    const late = await platform.call('confirmCustomerEmailVerification', {
      params,
      body: { code: '123456' },
    });
    assert.equal(late.status, 400);
  });

  it('customers.md §2.3.23: a changed phone is announced to the folder that has the sessions', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const told: string[] = [];
    const work = await watching(
      platform,
      on(customerContactChanged, async (_tx, { field }) => void told.push(field)),
    );
    await commitPlan(work, (tx) => update(tx, customer, { phoneNumber: '+4915100000001' }));
    await commitPlan(work, (tx) => update(tx, customer, { phoneNumber: '+4915100000001' }));
    assert.deepEqual(told, ['phoneNumber']);
  });

  it('customers.md §2.3.24: an update never changes the status and emits no event; a deleted customer is 404', async () => {
    const platform = await world.platform({ settings: { skipVerificationPaperwork: true } });
    const customer = await givenCustomer(platform);
    const before = await eventCount(platform);
    const after = await changed(platform, customer, { fullName: 'Renamed 002', kycStatus: 'REJECTED' });
    assert.equal(after.kycStatus, 'APPROVED');
    assert.equal(await eventCount(platform), before);
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    await refused(platform, customer, { fullName: 'Late' }, 'CUSTOMER_NOT_FOUND', 404);
    const foreign = await givenCustomer(await world.platform());
    await refused(platform, foreign, {}, 'CUSTOMER_NOT_FOUND', 404);
    assert.deepEqual(fieldsOf(await refused(platform, foreign, { email: 'x' })), ['email']);
  });

  it('customers.md §2.1.17: a later consent replaces the earlier one, whose record is kept', async () => {
    const platform = await world.platform();
    const consent = {
      acceptedAt: '2026-03-01T00:00:00Z',
      ipAddress: '203.0.113.7',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    };
    const customer = await givenCustomer(platform, { ...PERSON, endUserTermsConsent: consent });
    const later = { ...consent, acceptedAt: '2026-03-02T00:00:00.000Z', acceptanceMethod: 'CLICK_TO_ACCEPT' };
    assert.deepEqual(
      (await changed(platform, customer, { endUserTermsConsent: later })).endUserTermsConsent,
      later,
    );
    await refused(
      platform,
      customer,
      { endUserTermsConsent: { ...later, termsVersion: 'V9' } },
      'END_USER_TERMS_VERSION_NOT_FOUND',
    );
    const rows = await world.database.query(sql`
      select acceptance_method from end_user_terms_consents where platform_id = ${platform.id} order by accepted_at`);
    assert.deepEqual(rows, [{ acceptance_method: 'CHECKBOX' }, { acceptance_method: 'CLICK_TO_ACCEPT' }]);
  });

  it('two concurrent updates of one customer are both kept, field by field', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const names = ['fullName', 'nationality', 'birthDate', 'purposeOfAccount', 'pepStatus'] as const;
    const values = ['Ada King', 'GB', '1991-01-01', 'P2P_TRANSFERS', 'NONE'];
    await Promise.all(names.map((name, i) => changed(platform, customer, { [name]: values[i] })));
    const { body } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
    assert.deepEqual(
      names.map((name) => body[name]),
      values,
    );
  });

  it('customers.md §2.3.20: all concurrent updates of one customer are applied', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const params = { customerId: customer.id };
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        platform.call('updateCustomerById', {
          params,
          body: { customerType: 'INDIVIDUAL', fullName: `Ada ${i}` },
        }),
      ),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  });

  function update(tx: ReadTx, customer: CreatedCustomer, fields: object) {
    const body = { customerType: customer.customerType, ...fields } as CustomerUpdateRequest;
    return prepareUpdate(tx, uuidOf(customer.id), { body, problems: [] }, POLICY);
  }

  async function watching(
    platform: TestPlatform,
    ...subscriptions: Parameters<typeof reactionTable>[0][number][]
  ) {
    const work = await platform.work();
    return new Work({ ...work.runtime, reactions: reactionTable(subscriptions) }, work.platform, work.actor);
  }

  async function eventCount(platform: TestPlatform): Promise<bigint | undefined> {
    const [row] = await world.database.query<{ count: bigint }>(sql`
      select count(*) from events where platform_id = ${platform.id}`);
    return row?.count;
  }
});

describe('updating a customer that changes meanwhile', () => {
  /** Runs once, between the check of the next change and its commit. */
  let between: (() => Promise<unknown>) | undefined;
  const gate: Gate = {
    name: 'something in between',
    async check() {
      const step = between;
      between = undefined;
      await step?.();
      return PASSED;
    },
  };
  const world = testWorld({ capability: { name: 'between', gates: [gate] } });

  it('customers.md §2.3.20: a change between check and commit is kept: the update is checked again on the new state', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const params = { customerId: customer.id };
    const patch = (fields: object) =>
      platform.call('updateCustomerById', { params, body: { customerType: 'INDIVIDUAL', ...fields } });
    between = () => patch({ nationality: 'GB' });
    const renamed = await patch({ fullName: 'Ada King' });
    assert.deepEqual([renamed.body.fullName, renamed.body.nationality], ['Ada King', 'GB']);
    between = () => platform.call('deleteCustomerById', { params });
    const late = await patch({ fullName: 'Too Late' });
    assert.deepEqual([late.status, late.body.code], [404, 'CUSTOMER_NOT_FOUND']);
  });
});
