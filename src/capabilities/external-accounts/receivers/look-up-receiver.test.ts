import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { findLookup } from '#capabilities/external-accounts/receivers/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, parseId } from '#foundation/lib/ids.ts';
import { fetchAccounts, inCurrency, supports } from '#tests/given/accounts.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount, refusedFields } from '#tests/given/external-accounts.ts';
import type { Answered, AnyReply } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const HOUR_MS = 3_600_000;

describe('looking up receivers', () => {
  const world = testWorld();
  const domain = TEST_DOMAINS.sandboxUmaDomain;
  let platform: TestPlatform;
  let euro: { id: string; umaAddress: string };

  before(async () => {
    platform = await world.platform();
    await supports(platform, ['USD', 'EUR', 'MXN', 'USDC']);
    euro = await givenCustomer(platform, { ...PERSON, currencies: ['EUR', 'USD'] });
  });

  const uma = (address: string, query: Record<string, string> = {}, who = platform) =>
    who.call('lookupUma', { params: { receiverUmaAddress: address }, query });
  const external = (accountId: string, query: Record<string, string> = {}, who = platform) =>
    who.call('lookupExternalAccount', { params: { accountId }, query });
  const found = <Body>(reply: Answered<Body>) => {
    assert.equal(reply.status, 200, reply.raw);
    return reply.body;
  };
  const refused = (reply: AnyReply, status: number, code: string) => {
    assert.equal(reply.body.code, code, reply.raw);
    assert.equal(reply.status, status);
  };
  const currencies = (reply: Answered<{ supportedCurrencies: { currency: { code: string } }[] }>) =>
    found(reply).supportedCurrencies.map(({ currency }) => currency.code);

  it('accounts.md §6.9: every domain of the sandbox has the receivers of the scenarios', async () => {
    for (const domain of TEST_DOMAINS.sandboxUmaDomains) {
      assert.deepEqual(await currencies(await uma(`$success.eur@${domain}`)), ['EUR'], domain);
    }
  });

  it('accounts.md §6.2, §6.3, §6.4, §6.10: the complete reply, with the platform as sender', async () => {
    const body = found(await uma(`$success.eur@${domain}`));
    assert.match(body.lookupId, /^Lookup:[0-9a-f-]{36}$/);
    assert.deepEqual(body, {
      supportedCurrencies: [
        {
          currency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
          estimatedExchangeRate: 0.92,
          min: 1,
          max: 10_000_000,
        },
      ],
      requiredPayerDataFields: [],
      lookupId: body.lookupId,
      receiverUmaAddress: `$success.eur@${domain}`,
    });
  });

  it('accounts.md §6.9, money.md §9.5: the sandbox’s names, each with its one currency or its fault', async () => {
    for (const [name, code] of [
      ['success.usd', 'USD'],
      ['success.eur', 'EUR'],
      ['success.mxn', 'MXN'],
      ['pending.long.usd', 'USD'],
      ['fail.compliance.usd', 'USD'],
      ['fail.payreq.usd', 'USD'],
    ]) {
      const reply = await uma(`$${name}@${domain}`);
      assert.deepEqual(currencies(reply), [code]);
      assert.deepEqual(reply.body.requiredPayerDataFields, []);
    }
    assert.deepEqual(found(await uma(`$needinfo.usd@${domain}`)).requiredPayerDataFields, [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'BIRTH_DATE', mandatory: true },
    ]);
    refused(await uma(`$fail.version.usd@${domain}`), 412, 'UNSUPPORTED_UMA_VERSION');
    refused(await uma(`$fail.lnurlp.usd@${domain}`), 424, 'LNURLP_REQUEST_FAILED');
    for (const name of ['success.gbp', 'nobody', 'constructor', '__proto__']) {
      refused(await uma(`$${name}@${domain}`), 404, 'UMA_NOT_FOUND');
    }
    refused(await uma('$success.usd@elsewhere.example'), 424, 'LNURLP_REQUEST_FAILED');
  });

  it('accounts.md §6.6: percent-encoded and upper-case addresses are accepted, malformed ones are not', async () => {
    const url = `/svc/2025-10-13/receiver/uma/%24Success.EUR%40${domain.toUpperCase()}`;
    const raw = await world.app.http.inject({ url, headers: { authorization: platform.authorization } });
    assert.equal(raw.statusCode, 200);
    assert.equal(raw.json().receiverUmaAddress, `$success.eur@${domain}`);
    for (const address of [
      'success.usd',
      `success.usd@${domain}`,
      `$@${domain}`,
      '$ada@',
      `$a da@${domain}`,
      `$a!@${domain}`,
      `$${'a'.repeat(64)}@${domain}`,
      '$ada@-x.example',
      '$ada@x@y',
    ]) {
      refused(await uma(address), 400, 'INVALID_UMA_ADDRESS');
      refused(await uma(`$success.usd@${domain}`, { senderUmaAddress: address }), 400, 'INVALID_UMA_ADDRESS');
    }
    refused(await uma(`$${'a'.repeat(63)}@${domain}`), 404, 'UMA_NOT_FOUND');
  });

  it('accounts.md §6.1: the sender by id or address, both for the same customer of this platform', async () => {
    const address = `$success.usd@${domain}`;
    const other = await givenCustomer(platform);
    const foreign = await givenCustomer(await world.platform());
    for (const query of [
      { customerId: euro.id },
      { customerId: uuidOf(euro.id) },
      { senderUmaAddress: euro.umaAddress },
      { senderUmaAddress: euro.umaAddress.toUpperCase() },
      { customerId: euro.id, senderUmaAddress: euro.umaAddress },
    ]) {
      assert.equal(found(await uma(address, query)).supportedCurrencies[0].estimatedExchangeRate, 1.08695652);
    }
    assert.deepEqual(
      refusedFields(await uma(address, { customerId: other.id, senderUmaAddress: euro.umaAddress })),
      ['customerId'],
    );
    for (const query of [
      { customerId: `Customer:${newUuid()}` },
      { customerId: foreign.id },
      { senderUmaAddress: foreign.umaAddress },
      { senderUmaAddress: `$success.usd@${domain}` },
      { customerId: euro.id, senderUmaAddress: foreign.umaAddress },
    ]) {
      refused(await uma(address, query), 404, 'CUSTOMER_NOT_FOUND');
    }
    assert.deepEqual(refusedFields(await uma(address, { customerId: 'Customer:1' })), ['customerId']);
  });

  it('accounts.md §6.3: the rate is from the oldest active account’s currency, 1 for the same currency, after the platform’s fee', async () => {
    const sender = await givenCustomer(platform, { ...PERSON, currencies: ['EUR', 'USD'] });
    const rate = async (name: string, query: Record<string, string> = {}) =>
      found(await uma(`$${name}@${domain}`, query)).supportedCurrencies[0].estimatedExchangeRate;
    const query = { customerId: sender.id };
    assert.equal(await rate('success.eur', query), 1);
    assert.equal(await rate('success.mxn', query), 18.75);
    const account = inCurrency(await fetchAccounts(platform, sender.id), 'EUR');
    const work = await platform.work();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(account) }));
    assert.equal(await rate('success.mxn', query), 17.25);
    const feeConfigs = [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 100,
        fixedFee: { amount: 50, currency: 'USD' },
      },
    ];
    const charging = await world.platform();
    const set = await charging.call('updatePlatformConfig', { body: { feeConfigs } });
    assert.equal(set.status, 200, set.raw);
    const estimate = found(await uma(`$success.eur@${domain}`, {}, charging)).supportedCurrencies[0];
    assert.equal(estimate.estimatedExchangeRate, 0.9108);
    assert.equal(
      found(await uma(`$success.usd@${domain}`, {}, charging)).supportedCurrencies[0].estimatedExchangeRate,
      1,
    );
  });

  it('accounts.md §6.4: the corridor’s limits, if they are set', async () => {
    const limits = { corridors: { 'USD-EUR': { minUsdCents: 500, maxUsdCents: 1_000_000 } } };
    const limited = await world.platform({ settings: { limits } as never });
    const [entry] = found(await uma(`$success.eur@${domain}`, {}, limited)).supportedCurrencies;
    assert.deepEqual([entry.min, entry.max], [460, 920_000]);
    const account = await givenExternalAccount(limited, 'EUR_ACCOUNT');
    const [own] = found(await external(account.id, {}, limited)).supportedCurrencies;
    assert.deepEqual([own.min, own.max], [460, 920_000]);
    const [free] = found(await uma(`$success.mxn@${domain}`, {}, limited)).supportedCurrencies;
    assert.deepEqual([free.min, free.max], [1, 10_000_000]);
  });

  it('accounts.md §6.4: the operator’s limits for all corridors, unless the corridor has its own', async () => {
    const limits = {
      default: { minUsdCents: 100, maxUsdCents: 2_000_000 },
      corridors: { 'USD-EUR': { maxUsdCents: 1_000_000 } },
    };
    const limited = await world.platform({ settings: { limits } as never });
    const [euro] = found(await uma(`$success.eur@${domain}`, {}, limited)).supportedCurrencies;
    assert.deepEqual([euro.min, euro.max], [92, 920_000]);
    const [dollar] = found(await uma(`$success.usd@${domain}`, {}, limited)).supportedCurrencies;
    assert.deepEqual([dollar.min, dollar.max], [100, 2_000_000]);
  });

  it('accounts.md §6.7: a customer cannot pay itself', async () => {
    refused(await uma(euro.umaAddress, { customerId: euro.id }), 400, 'SELF_PAYMENT');
    refused(await uma(euro.umaAddress, { senderUmaAddress: euro.umaAddress }), 400, 'SELF_PAYMENT');
  });

  it('accounts.md §6.8: our own customers, in the currencies of their active accounts; other users at our domain are unknown', async () => {
    assert.deepEqual(currencies(await uma(euro.umaAddress)), ['EUR', 'USD']);
    const foreign = await givenCustomer(await world.platform());
    for (const address of [foreign.umaAddress, `$nobody@${TEST_DOMAINS.defaultUmaDomain}`]) {
      refused(await uma(address), 404, 'UMA_NOT_FOUND');
    }
    const frozen = await givenCustomer(platform, { ...PERSON, currencies: ['EUR'] });
    const work = await platform.work();
    const account = inCurrency(await fetchAccounts(platform, frozen.id), 'EUR');
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(account) }));
    refused(await uma(frozen.umaAddress), 400, 'INVALID_RECEIVER');
    await platform.call('deleteCustomerById', { params: { customerId: frozen.id } });
    refused(await uma(frozen.umaAddress), 404, 'UMA_NOT_FOUND');
  });

  it('accounts.md §6.8: a platform’s own domain, and customers that were created before it', async () => {
    const own = await world.platform();
    const before = await givenCustomer(own);
    await own.call('updatePlatformConfig', { body: { umaDomain: 'pay.lookups.test' } });
    const after = await givenCustomer(own);
    assert.ok(after.umaAddress.endsWith('@pay.lookups.test'));
    for (const { umaAddress } of [before, after]) assert.equal((await uma(umaAddress, {}, own)).status, 200);
    refused(await uma('$nobody@pay.lookups.test', {}, own), 404, 'UMA_NOT_FOUND');
    refused(await uma(after.umaAddress), 424, 'LNURLP_REQUEST_FAILED');
  });

  it('platform.md §8.1: a provider that is not on the allow list is not asked', async () => {
    const picky = await world.platform({ settings: { allowedUmaProviders: ['elsewhere.example'] } });
    refused(await uma(`$success.usd@${domain}`, {}, picky), 403, 'COUNTERPARTY_NOT_ALLOWED');
    refused(await uma('$ada@elsewhere.example', {}, picky), 424, 'LNURLP_REQUEST_FAILED');
  });

  it('accounts.md §6.11: production reaches no provider until a network is connected', async () => {
    const production = await world.platform({ environment: 'PRODUCTION' });
    refused(await uma(`$success.usd@${domain}`, {}, production), 424, 'LNURLP_REQUEST_FAILED');
  });

  it('accounts.md §6.5: an external account: its own currency, and no data about the payer is required', async () => {
    const account = await givenExternalAccount(platform, 'MXN_ACCOUNT');
    const body = found(await external(account.id, { customerId: euro.id }));
    assert.deepEqual(body, {
      supportedCurrencies: [
        {
          currency: { code: 'MXN', name: 'Mexican peso', symbol: '$', decimals: 2 },
          estimatedExchangeRate: 18.75,
          min: 1,
          max: 10_000_000,
        },
      ],
      requiredPayerDataFields: [],
      lookupId: body.lookupId,
      accountId: account.id,
    });
    found(await external(uuidOf(account.id)));
    refused(await external('ExternalAccount:nobody'), 404, 'ACCOUNT_NOT_FOUND');
    refused(await external(account.id, {}, await world.platform()), 404, 'ACCOUNT_NOT_FOUND');
    refused(await external(account.id, { customerId: newUuid() }), 404, 'CUSTOMER_NOT_FOUND');
  });

  it('accounts.md §6.5: the amounts that the account’s status allows', async () => {
    const account = await givenExternalAccount(platform, 'BASE_WALLET');
    const withStatus = async (status: string) => {
      await world.database.query(sql`
        update external_accounts set status = ${status} where id = ${uuidOf(account.id)}`);
      return external(account.id);
    };
    for (const status of ['PENDING', 'UNDER_REVIEW', 'INACTIVE']) {
      refused(await withStatus(status), 400, 'INVALID_RECEIVER');
    }
    refused(await withStatus('UNVERIFIED'), 400, 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED');
    const loadMax = async (status: string) => found(await withStatus(status)).supportedCurrencies[0].max;
    assert.equal(await loadMax('ACTIVE'), 10_000_000);
    assert.equal(await loadMax('PENDING_OWNERSHIP_VERIFICATION'), 10_000_000, 'ten dollars are far below it');
    const low = await world.platform({ settings: { limits: { ownershipThresholdEurCents: 460 } } as never });
    const wallet = await givenExternalAccount(low, 'BASE_WALLET');
    await world.database.query(sql`
      update external_accounts set status = 'PENDING_OWNERSHIP_VERIFICATION' where id = ${uuidOf(wallet.id)}`);
    const [entry] = found(await external(wallet.id, {}, low)).supportedCurrencies;
    // 4.60 EUR are 5 USDC: the threshold itself is too large.
    assert.equal(entry.max, 4_999_999);
  });

  it('accounts.md §6.5, §4.7: a US account whose validation failed cannot be paid, one whose validation is pending can', async () => {
    const ofBank = (routingNumber: string) =>
      givenExternalAccount(platform, 'USD_ACCOUNT', { routingNumber });
    refused(await external((await ofBank('999999992')).id), 400, 'INVALID_BANK_ACCOUNT');
    found(await external((await ofBank('999999991')).id));
  });

  it('accounts.md §6.5: a currency without a rate cannot be paid', async () => {
    const account = await givenExternalAccount(platform, 'SWIFT_ACCOUNT (number)');
    refused(await external(account.id), 400, 'INVALID_CURRENCY');
  });

  it('accounts.md §6.2: a look-up can be used for an hour, by its own platform; then it is deleted', async () => {
    const id = parseId(
      'Lookup',
      found(await uma(`$needinfo.usd@${domain}`, { customerId: euro.id })).lookupId,
    );
    assert.ok(id);
    const find = async (who: TestPlatform) => (await who.work()).read((tx) => findLookup(tx, id));
    const lookup = await find(platform);
    assert.ok(lookup);
    const { requiredPayerData, ...rest } = lookup;
    assert.deepEqual(rest, {
      receiver: { kind: 'UMA', address: `$needinfo.usd@${domain}` },
      senderCustomerId: uuidOf(euro.id),
      currencies: [{ code: 'USD', min: 1n, max: 10_000_000n }],
    });
    assert.deepEqual(
      requiredPayerData.map(({ name, mandatory }) => [name, mandatory]),
      [
        ['FULL_NAME', true],
        ['BIRTH_DATE', true],
      ],
    );
    assert.equal(await find(await world.platform()), undefined);
    world.clock.advance(HOUR_MS - 1);
    assert.ok(await find(platform));
    world.clock.advance(1);
    assert.equal(await find(platform), undefined);
    world.clock.advance(HOUR_MS);
    await world.app.worker.settle(platform.id);
    const left = await world.database.query(sql`select from lookups where platform_id = ${platform.id}`);
    assert.deepEqual(left, []);
  });

  it('platform.md §1.3.4: VIEW is enough, and credentials are needed', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    found(await uma(`$success.usd@${domain}`, {}, viewer));
    const nobody = await platform.call('lookupUma', { params: { receiverUmaAddress: '$a@b' }, as: 'nobody' });
    assert.equal(nobody.status, 401);
  });
});
