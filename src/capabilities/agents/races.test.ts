// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { lockAgent, writeAgent } from '#capabilities/agents/agent-store.ts';
import { deleteAgent } from '#capabilities/agents/management/update-agent.ts';
import { changedRow } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  listActionsAs,
  sendAs,
} from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent, givenNewAgent, readAgent, redeem } from '#tests/given/agents.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import {
  advance,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const ROUNDS = 6;
describe('concurrent decisions about agents’ actions in two processes', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let other: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    platform = await givenPlatform(world);
    other = await world.elsewhere(platform);
    ada = await givenPayer(platform, 1_000_000);
    usd = ada.account('USD').id;
    bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
  });

  async function givenOpen() {
    const agent: CallingAgent = await givenConnectedAgent(platform, ada, APPROVAL);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
    const { body, raw } = await executeAs(platform, agent, quote.id);
    assert.equal(body.status, 'PENDING_APPROVAL', raw);
    return { agent, quote, params: { agentId: agent.id, actionId: body.id } };
  }

  async function givenOpenTransfer() {
    const agent: CallingAgent = await givenConnectedAgent(platform, ada, APPROVAL);
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 1_000 };
    const asked = await sendAs(platform, agent, 'agentCreateTransferOut', { body });
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    return { agent, params: { agentId: agent.id, actionId: asked.body.id } };
  }

  type Params = Awaited<ReturnType<typeof givenOpen>>['params'];
  const approve = (on: TestPlatform, params: Params) => on.call('approveAgentAction', { params });
  const reject = (on: TestPlatform, params: Params) => on.call('rejectAgentAction', { params });
  const shown = async (agent: CallingAgent) => (await listActionsAs(platform, agent))[0];

  it('agents.md §5.1: if an approval and a rejection race, one wins, the other is 409, and the transaction follows the winner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote, params } = await givenOpen();
      const replies = await Promise.all([approve(platform, params), reject(other, params)]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      const won = replies.find(({ status }) => status === 200)?.body.status;
      assert.equal((await shown(agent))?.status, won);
      const { status } = await readTransaction(platform, quote.transactionId);
      assert.equal(status, won === 'APPROVED' ? 'PROCESSING' : 'PENDING');
    }
  });

  it('agents.md §5.1, §5.2: if two approvals race, one of them by the transaction, one starts it, and it counts once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote, params } = await givenOpen();
      const { transactionId } = quote;
      const replies = await Promise.all([
        approve(platform, params),
        other.call('approvePendingPayment', { params: { transactionId } }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      assert.deepEqual(await postedKinds(platform, transactionId), ['L2']);
      const { usage } = await readAgent(platform, agent);
      assert.deepEqual([usage.dailyTransactionCount, usage.dailySpend], [1, 1_000]);
    }
  });

  it('agents.md §5.1: one of two approvals of a transfer starts it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, params } = await givenOpenTransfer();
      const replies = await Promise.all([approve(platform, params), approve(other, params)]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      assert.equal((await shown(agent))?.status, 'APPROVED');
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000);
    }
  });

  const CHANGES = {
    'a pause': (on: TestPlatform, agentId: string) =>
      on.send('updateAgent', { params: { agentId }, body: { isPaused: true } }),
    'a lower limit': (on: TestPlatform, agentId: string) =>
      on.send('updateAgentPolicy', {
        params: { agentId },
        body: { spendingLimits: { perTransactionLimit: 999 } },
      }),
    'a withdrawn permission': (on: TestPlatform, agentId: string) =>
      on.send('updateAgentPolicy', { params: { agentId }, body: { permissions: [] } }),
  };

  for (const [what, change] of Object.entries(CHANGES)) {
    it(`agents.md §5.12, §1.4: after the reply to ${what} in one process, an approval in the other starts nothing`, async () => {
      for (const { agent, params } of [await givenOpen(), await givenOpenTransfer()]) {
        assert.equal((await change(platform, agent.id)).status, 200);
        const { status, body } = await approve(other, params);
        assert.deepEqual([status, body.status, body.failure?.code], [200, 'FAILED', 'FORBIDDEN']);
        assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
      }
    });

    it(`agents.md §1.4: if ${what} and an approval race, either may come first, and every start is counted`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { agent, quote, params } = await givenOpen();
        const [reply] = await Promise.all([approve(other, params), change(platform, agent.id)]);
        assert.equal(reply.status, 200, reply.raw);
        const isStarted = reply.body.status === 'APPROVED';
        assert.equal(isStarted || reply.body.status === 'FAILED', true);
        const { status } = await readTransaction(platform, quote.transactionId);
        assert.equal(status, isStarted ? 'PROCESSING' : 'PENDING');
        assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, isStarted ? 1 : 0);
      }
    });
  }

  it('agents.md §3.3: an approval that waits for the commit of a pause is decided again with it', async () => {
    const { agent, params } = await givenOpen();
    const letGo = await holdOpen(platform, async (tx) => {
      const row = await lockAgent(tx, uuidOf(agent));
      writeAgent(tx, changedRow(row, { is_paused: true }, tx.now));
    });
    const asked = approve(other, params);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    const { status, body } = await asked;
    assert.deepEqual([status, body.status, body.failure?.code], [200, 'FAILED', 'FORBIDDEN']);
    assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
  });

  it('agents.md §1.3, §5.15: an approval that waits for the deletion of its agent is 404, and nothing starts', async () => {
    const { agent, quote, params } = await givenOpen();
    const letGo = await holdOpen(platform, (tx) => deleteAgent(tx, uuidOf(agent)));
    const asked = approve(other, params);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    const reply = await asked;
    assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'], reply.raw);
    assert.deepEqual(await postedKinds(platform, quote.transactionId), []);
  });

  it('agents.md §1.3: a submission that waits for the deletion of its agent is 401, and leaves no waiting action', async () => {
    const agent = await givenConnectedAgent(platform, ada, APPROVAL);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
    const letGo = await holdOpen(platform, (tx) => deleteAgent(tx, uuidOf(agent)));
    const asked = executeAs(other, agent, quote.id);
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    assert.equal((await asked).status, 401);
    const { data } = (await platform.call('listAgentApprovals', { query: { agentId: agent.id } })).body;
    assert.deepEqual(data, []);
  });

  it('agents.md §1.3: if a deletion and an approval race, no action stays open, and a started payment proceeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote, params } = await givenOpen();
      const [reply, deleted] = await Promise.all([
        approve(other, params),
        platform.send('deleteAgent', { params: { agentId: agent.id } }),
      ]);
      assert.equal(deleted.status, 204, deleted.raw);
      assert.ok([200, 404, 409].includes(reply.status), reply.raw);
      const { status } = await readTransaction(platform, quote.transactionId);
      assert.equal(status, reply.status === 200 ? 'PROCESSING' : 'PENDING');
      const { data } = (await platform.call('listAgentApprovals', {})).body;
      assert.deepEqual(
        data.filter(({ agentId }) => agentId === agent.id),
        [],
      );
    }
  });

  it('agents.md §5.13: if the quote’s expiry and an approval race, the action is always FAILED, and no money moves', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote, params } = await givenOpen();
      world.clock.advance(15 * 60_000);
      const [reply] = await Promise.all([approve(other, params), advance(platform, 1)]);
      assert.deepEqual([reply.status, reply.body.status], [200, 'FAILED'], reply.raw);
      assert.equal((await shown(agent))?.failure?.code, 'QUOTE_EXPIRED');
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'EXPIRED');
    }
  });

  it('agents.md §4.7: of twenty executions in two processes, seven start under a limit of seven', async () => {
    const currency = 'USD';
    for (const limits of [{ dailyTransactionLimit: 7 }, { dailyLimit: 7_999 }, { monthlyLimit: 7_000 }]) {
      const spendingLimits = { currency, perTransactionLimit: 1_000, ...limits };
      const agent = await givenConnectedAgent(platform, ada, { spendingLimits });
      const calls = [];
      for (let i = 0; i < 20; i++) {
        const on = i % 2 === 0 ? platform : other;
        calls.push(i % 4 < 2 ? await preparedExecution(on, agent) : preparedTransfer(on, agent));
      }
      const replies = await Promise.all(calls.map((call) => call()));
      assert.equal(replies.filter(({ status }) => status < 300).length, 7, JSON.stringify(limits));
      assert.equal(replies.filter(({ status }) => status === 403).length, 13, JSON.stringify(limits));
      const { usage } = await readAgent(platform, agent);
      assert.deepEqual(
        [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend],
        [7, 7_000, 7_000],
      );
    }
  });

  async function preparedExecution(on: TestPlatform, agent: CallingAgent, send = 1_000) {
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send });
    return () => executeAs(on, agent, quote.id);
  }

  function preparedTransfer(on: TestPlatform, agent: CallingAgent, amount = 1_000) {
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount };
    return () => sendAs(on, agent, 'agentCreateTransferOut', { body });
  }

  for (const [what, change] of Object.entries({
    ...CHANGES,
    'approval for everything': (on: TestPlatform, agentId: string) =>
      on.send('updateAgentPolicy', { params: { agentId }, body: APPROVAL }),
    'its deletion': (on: TestPlatform, agentId: string) => on.send('deleteAgent', { params: { agentId } }),
  })) {
    it(`agents.md §1.3, §1.4, §3.3: if ${what} and an agent’s requests race, every start is counted, and nothing starts after the reply`, async () => {
      const agent = await givenConnectedAgent(platform, ada);
      const calls = [];
      for (let i = 0; i < 4; i++) {
        calls.push(await preparedExecution(other, agent), preparedTransfer(other, agent));
      }
      const late = await preparedExecution(other, agent);
      const [changed, ...replies] = await Promise.all([
        change(platform, agent.id),
        ...calls.map((call) => call()),
      ]);
      assert.ok(changed.status < 300, changed.raw);
      assert.notEqual((await late()).body.status, 'APPROVED');
      const started = replies.filter(({ body }) => body.status === 'APPROVED').length;
      const [counted] = await world.database.query<{ used: string }>(sql`
        select numerator::text as used from counters where name = ${`AGENT_COUNT:${uuidOf(agent)}`}`);
      assert.equal(Number(counted?.used ?? 0), started);
    });
  }

  it('agents.md §1.4a: if a change of the limits’ currency and executions race, no count is doubled or lost', async () => {
    for (let round = 0; round < 3; round++) {
      const agent = await givenConnectedAgent(platform, ada);
      const calls = [];
      for (let i = 0; i < 4; i++) calls.push(await preparedExecution(other, agent));
      const [changed, ...replies] = await Promise.all([
        platform.send('updateAgentPolicy', {
          params: { agentId: agent.id },
          body: { spendingLimits: { currency: 'EUR' } },
        }),
        ...calls.map((call) => call()),
      ]);
      assert.equal(changed.status, 200, changed.raw);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 200, 200],
      );
      const { usage } = await readAgent(platform, agent);
      // 10.00 USD are 9.20 EUR, in whatever order they are added up.
      assert.deepEqual(
        [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend],
        [4, 3_680, 3_680],
      );
    }
  });

  it('agents.md §4.28, §4.6: one of two executions of a quote gets an action, and the other 409; with one key both get the same', async () => {
    for (const policy of [{}, APPROVAL]) {
      for (const key of [undefined, 'one', 'another']) {
        const agent = await givenConnectedAgent(platform, ada, policy);
        const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
        const call = key === undefined ? {} : { key };
        const replies = await Promise.all([
          executeAs(platform, agent, quote.id, call),
          executeAs(other, agent, quote.id, call),
        ]);
        const statuses = replies.map(({ status }) => status).sort();
        if (key === undefined) assert.deepEqual(statuses, [200, 409]);
        else assert.ok(statuses[0] === 200 && (statuses[1] === 200 || statuses[1] === 409), String(statuses));
        const ids = new Set(replies.flatMap(({ status, body }) => (status === 200 ? [body.id] : [])));
        assert.equal(ids.size, 1);
        assert.equal((await listActionsAs(platform, agent)).length, 1);
      }
    }
  });

  it('agents.md §5.6: if the platform’s own execution and an approval or submission race, one of them starts the quote', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote, params } = await givenOpen();
      const [approved, own] = await Promise.all([approve(platform, params), execute(other, quote.id)]);
      assert.deepEqual([approved.status, own.status], [200, 409], own.raw);
      assert.deepEqual(await postedKinds(platform, quote.transactionId), ['L2']);

      const next = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
      const [asked, first] = await Promise.all([
        executeAs(platform, agent, next.id),
        execute(other, next.id),
      ]);
      assert.deepEqual([asked.status, first.status].sort(), [200, 409]);
      assert.deepEqual(await postedKinds(platform, next.transactionId), first.status === 200 ? ['L2'] : []);
    }
  });

  it('agents.md §5.2: if an approval and a rejection by the transaction race, one wins', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, quote } = await givenOpen();
      const params = { transactionId: quote.transactionId };
      const replies = await Promise.all([
        platform.call('approvePendingPayment', { params }),
        other.call('rejectPendingPayment', { params }),
      ]);
      const [approved, rejected] = replies.map(({ status }) => status);
      assert.deepEqual([approved, rejected].sort(), [200, 409]);
      assert.equal((await shown(agent))?.status, approved === 200 ? 'APPROVED' : 'REJECTED');
    }
  });

  it('agents.md §2.13, §2.16, §2.18: if a redemption and a new code race, either the token or the new code is valid, not both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, deviceCode } = await givenNewAgent(platform, ada);
      const params = { agentId: agent.id };
      const [redeemed, renewed] = await Promise.all([
        redeem(platform, deviceCode.code),
        other.call('regenerateAgentDeviceCode', { params }),
      ]);
      const isConnected = redeemed.status === 200;
      assert.deepEqual([redeemed.status, renewed.status], isConnected ? [200, 409] : [400, 201]);
      assert.equal((await readAgent(platform, agent)).isConnected, isConnected);
    }
  });

  it('agents.md §1.3, customers.md §2.4.26: if the customer’s deletion and an approval race, one wins, and no action waits', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bob = await givenPayer(platform, 0);
      const agent = await givenConnectedAgent(platform, bob, APPROVAL);
      const source = { accountId: await givenOutside(platform, bob.id, '999', 'USD_ACCOUNT') };
      const body = { source, destination: { accountId: bob.account('USD').id }, amount: 1_000 };
      const asked = await sendAs(platform, agent, 'agentCreateTransferIn', { body });
      assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
      const params = { agentId: agent.id, actionId: asked.body.id };
      const [approved, deleted] = await Promise.all([
        approve(platform, params),
        other.call('deleteCustomerById', { params: { customerId: bob.id } }),
      ]);
      // A customer with a payment under way is not deleted.
      const isStarted = approved.status === 200;
      assert.deepEqual([approved.status, deleted.status], isStarted ? [200, 409] : [404, 200], deleted.raw);
      const query = { customerId: bob.id };
      assert.deepEqual((await platform.call('listAgentApprovals', { query })).body.data, []);
    }
  });

  it('agents.md §5.13: if the end of a transfer’s seven days and an approval race, the action is always FAILED, and no money moves', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, params } = await givenOpenTransfer();
      world.clock.advance(7 * 86_400_000);
      const [reply] = await Promise.all([approve(other, params), advance(platform, 1)]);
      assert.deepEqual([reply.status, reply.body.status], [200, 'FAILED'], reply.raw);
      const { failure } = (await shown(agent)) ?? {};
      assert.equal(failure?.code, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
      assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
    }
  });
});
