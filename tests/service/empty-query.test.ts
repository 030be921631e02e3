// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { executeAs, givenAgentQuote } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { EUROPEAN, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenDelegatedKey, givenWalletCard } from '#tests/given/delegated-keys.ts';
import { buildAccountRequest, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenImport } from '#tests/given/imports.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenCoins } from '#tests/given/mints.ts';
import { FULL_BUSINESS, givenDocument, givenOwner } from '#tests/given/packets.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { type Call, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { givenWallet, logIn } from '#tests/harness/wallet-client.ts';

type Query = NonNullable<Call['query']>;

/** Operations that require at least one of several parameters, with the one that is always sent here. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = { listDelegatedKeys: ['accountId'] };

/** A way to write that a parameter has no value. */
type Emptied = (name: string) => Query;

const WAYS: readonly Emptied[] = [(name) => ({ [name]: '' }), (name) => ({ [name]: ['', ''] })];
const ARRAY_WAYS: readonly Emptied[] = [(name) => ({ [name]: ',' }), (name) => ({ [name]: [',', ''] })];

describe('query parameters without a value', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let agent: { id: string; accessToken: string };
  let params: Record<string, string>;
  let values: Query;

  /** An item for every list, so that a filter that matches nothing is noticed. */
  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
    const customer = await givenCustomer(platform, PERSON);
    const outside = await givenExternalAccount(platform, 'EUR_ACCOUNT', {}, { customerId: customer.id });
    const wallet = await givenWallet(platform, { ...PERSON, platformCustomerId: 'with-a-session' });
    await logIn(platform, wallet.credentialId);
    const walletCard = await givenWalletCard(platform, wallet);
    const delegation = { cardId: walletCard.id, internalAccountId: wallet.accountId, nickname: 'Groceries' };
    await givenDelegatedKey(platform, delegation);
    const business = await givenCustomer(platform, FULL_BUSINESS);
    await givenOwner(platform, business.id);
    await givenDocument(platform, customer.id);
    await platform.call('createPlatformExternalAccount', { body: buildAccountRequest('USD_ACCOUNT') });
    await platform.call('createVerification', { body: { customerId: business.id } });
    const account = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    for (const accountId of [account.id, wallet.accountId]) {
      const funds = { params: { accountId }, body: { amount: 100 } };
      assert.equal((await platform.call('sandboxFundInternalAccount', funds)).status, 200);
    }
    await quoted(platform, { from: account.id, to: outside.id });
    const card = { customerId: customer.id, form: 'VIRTUAL', fundingSource: account.id } as const;
    assert.equal((await platform.call('createCard', { body: card })).status, 201);
    agent = await givenConnectedAgent(platform, customer, { defaultExecutionMode: 'APPROVAL_REQUIRED' });
    const asked = await givenAgentQuote(platform, agent, { from: account.id, to: outside.id });
    assert.equal((await executeAs(platform, agent, asked.id)).body.status, 'PENDING_APPROVAL');
    const coin = await givenCoin(platform);
    await givenCoins(platform, coin, 10_000n);
    const european = await givenCustomer(platform, EUROPEAN);
    await platform.call('sendCustomerEmailVerification', { params: { customerId: european.id } });
    await givenImport(platform, 'platformCustomerId\nx\n');
    const invitation = { inviterUma: customer.umaAddress };
    assert.equal((await platform.call('createInvitation', { body: invitation })).status, 201);
    await world.app.worker.settle(platform.id);
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    params = {
      eventId: receiver.received[0]?.body.id ?? '',
      receiverUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
      accountId: outside.id,
      credentialId: 'AAAA',
      stablecoinId: coin.id,
      agentId: agent.id,
      id: account.id,
      resetId: 'ScaReset:019542f5-b3e7-7d02-8000-0000000000ff',
    };
    await readJournal(world, platform.id);
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    values = { customerId: business.id, accountId: wallet.accountId, from: today, to: today };
  });

  const withQuery = () => world.app.operations.filter((operation) => operation.query);

  /** The answer, without ids that are new in every answer and without the position in the events. */
  async function answer(operation: NamedOperation, query: Query) {
    const as = operation.access === 'agent' ? { as: `Bearer ${agent.accessToken}` } : {};
    const sent = { params, query, ...(operation.body && { body: {} }), ...as };
    const { status, raw, body } = await platform.send(operation.id, sent);
    const told = raw.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
    return { status, raw: told.replace(/"cursor":"\d+"/, '"cursor":"NOW"'), body };
  }

  it('platform.md §1.1.6: count as absent, in every operation, alone, repeated or between commas', async () => {
    const wrong: string[] = [];
    for (const operation of withQuery()) {
      const { properties, required = [] } = operation.query as unknown as QuerySchema;
      const needed = [...required, ...(ONE_OF[operation.id] ?? [])];
      if (Object.keys(properties).length === needed.length) continue;
      const given = Object.fromEntries(needed.map((name) => [name, values[name] ?? '']));
      const usual = await answer(operation, given);
      assert.equal(usual.status, 200, `${operation.id} ${usual.raw}`);
      if (Array.isArray(usual.body.data))
        assert.ok(usual.body.data.length > 0, `${operation.id} lists nothing`);
      for (const [name, { type }] of Object.entries(properties)) {
        if (needed.includes(name)) continue;
        for (const empty of type === 'array' ? [...WAYS, ...ARRAY_WAYS] : WAYS) {
          const { status, raw } = await answer(operation, { ...given, ...empty(name) });
          if (status !== 200 || raw !== usual.raw) wrong.push(`${operation.id} ${name}: ${status} ${raw}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('platform.md §1.1.6: one that is required is missing without a value', async () => {
    let asked = 0;
    for (const operation of withQuery()) {
      const { required: needed = [] } = operation.query as unknown as QuerySchema;
      for (const name of needed) {
        for (const empty of WAYS) {
          const given = Object.fromEntries(needed.map((one) => [one, values[one] ?? '']));
          const { status, body } = await answer(operation, { ...given, ...empty(name) });
          assert.equal(status, 400, operation.id);
          assert.deepEqual(fieldsOf(body), [name]);
          assert.equal(body.details.errors[0]?.message, 'is required');
          asked++;
        }
      }
    }
    assert.ok(asked > 0);
  });

  it('platform.md §1.1.6: a parameter with a value and an empty value keeps the value', async () => {
    const read = (query: Query) => platform.call('getExchangeRates', { query });
    const one = await read({ destinationCurrency: 'EUR' });
    assert.ok(one.body.data.length > 0);
    for (const destinationCurrency of ['EUR,', ',EUR', ['', 'EUR'], ['EUR', '']]) {
      assert.equal((await read({ destinationCurrency })).raw, one.raw, `${destinationCurrency}`);
    }
    const limited = await platform.call('listTokens', { query: { limit: ['1', ''] } });
    assert.equal(limited.body.data.length, 1);
  });
});

interface QuerySchema {
  readonly properties: Record<string, { readonly type?: string }>;
  readonly required?: readonly string[];
}
