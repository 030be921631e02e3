import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAccounts } from '#capabilities/accounts/open-accounts.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { currencyCodes } from '#foundation/lib/currencies.ts';
import { type AccountReply, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { COINS, givenCurrencies } from '#tests/given/coins.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('accounts of the platform', () => {
  const world = testWorld();

  it('accounts.md §2.1.1, §2.1.4, §2.1.6: a fresh sandbox platform has one ACTIVE account each in USD, USDC and USDB', async () => {
    const accounts = await platformAccounts(await world.platform());
    assert.deepEqual(
      accounts.map(({ balance, type, status }) => [balance.currency.code, type, status]),
      [
        ['USD', 'INTERNAL_FIAT', 'ACTIVE'],
        ['USDC', 'INTERNAL_CRYPTO', 'ACTIVE'],
        ['USDB', 'INTERNAL_CRYPTO', 'ACTIVE'],
      ],
    );
    for (const account of accounts) {
      assert.equal(account.balance.amount, 0);
      assert.equal(account.totalBalance.amount, 0);
    }
  });

  it('accounts.md §2.1.8: a platform account has neither customerId nor privateEnabled, and isPlatformAccount is true', async () => {
    for (const account of await platformAccounts(await world.platform())) {
      assert.equal('customerId' in account, false);
      assert.equal('privateEnabled' in account, false);
      assert.ok(account.fundingPaymentInstructions.length > 0);
      for (const entry of account.fundingPaymentInstructions) assert.equal(entry.isPlatformAccount, true);
    }
  });

  it('accounts.md §2.1.1, §2.1.7: a configured currency opens an account; removed and added again, it has the same account', async () => {
    const platform = await world.platform();
    const before = await platformAccounts(platform);
    await supports(platform, ['USD', 'EUR']);
    const opened = await platformAccounts(platform);
    assert.deepEqual(
      opened.map(({ balance }) => balance.currency.code),
      ['USD', 'USDC', 'USDB', 'EUR'],
    );
    assert.deepEqual(opened.slice(0, 3), before);
    await supports(platform, ['USD', 'USDC', 'EUR']);
    assert.deepEqual(await platformAccounts(platform), opened);
  });

  it('accounts.md §2.1.1: every currency can be configured, and each account can be read back', async () => {
    const platform = await world.platform();
    await givenCurrencies(platform, COINS);
    const codes = [...currencyCodes(), ...COINS.map(({ code }) => code)];
    await supports(platform, codes);
    const accounts = await platformAccounts(platform);
    assert.equal(accounts.length, codes.length);
    for (const code of codes) assert.equal(inCurrency(accounts, code).status, 'ACTIVE');
  });

  it('accounts.md §2.1.1: the same currencies configured concurrently open each account once', async () => {
    const platform = await world.platform();
    await Promise.all(Array.from({ length: 8 }, () => supports(platform, ['USD', 'EUR', 'GBP', 'BTC'])));
    const codes = (await platformAccounts(platform)).map(({ balance }) => balance.currency.code);
    assert.deepEqual(codes.toSorted(), ['BTC', 'EUR', 'GBP', 'USD', 'USDB', 'USDC']);
  });

  it('accounts.md §2.1.9: the list is complete, oldest first, without paging fields, and filters by currency and type', async () => {
    const platform = await world.platform();
    const whole = await platform.send('listPlatformInternalAccounts', { query: { limit: 1 } });
    assert.deepEqual(Object.keys(whole.body), ['data']);
    assert.equal(whole.body.data.length, 3);
    const listCodes = async (query: Record<string, string>) => {
      const { body } = await platform.call('listPlatformInternalAccounts', { query });
      return body.data.map(
        (account: { balance: { currency: { code: string } } }) => account.balance.currency.code,
      );
    };
    assert.deepEqual(await listCodes({ currency: 'USDC' }), ['USDC']);
    assert.deepEqual(await listCodes({ currency: 'usdc' }), []);
    assert.deepEqual(await listCodes({ currency: 'XYZ' }), []);
    assert.deepEqual(await listCodes({ type: 'INTERNAL_CRYPTO' }), ['USDC', 'USDB']);
    assert.deepEqual(await listCodes({ type: 'INTERNAL_CRYPTO', currency: 'USD' }), []);
    assert.deepEqual(await listCodes({ type: 'EMBEDDED_WALLET' }), []);
  });

  it('accounts.md §2.1.9: a type outside the enum is 400 INVALID_INPUT(type)', async () => {
    const platform = await world.platform();
    const { status, body } = await platform.call('listPlatformInternalAccounts', { query: { type: 'CASH' } });
    assert.equal(status, 400);
    assert.equal(body.code, 'INVALID_INPUT');
    assert.deepEqual(
      body.details.errors.map((error: { field: string }) => error.field),
      ['type'],
    );
  });

  it('accounts.md §1.3: credentials and VIEW are required', async () => {
    const platform = await world.platform({ permissions: ['MANAGE'] });
    assert.equal((await platform.call('listPlatformInternalAccounts', { as: 'nobody' })).status, 401);
    assert.equal((await platform.call('listPlatformInternalAccounts')).status, 403);
  });

  it('accounts.md §2.1.1: one platform never sees the accounts of another', async () => {
    const [one, other] = [await world.platform(), await world.platform()];
    const ids = new Set((await platformAccounts(one)).map(({ id }) => id));
    for (const { id } of await platformAccounts(other)) assert.equal(ids.has(id), false);
  });

  it('accounts.md §2.4: a reference that is taken on the platform is not used twice', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const { vault } = work.runtime;
    const seed = await seedOfUsd(platform.id);
    let calls = 0;
    // The first reference for the new account equals that of the USD account.
    const fingerprint = (value: string, purpose: string) =>
      calls++ === 0 ? seed : vault.fingerprint(value, purpose);
    const runtime = { ...work.runtime, vault: { ...vault, fingerprint } };
    const repeating = new Work(runtime, work.platform, work.actor);
    const opened = await repeating.write((tx) =>
      openAccounts(tx, { name: 'X', serviceName: 'Svc' }, ['EUR']),
    );
    assert.equal(opened.length, 1);
    assert.ok(calls > 2, 'a second reference was generated');
    const references = (await platformAccounts(platform)).flatMap(referencesOf);
    assert.equal(references.length, 2);
    assert.equal(new Set(references).size, 2);
  });

  async function seedOfUsd(platformId: string): Promise<Buffer> {
    const [row] = await world.database.query<{ id: string }>(sql`
      select id from internal_accounts where platform_id = ${platformId} and currency = 'USD'`);
    return world.app.runtime.vault.fingerprint(row?.id ?? '', 'funding coordinates');
  }
});

function referencesOf({ fundingPaymentInstructions }: AccountReply): string[] {
  return fundingPaymentInstructions.flatMap(({ accountOrWalletInfo }) =>
    accountOrWalletInfo.reference === undefined ? [] : [String(accountOrWalletInfo.reference)],
  );
}
