// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  givenPrincipal,
  listActionsAs,
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
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

interface Params {
  readonly agentId: string;
  readonly actionId: string;
}

describe('the platform decides its agents’ actions', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world));
  });

  async function givenOpen(policy: object = {}, payer = ada, to = bank) {
    const agent: CallingAgent = await givenConnectedAgent(platform, payer, { ...APPROVAL, ...policy });
    const from = payer.account('USD').id;
    const quote = await givenAgentQuote(platform, agent, { from, to, send: 1_000 });
    const { body, raw } = await executeAs(platform, agent, quote.id);
    assert.equal(body.status, 'PENDING_APPROVAL', raw);
    return { agent, quote, actionId: body.id, params: { agentId: agent.id, actionId: body.id } };
  }

  const approve = (params: Params) => platform.call('approveAgentAction', { params });
  const reject = (params: Params, reason?: string) =>
    platform.call('rejectAgentAction', { params, ...(reason && { body: { reason } }) });

  it('agents.md §5.11, §4.7: an approval starts it, with its transaction, and usage counts from then on', async () => {
    const { agent, quote, params } = await givenOpen();
    const before = await fetchBalance(platform, ada, 'USD');
    const reply = await approve(params);
    assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual([reply.body.status, reply.body.transaction?.status], ['APPROVED', 'PROCESSING']);
    assert.equal(await fetchBalance(platform, ada, 'USD'), before - quote.totalSendingAmount);
    assert.equal((await readAgent(platform, agent)).usage.dailySpend, quote.totalSendingAmount);
    for (const again of [await approve(params), await reject(params)]) {
      assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT'], again.raw);
    }
  });

  it('agents.md §5.14, §5.21, §4.28: a rejection has its reason; the quote stays open for the platform, but not for the agent', async () => {
    const { agent, quote, params } = await givenOpen();
    const reply = await reject(params, 'Too dear');
    assert.deepEqual(
      [reply.status, reply.body.status, reply.body.rejectionReason],
      [200, 'REJECTED', 'Too dear'],
    );
    const again = await executeAs(platform, agent, quote.id);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
    const own = await execute(platform, quote.id);
    assert.equal(own.status, 200, own.raw);
    assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0, 'agents.md §5.6');
  });

  it('agents.md §4.28, §4.29: a rejected quote is 409 for the agent, also after it has expired', async () => {
    const { agent, quote, params } = await givenOpen();
    await reject(params);
    await advance(platform, 3_600);
    const own = await execute(platform, quote.id);
    assert.deepEqual([own.status, own.body.code], [400, 'QUOTE_EXPIRED'], 'the quote is marked as expired');
    const again = await executeAs(platform, agent, quote.id);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT'], again.raw);
  });

  it('agents.md §5.12, §5.22: if its conditions no longer hold, an approval makes it FAILED with the reason, and the agent may try again', async () => {
    const cases: [what: string, change: (agentId: string) => Promise<unknown>, code: string][] = [
      [
        'paused',
        (agentId) => platform.send('updateAgent', { params: { agentId }, body: { isPaused: true } }),
        'FORBIDDEN',
      ],
      [
        'permission withdrawn',
        (agentId) => platform.send('updateAgentPolicy', { params: { agentId }, body: { permissions: [] } }),
        'FORBIDDEN',
      ],
      [
        'limit lowered',
        (agentId) =>
          platform.send('updateAgentPolicy', {
            params: { agentId },
            body: { spendingLimits: { perTransactionLimit: 999 } },
          }),
        'FORBIDDEN',
      ],
    ];
    for (const [what, change, code] of cases) {
      const { agent, quote, params } = await givenOpen();
      await change(agent.id);
      const reply = await approve(params);
      assert.deepEqual(
        [reply.status, reply.body.status, reply.body.failure?.code],
        [200, 'FAILED', code],
        what,
      );
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING', what);
      assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0, what);
    }
  });

  it('agents.md §5.12: without enough funds it is FAILED; submitted again, it waits again', async () => {
    const poor = await givenPayer(platform, 10);
    const to = await givenOutside(platform, poor.id, '999', 'USD_ACCOUNT');
    const { agent, quote, params } = await givenOpen({}, poor, to);
    const reply = await approve(params);
    assert.deepEqual(
      [reply.body.status, reply.body.failure?.code],
      ['FAILED', 'INSUFFICIENT_FUNDS'],
      reply.raw,
    );
    const again = await executeAs(platform, agent, quote.id);
    assert.deepEqual([again.status, again.body.status], [200, 'PENDING_APPROVAL'], again.raw);
    assert.equal((await listActionsAs(platform, agent)).length, 2);
  });

  it('agents.md §5.1: an approval after the expiry gets 200 with FAILED; a rejection is 409', async () => {
    const { params } = await givenOpen();
    world.clock.advance(15 * 60_000);
    const reply = await approve(params);
    assert.deepEqual(
      [reply.status, reply.body.status, reply.body.failure?.code],
      [200, 'FAILED', 'QUOTE_EXPIRED'],
    );
    assert.equal((await reject(params)).status, 409);
  });

  it('agents.md §5.4: the outcome of an action is reported only by the events of its payment', async () => {
    const [one, other] = [await givenOpen(), await givenOpen()];
    await approve(one.params);
    await reject(other.params);
    await advance(platform, 15 * 60);
    for (const { actionId } of [one, other]) {
      assert.deepEqual(await listEventTypes(platform, actionId), ['PENDING_APPROVAL']);
    }
    assert.deepEqual(await listEventTypes(platform, one.quote.transactionId), [
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ]);
    assert.deepEqual(await listEventTypes(platform, other.quote.transactionId), ['PENDING', 'EXPIRED']);
  });

  it('agents.md §5.1: an unknown action, or one of another agent, is 404', async () => {
    const [one, other] = [await givenOpen(), await givenOpen()];
    const reply = await approve({ agentId: one.agent.id, actionId: other.actionId });
    assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND']);
  });

  it('agents.md §5.2: a decision by the transaction returns the transaction; a second decision is 409', async () => {
    const [one, other] = [await givenOpen(), await givenOpen()];
    const byTransaction = (id: 'approvePendingPayment' | 'rejectPendingPayment', transactionId: string) =>
      platform.call(id, { params: { transactionId } });
    const approved = await byTransaction('approvePendingPayment', one.quote.transactionId);
    assert.deepEqual([approved.status, approved.body.status], [200, 'PROCESSING'], approved.raw);
    const [action] = await listActionsAs(platform, one.agent);
    assert.equal(action?.status, 'APPROVED');
    const rejected = await byTransaction('rejectPendingPayment', other.quote.transactionId);
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'PENDING'], rejected.raw);
    for (const { quote } of [one, other]) {
      const again = await byTransaction('approvePendingPayment', quote.transactionId);
      assert.deepEqual([again.status, again.body.code], [409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL']);
    }
  });

  it('agents.md §5.1: if an approval and a rejection race, one wins, and the other is 409', async () => {
    for (let round = 0; round < 6; round++) {
      const { params, quote } = await givenOpen();
      const replies = await Promise.all([approve(params), reject(params), approve(params)]);
      const won = replies.filter(({ status }) => status === 200);
      assert.deepEqual([won.length, replies.filter(({ status }) => status === 409).length], [1, 2]);
      const moved = (await readTransaction(platform, quote.transactionId)).status === 'PROCESSING';
      assert.equal(moved, won[0]?.body.status === 'APPROVED');
    }
  });

  it('agents.md §4.7: only as many concurrent approvals start as the limits allow', async () => {
    const agent = await givenConnectedAgent(platform, ada, {
      ...APPROVAL,
      spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyTransactionLimit: 3 },
    });
    const actions = [];
    for (let i = 0; i < 8; i++) {
      const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
      actions.push((await executeAs(platform, agent, quote.id)).body.id);
    }
    const replies = await Promise.all(actions.map((actionId) => approve({ agentId: agent.id, actionId })));
    const statuses = replies.map(({ body }) => body.status).sort();
    assert.deepEqual(statuses, [...Array(3).fill('APPROVED'), ...Array(5).fill('FAILED')]);
  });

  it('agents.md §1.5: open actions are listed, newest first, by agent and customer; decided ones are not', async () => {
    const own = await givenPayer(platform, 10_000);
    const to = await givenOutside(platform, own.id, '999', 'USD_ACCOUNT');
    const [one, two, three] = [
      await givenOpen({}, own, to),
      await givenOpen({}, own, to),
      await givenOpen({}, own, to),
    ];
    await reject(two.params);
    const listed = async (query: object) => {
      const reply = await platform.call('listAgentApprovals', { query: { ...query } });
      assert.equal(reply.status, 200, reply.raw);
      return reply.body.data.map(({ id }) => id);
    };
    assert.deepEqual(await listed({ customerId: own.id }), [three.actionId, one.actionId]);
    assert.deepEqual(await listed({ customerId: own.id, sortOrder: 'asc' }), [one.actionId, three.actionId]);
    assert.deepEqual(await listed({ agentId: one.agent.id }), [one.actionId]);
    world.clock.advance(15 * 60_000);
    assert.deepEqual(await listed({ customerId: own.id }), []);
  });
});
