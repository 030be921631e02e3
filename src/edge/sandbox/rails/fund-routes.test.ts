// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import { advance } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('funding an account in the sandbox', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await world.platform();
  });

  const fund = (accountId: string, amount: unknown, by = platform) =>
    by.send('sandboxFundInternalAccount', { params: { accountId }, body: { amount } });

  it('money.md §9.3, §11.L1, accounts.md §2.3.24: credits platform, customer and embedded-wallet accounts at once, whatever the KYC state', async () => {
    const { id: customerId } = await givenCustomer(platform);
    const accounts = [...(await platformAccounts(platform)), ...(await fetchAccounts(platform, customerId))];
    assert.ok(accounts.some(({ type }) => type === 'EMBEDDED_WALLET'));
    const receiver = await platform.receive();
    await advance(platform, 1);
    for (const account of accounts) {
      receiver.received.length = 0;
      const reply = await fund(account.id, 1234);
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual(
        [reply.body.id, reply.body.balance.amount, reply.body.totalBalance.amount],
        [account.id, 1234, 1234],
      );
      await advance(platform, 1);
      const told = ['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'];
      assert.deepEqual(receiver.types().toSorted(), told);
    }
  });

  it('money.md §9.3, accounts.md §2.3.24: 1 to 100,000,000,000; 0 and less is INVALID_AMOUNT, more or a non-integer INVALID_INPUT', async () => {
    const { id } = inCurrency(await platformAccounts(await world.platform()), 'USD');
    const own = inCurrency(await platformAccounts(platform), 'USD').id;
    for (const amount of [1, 100_000_000_000]) assert.equal((await fund(own, amount)).status, 200);
    for (const amount of [0, -1]) assert.equal((await fund(own, amount)).body.code, 'INVALID_AMOUNT');
    for (const amount of [100_000_000_001, 1.5, '1', true, null]) {
      assert.deepEqual(refusedFields(await fund(own, amount)), ['amount'], String(amount));
    }
    // accounts.md §1.2: an unknown id, a malformed one and another platform's get the same answer.
    for (const missing of [id, 'InternalAccount:019542f5-b3e7-7d02-8000-000000000099', 'x']) {
      const reply = await fund(missing, 1);
      assert.deepEqual([reply.status, reply.body.code], [404, 'ACCOUNT_NOT_FOUND']);
    }
  });

  it('accounts.md §2.3.24: an account that is not ACTIVE cannot be funded, and production has no such call', async () => {
    const { id: customerId } = await givenCustomer(platform);
    const account = inCurrency(await fetchAccounts(platform, customerId), 'USD');
    await (await platform.work()).write((tx) => freezeAccount(tx, { accountId: uuidOf(account) }));
    assert.deepEqual(refusedFields(await fund(account.id, 1)), ['accountId']);
    const production = await world.platform({ environment: 'PRODUCTION' });
    const [real] = await platformAccounts(production);
    const reply = await fund(real?.id ?? account.id, 1, production);
    assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN']);
  });

  it('accounts.md §2.3.24, §2.2: if funding and closing race, one wins: a closed account holds nothing', async () => {
    for (let round = 0; round < 16; round++) {
      const { id } = await givenCustomer(platform, { ...PERSON, currencies: ['USD', 'USDC'] });
      const account = inCurrency(await fetchAccounts(platform, id), 'USDC');
      const body = { customerType: 'INDIVIDUAL', currencies: ['USD'] };
      const params = { customerId: id };
      const [closing, funding] = await Promise.all([
        round % 2 === 0
          ? platform.call('updateCustomerById', { params, body })
          : platform.call('deleteCustomerById', { params }),
        fund(account.id, 100),
      ]);
      const work = await platform.work();
      const [after] = await work.read((tx) => findAccounts(tx, [uuidOf(account)]));
      const isFunded = funding.status === 200;
      assert.equal(closing.status === 200, !isFunded, `${closing.raw} ${funding.raw}`);
      assert.deepEqual([after?.status, after?.total], isFunded ? ['ACTIVE', 100n] : ['CLOSED', 0n]);
      if (isFunded) continue;
      // The account of a deleted customer is unknown, unless the funding had found it before.
      if (funding.status === 404) assert.equal(round % 2, 1);
      else assert.deepEqual(refusedFields(funding), ['accountId']);
    }
  });
});
