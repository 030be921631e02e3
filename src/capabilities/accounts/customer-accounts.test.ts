// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountsOpened, type OpenedAccount } from '#capabilities/accounts/announcements.ts';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { openFunding } from '#capabilities/accounts/funding-instructions.ts';
import { openAccounts } from '#capabilities/accounts/open-accounts.ts';
import { findAccounts, findActiveAccounts } from '#capabilities/accounts/store.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { parseId } from '#foundation/lib/ids.ts';
import {
  type AccountReply,
  fetchAccounts,
  inCurrency,
  listAccountWebhooks,
  posts,
  supports,
} from '#tests/given/accounts.ts';
import { BUSINESS, givenCustomer, PERSON } from '#tests/given/customers.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('accounts of customers', () => {
  const world = testWorld();
  const codesOf = (accounts: readonly AccountReply[]) => accounts.map(({ balance }) => balance.currency.code);
  const patch = (platform: TestPlatform, customerId: string, currencies: string[]) =>
    platform.call('updateCustomerById', {
      params: { customerId },
      body: { customerType: 'INDIVIDUAL', currencies },
    });

  it('accounts.md §2.1.2, §2.1.3, §2.1.4, customers.md §2.1.15: a customer has one ACTIVE account per currency from its creation on', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const accounts = await fetchAccounts(platform, customer.id);
    assert.deepEqual(new Set(codesOf(accounts)), new Set(['USD', 'USDC', 'USDB']));
    assert.equal(inCurrency(accounts, 'USD').type, 'INTERNAL_FIAT');
    assert.equal(inCurrency(accounts, 'USDC').type, 'INTERNAL_CRYPTO');
    assert.equal(inCurrency(accounts, 'USDB').type, 'EMBEDDED_WALLET');
    for (const account of accounts) {
      assert.equal(account.status, 'ACTIVE');
      assert.equal(account.customerId, customer.id);
      for (const entry of account.fundingPaymentInstructions) assert.equal(entry.isPlatformAccount, false);
    }
    assert.deepEqual(await listAccountWebhooks(platform), [], 'opening tells nothing (accounts.md §2.2)');
  });

  it('accounts.md §2.1.2: USDB is a default currency only with an email on file', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    assert.deepEqual(new Set(codesOf(await fetchAccounts(platform, customer.id))), new Set(['USD', 'USDC']));
  });

  it('accounts.md §2.1.2: exactly the named currencies get accounts', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'EUR', 'BTC']);
    const customer = await givenCustomer(platform, { ...PERSON, currencies: ['EUR', 'BTC', 'EUR'] });
    assert.deepEqual(new Set(codesOf(await fetchAccounts(platform, customer.id))), new Set(['EUR', 'BTC']));
  });

  it('accounts.md §2.1.2: the customer gets a wallet even if its currencies lack USDB, and they stay as sent', async () => {
    const platform = await world.platform();
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await world.platform({ environment });
      await supports(platform, ['USD', 'EUR', 'USDB']);
      const customer = await givenCustomer(platform, { ...PERSON, currencies: ['EUR'] });
      assert.deepEqual(customer.currencies, ['EUR']);
      const accounts = await fetchAccounts(platform, customer.id);
      assert.deepEqual(new Set(codesOf(accounts)), new Set(['EUR', 'USDB']));
      assert.equal(inCurrency(accounts, 'USDB').type, 'EMBEDDED_WALLET');
    }
    const { id } = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    const wallet = inCurrency(await fetchAccounts(platform, id), 'USDB');
    const { body } = await platform.call('listAuthCredentials', { query: { accountId: wallet.id } });
    assert.deepEqual(
      body.data.map(({ type }) => type),
      ['EMAIL_OTP'],
    );
    // Sending a list that never had USDB drops nothing; removing USDB from a list drops the wallet.
    assert.equal((await patch(platform, id, ['USD'])).status, 200);
    assert.deepEqual(inCurrency(await fetchAccounts(platform, id), 'USDB').id, wallet.id);
    assert.equal((await patch(platform, id, ['USD', 'USDB'])).status, 200);
    assert.deepEqual(inCurrency(await fetchAccounts(platform, id), 'USDB').id, wallet.id);
    assert.equal((await patch(platform, id, ['USD'])).status, 200);
    assert.deepEqual(await walletStatuses(platform, id), ['CLOSED']);
  });

  const walletStatuses = async (platform: TestPlatform, customerId: string) =>
    (await fetchAccounts(platform, customerId))
      .filter(({ type }) => type === 'EMBEDDED_WALLET')
      .map(({ status }) => status);

  it('accounts.md §2.1.2: without an email there is no wallet; the first email opens it, a second one opens none', async () => {
    const platform = await world.platform();
    const { email, ...person } = PERSON;
    const { id } = await givenCustomer(platform, { ...person, currencies: ['USD'] });
    assert.deepEqual(await walletStatuses(platform, id), []);
    const params = { customerId: id };
    const named = await platform.call('updateCustomerById', {
      params,
      body: { customerType: 'INDIVIDUAL', email },
    });
    assert.deepEqual([named.status, named.body.currencies], [200, ['USD']], named.raw);
    assert.deepEqual(await walletStatuses(platform, id), ['ACTIVE']);
    const signed = await platform.send('updateCustomerById', {
      params,
      body: { customerType: 'INDIVIDUAL', email: 'other@example.com' },
    });
    assert.equal(signed.status, 202, 'the wallet’s codes go to the first one');
    assert.deepEqual(await walletStatuses(platform, id), ['ACTIVE']);
  });

  it('accounts.md §2.1.2: there is no wallet if the platform does not support USDB', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'EUR']);
    const { id } = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    assert.deepEqual(codesOf(await fetchAccounts(platform, id)), ['USD']);
    await supports(platform, ['USD', 'USDB']);
    assert.equal((await patch(platform, id, ['USD'])).status, 200);
    assert.deepEqual(await walletStatuses(platform, id), []);
    assert.equal((await patch(platform, id, ['USD', 'USDB'])).status, 200);
    assert.deepEqual(await walletStatuses(platform, id), ['ACTIVE']);
  });

  it('accounts.md §2.1.2: a refused customer gets no account', async () => {
    const platform = await world.platform();
    await givenCustomer(platform, { ...PERSON, platformCustomerId: 'same' });
    const second = await platform.call('createCustomer', { body: { ...PERSON, platformCustomerId: 'same' } });
    assert.equal(second.status, 409);
    const [count] = await world.database.query<{ count: bigint }>(sql`
      select count(*) from internal_accounts where platform_id = ${platform.id} and customer_id is not null`);
    assert.equal(count?.count, 3n);
  });

  it('accounts.md §2.1.2: twenty equal creates result in one customer with three accounts', async () => {
    const platform = await world.platform();
    const body = { ...PERSON, platformCustomerId: 'one' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => platform.call('createCustomer', { body })),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    const { body: list } = await platform.call('listCustomerInternalAccounts');
    assert.equal(list.totalCount, 3);
  });

  it('accounts.md §2.1.5: an embedded wallet is announced in the commit that opens it', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const heard: OpenedAccount[][] = [];
    const reactions = new Map([
      ...work.runtime.reactions,
      [
        accountsOpened.name,
        [
          async (_tx: unknown, news: { accounts: readonly OpenedAccount[] }) =>
            void heard.push([...news.accounts]),
        ],
      ],
    ]);
    const customer = await givenCustomer(platform, { customerType: 'INDIVIDUAL' });
    const customerId = parseId('Customer', customer.id);
    const listening = new Work({ ...work.runtime, reactions: reactions as never }, work.platform, work.actor);
    const owner = { customerId, name: 'Rosa', serviceName: 'Svc' };
    await listening.write((tx) => openAccounts(tx, owner, ['USD', 'USDB']));
    assert.deepEqual(
      heard.map((accounts) => accounts.map(({ type, currency }) => [type, currency])),
      [[['EMBEDDED_WALLET', 'USDB']]],
    );
    await listening.write((tx) => openAccounts(tx, owner, ['USD', 'USDB']));
    assert.equal(heard.length, 1, 'no account is opened or announced twice');
  });

  it('accounts.md §2.1.7: a currency that only the platform adds opens no customer account', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const before = await fetchAccounts(platform, customer.id);
    await supports(platform, ['USD', 'USDC', 'USDB', 'EUR']);
    assert.deepEqual(await fetchAccounts(platform, customer.id), before);
    const changed = await patch(platform, customer.id, ['USD', 'USDC', 'USDB', 'EUR']);
    assert.equal(changed.status, 200, changed.raw);
    const accounts = await fetchAccounts(platform, customer.id);
    assert.equal(accounts.length, 4);
    assert.equal(inCurrency(accounts, 'EUR').status, 'ACTIVE');
  });

  it('accounts.md §2.1.7: removing a currency from the platform keeps the customers’ accounts in it', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const before = await fetchAccounts(platform, customer.id);
    await supports(platform, ['EUR']);
    assert.deepEqual(await fetchAccounts(platform, customer.id), before);
  });

  it('accounts.md §2.1.7: dropping a currency closes its empty account, with the event', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const usdc = inCurrency(await fetchAccounts(platform, customer.id), 'USDC');
    assert.equal((await patch(platform, customer.id, ['USD', 'USDB'])).status, 200);
    const closed = (await fetchAccounts(platform, customer.id)).find(({ id }) => id === usdc.id);
    assert.equal(closed?.status, 'CLOSED');
    assert.deepEqual(await listAccountWebhooks(platform), [
      { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED', resourceId: usdc.id, data: closed },
    ]);
  });

  it('accounts.md §2.1.7: a currency that is added again gets a new account; the closed one stays closed', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const first = inCurrency(await fetchAccounts(platform, customer.id), 'USDC');
    await patch(platform, customer.id, ['USD', 'USDB']);
    assert.equal((await patch(platform, customer.id, ['USD', 'USDB', 'USDC'])).status, 200);
    const accounts = await fetchAccounts(platform, customer.id);
    assert.notEqual(inCurrency(accounts, 'USDC').id, first.id);
    assert.equal(accounts.find(({ id }) => id === first.id)?.status, 'CLOSED');
    assert.equal(accounts.length, 4);
  });

  for (const kind of ['deposit', 'arrival'] as const) {
    it(`accounts.md §2.1.7: dropping a currency is 400 while its account has money (${kind}), and changes nothing`, async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform);
      const usdc = inCurrency(await fetchAccounts(platform, customer.id), 'USDC');
      await posts(platform, usdc, kind, 5n);
      const refused = await patch(platform, customer.id, ['USD']);
      assert.equal(refused.status, 400);
      assert.equal(refused.body.code, 'INVALID_INPUT');
      assert.deepEqual(
        refused.body.details.errors.map((error: { field: string }) => error.field),
        ['currencies'],
      );
      const accounts = await fetchAccounts(platform, customer.id);
      assert.equal(inCurrency(accounts, 'USDC').status, 'ACTIVE');
      assert.equal(inCurrency(accounts, 'USDB').status, 'ACTIVE', 'an empty account stays open as well');
    });
  }

  it('accounts.md §2.1.7: equal concurrent changes open the accounts once', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'USDC', 'USDB', 'EUR', 'GBP']);
    const customer = await givenCustomer(platform, { ...PERSON, currencies: ['USD'] });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => patch(platform, customer.id, ['USD', 'EUR', 'GBP'])),
    );
    for (const reply of replies) assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual(codesOf(await fetchAccounts(platform, customer.id)).toSorted(), [
      'EUR',
      'GBP',
      'USD',
      'USDB',
    ]);
  });

  it('accounts.md §2.2: deleting a customer closes its accounts, including frozen ones, with an event for each', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const accounts = await fetchAccounts(platform, customer.id);
    const work = await platform.work();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(inCurrency(accounts, 'USD')) }));
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal(deleted.status, 200);
    const kept = await work.read((tx) => findAccounts(tx, accounts.map(uuidOf)));
    assert.deepEqual(
      kept.map(({ status }) => status),
      ['CLOSED', 'CLOSED', 'CLOSED'],
    );
    const told = (await listAccountWebhooks(platform)).filter(({ data }) => data.status === 'CLOSED');
    assert.deepEqual(new Set(told.map(({ data }) => data.id)), new Set(accounts.map(({ id }) => id)));
  });

  it('customers.md §2.4.26: the accounts of a deleted customer are not found anywhere', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'USDC']);
    const staying = await givenCustomer(platform);
    const customer = await givenCustomer(platform);
    const accounts = await fetchAccounts(platform, customer.id);
    // An account that was closed earlier with its currency is hidden as well.
    assert.equal((await patch(platform, customer.id, ['USDC'])).status, 200);
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    const left = await fetchAccounts(platform, staying.id);
    const ids = (list: readonly AccountReply[]) => list.map(({ id }) => id);
    for (const operation of ['listCustomerInternalAccounts', 'listInternalAccounts'] as const) {
      for (const [query, expected] of [
        [{}, left],
        [{ customerId: customer.id }, []],
        [{ currency: 'USDC' }, [inCurrency(left, 'USDC')]],
        [{ type: 'INTERNAL_FIAT' }, [inCurrency(left, 'USD')]],
      ] as const) {
        const { body } = await platform.call(operation, { query });
        assert.deepEqual([ids(body.data), body.totalCount], [ids(expected), expected.length]);
      }
    }
    for (const [operation, call] of [
      ['sandboxFundInternalAccount', { params: { accountId: accounts[0]?.id ?? '' }, body: { amount: 1 } }],
      [
        'estimateCryptoWithdrawalFee',
        {
          body: {
            internalAccountId: inCurrency(accounts, 'USDC').id,
            currency: 'USDC',
            cryptoNetwork: 'SOLANA',
            amount: 100_000_000,
            destinationAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
          },
        },
      ],
    ] as const) {
      const reply = await platform.call(operation, call);
      assert.deepEqual([reply.status, reply.body.code], [404, 'ACCOUNT_NOT_FOUND'], reply.raw);
    }
  });

  for (const kind of ['deposit', 'arrival'] as const) {
    it(`customers.md §2.4.26: a customer whose account has money cannot be deleted (${kind})`, async () => {
      const platform = await world.platform();
      const customer = await givenCustomer(platform);
      const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
      await posts(platform, usd, kind, 1n);
      const refused = await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.code, 'CONFLICT');
      for (const { status } of await fetchAccounts(platform, customer.id)) assert.equal(status, 'ACTIVE');
    });
  }

  it('customers.md §2.4.26: money on hold prevents the deletion of a customer until it is released', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    await posts(platform, usd, 'deposit', 9n);
    await posts(platform, usd, 'hold', 9n);
    const remove = () => platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal((await remove()).status, 409);
    await posts(platform, usd, 'capture', 9n);
    assert.equal((await remove()).status, 200);
  });

  it('accounts.md §2.4: the holder is the person, the business, or without a name the platform', async () => {
    const platform = await world.platform();
    const named = async (body: RequestOf<'createCustomer'>) => {
      const { id } = await givenCustomer(platform, body);
      const [entry] = inCurrency(await fetchAccounts(platform, id), 'USD').fundingPaymentInstructions;
      return entry?.accountOrWalletInfo.accountHolderName;
    };
    assert.equal(await named(PERSON), 'Svc FBO Ada Lovelace');
    assert.equal(await named(BUSINESS), 'Svc FBO Analytical Engines Inc.');
    assert.equal(await named({ customerType: 'INDIVIDUAL' }), 'Svc FBO Test platform');
  });

  it('accounts.md §2.4: coordinates are stable: neither a new name nor money changes them', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const before = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    await posts(platform, before, 'deposit', 100n);
    const renamed = await platform.call('updateCustomerById', {
      params: { customerId: customer.id },
      body: { customerType: 'INDIVIDUAL', fullName: 'Ada King' },
    });
    assert.equal(renamed.status, 200);
    const after = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    assert.deepEqual(after.fundingPaymentInstructions, before.fundingPaymentInstructions);
  });

  it('accounts.md §2.1.11: the primary account is the oldest ACTIVE one in the currency; a frozen one is not primary', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const customerId = uuidOf(customer.id);
    const work = await platform.work();
    const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const primary = () => work.read((tx) => findActiveAccounts(tx, customerId, 'USD'));
    assert.deepEqual(
      (await primary()).map(({ id }) => id),
      [uuidOf(usd)],
    );
    const all = await work.read((tx) => findActiveAccounts(tx, customerId));
    assert.deepEqual(
      all.map(({ currency }) => currency),
      ['USD', 'USDC', 'USDB'],
      'oldest first',
    );
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(usd) }));
    assert.deepEqual(await primary(), []);
  });

  it('customers.md §2.4.26a: erasing a customer removes its name from the instructions of its accounts', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const accounts = await fetchAccounts(platform, customer.id);
    await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer.id)));
    await work.read(async (tx) => {
      const kept = await findAccounts(tx, accounts.map(uuidOf));
      assert.equal(kept.length, 3);
      for (const row of kept) {
        assert.deepEqual(openFunding(tx, row), { holderName: '', instructions: [] });
        assert.deepEqual([row.status, row.funding_count], ['CLOSED', 0]);
      }
    });
  });

  it('decision 0002: account numbers and holder names are sealed in the database and in no log', async () => {
    const platform = await world.platform();
    const name = 'Zyphora Quillfeather';
    const customer = await givenCustomer(platform, { ...PERSON, fullName: name });
    const usd = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    await posts(platform, usd, 'deposit', 3n);
    const number = String(usd.fundingPaymentInstructions[0]?.accountOrWalletInfo.accountNumber);
    assert.match(number, /^[0-9]{12}$/);
    const rows = await world.database.query<{ row: string; funding: Buffer }>(sql`
      select t::text as row, t.funding from internal_accounts t where t.platform_id = ${platform.id}`);
    const lying = [
      ...rows.flatMap(({ row, funding }) => [row, funding.toString('latin1')]),
      ...world.logged,
    ].join();
    assert.equal(lying.includes(number), false);
    assert.equal(lying.includes('FBO'), false);
    assert.equal(world.logged.join('').includes(name), false);
  });
});
