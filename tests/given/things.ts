import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { type CallingAgent, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { type CreatedCustomer, givenCustomer } from '#tests/given/customers.ts';
import { givenDelegatedKey, givenWalletCard } from '#tests/given/delegated-keys.ts';
import { buildAccountRequest, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenCoins } from '#tests/given/mints.ts';
import { FULL_BUSINESS, givenCompletePerson, givenDocument, givenOwner } from '#tests/given/packets.ts';
import { advance, givenFunds } from '#tests/given/payments.ts';
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { givenEuropean, startedLogin } from '#tests/given/sca.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { TEST_DOMAINS, type TestPlatform } from '#tests/harness/harness.ts';
import { logIn } from '#tests/harness/wallet-client.ts';

/** One id of each type, as its owner sees it. */
export type Things = Readonly<Record<string, string>>;

/** A receiver outside, who takes every payment. */
export const SUCCESS = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;

/** Creates a resource of every type that has an id. */
export async function givenThings(platform: TestPlatform, isSandbox: boolean): Promise<Things> {
  const customer = await givenEuropean(platform, { platformCustomerId: randomUUID() });
  const accounts = await fetchAccounts(platform, customer.id);
  const outside = await givenExternalAccount(platform, 'EUR_ACCOUNT', {}, { customerId: customer.id });
  const business = await givenCustomer(platform, FULL_BUSINESS);
  const owner = await givenOwner(platform, business.id);
  const document = await givenDocument(platform, customer.id);
  const token = await platform.call('createToken', { body: { name: 'one', permissions: ['VIEW'] } });
  const agent = await givenConnectedAgent(platform, customer, { defaultExecutionMode: 'APPROVAL_REQUIRED' });
  // The first call of a minute records the use of the token.
  await platform.send('getAgentMe', { as: `Bearer ${agent.accessToken}` });
  return {
    Customer: customer.id,
    BeneficialOwner: owner.id,
    Document: document.id,
    ExternalAccount: outside.id,
    Token: token.body.id,
    Webhook: (await platform.call('listEvents', { query: { limit: 1 } })).body.data[0]?.id ?? '',
    RequestLog: (await platform.call('listRequestLogs', { query: { limit: 1 } })).body.data[0]?.id ?? '',
    Agent: agent.id,
    accessToken: agent.accessToken,
    InternalAccount: inCurrency(accounts, 'USD').id,
    PlatformAccount: inCurrency(await platformAccounts(platform), 'USD').id,
    Wallet: inCurrency(accounts, 'USDB').id,
    ...(isSandbox && (await walletThings(platform, inCurrency(accounts, 'USDB').id))),
    ...(isSandbox && (await keyThings(platform, customer, inCurrency(accounts, 'USDB').id))),
    ...(isSandbox && (await movedThings(platform, inCurrency(accounts, 'USD').id, outside.id))),
    ...(isSandbox && (await scaThings(platform, customer.id))),
    ...(isSandbox && (await coinThings(platform))),
    ...(isSandbox && {
      AgentAction: await givenWaitingAction(platform, agent, inCurrency(accounts, 'EUR').id, outside.id),
    }),
    ...(isSandbox && { Card: await givenFundedCard(platform, customer.id, inCurrency(accounts, 'USD').id) }),
  };
}

async function givenWaitingAction(
  platform: TestPlatform,
  agent: CallingAgent,
  from: string,
  to: string,
): Promise<string> {
  const reply = await sendAs(platform, agent, 'agentCreateTransferOut', {
    body: { source: { accountId: from }, destination: { accountId: to }, amount: 1_000 },
  });
  assert.equal(reply.status, 201, reply.raw);
  return reply.body.id;
}

async function coinThings(platform: TestPlatform): Promise<Things> {
  const coin = await givenCoin(platform, { enabled: true });
  return {
    Stablecoin: coin.id,
    StablecoinProviderAccount: coin.stablecoinProviderAccountId,
    StablecoinOperation: (await givenCoins(platform, coin, 1_000_000n)).id,
  };
}

async function givenFundedCard(
  platform: TestPlatform,
  customerId: string,
  fundingSource: string,
): Promise<string> {
  const { status, body, raw } = await platform.send('createCard', {
    body: { customerId, form: 'VIRTUAL', fundingSource },
  });
  assert.equal(status, 201, raw);
  await advance(platform, 1);
  return body.id;
}

/** Not for a regulated platform, which verifies its customers itself. */
export async function givenVerification(platform: TestPlatform): Promise<string> {
  const { id } = await givenCompletePerson(platform);
  const verification = await platform.call('createVerification', { body: { customerId: id } });
  assert.ok(verification.body.id, verification.raw);
  return verification.body.id;
}

/** Not in production, where the test cannot read the codes. */
async function walletThings(platform: TestPlatform, accountId: string): Promise<Things> {
  const { body } = await platform.call('listAuthCredentials', { query: { accountId } });
  const [credential] = body.data;
  assert.ok(credential, 'a wallet comes with a credential');
  const { session } = await logIn(platform, credential.id);
  return { AuthMethod: credential.id, Session: session.id };
}

/** A delegated key of a card with the wallet as its source. */
async function keyThings(
  platform: TestPlatform,
  customer: CreatedCustomer,
  accountId: `InternalAccount:${string}`,
): Promise<Things> {
  const card = await givenWalletCard(platform, { accountId, customer });
  const body = { cardId: card.id, internalAccountId: accountId, nickname: 'Groceries' };
  const key = await givenDelegatedKey(platform, body);
  return { DelegatedKey: key.id, CardFundingSource: key.fundingSourceId };
}

async function scaThings(platform: TestPlatform, customerId: string): Promise<Things> {
  const { challengeId } = await startedLogin(platform, { id: customerId });
  const reset = await platform.call('startTwoFactorReset', {
    query: { customerId },
    body: { factor: 'SMS_OTP' },
  });
  assert.equal(reset.status, 201, reset.raw);
  return { ScaChallenge: challengeId ?? '', ScaReset: reset.body.resetId };
}

/** Resources that need money or counterparties that answer. The quote waits for its customer. */
async function movedThings(platform: TestPlatform, from: string, to: string): Promise<Things> {
  await givenFunds(platform, from, 1_000_000);
  const quote = await quoted(platform, { from, to, more: { immediatelyExecute: true } });
  assert.equal(quote.status, 'PENDING_AUTHORIZATION');
  const own = await platform.call('createPlatformExternalAccount', {
    body: buildAccountRequest('USD_ACCOUNT'),
  });
  assert.equal(own.status, 201, own.raw);
  const csv = new FormData();
  csv.append('file', new Blob(['umaAddress,platformCustomerId\n'], { type: 'text/csv' }), 'people.csv');
  const job = await platform.call('uploadCustomersCsv', { body: csv });
  return {
    Quote: quote.id,
    Transaction: quote.transactionId,
    Lookup: await lookedUp(platform, SUCCESS),
    PlatformExternalAccount: own.body.id,
    Job: job.body.jobId,
  };
}
