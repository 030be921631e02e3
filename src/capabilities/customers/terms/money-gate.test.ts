import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { checkMoneyGate } from '#capabilities/customers/terms/money-gate.ts';
import { BUSINESS, type CreatedCustomer, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const CONSENT = {
  acceptedAt: '2026-03-02T09:00:00Z',
  ipAddress: '203.0.113.7',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
};

describe('the money gate and the status of a customer', () => {
  const world = testWorld();

  async function gate(platform: TestPlatform, { id }: CreatedCustomer): Promise<string> {
    const work = await platform.work();
    return work.read(async (tx) => {
      const customer = await findCustomer(tx, uuidOf(id));
      assert.ok(customer);
      const refusal = checkMoneyGate(tx, customer);
      return refusal ? `${refusal.status} ${refusal.code}` : 'open';
    });
  }

  async function setStatus(
    platform: TestPlatform,
    { id }: CreatedCustomer,
    status: 'APPROVED' | 'PENDING' | 'HOLD' | 'REJECTED',
  ) {
    const work = await platform.work();
    return work.write((tx) => setCustomerStatus(tx, uuidOf(id), status));
  }

  it('customers.md §1.7: a customer of an unregulated platform needs the consent on file, which is checked first', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    assert.equal(await gate(platform, customer), '403 END_USER_TERMS_NOT_ACCEPTED');
    await setStatus(platform, customer, 'APPROVED');
    assert.equal(await gate(platform, customer), '403 END_USER_TERMS_NOT_ACCEPTED');
    const body = { customerType: 'INDIVIDUAL', endUserTermsConsent: CONSENT };
    await platform.call('updateCustomerById', { params: { customerId: customer.id }, body });
    assert.equal(await gate(platform, customer), 'open');
  });

  it('customers.md §1.7: a customer of a regulated platform needs no consent', async () => {
    const platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    assert.equal(await gate(platform, await givenCustomer(platform)), 'open');
  });

  it('customers.md §1.8: only an approved customer moves money', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { ...PERSON, endUserTermsConsent: CONSENT });
    assert.equal(await gate(platform, customer), '403 USER_NOT_READY');
    for (const status of ['PENDING', 'HOLD', 'REJECTED'] as const) {
      await setStatus(platform, customer, status);
      assert.equal(await gate(platform, customer), '403 USER_NOT_READY');
    }
    await setStatus(platform, customer, 'APPROVED');
    assert.equal(await gate(platform, customer), 'open');
  });

  it('customers.md §8.1: a new status emits one event, HOLD emits none, and a business has KYB events', async () => {
    const platform = await world.platform();
    const receiver = await platform.receive();
    const [person, business] = [await givenCustomer(platform), await givenCustomer(platform, BUSINESS)];
    assert.ok(await setStatus(platform, person, 'PENDING'));
    assert.equal(await setStatus(platform, person, 'PENDING'), undefined);
    await setStatus(platform, person, 'HOLD');
    await setStatus(platform, person, 'REJECTED');
    await setStatus(platform, business, 'APPROVED');
    await world.app.worker.settle(platform.id);
    const told = receiver.received.filter(({ body }) => body.type.startsWith('CUSTOMER.'));
    assert.deepEqual(told.map(({ body }) => body.type).sort(), [
      'CUSTOMER.KYB_APPROVED',
      'CUSTOMER.KYC_PENDING',
      'CUSTOMER.KYC_REJECTED',
    ]);
    const approved = told.find(({ body }) => body.type === 'CUSTOMER.KYB_APPROVED');
    const { body } = await platform.call('getCustomerById', { params: { customerId: business.id } });
    assert.deepEqual(approved?.body.data, body);
    assert.equal(body.kybStatus, 'APPROVED');
  });

  it('customers.md §8: ten parallel changes to one status emit one event, and a deleted customer’s status does not change', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => setStatus(platform, customer, 'APPROVED')),
    );
    assert.equal(outcomes.filter(Boolean).length, 1);
    const gone = await givenCustomer(platform);
    await platform.call('deleteCustomerById', { params: { customerId: gone.id } });
    assert.equal(await setStatus(platform, gone, 'APPROVED'), undefined);
  });
});
