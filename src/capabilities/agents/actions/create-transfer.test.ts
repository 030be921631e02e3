// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type CallingAgent, givenPrincipal, listActionsAs, sendAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  listEventTypes,
  type Payer,
  postedKinds,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

describe('an agent makes transfers', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world));
  });

  const agentWith = (policy: object = {}) => givenConnectedAgent(platform, ada, policy);

  function send(agent: CallingAgent, type: 'TRANSFER_OUT' | 'TRANSFER_IN', more: object = {}, key?: string) {
    const [from, to] = type === 'TRANSFER_OUT' ? [usd, bank] : [bank, usd];
    const body = { source: { accountId: from }, destination: { accountId: to }, amount: 1_000, ...more };
    const id = type === 'TRANSFER_OUT' ? 'agentCreateTransferOut' : 'agentCreateTransferIn';
    return sendAs(platform, agent, id, { body, ...(key !== undefined && { key }) });
  }

  const decide = (how: 'approve' | 'reject', { id, agentId }: { id: string; agentId: string }) =>
    platform.call(how === 'approve' ? 'approveAgentAction' : 'rejectAgentAction', {
      params: { agentId, actionId: id },
    });

  for (const type of ['TRANSFER_OUT', 'TRANSFER_IN'] as const) {
    const isOut = type === 'TRANSFER_OUT';
    const moved = isOut ? -1_000 : 1_000;

    it(`agents.md §4.4, §4.10: ${type}: AUTO: 201 APPROVED with its transaction, and usage counts`, async () => {
      const agent = await agentWith();
      const before = await fetchBalance(platform, ada, 'USD');
      const { status, body, raw } = await send(agent, type);
      assert.equal(status, 201, raw);
      assert.deepEqual([body.status, body.type, body.transaction?.status], ['APPROVED', type, 'PENDING']);
      assert.deepEqual([body.transaction?.agentId, body.quote], [agent.id, undefined]);
      assert.deepEqual([body.transferDetails?.amount, body.transferDetails?.currency], [1_000, 'USD']);
      await advance(platform, 60);
      assert.equal(await fetchBalance(platform, ada, 'USD'), before + moved);
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000);
    });

    it(`agents.md §4.5, §4.9, §5.11: ${type}: it waits as PENDING without an entry, the platform is notified, and it starts when it is approved`, async () => {
      const agent = await agentWith(APPROVAL);
      const before = await fetchBalance(platform, ada, 'USD');
      const { body, raw } = await send(agent, type);
      assert.deepEqual([body.status, body.transaction], ['PENDING_APPROVAL', undefined], raw);
      assert.deepEqual(await listEventTypes(platform, body.id), ['PENDING_APPROVAL']);
      const { data } = (await platform.call('listTransactions', { query: { status: 'PENDING' } })).body;
      const waiting = data.find((one) => 'agentId' in one && one.agentId === agent.id);
      assert.ok(waiting);
      assert.deepEqual(await postedKinds(platform, waiting.id), []);
      assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
      const approved = await decide('approve', body);
      assert.deepEqual(
        [approved.body.status, approved.body.transaction?.id],
        ['APPROVED', waiting.id],
        approved.raw,
      );
      await advance(platform, 60);
      assert.equal(await fetchBalance(platform, ada, 'USD'), before + moved);
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000);
    });

    it(`agents.md §5.14, §5.21: ${type}: a rejection ends its transaction, and no money moves`, async () => {
      const agent = await agentWith(APPROVAL);
      const { body } = await send(agent, type);
      const rejected = await decide('reject', body);
      assert.deepEqual([rejected.status, rejected.body.status], [200, 'REJECTED'], rejected.raw);
      const status = isOut ? 'EXPIRED' : 'REJECTED';
      const { data } = (await platform.call('listTransactions', { query: { status } })).body;
      assert.ok(data.some((one) => 'agentId' in one && one.agentId === agent.id));
    });

    it(`agents.md §5.13, §5.22: ${type}: without a decision for seven days, action and transaction are FAILED`, async () => {
      const agent = await agentWith(APPROVAL);
      const { body } = await send(agent, type);
      world.clock.advance(WEEK_MS);
      const late = await decide('approve', body);
      assert.deepEqual([late.status, late.body.status], [200, 'FAILED'], late.raw);
      await advance(platform, 1);
      const [action] = await listActionsAs(platform, agent);
      assert.equal(action?.status, 'FAILED');
    });
  }

  it('agents.md §4.42: a repeated key gives the same action, even if the agent was paused since', async () => {
    const agent = await agentWith();
    const first = await send(agent, 'TRANSFER_OUT', {}, 'once');
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const second = await send(agent, 'TRANSFER_OUT', {}, 'once');
    assert.deepEqual([second.status, second.body], [201, first.body], second.raw);
  });

  it('agents.md §4.43–4.49: each is refused in its place, and no action is created', async () => {
    const other = await givenPayer(platform, 1_000);
    const eur = await givenOutside(platform, ada.id, '998');
    const paused = await agentWith();
    await platform.send('updateAgent', { params: { agentId: paused.id }, body: { isPaused: true } });
    const cases: [what: string, agent: CallingAgent, more: object, status: number, code: string][] = [
      ['agents.md §4.43', paused, { amount: undefined }, 403, 'FORBIDDEN'],
      ['agents.md §4.44', await agentWith({ permissions: [] }), { amount: undefined }, 403, 'FORBIDDEN'],
      ['agents.md §4.45', await agentWith(), { amount: undefined }, 400, 'INVALID_INPUT'],
      ['agents.md §4.45', await agentWith(), { amount: 0 }, 400, 'INVALID_AMOUNT'],
      [
        'agents.md §4.46',
        await agentWith(),
        { source: { accountId: other.account('USD').id } },
        404,
        'ACCOUNT_NOT_FOUND',
      ],
      [
        'agents.md §4.47',
        await agentWith(APPROVAL),
        { destination: { accountId: eur } },
        400,
        'INVALID_CURRENCY',
      ],
      [
        'agents.md §4.48',
        await agentWith({ accountRestrictions: { allowedAccountIds: [] } }),
        {},
        403,
        'FORBIDDEN',
      ],
      ['agents.md §4.49', await agentWith(), { amount: 100_001 }, 403, 'FORBIDDEN'],
    ];
    for (const [what, agent, more, status, code] of cases) {
      const reply = await send(agent, 'TRANSFER_OUT', more);
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${what}: ${reply.raw}`);
      assert.deepEqual(await listActionsAs(platform, agent), [], what);
    }
  });

  it('agents.md §4.51, §4.4: without enough funds, the reply is the underlying error, and a FAILED action without a transaction is stored', async () => {
    const poor = await givenPayer(platform, 10);
    const agent = await givenConnectedAgent(platform, poor);
    const to = await givenOutside(platform, poor.id, '999', 'USD_ACCOUNT');
    const reply = await sendAs(platform, agent, 'agentCreateTransferOut', {
      body: {
        source: { accountId: poor.account('USD').id },
        destination: { accountId: to },
        amount: 1_000,
      },
    });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INSUFFICIENT_FUNDS'], reply.raw);
    const [action] = await listActionsAs(platform, agent);
    assert.deepEqual(
      [action?.status, action?.failure?.code, action?.transaction, action?.transferDetails?.amount],
      ['FAILED', 'INSUFFICIENT_FUNDS', undefined, 1_000],
    );
  });

  it('agents.md §5.12, §5.22: an approval fails the transfer if an account is gone or funds are insufficient', async () => {
    const agent = await agentWith(APPROVAL);
    const to = await givenOutside(platform, ada.id, '997', 'USD_ACCOUNT');
    const { body } = await send(agent, 'TRANSFER_OUT', { destination: { accountId: to } });
    const gone = await platform.send('deleteCustomerExternalAccountById', {
      params: { externalAccountId: to },
    });
    assert.equal(gone.status, 204, gone.raw);
    const reply = await decide('approve', body);
    assert.deepEqual(
      [reply.status, reply.body.status, reply.body.failure?.code],
      [200, 'FAILED', 'ACCOUNT_NOT_FOUND'],
      reply.raw,
    );
    const { data } = (await platform.call('listTransactions', { query: { status: 'FAILED' } })).body;
    const failed = data.find((one) => 'agentId' in one && one.agentId === agent.id);
    const { failureReason, refund } = await readTransaction(platform, failed?.id ?? '');
    assert.deepEqual([failureReason, refund], ['QUOTE_EXECUTION_FAILED', undefined]);
  });

  it('agents.md §4.7: only as many concurrent transfers start as the limits allow', async () => {
    const agent = await agentWith({
      spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyLimit: 7_500 },
    });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send(agent, i % 2 === 0 ? 'TRANSFER_OUT' : 'TRANSFER_IN')),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 7);
    assert.equal((await readAgent(platform, agent)).usage.dailySpend, 7_000);
  });
});
