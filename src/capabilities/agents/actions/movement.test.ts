import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { carryUsage } from '#capabilities/agents/policy/usage.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  listActionsAs,
  sendAs,
} from '#tests/given/actions.ts';
import { givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import { givenCoinPlatform, givenCoins, givenSparkWallet } from '#tests/given/coins.ts';
import { givenFunds, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const FULL = { day: AMOUNT_MAX, month: AMOUNT_MAX };

describe('agents’ amounts in other currencies than their limits', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let euros: string;
  let bank: string;
  let coins: string;
  let spark: string;

  before(async () => {
    platform = await givenCoinPlatform(world);
    ada = await givenPayer(platform, 1_000_000);
    euros = ada.account('EUR').id;
    coins = ada.account('ACME').id;
    bank = await givenOutside(platform, ada.id);
    spark = await givenSparkWallet(platform, { customerId: ada.id });
    await givenFunds(platform, euros, 1_000_000);
    await givenCoins(platform, coins, 100_000_000);
  });

  const agentWith = (policy: object) => givenConnectedAgent(platform, ada, policy);
  const limitedTo = (perTransactionLimit: number, currency = 'USD') =>
    agentWith({ spendingLimits: { currency, perTransactionLimit } });

  async function pay(agent: CallingAgent, from: string, to: string, send: number) {
    const quote = await givenAgentQuote(platform, agent, { from, to, send });
    assert.equal(quote.totalSendingAmount, send);
    return executeAs(platform, agent, quote.id);
  }

  function transfer(agent: CallingAgent, from: string, to: string, amount: number) {
    const body = { source: { accountId: from }, destination: { accountId: to }, amount };
    return sendAs(platform, agent, 'agentCreateTransferOut', { body });
  }

  it('agents.md §4.1, §4.2: euros are converted at the current rate, rounded up, and counted', async () => {
    // Ten euros are 10.8695… dollars.
    const tight = await limitedTo(1_086);
    for (const refused of [await pay(tight, euros, bank, 1_000), await transfer(tight, euros, bank, 1_000)]) {
      assert.deepEqual([refused.status, refused.body.details?.violation], [403, 'PER_TRANSACTION_LIMIT']);
      const { limit, requested } = refused.body.details ?? {};
      assert.deepEqual([limit, requested], [1_086, 1_087]);
    }
    const wide = await limitedTo(1_087);
    const paid = await pay(wide, euros, bank, 1_000);
    assert.deepEqual([paid.status, paid.body.status], [200, 'APPROVED'], paid.raw);
    const sent = await transfer(wide, euros, bank, 1_000);
    assert.deepEqual([sent.status, sent.body.status], [201, 'APPROVED'], sent.raw);
    const { usage } = await readAgent(platform, wide);
    assert.deepEqual([usage.dailyTransactionCount, usage.dailySpend], [2, 2 * 1_087]);
  });

  it('agents.md §4.2, §4.3: the threshold is compared in its own currency', async () => {
    const above = { approvalThresholds: { currency: 'EUR', amount: 999 } };
    const asked = await pay(await agentWith(above), euros, bank, 1_000);
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    const exactly = { approvalThresholds: { currency: 'EUR', amount: 1_000 } };
    const done = await pay(await agentWith(exactly), euros, bank, 1_000);
    assert.equal(done.body.status, 'APPROVED', done.raw);
  });

  it('agents.md §4.2, stablecoins.md §8.3: a coin is one dollar, whatever its decimals, and a fraction of a cent counts as a cent', async () => {
    const agent = await limitedTo(200);
    const refused = await pay(agent, coins, spark, 2_000_001);
    assert.deepEqual([refused.status, refused.body.details?.violation], [403, 'PER_TRANSACTION_LIMIT']);
    assert.equal(refused.body.details?.requested, 201);
    const paid = await pay(agent, coins, spark, 2_000_000);
    assert.deepEqual([paid.status, paid.body.status], [200, 'APPROVED'], paid.raw);
    const sent = await transfer(agent, coins, spark, 1_990_001);
    assert.deepEqual([sent.status, sent.body.status], [201, 'APPROVED'], sent.raw);
    assert.equal((await readAgent(platform, agent)).usage.dailySpend, 400);
  });

  it('agents.md §4.2: without a rate it is 400, can be repeated, and no action is created', async () => {
    const agent = await agentWith({ approvalThresholds: { currency: 'ZWG', amount: 1 } });
    const quote = await givenAgentQuote(platform, agent, { from: euros, to: bank, send: 1_000 });
    for (const reply of [
      await executeAs(platform, agent, quote.id),
      await transfer(agent, euros, bank, 1_000),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [400, 'QUOTE_REQUEST_FAILED'], reply.raw);
    }
    assert.deepEqual(await listActionsAs(platform, agent), []);
    const body = { approvalThresholds: { amount: null } };
    await platform.send('updateAgentPolicy', { params: { agentId: agent.id }, body });
    assert.equal((await executeAs(platform, agent, quote.id)).body.status, 'APPROVED');
  });

  it('agents.md §5.1: an approval does not need the threshold or its rate', async () => {
    const agent = await agentWith({ defaultExecutionMode: 'APPROVAL_REQUIRED' });
    const waiting = await transfer(agent, euros, bank, 1_000);
    assert.equal(waiting.body.status, 'PENDING_APPROVAL', waiting.raw);
    const body = { approvalThresholds: { currency: 'ZWG', amount: 1 } };
    await platform.send('updateAgentPolicy', { params: { agentId: agent.id }, body });
    const decided = await platform.call('approveAgentAction', {
      params: { agentId: agent.id, actionId: waiting.body.id },
    });
    assert.deepEqual([decided.status, decided.body.status], [200, 'APPROVED'], decided.raw);
  });

  it('agents.md §4.7, §1.16: without a limit usage counts beyond a JSON number, and refuses nothing', async () => {
    const agent = await limitedTo(100_000);
    const work = await platform.work();
    await work.write(async (tx) => carryUsage(tx, { id: uuidOf(agent), usage_no: 1 }, FULL));
    const done = await pay(agent, euros, bank, 1_000);
    assert.deepEqual([done.status, done.body.status], [200, 'APPROVED'], done.raw);
    const { usage } = await readAgent(platform, agent);
    assert.deepEqual([usage.dailySpend, usage.monthlySpend], [Number(AMOUNT_MAX), Number(AMOUNT_MAX)]);
  });

  it('agents.md §4.2, stablecoins.md §8.3: limits in a coin apply to dollars', async () => {
    const dollars = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
    const agent = await limitedTo(2_000_000, 'ACME');
    const usd = ada.account('USD').id;
    assert.equal((await pay(agent, usd, dollars, 201)).status, 403);
    assert.equal((await pay(agent, usd, dollars, 200)).status, 200);
    assert.equal((await readAgent(platform, agent)).usage.dailySpend, 2_000_000);
  });
});
