// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setUmaDomain } from '#capabilities/platform/set-platform.ts';
import type { OwnCurrency } from '#foundation/lib/currencies.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { sendAs } from '#tests/given/actions.ts';
import { agentBody, givenConnectedAgent } from '#tests/given/agents.ts';
import { ACME, givenCoins, givenCurrencies } from '#tests/given/coins.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { askQuote } from '#tests/given/quotes.ts';
import { type Call, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const SANDBOX_SENDER = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;
const COIN_8: OwnCurrency = { ...ACME, name: 'Their Dollar', symbol: '$A', decimals: 8 };
const COIN_2: OwnCurrency = { ...ACME, name: 'Our Dollar', symbol: 'A$', decimals: 2 };

/** A platform with a UMA domain that supports a coin of its own, a customer and a payment in it, and an invitation. */
interface Issuer {
  readonly platform: TestPlatform;
  readonly domain: string;
  readonly address: string;
  readonly accountId: string;
  readonly invitation: { readonly code: string; readonly url: string };
}

/**
 * A coin is visible only to its own platform (stablecoins.md §8.1). This file calls every operation that reads data of
 * other platforms, or of all, while another platform has a coin: as a platform without coins, as one whose own coin has
 * the same symbol and other decimals, and as the coin's own platform.
 */
describe('a coin of another platform', () => {
  const world = testWorld();
  const issuers = new Map<Environment, Issuer>();

  before(async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      issuers.set(environment, await givenIssuer(environment));
    }
  });

  const issuerIn = (environment: Environment) => issuers.get(environment) as Issuer;

  async function givenIssuer(environment: Environment): Promise<Issuer> {
    const domain = `coins-${environment.toLowerCase()}.example`;
    const platform = await givenPlatform(world, { environment, settings: { invitationsConfigured: true } });
    await givenCurrencies(platform, [COIN_8]);
    await supports(platform, ['ACME', 'USD']);
    const operator = { kind: 'operator', id: 'test' } as const;
    const proof = { domains: TEST_DOMAINS, reason: 'shown to be its own' };
    await setUmaDomain(world.app.runtime, platform.id, operator, domain, proof);
    const { id } = await givenCustomer(platform, { ...PERSON, currencies: ['ACME', 'USD'] });
    const address = `$ada@${domain}`;
    const named = await platform.send('updateCustomerById', {
      params: { customerId: id },
      body: { customerType: 'INDIVIDUAL', umaAddress: address },
    });
    assert.equal(named.body.umaAddress, address, named.raw);
    const account = inCurrency(await fetchAccounts(platform, id), 'ACME');
    // In production the account waits until the operator provisions it.
    if (environment === 'SANDBOX') await givenCoins(platform, account.id, 500_000_000);
    const body = { inviterUma: address, amountToSend: 1_250, firstName: 'Grace' };
    const made = await platform.call('createInvitation', { body });
    assert.equal(made.status, 201, made.raw);
    const { code = '', url = '' } = made.body;
    return { platform, domain, address, accountId: account.id, invitation: { code, url } };
  }

  async function givenCaller(environment: Environment, coin?: OwnCurrency): Promise<TestPlatform> {
    const caller = await givenPlatform(world, { environment });
    if (!coin) return caller;
    await givenCurrencies(caller, [coin]);
    await supports(caller, ['USD', 'ACME']);
    return caller;
  }

  const CALLERS = [
    { whose: 'a platform without coins', coin: undefined },
    { whose: 'a platform whose own coin has the same symbol and other decimals', coin: COIN_2 },
  ];

  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    for (const { whose, coin } of CALLERS) {
      it(`platform.md §8.1a: ${whose} sees the provider without the coin (${environment})`, async () => {
        const caller = await givenCaller(environment, coin);
        const { platform: issuer, domain } = issuerIn(environment);
        for (const platform of [caller, issuer]) {
          const reply = await platform.call('getAvailableUmaProviders', { query: { limit: 100 } });
          assert.equal(reply.status, 200, reply.raw);
          const listed = reply.body.data.find((provider) => provider.domain === domain);
          assert.deepEqual(
            listed?.supportedCurrencies?.map(({ code }) => code),
            ['USD'],
          );
          assert.deepEqual(listed?.supportedRegions, ['SV', 'US']);
          const taking = await platform.call('getAvailableUmaProviders', { query: { currencyCode: 'ACME' } });
          assert.deepEqual([taking.status, taking.body.data], [200, []], taking.raw);
        }
      });

      it(`stablecoins.md §8.1: no list of ${whose} fails by the coin, or shows it (${environment})`, async () => {
        const caller = await givenCaller(environment, coin);
        const lists = world.app.operations.filter(
          ({ method, params, access, id }) =>
            // A read of the feed waits for news.
            method === 'GET' && params === undefined && access !== 'agent' && id !== 'readEventFeed',
        );
        assert.ok(lists.length > 20, `${lists.length} lists`);
        const shown: string[] = [];
        for (const { id } of lists) {
          for (const query of [{}, { currency: 'ACME' }, { currencyCode: 'ACME' }]) {
            const reply = await caller.send(id, { query });
            if (reply.status >= 500 && reply.status !== 501) shown.push(`${id} ${reply.status}`);
            if (reply.raw.includes(COIN_8.name)) shown.push(`${id} ${reply.raw}`);
          }
        }
        assert.deepEqual(shown, []);
      });

      it(`stablecoins.md §8.1: no invitation brings the coin to ${whose} (${environment})`, async () => {
        const caller = await givenCaller(environment, coin);
        const invitee = await givenCustomer(caller, PERSON);
        const { platform: issuer, address, invitation } = issuerIn(environment);
        const params = { invitationCode: invitation.code };
        const amount = {
          amount: 1_250,
          currency: { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 },
        };
        const seen = await caller.call('getInvitation', { params });
        assert.deepEqual([seen.status, seen.body.amountToSend], [200, amount], seen.raw);
        const { pathname } = new URL(invitation.url, 'http://localhost');
        const page = await world.app.http.inject({ method: 'GET', url: pathname });
        assert.ok(page.statusCode === 200 && page.body.includes('12.50 USD'), page.body);
        const another = await issuer.call('createInvitation', {
          body: { inviterUma: address, amountToSend: 7 },
        });
        const claimed = await caller.call('claimInvitation', {
          params: { invitationCode: another.body.code ?? '' },
          body: { inviteeUma: invitee.umaAddress ?? '' },
        });
        assert.deepEqual(
          [claimed.status, claimed.body.amountToSend?.currency?.code],
          [200, 'USD'],
          claimed.raw,
        );
      });

      it(`stablecoins.md §8.1: ${whose} neither pays nor is paid in the coin (${environment})`, async () => {
        const caller = await givenCaller(environment, coin);
        const { address, accountId } = issuerIn(environment);
        const customer = await givenCustomer(caller, PERSON);
        const usd = inCurrency(await platformAccounts(caller), 'USD').id;
        const answers = async (id: string, call: Call) => {
          const { status, body } = await caller.send(id, call);
          return `${status} ${body.code}`;
        };
        const uma = { receiverUmaAddress: address };
        assert.equal(await answers('lookupUma', { params: uma }), '424 LNURLP_REQUEST_FAILED');
        assert.equal(
          await answers('lookupUma', { params: uma, query: { customerId: customer.id } }),
          '424 LNURLP_REQUEST_FAILED',
        );
        for (const to of [address, accountId]) {
          const { status, raw } = await askQuote(caller, { from: usd, to, send: 100 });
          assert.ok(status >= 400 && status !== 500, raw);
        }
        const isOwn = coin !== undefined;
        const policy = agentBody(customer.id, {
          spendingLimits: { perTransaction: { amount: 1, currency: 'ACME' } },
        });
        assert.ok((await caller.send('createAgent', { body: policy })).status < 500);
        const wallet = { address: 'spark1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq999' };
        const external = await caller.send('createPlatformExternalAccount', {
          body: buildAccountRequest('SPARK_WALLET', wallet, { currency: 'ACME' }),
        });
        assert.equal(external.body.code === 'INVALID_CURRENCY', !isOwn, external.raw);
        const rates = await caller.send('getExchangeRates', { query: { sourceCurrency: 'ACME' } });
        assert.deepEqual(
          [rates.status, rates.body.code],
          isOwn ? [200, undefined] : [400, 'INVALID_CURRENCY'],
        );
        const found = await caller.send('getDiscoveries', { query: { currency: 'ACME' } });
        assert.deepEqual(found.body.data, []);
      });
    }
  }

  for (const { whose, coin } of CALLERS) {
    it(`stablecoins.md §8.3: ${whose} is offered no coin over UMA by the sandbox`, async () => {
      const caller = await givenCaller('SANDBOX', coin);
      await caller.receive();
      const customer = await givenCustomer(caller, PERSON);
      const offer = (more: object) =>
        caller.send('sandboxReceive', {
          body: {
            senderUmaAddress: SANDBOX_SENDER,
            receivingCurrencyCode: 'ACME',
            receivingCurrencyAmount: 500,
            ...more,
          },
        });
      const inCoin = await offer({ customerId: customer.id });
      assert.deepEqual([inCoin.status, inCoin.body.code], [400, 'INVALID_CURRENCY']);
      const stranger = await offer({ receiverUmaAddress: issuerIn('SANDBOX').address });
      assert.deepEqual([stranger.status, stranger.body.code], [404, 'USER_NOT_FOUND']);
    });

    it(`stablecoins.md §8.1: agents at ${whose} see their own accounts, and amounts in their own terms`, async () => {
      const caller = await givenCaller('SANDBOX', coin);
      const customer = await givenCustomer(caller, PERSON);
      const agent = await givenConnectedAgent(caller, customer);
      const lists = world.app.operations.filter(
        ({ method, params, access }) => method === 'GET' && params === undefined && access === 'agent',
      );
      assert.ok(lists.length >= 4, `${lists.length} lists`);
      for (const { id } of lists) {
        const reply = await sendAs(caller, agent, id);
        assert.equal(reply.status, 200, reply.raw);
        assert.ok(!reply.raw.includes(COIN_8.name), reply.raw);
        if (id === 'agentListInternalAccounts')
          assert.equal(reply.raw.includes(COIN_2.name), coin !== undefined);
      }
    });
  }

  it('platform.md §8.1a: a platform that supports nothing but its coin is listed, without currencies', async () => {
    const platform = await givenPlatform(world);
    await givenCurrencies(platform, [COIN_2]);
    await supports(platform, ['ACME']);
    await platform.call('updatePlatformConfig', { body: { umaDomain: 'only-coins.example' } });
    const reply = await platform.call('getAvailableUmaProviders', { query: { limit: 100 } });
    const listed = reply.body.data.find(({ domain }) => domain === 'only-coins.example');
    assert.deepEqual([listed?.supportedCurrencies, listed?.supportedRegions], [[], []], reply.raw);
  });
});
