import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { openAccounts } from '#capabilities/accounts/open-accounts.ts';
import {
  completeProvisioning,
  provisionHandler,
  refuseProvisioning,
  retryProvisioning,
} from '#capabilities/accounts/provision-account.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { noProvisioning } from '#edge/providers/no-provider.ts';
import { sandboxProvisioning } from '#edge/sandbox/accounts/provisioning.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Coordinates, ProvisioningPort, ProvisioningRequest } from '#foundation/ports/accounts.ts';
import { fetchAccounts, inCurrency, listAccountWebhooks, platformAccounts } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const USD: Coordinates = {
  USD_ACCOUNT: { accountNumber: '4711004711', routingNumber: '021000021', bankName: 'A Bank' },
  SOLANA_WALLET: { address: '4Nd1mYQn6yVbVb3q5V4rXwYwz5kJb9pQk1G2h3J4K5L6' },
};

describe('provisioning internal accounts', () => {
  const world = testWorld();

  /** A platform with a slow provider: production, without a provider connected. */
  async function given() {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const work = await platform.work();
    const usd = async () => inCurrency(await platformAccounts(platform), 'USD');
    const accountId = uuidOf(await usd());
    const provisioned = (coordinates = USD) =>
      work.write((tx) => completeProvisioning(tx, { accountId, coordinates }));
    const refused = () => work.write((tx) => refuseProvisioning(tx, { accountId }));
    return { platform, work, usd, accountId, provisioned, refused };
  }

  const awaitCode = async (attempt: Promise<unknown>) => {
    const error = await attempt.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(error instanceof Refusal, String(error));
    return error.code;
  };

  it('accounts.md §2.2, §2.4: a new account is PENDING without instructions, and emits no event', async () => {
    const { platform } = await given();
    for (const account of await platformAccounts(platform)) {
      assert.equal(account.status, 'PENDING');
      assert.deepEqual(account.fundingPaymentInstructions, []);
    }
    assert.deepEqual(await listAccountWebhooks(platform), []);
  });

  it('accounts.md §2.2: the provider’s notice makes it ACTIVE, with instructions and both events', async () => {
    const { platform, usd, provisioned } = await given();
    world.clock.advance(1000);
    await provisioned();
    const account = await usd();
    assert.equal(account.status, 'ACTIVE');
    const [bank, wallet] = account.fundingPaymentInstructions.map(
      ({ accountOrWalletInfo }) => accountOrWalletInfo,
    );
    assert.equal(bank?.accountNumber, '4711004711');
    assert.match(String(bank?.reference), /^FUND-/);
    assert.equal(bank?.accountHolderName, 'Svc FBO Test platform');
    assert.equal(wallet?.address, USD.SOLANA_WALLET?.address);
    assert.deepEqual(await listAccountWebhooks(platform), [
      { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED', resourceId: account.id, data: account },
      { type: 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', resourceId: account.id, data: account },
    ]);
  });

  it('accounts.md §2.2: a notice that is repeated, or arrives ten times at once, changes the account once', async () => {
    const { platform, usd, provisioned } = await given();
    await Promise.all(Array.from({ length: 10 }, () => provisioned()));
    const before = await usd();
    await provisioned({ ...USD, USD_ACCOUNT: { accountNumber: '1', routingNumber: '110000000' } });
    assert.deepEqual(await usd(), before);
    assert.equal((await listAccountWebhooks(platform)).length, 2);
  });

  it('accounts.md §2.2: a customer’s account waits for the provider and for the approval, in either order', async () => {
    for (const order of ['provider first', 'approval first']) {
      const { platform, work } = await given();
      const customer = await givenCustomer(platform);
      const customerId = uuidOf(customer.id);
      const account = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
      const steps = [
        () => work.write((tx) => completeProvisioning(tx, { accountId: uuidOf(account), coordinates: USD })),
        () => work.write(async (tx) => void (await setCustomerStatus(tx, customerId, 'APPROVED'))),
      ];
      if (order === 'approval first') steps.reverse();
      await steps[0]?.();
      const waiting = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
      assert.equal(waiting.status, 'PENDING', order);
      assert.deepEqual(waiting.fundingPaymentInstructions, [], order);
      assert.deepEqual(await listAccountWebhooks(platform), [], order);
      await steps[1]?.();
      const ready = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
      assert.equal(ready.status, 'ACTIVE', order);
      assert.equal(ready.fundingPaymentInstructions.length, 2, order);
      assert.equal((await listAccountWebhooks(platform)).length, 2, order);
      const others = (await fetchAccounts(platform, customer.id)).filter(({ id }) => id !== account.id);
      for (const { status } of others) assert.equal(status, 'PENDING', order);
    }
  });

  it('accounts.md §2.2: an embedded wallet that is provisioned becomes ACTIVE without instructions', async () => {
    const { platform, work } = await given();
    const customer = await givenCustomer(platform);
    const wallet = inCurrency(await fetchAccounts(platform, customer.id), 'USDB');
    assert.equal(wallet.privateEnabled, false, 'accounts.md §2.1.8');
    await work.write(async (tx) => {
      await setCustomerStatus(tx, uuidOf(customer.id), 'APPROVED');
      await completeProvisioning(tx, { accountId: uuidOf(wallet), coordinates: {} });
    });
    assert.equal(inCurrency(await fetchAccounts(platform, customer.id), 'USDB').status, 'ACTIVE');
    assert.deepEqual(
      (await listAccountWebhooks(platform)).map(({ type }) => type),
      ['INTERNAL_ACCOUNT.STATUS_UPDATED'],
    );
  });

  it('accounts.md §2.2: a refusal makes it FAILED once; a late success notice is refused', async () => {
    const { platform, usd, provisioned, refused } = await given();
    await refused();
    await refused();
    const failed = await usd();
    assert.equal(failed.status, 'FAILED');
    assert.deepEqual(await listAccountWebhooks(platform), [
      { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED', resourceId: failed.id, data: failed },
    ]);
    assert.equal(await awaitCode(provisioned()), 'CONFLICT');
    assert.equal((await usd()).status, 'FAILED');
  });

  it('accounts.md §2.2: after the operator’s retry a FAILED account becomes ACTIVE when the provider succeeds', async () => {
    const { platform, work, usd, accountId, provisioned, refused } = await given();
    await refused();
    const retry = () => work.write((tx) => retryProvisioning(tx, { accountId, reason: 'new papers' }));
    assert.equal((await retry()).status, 'FAILED');
    assert.equal(await awaitCode(retry()), 'CONFLICT', 'a retry is under way');
    await refused();
    assert.equal((await usd()).status, 'FAILED');
    await retry();
    await provisioned();
    assert.equal((await usd()).status, 'ACTIVE');
    assert.deepEqual(
      (await listAccountWebhooks(platform)).map(({ data }) => data.status),
      ['FAILED', 'ACTIVE', 'ACTIVE'],
    );
  });

  it('accounts.md §2.2: PENDING and FAILED accounts can be closed; no notice reopens them', async () => {
    for (const state of ['PENDING', 'FAILED']) {
      const { work, accountId, provisioned, refused } = await given();
      if (state === 'FAILED') await refused();
      assert.equal((await work.write((tx) => closeAccount(tx, { accountId }))).status, 'CLOSED');
      assert.equal(await awaitCode(provisioned()), 'CONFLICT');
    }
  });

  it('accounts.md §2.4: coordinates that violate the schema of replies are refused entirely', async () => {
    const { usd, provisioned } = await given();
    const bad = { ...USD, USD_ACCOUNT: { accountNumber: '1', routingNumber: '12' } };
    assert.equal(await awaitCode(provisioned(bad)), 'INVALID_INPUT');
    assert.equal(await awaitCode(provisioned({ USD_ACCOUNT: USD.USD_ACCOUNT ?? {} })), 'INVALID_INPUT');
    assert.equal((await usd()).status, 'PENDING');
  });

  it('style 19: the provider is called after the commit, once per account, and its refusal is applied', async () => {
    const { platform, work, accountId } = await given();
    const waiting = () =>
      world.database.query<{ key: string }>(sql`
        select key from jobs where platform_id = ${platform.id} and kind = 'accounts.provision'`);
    assert.equal((await waiting()).length, 3);
    const asked: ProvisioningRequest[] = [];
    const port: ProvisioningPort = {
      ...noProvisioning,
      submit: async (request) => {
        asked.push(request);
        return request.currency === 'USD' ? 'refused' : 'accepted';
      },
    };
    const effect = await provisionHandler.call(withPort(work, port), jobFor(accountId));
    await work.write(effect);
    assert.deepEqual(
      asked.map(({ accountId: id, currency, accountTypes }) => [id, currency, accountTypes]),
      [[accountId, 'USD', ['USD_ACCOUNT', 'SOLANA_WALLET']]],
    );
    assert.equal((await work.read((tx) => findAccounts(tx, [accountId])))[0]?.status, 'FAILED');
    // A second run of the job, after a worker lost the result of the first, makes no further call.
    await work.write(await provisionHandler.call(withPort(work, port), jobFor(accountId)));
    assert.equal(asked.length, 1);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await waiting(), []);
  });

  it('style 19: a refusal that arrives after the account was closed does not fail the job', async () => {
    const { work, accountId } = await given();
    const port: ProvisioningPort = { ...noProvisioning, submit: async () => 'refused' };
    const effect = await provisionHandler.call(withPort(work, port), jobFor(accountId));
    await work.write((tx) => closeAccount(tx, { accountId }));
    await work.write(effect);
    assert.equal((await work.read((tx) => findAccounts(tx, [accountId])))[0]?.status, 'CLOSED');
  });

  it('accounts.md §2.2: if the provider answers at once, a retry makes the account ACTIVE in the same commit', async () => {
    const { platform, work, accountId, usd, refused } = await given();
    await refused();
    const quick = withPort(work, sandboxProvisioning);
    assert.equal((await quick.write((tx) => retryProvisioning(tx, { accountId }))).status, 'ACTIVE');
    assert.equal((await usd()).fundingPaymentInstructions.length, 2);
    assert.equal((await listAccountWebhooks(platform)).length, 3);
  });

  for (const [name, port] of [
    ['sandbox', sandboxProvisioning],
    ['manual', noProvisioning],
  ] as const) {
    it(`style 36: the ${name} adapter always gives the same answer, and opens every currency`, async () => {
      const { work } = await given();
      const currencies = ['EUR', 'BRL', 'INR', 'COP', 'ARS', 'BTC', 'USDT', 'KES', 'GLOBEX'];
      const opened = await withPort(work, port).write((tx) =>
        openAccounts(tx, { name: 'X', serviceName: 'Svc' }, currencies),
      );
      assert.equal(opened.length, currencies.length);
      const request: ProvisioningRequest = {
        accountId: 'a',
        platformId: newUuid<'Platform'>(),
        currency: 'EUR',
        holderName: 'X',
        accountTypes: ['EUR_ACCOUNT'],
        seed: new Uint8Array(32).fill(5),
      };
      assert.deepEqual(port.atOpening(request), port.atOpening(request));
      assert.equal(await port.submit(request), 'accepted');
      assert.equal(await port.submit(request), 'accepted');
    });
  }

  function withPort(work: Work, provisioning: ProvisioningPort): Work {
    const { runtime, platform, actor } = work;
    const ports: typeof runtime.ports = (environment) => ({
      ...runtime.ports(environment),
      provisioning,
    });
    return new Work({ ...runtime, ports }, platform, actor);
  }

  function jobFor(id: string) {
    return { id: 1n, kind: 'accounts.provision', key: id, payload: { id }, dueAt: new Date(), attempts: 0 };
  }

  it('accounts.md §1.2: a notice for an account of another platform is 404', async () => {
    const { accountId } = await given();
    const stranger: TestPlatform = await world.platform();
    const work = await stranger.work();
    const provisioned = work.write((tx) => completeProvisioning(tx, { accountId, coordinates: USD }));
    assert.equal(await awaitCode(provisioned), 'ACCOUNT_NOT_FOUND');
    assert.equal(
      await awaitCode(work.write((tx) => refuseProvisioning(tx, { accountId }))),
      'ACCOUNT_NOT_FOUND',
    );
  });
});
