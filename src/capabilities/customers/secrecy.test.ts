// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { BUSINESS, EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

const SSN = '219-09-9473';
const TAX_ID = '98-7654321';
const REGISTRATION = 'HRB-55501234';
const CODE = '123456';

describe('secrecy of customers', () => {
  const world = testWorld();

  const everything = () => allRows(world.database);

  it('no identification number or contact code is in clear text in any table or log', async () => {
    const platform = await world.platform({ settings: { skipVerificationPaperwork: true } });
    await platform.receive();
    const secret = { ...PERSON, ...EUROPEAN, idType: 'SSN', identifier: SSN };
    const made = await platform.call('createCustomer', { body: secret, key: 'replayable' });
    assert.equal(made.status, 201);
    const info = { ...BUSINESS.businessInfo, taxId: TAX_ID, registrationNumber: REGISTRATION };
    const business = await givenCustomer(platform, { ...BUSINESS, businessInfo: info });
    assert.deepEqual(business.businessInfo, info);
    const params = { customerId: made.body.id };
    await platform.call('updateCustomerById', {
      params,
      body: { customerType: 'INDIVIDUAL', identifier: SSN },
    });
    await platform.call('updateCustomerById', {
      params,
      body: { customerType: 'INDIVIDUAL', idType: 'ITIN', identifier: SSN },
    });
    await platform.send('createCustomer', { body: { ...secret, email: 'broken', taxId: TAX_ID } });
    await platform.send('createCustomer', { body: `{"identifier":"${SSN}",` });
    for (const path of ['Email', 'Phone'] as const)
      await platform.call(`sendCustomer${path}Verification`, { params });
    const open = [...(await everything())];
    await world.app.worker.settle(platform.id);
    await platform.call('confirmCustomerEmailVerification', { params, body: { code: CODE } });
    await platform.call('listSandboxMessages');
    open.push(...(await everything()));
    for (const number of [SSN, TAX_ID, REGISTRATION]) {
      for (const form of formsOf(number)) {
        const leaks = open.filter(({ text }) => text.includes(form)).map(({ table }) => table);
        assert.deepEqual(leaks, [], `${number} as ${form}`);
        assert.ok(!world.logged.some((line) => line.includes(form)), `${number} in the log`);
      }
    }
    const codes = open.filter(({ text }) => new RegExp(`(?<![0-9a-f])${CODE}(?![0-9a-f])`).test(text));
    assert.deepEqual(
      codes.map(({ table }) => table),
      [],
    );
    assert.ok(!world.logged.some((line) => line.includes(`"${CODE}"`) || line.includes(`code is ${CODE}`)));
  });

  it('the stored fingerprint of a request does not reveal a code to guessing', async () => {
    const platform = await world.platform();
    const { id: customerId } = await givenCustomer(platform, EUROPEAN);
    const confirm = () =>
      platform.call('confirmCustomerEmailVerification', {
        params: { customerId },
        body: { code: CODE },
        key: 'confirming',
      });
    await platform.call('sendCustomerEmailVerification', { params: { customerId } });
    assert.deepEqual([(await confirm()).status, (await confirm()).status], [200, 200]);
    const guess = createHash('sha256')
      .update(JSON.stringify({ code: CODE }))
      .digest('hex');
    const found = (await everything()).filter(({ text }) => text.includes(guess));
    assert.deepEqual(
      found.map(({ table }) => table),
      [],
    );
  });

  it('the search finds clear text: the name of a token is found', async () => {
    const platform = await world.platform();
    await platform.call('createToken', { body: { name: 'planted@example.com', permissions: ['VIEW'] } });
    await givenCustomer(platform, { ...PERSON, email: 'planted@example.com' });
    const found = (await everything()).filter(({ text }) => text.includes('planted@example.com'));
    assert.deepEqual([...new Set(found.map(({ table }) => table))], ['public.tokens']);
  });

  it('decision 0039: nothing personal of a customer is stored in clear text', async () => {
    const platform = await world.platform();
    const planted = {
      fullName: 'Plantagenet Ada',
      birthDate: '1977-11-23',
      email: 'open@planted.example',
      phoneNumber: '+14155559917',
      platformCustomerId: 'planted-reference',
    };
    const address = { ...PERSON.address, line1: '17 Planted Lane', city: 'Plantedville' };
    await givenCustomer(platform, { ...PERSON, ...planted, address });
    const open = (await everything()).filter(({ table }) => table === 'public.customers');
    assert.ok(open.length > 0);
    for (const value of [...Object.values(planted), address.line1, address.city]) {
      assert.ok(!open.some((row) => row.text.includes(value)), value);
    }
  });

  it('decision 0039: a row is either sealed or in clear text, and clear text has no identification number', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    for (const [change, constraint] of [
      [sql`profile = '{"identifier": "x"}'`, /customers_no_clear_numbers|customers_sealed_or_clear/],
      [sql`email = 'a@example.com'`, /customers_sealed_or_clear/],
      [sql`reference_hash = null`, /customers_sealed_or_clear/],
      [
        sql`platform_customer_id = 'x', uma_address = 'y', profile = '{"identifier": "x"}', reference = null, uma = null,
            person = null, reference_hash = null, uma_hash = null, email_hash = null, phone_hash = null`,
        /customers_no_clear_numbers/,
      ],
    ] as const) {
      await assert.rejects(
        world.database.query(sql`
          update customers set ${change} where platform_id = ${platform.id} and id = ${uuidOf(id)}`),
        constraint,
      );
    }
  });
});
