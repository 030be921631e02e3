import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { executeAs, givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { agentBody, givenConnectedAgent, redeem } from '#tests/given/agents.ts';
import {
  advance,
  execute,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  listEventTypes,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows } from '#tests/harness/table-contents.ts';

describe('open actions when their customer or agent is deleted', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
  });

  /** An agent with one waiting action of each type. */
  async function givenWaiting(usdFunds = 0) {
    const payer = await givenPayer(platform, usdFunds);
    const usd = payer.account('USD').id;
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const agent = await givenConnectedAgent(platform, payer, { defaultExecutionMode: 'APPROVAL_REQUIRED' });
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
    const asked = await executeAs(platform, agent, quote.id);
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    for (const [operation, from, to] of [
      ['agentCreateTransferOut', usd, bank],
      ['agentCreateTransferIn', bank, usd],
    ] as const) {
      const body = { source: { accountId: from }, destination: { accountId: to }, amount: 500 };
      const { body: action, raw } = await sendAs(platform, agent, operation, { body });
      assert.equal(action.status, 'PENDING_APPROVAL', raw);
    }
    return { payer, agent, quote, actionId: asked.body.id };
  }

  /** The final status of each action, and of its transaction. */
  async function loadEnds(agent: { readonly id: string }) {
    const actions = await world.database.query<{
      id: string;
      type: string;
      status: string;
      rejection_reason: string | null;
      reason_sealed: Buffer | null;
      transaction_id: string;
    }>(sql`
      select id, type, status, rejection_reason, reason_sealed, transaction_id from agent_actions
       where agent_id = ${uuidOf(agent)} order by type`);
    const { vault } = world.app.runtime;
    const ends = [];
    for (const { id, type, status, rejection_reason, reason_sealed, transaction_id } of actions) {
      const reason = reason_sealed
        ? vault.openText(reason_sealed, `agent_actions.reason_sealed:${id}`)
        : rejection_reason;
      const transaction = await readTransaction(platform, `Transaction:${transaction_id}`);
      ends.push([type, status, reason, transaction.status]);
    }
    return ends;
  }

  it('agents.md §1.3, §5.15, §5.21, customers.md §2.4.26: with the customer, actions are REJECTED and transactions end, quotes at once', async () => {
    const { payer, agent, quote } = await givenWaiting();
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    assert.equal(deleted.status, 200, deleted.raw);
    assert.deepEqual(await loadEnds(agent), [
      ['EXECUTE_QUOTE', 'REJECTED', 'customer deleted', 'EXPIRED'],
      ['TRANSFER_IN', 'REJECTED', 'customer deleted', 'REJECTED'],
      ['TRANSFER_OUT', 'REJECTED', 'customer deleted', 'EXPIRED'],
    ]);
    assert.deepEqual(await listEventTypes(platform, quote.transactionId), ['PENDING', 'EXPIRED']);
  });

  it('agents.md §1.3, §5.15, §5.21: with the agent, actions are REJECTED, transfers end, and the quote stays open for the platform', async () => {
    const { payer, agent, quote, actionId } = await givenWaiting(10_000);
    const params = { agentId: agent.id };
    const deleted = await platform.send('deleteAgent', { params });
    assert.equal(deleted.status, 204, deleted.raw);
    assert.deepEqual(await loadEnds(agent), [
      ['EXECUTE_QUOTE', 'REJECTED', 'agent deleted', 'PENDING'],
      ['TRANSFER_IN', 'REJECTED', 'agent deleted', 'REJECTED'],
      ['TRANSFER_OUT', 'REJECTED', 'agent deleted', 'EXPIRED'],
    ]);
    const { data } = (await platform.call('listAgentApprovals', { query: { customerId: payer.id } })).body;
    assert.deepEqual(data, []);
    const late = await platform.call('approveAgentAction', { params: { ...params, actionId } });
    assert.deepEqual([late.status, late.body.code], [404, 'NOT_FOUND']);
    const byTransaction = await platform.call('approvePendingPayment', {
      params: { transactionId: quote.transactionId },
    });
    assert.deepEqual(
      [byTransaction.status, byTransaction.body.code],
      [409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    );
    assert.equal(await fetchBalance(platform, payer, 'USD'), 10_000, 'nothing moved');
    const { agentId } = await readTransaction(platform, quote.transactionId);
    assert.equal(agentId, agent.id, 'its transactions keep their agentId');
    const own = await execute(platform, quote.id);
    assert.equal(own.status, 200, own.raw);
  });

  it('agents.md §5.2: a decision by the transaction after the deadline is 409, even if its agent was deleted since', async () => {
    const { agent, quote } = await givenWaiting();
    await advance(platform, 15 * 60);
    await platform.send('deleteAgent', { params: { agentId: agent.id } });
    const params = { transactionId: quote.transactionId };
    for (const operation of ['approvePendingPayment', 'rejectPendingPayment'] as const) {
      const { status, body } = await platform.call(operation, { params });
      assert.deepEqual([status, body.code], [409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL']);
    }
  });

  it('customers.md §2.4.26a: erasure removes the reasons of rejections and the signing keys, and keeps the actions', async () => {
    const { payer, agent, actionId } = await givenWaiting();
    const params = { agentId: agent.id, actionId };
    await platform.call('rejectAgentAction', { params, body: { reason: 'Ada Lovelace has moved to Paris' } });
    await advance(platform, 15 * 60);
    await platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(payer)));
    const ends = await loadEnds(agent);
    assert.deepEqual(
      ends.map(([, status, reason]) => [status, reason]),
      Array(3).fill(['REJECTED', 'erased']),
    );
  });

  it('customers.md §2.4.26a: after the erasure no trace of the agents identifies the customer', async () => {
    const payer = await givenPayer(platform, 0, {
      fullName: 'Augusta Byron',
      platformCustomerId: 'byron-77',
    });
    const usd = payer.account('USD').id;
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const policy = { defaultExecutionMode: 'APPROVAL_REQUIRED' };
    const made = await platform.send('createAgent', {
      body: { ...agentBody(payer.id, policy), name: 'Travels of Augusta Byron' },
    });
    const { agent, deviceCode } = made.body;
    const { body: token } = await redeem(platform, deviceCode.code);
    const params = { agentId: agent.id };
    await platform.send('updateAgent', { params, body: { name: 'Letters of Augusta Byron' } });
    const quote = await givenAgentQuote(platform, token, { from: usd, to: bank, send: 1_000 });
    const key = 'kept';
    const asked = await executeAs(platform, token, quote.id, { key });
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    const reason = 'Byron has moved to Paris';
    const rejected = await platform.call('rejectAgentAction', {
      params: { ...params, actionId: asked.body.id },
      body: { reason },
      key,
    });
    assert.equal(rejected.body.rejectionReason, reason, rejected.raw);
    const body = { source: { accountId: bank }, destination: { accountId: usd }, amount: 500 };
    const moved = await sendAs(platform, token, 'agentCreateTransferIn', { body, key: 'in' });
    assert.equal(moved.status, 201, moved.raw);
    await advance(platform, 15 * 60);
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    assert.equal(deleted.status, 200, deleted.raw);
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(payer)));
    const left = (await allRows(world.database)).filter(({ text }) => /byron/i.test(text));
    assert.deepEqual(left, []);
  });
});
