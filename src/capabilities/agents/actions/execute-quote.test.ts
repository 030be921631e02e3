// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  givenPrincipal,
  listActionsAs,
  sendAs,
} from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('an agent executes its quotes', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world, 100_000));
  });

  const agentWith = (policy: object = {}) => givenConnectedAgent(platform, ada, policy);
  const limitedTo = (limits: object) =>
    agentWith({ spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, ...limits } });
  const createQuote = (agent: CallingAgent, send = 1_000) =>
    givenAgentQuote(platform, agent, { from: usd, to: bank, send });

  it('agents.md §4.4, §4.6, §4.10, money.md §3.6: AUTO: it starts at once, the action is APPROVED with its transaction, and usage counts', async () => {
    const agent = await agentWith();
    const quote = await createQuote(agent);
    const before = await fetchBalance(platform, ada, 'USD');
    const { status, body, raw } = await executeAs(platform, agent, quote.id);
    assert.equal(status, 200, raw);
    assert.deepEqual(
      [body.status, body.type, body.agentId, body.customerId],
      ['APPROVED', 'EXECUTE_QUOTE', agent.id, ada.id],
    );
    assert.deepEqual([body.quote?.id, body.quote?.status], [quote.id, 'PROCESSING']);
    assert.deepEqual([body.transaction?.id, body.transaction?.status], [quote.transactionId, 'PROCESSING']);
    assert.equal(await fetchBalance(platform, ada, 'USD'), before - quote.totalSendingAmount);
    const { usage } = await readAgent(platform, agent);
    assert.deepEqual(
      [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend],
      [1, quote.totalSendingAmount, quote.totalSendingAmount],
    );
    const [listed] = await listActionsAs(platform, agent);
    assert.equal(listed?.id, body.id);
    const read = await sendAs(platform, agent, 'agentGetAction', { params: { actionId: body.id } });
    assert.deepEqual([read.status, read.body.id], [200, body.id]);
    const again = await executeAs(platform, agent, quote.id);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT'], 'agents.md §4.28');
  });

  it('agents.md §4.22, §3.11, §3.17: a quote of the platform or of another agent is 404, and so is its action', async () => {
    const [one, other] = [await agentWith(), await agentWith()];
    const quote = await createQuote(one);
    const foreign = await executeAs(platform, other, quote.id);
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'QUOTE_NOT_FOUND']);
    const done = await executeAs(platform, one, quote.id);
    const read = await sendAs(platform, other, 'agentGetAction', { params: { actionId: done.body.id } });
    assert.deepEqual([read.status, read.body.code], [404, 'NOT_FOUND']);
  });

  it('agents.md §4.23, §4.6: a repeated key gives the same action again, even if the agent was paused since', async () => {
    const agent = await agentWith();
    const quote = await createQuote(agent);
    const first = await executeAs(platform, agent, quote.id, { key: 'one' });
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const second = await executeAs(platform, agent, quote.id, { key: 'one' });
    assert.deepEqual([second.status, second.body], [200, first.body]);
    assert.equal((await listActionsAs(platform, agent)).length, 1);
  });

  it('agents.md §4.24, §4.25, §4.30, §4.31, §5.5: a refusal by the policy is 403 with the violation, no action, and one audit row', async () => {
    const cases: [policy: object, violation: string][] = [
      [{ permissions: ['CREATE_QUOTES'] }, 'PERMISSION'],
      [{ accountRestrictions: { allowedAccountIds: [] } }, 'ACCOUNT_RESTRICTION'],
      [{ spendingLimits: { currency: 'USD', perTransactionLimit: 1 } }, 'PER_TRANSACTION_LIMIT'],
      [
        { spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyTransactionLimit: 0 } },
        'DAILY_TRANSACTION_LIMIT',
      ],
      [{ spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyLimit: 1 } }, 'DAILY_LIMIT'],
      [
        { spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, monthlyLimit: 1 } },
        'MONTHLY_LIMIT',
      ],
    ];
    for (const [policy, violation] of cases) {
      const agent = await agentWith(policy);
      const quote = await createQuote(agent);
      const reply = await executeAs(platform, agent, quote.id);
      assert.deepEqual([reply.status, reply.body.code], [403, 'FORBIDDEN'], reply.raw);
      assert.equal(reply.body.details?.violation, violation);
      assert.deepEqual(await listActionsAs(platform, agent), []);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING');
      const rows = await world.database.query<{ details: { violation: string } }>(sql`
        select details from audit_log where actor_id = ${uuidOf(agent)} and action = 'agent refused'`);
      assert.deepEqual(
        rows.map(({ details }) => details.violation),
        [violation],
      );
    }
  });

  it('agents.md §4.4: a quote that cannot start gets the underlying error, leaves a FAILED action, and can be tried again', async () => {
    const poor = await givenPayer(platform, 100);
    const agent = await givenConnectedAgent(platform, poor);
    const to = await givenOutside(platform, poor.id, '999', 'USD_ACCOUNT');
    const quote = await givenAgentQuote(platform, agent, {
      from: poor.account('USD').id,
      to,
      send: 1_000,
    });
    const reply = await executeAs(platform, agent, quote.id, { key: 'again' });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INSUFFICIENT_FUNDS'], reply.raw);
    const [action] = await listActionsAs(platform, agent, { status: 'FAILED' });
    assert.deepEqual([action?.status, action?.failure?.code], ['FAILED', 'INSUFFICIENT_FUNDS']);
    assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
    const { body } = await platform.call('sandboxFundInternalAccount', {
      params: { accountId: poor.account('USD').id },
      body: { amount: 10_000 },
    });
    assert.ok(body);
    const second = await executeAs(platform, agent, quote.id, { key: 'again' });
    assert.deepEqual([second.status, second.body.status], [200, 'APPROVED'], second.raw);
  });

  it('agents.md §4.5, §5.6, §4.28, money.md §3.3c, §3.6: approval: it waits, nothing is held or counted, and the platform is notified', async () => {
    const agent = await agentWith(APPROVAL);
    const quote = await createQuote(agent);
    const before = await fetchBalance(platform, ada, 'USD');
    const { status, body, raw } = await executeAs(platform, agent, quote.id);
    assert.equal(status, 200, raw);
    assert.deepEqual(
      [body.status, body.transaction, body.quote?.status],
      ['PENDING_APPROVAL', undefined, 'PENDING'],
    );
    assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING');
    assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
    assert.equal(await fetchBalance(platform, ada, 'USD'), before);
    assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
    assert.deepEqual(await listEventTypes(platform, body.id), ['PENDING_APPROVAL']);
    const again = await executeAs(platform, agent, quote.id);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
    const own = await execute(platform, quote.id);
    assert.deepEqual([own.status, own.body.code], [409, 'CONFLICT'], 'agents.md §5.6');
  });

  it('agents.md §5.13, §5.1: when the quote expires, its action reads FAILED, before and after the timer has run', async () => {
    const agent = await agentWith(APPROVAL);
    const quote = await createQuote(agent);
    await executeAs(platform, agent, quote.id);
    const seen = async () => {
      const [action] = await listActionsAs(platform, agent, { status: 'FAILED' });
      return [action?.status, action?.failure?.code, (await listActionsAs(platform, agent)).length];
    };
    world.clock.advance(15 * 60_000);
    assert.deepEqual(await seen(), ['FAILED', 'QUOTE_EXPIRED', 1]);
    await advance(platform, 1);
    assert.deepEqual(await seen(), ['FAILED', 'QUOTE_EXPIRED', 1]);
    assert.deepEqual(await listActionsAs(platform, agent, { status: 'PENDING_APPROVAL' }), []);
  });

  it('agents.md §4.7: only as many of twenty concurrent executions start as the limits allow', async () => {
    for (const limits of [{ dailyTransactionLimit: 7 }, { dailyLimit: 7_999 }, { monthlyLimit: 7_000 }]) {
      const agent = await limitedTo(limits);
      const quotes = [];
      for (let i = 0; i < 20; i++) quotes.push(await createQuote(agent));
      assert.equal(quotes[0]?.totalSendingAmount, 1_000);
      const replies = await Promise.all(quotes.map(({ id }) => executeAs(platform, agent, id)));
      const statuses = replies.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 7, JSON.stringify(limits));
      assert.equal(statuses.filter((status) => status === 403).length, 13, JSON.stringify(limits));
      const { usage } = await readAgent(platform, agent);
      assert.deepEqual([usage.dailyTransactionCount, usage.dailySpend], [7, 7_000]);
      assert.equal((await listActionsAs(platform, agent)).length, 7);
    }
  });

  it('agents.md §3.3: nothing starts after the reply to a pause', async () => {
    const agent = await agentWith();
    const quotes = [];
    for (let i = 0; i < 8; i++) quotes.push(await createQuote(agent));
    const calls = quotes.map(({ id }) => executeAs(platform, agent, id));
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const { usage } = await readAgent(platform, agent);
    const started = (await Promise.all(calls)).filter(({ status }) => status === 200).length;
    assert.equal(started, usage.dailyTransactionCount);
  });
});
