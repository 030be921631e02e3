// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

  it('the search finds clear text: an email is found', async () => {
    const platform = await world.platform();
    await givenCustomer(platform, { ...PERSON, email: 'planted@example.com' });
    const found = (await everything()).filter(({ text }) => text.includes('planted@example.com'));
    assert.deepEqual(
      [...new Set(found.map(({ table }) => table))],
      ['public.customers', 'public.wallet_credentials'],
    );
  });

  it('decision 0002: docs/operating.md lists the customer data that is stored in clear text', async () => {
    const platform = await world.platform();
    const planted = {
      names: 'Plantagenet Ada',
      'birth dates': '1977-11-23',
      'postal addresses': '17 Planted Lane',
      'e-mail addresses': 'open@planted.example',
      'phone numbers': '+14155559917',
    };
    await givenCustomer(platform, {
      ...PERSON,
      fullName: planted.names,
      birthDate: planted['birth dates'],
      address: { ...PERSON.address, line1: planted['postal addresses'] },
      email: planted['e-mail addresses'],
      phoneNumber: planted['phone numbers'],
    });
    const open = (await everything()).filter(({ table }) => table === 'public.customers');
    const text = await readFile('docs/operating.md', 'utf8');
    const [, inTheClear = ''] = /\*\*([^*]*of customers and beneficial owners)\*\*/.exec(text) ?? [];
    for (const [what, value] of Object.entries(planted)) {
      assert.ok(
        open.some((row) => row.text.includes(value)),
        `${what} are sealed by now`,
      );
      assert.ok(inTheClear.includes(what), `docs/operating.md does not say that ${what} are not sealed`);
    }
  });

  it('the database itself refuses an identification number in the unsealed profile', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    await assert.rejects(
      world.database.query(sql`
        update customers set profile = profile || '{"identifier": "x"}'
         where platform_id = ${platform.id} and id = ${uuidOf(id)}`),
      /customers_no_clear_numbers/,
    );
  });
});
