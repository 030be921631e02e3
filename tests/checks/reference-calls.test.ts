// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readConfig } from '#app/config.ts';
import { ensureFirstPlatform } from '#cli/serve/first-platform.ts';
import { scheduleSeeds } from '#edge/sandbox/seeds.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { type PageCall, pageCalls } from '#tests/checks/reference-calls.ts';
import { STORY_WORLD } from '#tests/checks/storyteller.ts';
import { testWorld } from '#tests/harness/harness.ts';

/**
 * The main calls, area by area: "Send" on the reference page of a fresh sandbox works for each without changes, in this
 * order, on the results of the previous calls.
 */
const MAIN_CALLS = [
  'getPlatformConfig',
  'getDiscoveries',
  'getAvailableUmaProviders',
  'listVasps',
  'getExchangeRates',
  'createToken',
  'listTokens',
  'createCustomer',
  'listCustomers',
  'getEndUserTerms',
  'getCustomerById',
  'sendCustomerEmailVerification',
  'confirmCustomerEmailVerification',
  'sendCustomerPhoneVerification',
  'confirmCustomerPhoneVerification',
  'createCustomerKycLink',
  'createBeneficialOwner',
  'listBeneficialOwners',
  'getBeneficialOwner',
  'updateBeneficialOwner',
  'listDocuments',
  'getDocument',
  'createVerification',
  'listVerifications',
  'getVerification',
  'listScaFactors',
  'startScaFactorEnrollment',
  'startScaLogin',
  'recordSecurityEvent',
  'startBeneficiaryTrust',
  'listCustomerInternalAccounts',
  'listInternalAccounts',
  'listPlatformInternalAccounts',
  'estimateCryptoWithdrawalFee',
  'updateInternalAccount',
  'exportInternalAccount',
  'createAuthCredential',
  'listAuthCredentials',
  'listAuthSessions',
  'listDelegatedKeys',
  'listCustomerExternalAccounts',
  'createCustomerExternalAccount',
  'getCustomerExternalAccountById',
  'listPlatformExternalAccounts',
  'createPlatformExternalAccount',
  'getPlatformExternalAccountById',
  'lookupUma',
  'lookupExternalAccount',
  'createQuote',
  'getQuoteById',
  'listTransactions',
  'getTransactionById',
  'confirmReceiptDelivery',
  'createTransferIn',
  'createTransferOut',
  'createCard',
  'listCards',
  'getCardById',
  'revealCard',
  'sandboxSimulateCardAuthorization',
  'sandboxSimulateCardBalanceInquiry',
  'sandboxSimulateCardTokenization',
  'updateCardById',
  'linkStablecoinProviderAccount',
  'registerStablecoin',
  'listStablecoins',
  'listStablecoinProviderAccounts',
  'createAgent',
  'listAgents',
  'getAgentById',
  'listAgentApprovals',
  'regenerateAgentDeviceCode',
  'updateAgent',
  'updateAgentPolicy',
  'createInvitation',
  'listEvents',
  'resendFailedEvents',
  'listenToEvents',
  'listRequestLogs',
  'getSandboxClock',
  'listSandboxMessages',
  'sandboxFundInternalAccount',
  'advanceSandboxClock',
  'updatePlatformConfig',
];

describe('requests of the reference page on a fresh sandbox', () => {
  const world = testWorld(STORY_WORLD);
  const [tokenId, clientSecret] = ['a'.repeat(32), 's'.repeat(32)];
  let platformId: PlatformId;
  let calls: ReadonlyMap<string, PageCall>;

  before(async () => {
    const config = readConfig({ API_TOKEN_ID: tokenId, API_CLIENT_SECRET: clientSecret });
    const first = await ensureFirstPlatform(world.app.runtime, config, { warn: assert.fail });
    platformId = first?.id ?? assert.fail();
    await world.app.worker.settle(platformId);
    world.clock.advance(2_000);
    await world.app.worker.settle(platformId);
    calls = await pageCalls(MAIN_CALLS);
  });

  it('platform.md §1.3.8: the resources that the examples name exist, each once, however often the seeding is repeated', async () => {
    const count = async () => {
      const [rows] = await world.database.query<Record<string, bigint>>(sql`
        select (select count(*) from customers) as customers, (select count(*) from transactions) as transactions,
          (select count(*) from external_accounts) as external_accounts, (select count(*) from cards) as cards,
          (select count(*) from events) as events`);
      return rows;
    };
    const once = await count();
    const platform = await findPlatform(world.database.query, platformId);
    const work = new Work(world.app.runtime, platform ?? assert.fail(), { kind: 'worker', id: 'test' });
    await work.write(async (tx) => scheduleSeeds(tx));
    await world.app.worker.settle(platformId);
    assert.deepEqual(await count(), once);
    assert.deepEqual(Number(once?.customers), 3);
    assert.deepEqual(
      world.logged.filter((line) => /sandbox\.seed|a sandbox seed/.test(line)),
      [],
    );
  });

  for (const id of MAIN_CALLS) {
    it(`${id} as it stands`, async () => {
      const { method, url, headers, body, expects } = calls.get(id) ?? assert.fail();
      const authorization = `Basic ${Buffer.from(`${tokenId}:${clientSecret}`).toString('base64')}`;
      const reply = await world.app.http.inject({
        method: method as 'GET',
        url,
        headers: { ...headers, authorization },
        ...(body !== undefined && { payload: body }),
      });
      assert.ok(expects.includes(reply.statusCode), `${method} ${url}: ${reply.statusCode} ${reply.body}`);
    });
  }
});
