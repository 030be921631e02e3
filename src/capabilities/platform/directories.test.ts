import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterInstitutions } from '#capabilities/platform/institutions.ts';
import { disablePlatform, setPlatform } from '#capabilities/platform/set-platform.ts';
import { findVasp, VASPS } from '#capabilities/platform/vasps.ts';
import { isCountry } from '#foundation/lib/countries.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { payoutCountriesOf, payoutRailsOf } from '#foundation/lib/rails-by-currency.ts';
import { givenDomain, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const operator = { kind: 'operator', id: 'test' } as const;

/** accounts.md §4.2: currencies whose account type requires `bankName`. */
const NEED_BANK = 'BDT CNY COP EGP GHS GTQ HKD IDR JMD MYR NGN PHP PKR THB VND ZAR'.split(' ');

/** accounts.md §4.2: currencies whose providers are a closed list. */
const CLOSED: Record<string, string[]> = {
  KES: ['M-PESA'],
  MWK: ['AIRTEL', 'TNM'],
  RWF: ['AIRTEL', 'MTN'],
  TZS: ['AIRTEL', 'VODACOM'],
  UGX: ['AIRTEL', 'MTN'],
  ZMW: ['AIRTEL', 'MTN', 'TNM', 'ZAMTEL'],
};

type Provider = {
  name: string;
  domain: string;
  allowListStatus: boolean;
  supportedRegions: string[];
  supportedCurrencies: { code: string }[];
};

describe('directories', () => {
  const world = testWorld();
  const discover = async (platform: TestPlatform, query: Record<string, string> = {}) =>
    (await platform.call('getDiscoveries', { query })).body.data;

  it('platform.md §7.1: without a filter all institutions are listed, by country, currency and display name', async () => {
    const platform = await world.platform();
    const all = await discover(platform);
    assert.equal(all.length, filterInstitutions().length);
    const keys = all.map(({ country, currency, displayName }) => [country, currency, displayName]);
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => {
        const i = a.findIndex((part, at) => part !== b[at]);
        return i < 0 ? 0 : (a[i] as string) < (b[i] as string) ? -1 : 1;
      }),
    );
  });

  it('platform.md §7.1: country and currency combine', async () => {
    const platform = await world.platform();
    const xof = await discover(platform, { currency: 'XOF' });
    assert.deepEqual([...new Set(xof.map(({ country }) => country))], ['BJ', 'CI', 'SN', 'TG']);
    const senegal = await discover(platform, { currency: 'XOF', country: 'SN' });
    assert.ok(senegal.length > 0 && senegal.length < xof.length);
    assert.ok(senegal.every((row: { country: string }) => row.country === 'SN'));
    assert.deepEqual(await discover(platform, { currency: 'XOF', country: 'NG' }), []);
  });

  it('platform.md §7.1: an unknown country or currency gives an empty list; a malformed code is 400', async () => {
    const platform = await world.platform();
    assert.deepEqual(await discover(platform, { country: 'ZZ' }), []);
    for (const currency of ['XXX', 'USDC', 'ACME01', '2'.repeat(10)])
      assert.deepEqual(await discover(platform, { currency }), [], currency);
    const wrong: Record<string, string>[] = [{ country: 'N' }, { country: 'NGA' }, { country: '12' }];
    const codes: Record<string, string>[] = [
      { currency: 'NG' },
      { currency: 'N'.repeat(11) },
      { currency: 'N-N' },
      { currency: '₦₦₦' },
    ];
    for (const query of [...wrong, ...codes]) {
      const answer = await platform.call('getDiscoveries', { query });
      assert.equal(answer.status, 400, JSON.stringify(query));
      assert.equal(answer.body.details.errors[0].field, Object.keys(query)[0]);
    }
    const both = await platform.call('getDiscoveries', { query: { country: '1', currency: '1' } });
    assert.equal(both.body.details.errors.length, 2);
  });

  it('platform.md §7.1a: each row names rails on which its currency is paid out in its country', () => {
    for (const row of filterInstitutions()) {
      assert.ok(row.paymentRails.length > 0);
      assert.ok(
        row.paymentRails.every((rail) => payoutRailsOf(row.currency).includes(rail)),
        row.bankName,
      );
      assert.ok(payoutCountriesOf(row.currency).includes(row.country), row.bankName);
      assert.ok(isCountry(row.country) && isCurrencyCode(row.currency));
    }
  });

  it('platform.md §7.2: each name occurs once in its corridor, is trimmed and fits its field', () => {
    const keys = filterInstitutions().map((row) => `${row.country} ${row.currency} ${row.bankName}`);
    assert.equal(new Set(keys).size, keys.length);
    assert.ok(
      filterInstitutions().every(({ bankName }) => bankName === bankName.trim() && bankName.length <= 255),
    );
  });

  it('platform.md §7.3: at least three entries for each currency whose account type requires a bank', () => {
    for (const code of [...NEED_BANK, 'BWP', 'XAF', 'XOF']) {
      assert.ok(filterInstitutions(undefined, code).length >= 3, code);
    }
  });

  it('platform.md §7.2: if accounts take a closed list of providers, the directory has exactly that list', () => {
    for (const [code, names] of Object.entries(CLOSED)) {
      const listed = filterInstitutions(undefined, code).map((row) => row.bankName);
      assert.deepEqual(listed.toSorted(), names, code);
    }
    const wallets = filterInstitutions('CN', 'CNY').filter((row) =>
      row.paymentRails.includes('MOBILE_MONEY'),
    );
    assert.deepEqual(wallets.map((row) => row.bankName).sort(), ['AliPay', 'WechatPay']);
  });

  it('platform.md §7: Nigerian banks carry their code and Singaporean ones their BIC, for the checks that need them', () => {
    assert.ok(filterInstitutions('NG', 'NGN').every((row) => /^\d{3}$/.test(row.bankCode ?? '')));
    assert.ok(filterInstitutions('SG', 'SGD').every((row) => /^[A-Z]{4}SG[A-Z0-9]{2}$/.test(row.bic ?? '')));
  });

  it('platform.md §1.3.4: directories need VIEW', async () => {
    const platform = await world.platform({ permissions: ['TRANSACT', 'MANAGE'] });
    for (const id of ['getDiscoveries', 'getAvailableUmaProviders', 'listVasps'] as const) {
      assert.equal((await platform.call(id)).body.code, 'FORBIDDEN');
      assert.equal((await platform.call(id, { as: 'nobody' })).body.code, 'UNAUTHORIZED');
    }
  });

  const providers = async (platform: TestPlatform, query: Record<string, string | number | boolean> = {}) => {
    const answer = await platform.call('getAvailableUmaProviders', { query: { limit: 100, ...query } });
    assert.equal(answer.status, 200, answer.raw);
    return answer.body.data as Provider[];
  };
  const withDomain = async (
    domain: string,
    options: Parameters<typeof world.platform>[0] = {},
    name = domain,
  ) => {
    const platform = await world.platform(options);
    await setPlatform(world.app.runtime, platform.id, operator, { name });
    givenDomain(world, platform, domain);
    assert.equal((await platform.call('updatePlatformConfig', { body: { umaDomain: domain } })).status, 200);
    return platform;
  };
  const domainsOf = (list: Provider[]) => list.map((provider) => provider.domain);

  it('platform.md §8.1: the sandbox lists its own provider and each of its platforms that has a domain', async () => {
    const platform = await withDomain('listed.example', {}, 'Listed');
    await withDomain('elsewhere.example', { environment: 'PRODUCTION' });
    const gone = await withDomain('disabled.example');
    await disablePlatform(world.app.runtime, gone.id, operator);
    const list = await providers(platform);
    const own = list.find((provider) => provider.domain === 'listed.example');
    assert.deepEqual(own, {
      name: 'Listed',
      supportedRegions: ['SV', 'US'],
      domain: 'listed.example',
      supportedCurrencies: own?.supportedCurrencies,
      allowListStatus: true,
    });
    assert.deepEqual(
      own?.supportedCurrencies.map(({ code }) => code),
      ['USD', 'USDC', 'USDB'],
    );
    for (const domain of TEST_DOMAINS.sandboxUmaDomains) assert.ok(domainsOf(list).includes(domain));
    assert.ok(!domainsOf(list).includes('elsewhere.example'));
    assert.ok(!domainsOf(list).includes('disabled.example'));
    assert.ok(!domainsOf(list).includes(TEST_DOMAINS.defaultUmaDomain));
  });

  it('platform.md §8.1: production lists production platforms, without the sandbox’s provider', async () => {
    const platform = await withDomain('live.example', { environment: 'PRODUCTION' });
    const domains = domainsOf(await providers(platform));
    assert.ok(domains.includes('live.example'));
    assert.ok(!domains.includes(TEST_DOMAINS.sandboxUmaDomain));
  });

  it('platform.md §8.1: countryCode filters by region and currencyCode by receivable currency', async () => {
    const platform = await withDomain('mexico.example');
    const currency = (currencyCode: string, enabledTransactionTypes: string[]) => ({
      currencyCode,
      minAmount: 1,
      maxAmount: 5,
      requiredCounterpartyFields: [],
      enabledTransactionTypes,
    });
    const supportedCurrencies = [currency('MXN', ['INCOMING']), currency('GBP', ['OUTGOING'])];
    await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
    assert.ok(domainsOf(await providers(platform, { countryCode: 'MX' })).includes('mexico.example'));
    assert.ok(domainsOf(await providers(platform, { currencyCode: 'MXN' })).includes('mexico.example'));
    assert.ok(!domainsOf(await providers(platform, { currencyCode: 'GBP' })).includes('mexico.example'));
    assert.ok(!domainsOf(await providers(platform, { countryCode: 'GB' })).includes('mexico.example'));
    assert.deepEqual(await providers(platform, { countryCode: 'AQ' }), []);
    const both = await providers(platform, { countryCode: 'MX', currencyCode: 'EUR' });
    assert.ok(!domainsOf(both).includes('mexico.example'));
    assert.ok(domainsOf(both).includes(TEST_DOMAINS.sandboxUmaDomain));
  });

  it('platform.md §8.1: the allow list marks providers; blocked ones are left out on demand', async () => {
    await withDomain('allowed.example');
    await withDomain('blocked.example');
    const platform = await world.platform({ settings: { allowedUmaProviders: ['allowed.example'] } });
    const all = await providers(platform);
    const status = (domain: string) => all.find((provider) => provider.domain === domain)?.allowListStatus;
    assert.equal(status('allowed.example'), true);
    assert.equal(status('blocked.example'), false);
    assert.equal(status(TEST_DOMAINS.sandboxUmaDomain), false);
    assert.deepEqual(domainsOf(await providers(platform, { hasBlockedProviders: true })), domainsOf(all));
    assert.deepEqual(domainsOf(await providers(platform, { hasBlockedProviders: false })), [
      'allowed.example',
    ]);
  });

  it('platform.md §1.4: providers are sorted by name, descending by default, across pages and equal names', async () => {
    for (const [i, name] of ['Twin', 'Twin', 'apple', 'Zebra'].entries())
      await withDomain(`sorted${i}.example`, {}, name);
    const platform = await world.platform();
    const down = await providers(platform);
    const names = down.map(({ name }) => name.toLowerCase());
    assert.deepEqual(names, names.toSorted().reverse());
    assert.deepEqual(domainsOf(await providers(platform, { sortOrder: 'desc' })), domainsOf(down));
    const up = await providers(platform, { sortOrder: 'asc' });
    assert.deepEqual(domainsOf(up), domainsOf(down).reverse());
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, sortOrder: 'asc', ...(cursor && { cursor }) };
      const { body } = await platform.call('getAvailableUmaProviders', { query });
      assert.equal(body.totalCount, up.length);
      walked.push(...domainsOf(body.data));
      cursor = body.nextCursor;
      assert.equal(body.hasMore, cursor !== undefined);
    } while (cursor);
    assert.deepEqual(walked, domainsOf(up));
  });

  it('platform.md §1.4: invalid parameters of the provider list, or a cursor of another sort order, are 400', async () => {
    const platform = await world.platform();
    await withDomain('cursor.example');
    const { nextCursor: cursor } = (await platform.call('getAvailableUmaProviders', { query: { limit: 1 } }))
      .body;
    assert.ok(cursor);
    for (const query of [
      { sortOrder: 'up' },
      { hasBlockedProviders: 'maybe' },
      { limit: 0 },
      { limit: 101 },
      { countryCode: 'USA' },
      { currencyCode: '$' },
      { cursor: 'x' },
      { cursor, sortOrder: 'asc' },
    ]) {
      const answer = await platform.call('getAvailableUmaProviders', {
        query: query as Record<string, string>,
      });
      assert.equal(answer.body.code, 'INVALID_INPUT', JSON.stringify(query));
    }
  });

  it('platform.md §8.2: at least twenty exchanges, by name, paged, without a total', async () => {
    const platform = await world.platform();
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await platform.call('listVasps', { query: { limit: 7, ...(cursor && { cursor }) } });
      assert.equal('totalCount' in body, false);
      walked.push(...body.data.map((vasp: { vaspName: string }) => vasp.vaspName));
      cursor = body.nextCursor;
      assert.equal(body.hasMore, cursor !== undefined);
    } while (cursor);
    assert.ok(walked.length >= 20);
    assert.deepEqual(
      walked,
      VASPS.map((vasp) => vasp.vaspName).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    );
    const first = await platform.call('listVasps');
    assert.equal(first.body.data.length, 20);
    assert.equal((await platform.call('listVasps', { query: { cursor: 'x' } })).body.code, 'INVALID_INPUT');
  });

  it('platform.md §8.2: an exchange is found in any case and returned in its listed spelling', () => {
    assert.equal(findVasp('COINBASE')?.vaspName, 'Coinbase');
    assert.equal(findVasp('bitflyer')?.vaspName, 'bitFlyer');
    assert.equal(findVasp('Coin base'), undefined);
    assert.equal(findVasp(''), undefined);
    assert.ok(VASPS.every((vasp) => vasp.url.startsWith('https://')));
    assert.equal(new Set(VASPS.map((vasp) => vasp.vaspName.toLowerCase())).size, VASPS.length);
  });
});
