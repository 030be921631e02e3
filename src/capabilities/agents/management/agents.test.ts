import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { StoredAgent } from '#capabilities/agents/agent-row.ts';
import { lockAgent } from '#capabilities/agents/agent-store.ts';
import { agentCounters } from '#capabilities/agents/policy/usage.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { useCounter } from '#foundation/counters/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import {
  type AgentReply,
  agentBody,
  FREE_POLICY,
  givenAgent,
  givenConnectedAgent,
  givenNewAgent,
  readAgent,
  redeem,
} from '#tests/given/agents.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const LIMITS = FREE_POLICY.spendingLimits;
const READS_ONLY = { permissions: ['VIEW_TRANSACTIONS', 'MANAGE_EXTERNAL_ACCOUNTS'] };

describe('managing agents', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const create = (policy: object, more: object = {}) =>
    platform.send('createAgent', { body: { ...agentBody(ada.id, policy), ...more } });
  const patch = (agent: { id: string }, body: object) =>
    platform.send('updateAgent', { params: { agentId: agent.id }, body });
  const patchPolicy = (agent: { id: string }, body: object) =>
    platform.send('updateAgentPolicy', { params: { agentId: agent.id }, body });
  const remove = (agent: { id: string }) => platform.send('deleteAgent', { params: { agentId: agent.id } });
  const list = async (query: object) => {
    const reply = await platform.send('listAgents', { query: query as never });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.data.map(({ id }) => id);
  };

  /** Counts a movement of this amount, as its start would. */
  async function uses(agent: AgentReply, amount: bigint): Promise<void> {
    const work = await platform.work();
    await work.write(async (tx) => {
      const { count, day, month } = agentCounters(await lockAgent(tx, uuidOf(agent)), tx.now);
      useCounter(tx, { ...count, value: [1n, 1n], limit: AMOUNT_MAX });
      useCounter(tx, { ...day, value: [amount, 1n], limit: AMOUNT_MAX });
      useCounter(tx, { ...month, value: [amount, 1n], limit: AMOUNT_MAX });
    });
  }

  it('agents.md §1.1: a new agent is neither paused nor connected, has no usage, and comes with a code', async () => {
    const { status, body } = await create({});
    assert.equal(status, 201);
    const { agent, deviceCode } = body;
    assert.deepEqual(
      { ...agent, id: '', createdAt: '', updatedAt: '' },
      {
        id: '',
        name: 'Travel booker',
        customerId: ada.id,
        isPaused: false,
        isConnected: false,
        policy: FREE_POLICY,
        usage: {
          dailyTransactionCount: 0,
          dailySpend: 0,
          dailyResetDate: '2026-03-03',
          monthlySpend: 0,
          monthlyResetMonth: '2026-04',
        },
        createdAt: '',
        updatedAt: '',
      },
    );
    assert.deepEqual([deviceCode.agentId, deviceCode.redeemed], [agent.id, false]);
    assert.deepEqual(await readAgent(platform, agent), agent);
  });

  it('agents.md §1.1: an unknown or deleted customer cannot have agents', async () => {
    const gone = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
    assert.equal(
      (await platform.call('deleteCustomerById', { params: { customerId: gone.id } })).status,
      200,
    );
    for (const customerId of [`Customer:${randomUUID()}`, gone.id]) {
      const { status, body } = await platform.send('createAgent', { body: agentBody(customerId) });
      assert.deepEqual([status, body.code], [404, 'CUSTOMER_NOT_FOUND']);
    }
  });

  it('agents.md §1.1, platform.md §2.5: the reply is not stored under its key', async () => {
    const call = { body: agentBody(ada.id), key: randomUUID() };
    assert.equal((await platform.send('createAgent', call)).status, 201);
    const again = await platform.send('createAgent', call);
    assert.deepEqual([again.status, again.body.code], [409, 'CONFLICT']);
  });

  it('agents.md §1.1, §1.11, §1.12, §1.13, §1.14, §1.15, §1.16, §1.19: every invalid field of a policy is named at once', async () => {
    const reply = await create(
      {
        permissions: ['FLY'],
        defaultExecutionMode: undefined,
        spendingLimits: {
          currency: 'USX',
          dailyLimit: -1,
          dailyTransactionLimit: 1.5,
          monthlyLimit: 2 ** 53,
        },
        approvalThresholds: { amount: 5 },
      },
      { name: '' },
    );
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(reply.body), [
      'name',
      'policy.permissions.0',
      'policy.defaultExecutionMode',
      'policy.spendingLimits.currency',
      'policy.spendingLimits.perTransactionLimit',
      'policy.spendingLimits.dailyLimit',
      'policy.spendingLimits.dailyTransactionLimit',
      'policy.spendingLimits.monthlyLimit',
      'policy.approvalThresholds.currency',
    ]);
  });

  it('agents.md §1.2, §1.17, §1.18: accounts in a policy must be internal accounts of its customer', async () => {
    const [usd, eur] = [ada.account('USD').id, ada.account('EUR').id];
    const other = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
    const outside = await givenExternalAccount(platform, 'EUR_ACCOUNT', {}, { customerId: ada.id });
    const foreign = [
      other.account('USD').id,
      inCurrency(await platformAccounts(platform), 'USD').id,
      `InternalAccount:${randomUUID()}`,
    ];
    const reply = await create({
      accountRestrictions: {
        allowedAccountIds: [usd, ...foreign],
        accountRules: [{ accountId: eur }, { accountId: foreign[0] }],
      },
    });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(reply.body), [
      'policy.accountRestrictions.allowedAccountIds.1',
      'policy.accountRestrictions.allowedAccountIds.2',
      'policy.accountRestrictions.allowedAccountIds.3',
      'policy.accountRestrictions.accountRules.1.accountId',
    ]);
    const external = await create({ accountRestrictions: { allowedAccountIds: [outside.id] } });
    assert.deepEqual(fieldsOf(external.body), ['policy.accountRestrictions.allowedAccountIds.0']);
    const twice = await create({
      accountRestrictions: { accountRules: [{ accountId: eur }, { accountId: eur }] },
    });
    assert.deepEqual(fieldsOf(twice.body), ['policy.accountRestrictions.accountRules.1.accountId']);
    const good = await create({
      permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'],
      spendingLimits: { ...LIMITS, dailyLimit: null },
      accountRestrictions: {
        allowedAccountIds: [usd, usd],
        accountRules: [{ accountId: eur, perTransactionLimit: 0 }],
      },
      approvalThresholds: { amount: null },
    });
    assert.equal(good.status, 201, good.raw);
    assert.deepEqual(good.body.agent.policy, {
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: LIMITS,
      accountRestrictions: {
        allowedAccountIds: [usd],
        accountRules: [{ accountId: eur, perTransactionLimit: 0 }],
      },
    });
    const none = await create({ accountRestrictions: { allowedAccountIds: [] } });
    assert.deepEqual(none.body.agent.policy.accountRestrictions, { allowedAccountIds: [] });
  });

  it('agents.md §1.3, §1.6: an agent is renamed, paused and resumed; a request that changes nothing is a 400', async () => {
    const agent = await givenAgent(platform, ada);
    world.clock.advance(1_000);
    const renamed = await patch(agent, { name: 'Errands' });
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.isPaused], [200, 'Errands', false]);
    assert.notEqual(renamed.body.updatedAt, agent.updatedAt);
    const paused = await patch(agent, { name: 'Shopping', isPaused: true });
    assert.deepEqual([paused.body.name, paused.body.isPaused], ['Shopping', true]);
    assert.equal((await patch(agent, { isPaused: false })).body.isPaused, false);
    for (const body of [{}, { name: null }, { isPaused: null }, { name: '' }, { name: 'x'.repeat(256) }]) {
      const { status, body: refused } = await patch(agent, body);
      assert.deepEqual([status, refused.code], [400, 'INVALID_INPUT'], JSON.stringify(body));
    }
    await uses(agent, 5n);
    const { updatedAt, usage } = await readAgent(platform, agent);
    assert.deepEqual([updatedAt, usage.dailySpend], [paused.body.updatedAt, 5]);
  });

  it('agents.md §1.3: a deleted agent and its codes are not found', async () => {
    const { agent, deviceCode } = await givenNewAgent(platform, ada);
    const connected = await givenConnectedAgent(platform, ada);
    for (const each of [agent, connected]) {
      assert.equal((await remove(each)).status, 204);
      for (const reply of [
        await remove(each),
        await platform.send('getAgentById', { params: { agentId: each.id } }),
        await patch(each, { isPaused: true }),
        await patchPolicy(each, { permissions: [] }),
        await platform.send('regenerateAgentDeviceCode', { params: { agentId: each.id } }),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND']);
      }
      assert.ok(!(await list({ customerId: ada.id, limit: 100 })).includes(each.id));
    }
    const { code } = deviceCode;
    assert.equal((await redeem(platform, code)).status, 404);
    assert.equal((await platform.send('getAgentDeviceCodeStatus', { params: { code } })).status, 404);
  });

  it('agents.md §1.3, customers.md §2.4.26, §2.4.26a: agents are deleted with their customer, and their names are erased with its data', async () => {
    const customer = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
    const agent = await givenConnectedAgent(platform, customer);
    assert.equal(
      (await platform.call('deleteCustomerById', { params: { customerId: customer.id } })).status,
      200,
    );
    assert.equal((await platform.send('getAgentById', { params: { agentId: agent.id } })).status, 404);
    const work = await platform.work();
    const stored = () =>
      world.database.query<Omit<StoredAgent, 'policy'>>(
        sql`select name, name_sealed, token_hash, deleted_at from agents where id = ${uuidOf(agent)}`,
      );
    const [deleted] = await stored();
    assert.ok(deleted?.name_sealed);
    assert.deepEqual([deleted.name, deleted.token_hash], [null, null]);
    assert.ok(deleted?.deleted_at);
    await work.write((tx) => eraseCustomer(tx, uuidOf(customer)));
    const [erased] = await stored();
    assert.deepEqual([erased?.name, erased?.name_sealed], [null, null]);
  });

  it('agents.md §1.4: fields that a policy change omits stay unchanged, and its changes apply at once', async () => {
    const agent = await givenAgent(platform, ada, {
      spendingLimits: { ...LIMITS, dailyLimit: 5, dailyTransactionLimit: 2 },
      approvalThresholds: { currency: 'EUR', amount: 10 },
    });
    world.clock.advance(1_000);
    const same = await patchPolicy(agent, {});
    assert.deepEqual([same.status, same.body], [200, agent]);
    const changed = await patchPolicy(agent, {
      permissions: ['VIEW_TRANSACTIONS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { dailyLimit: null, monthlyLimit: 9 },
      approvalThresholds: { amount: null },
    });
    assert.equal(changed.status, 200, changed.raw);
    assert.deepEqual(changed.body.policy, {
      permissions: ['VIEW_TRANSACTIONS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { ...LIMITS, dailyTransactionLimit: 2, monthlyLimit: 9 },
      approvalThresholds: { currency: 'EUR' },
    });
    assert.deepEqual(await readAgent(platform, agent), changed.body);
  });

  it('agents.md §1.4, §1.11–1.19: null is refused for required fields, and the result must follow the same rules', async () => {
    const agent = await givenAgent(platform, ada, {
      spendingLimits: { ...LIMITS, dailyTransactionLimit: 2 },
    });
    for (const [body, ...fields] of [
      [{ permissions: null, defaultExecutionMode: null }, 'permissions', 'defaultExecutionMode'],
      [{ spendingLimits: null }, 'spendingLimits'],
      [{ spendingLimits: { perTransactionLimit: null } }, 'spendingLimits.perTransactionLimit'],
      [{ spendingLimits: { dailyTransactionLimit: null } }, 'spendingLimits.dailyTransactionLimit'],
      [
        { spendingLimits: { currency: null, dailyLimit: -1 } },
        'spendingLimits.currency',
        'spendingLimits.dailyLimit',
      ],
      [
        { spendingLimits: { currency: 'XXX' }, permissions: ['X'] },
        'permissions.0',
        'spendingLimits.currency',
      ],
      [{ accountRestrictions: { accountRules: null } }, 'accountRestrictions.accountRules'],
      [{ approvalThresholds: { amount: 5 } }, 'approvalThresholds.currency'],
      [
        { accountRestrictions: { allowedAccountIds: [`InternalAccount:${randomUUID()}`] } },
        'accountRestrictions.allowedAccountIds.0',
      ],
    ] as const) {
      const reply = await patchPolicy(agent, body);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, fields], reply.raw);
    }
    assert.deepEqual(await readAgent(platform, agent), agent);
  });

  it('agents.md §1.4a: another currency converts limits, rounded down, and the usage, rounded up', async () => {
    const rule = { accountId: ada.account('USD').id, perTransactionLimit: 333 };
    const agent = await givenAgent(platform, ada, {
      spendingLimits: {
        currency: 'USD',
        perTransactionLimit: 1_001,
        dailyLimit: 5_000,
        dailyTransactionLimit: 9,
      },
      accountRestrictions: { accountRules: [rule] },
      approvalThresholds: { currency: 'USD', amount: 700 },
    });
    await uses(agent, 101n);
    const inEuros = await patchPolicy(agent, { spendingLimits: { currency: 'EUR', dailyLimit: 4_000 } });
    assert.equal(inEuros.status, 200, inEuros.raw);
    // 1 USD is 0.92 EUR.
    assert.deepEqual(inEuros.body.policy, {
      ...agent.policy,
      spendingLimits: {
        currency: 'EUR',
        perTransactionLimit: 920,
        dailyLimit: 4_000,
        dailyTransactionLimit: 9,
      },
      accountRestrictions: { accountRules: [{ ...rule, perTransactionLimit: 306 }] },
    });
    const { dailyTransactionCount, dailySpend, monthlySpend } = inEuros.body.usage;
    assert.deepEqual([dailyTransactionCount, dailySpend, monthlySpend], [1, 93, 93]);
    await uses(agent, 7n);
    const back = await patchPolicy(agent, { spendingLimits: { currency: 'USD' } });
    // 100 EUR cents are 108.69… US cents; the earlier count in dollars does not come back.
    assert.deepEqual(
      [back.body.usage.dailyTransactionCount, back.body.usage.dailySpend, back.body.usage.monthlySpend],
      [2, 109, 109],
    );
    assert.deepEqual(await readAgent(platform, agent), back.body);
  });

  it('agents.md §1.4a: without a rate, or if a limit would be too large, nothing changes', async () => {
    const agent = await givenAgent(platform, ada, {
      spendingLimits: { currency: 'USD', perTransactionLimit: Number.MAX_SAFE_INTEGER },
    });
    const noRate = await patchPolicy(agent, { spendingLimits: { currency: 'ZWG' } });
    assert.deepEqual([noRate.status, noRate.body.code], [400, 'QUOTE_REQUEST_FAILED']);
    const tooLarge = await patchPolicy(agent, { spendingLimits: { currency: 'VND' } });
    assert.deepEqual(
      [tooLarge.status, fieldsOf(tooLarge.body)],
      [400, ['spendingLimits.perTransactionLimit']],
    );
    assert.deepEqual(await readAgent(platform, agent), agent);
  });

  it('agents.md §4.7: usage is reset with the day and with the month', async () => {
    const own = await givenPlatform(world);
    const agent = await givenAgent(own, await givenPayer(own, 0));
    const work = await own.work();
    await work.write(async (tx) => {
      const { day, month } = agentCounters(await lockAgent(tx, uuidOf(agent)), tx.now);
      for (const counter of [day, month]) useCounter(tx, { ...counter, value: [7n, 1n], limit: AMOUNT_MAX });
    });
    const usageAfter = async (seconds: number) => {
      await own.call('advanceSandboxClock', { body: { seconds } });
      const { dailySpend, monthlySpend, dailyResetDate, monthlyResetMonth } = (await readAgent(own, agent))
        .usage;
      return [dailySpend, dailyResetDate, monthlySpend, monthlyResetMonth];
    };
    const day = 24 * 3_600;
    const today = (await readAgent(own, agent)).usage;
    assert.deepEqual([today.dailySpend, today.monthlySpend], [7, 7]);
    const [spent, , ofMonth, nextMonth] = await usageAfter(day);
    assert.deepEqual([spent, ofMonth, nextMonth], [0, 7, '2026-04']);
    const [, date, later, month] = await usageAfter(30 * day);
    assert.deepEqual([later, month], [0, '2026-05']);
    assert.match(String(date), /^2026-04-/);
  });

  it('agents.md §1.5: agents are listed newest first, and filters combine; bounds are inclusive', async () => {
    const customer = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
    const first = await givenAgent(platform, customer);
    world.clock.advance(1_000);
    const second = await givenConnectedAgent(platform, customer);
    world.clock.advance(1_000);
    await patch(first, { isPaused: true });
    const of = (query: object) => list({ customerId: customer.id, ...query });
    assert.deepEqual(await of({}), [second.id, first.id]);
    assert.deepEqual(await of({ isPaused: true }), [first.id]);
    assert.deepEqual(await of({ isPaused: false }), [second.id]);
    assert.deepEqual(await of({ isConnected: true }), [second.id]);
    assert.deepEqual(await of({ isConnected: false, isPaused: false }), []);
    assert.deepEqual(await of({ createdAfter: second.createdAt }), [second.id]);
    assert.deepEqual(await of({ createdBefore: first.createdAt }), [first.id]);
    assert.deepEqual(await of({ updatedAfter: (await readAgent(platform, first)).updatedAt }), [first.id]);
    assert.deepEqual(await of({ updatedBefore: second.createdAt }), [second.id]);
    assert.deepEqual(await list({ customerId: `Customer:${randomUUID()}` }), []);
    const crossed = { createdAfter: second.createdAt, createdBefore: first.createdAt };
    assert.equal((await platform.send('listAgents', { query: crossed })).status, 400);
    const page = await platform.call('listAgents', { query: { customerId: customer.id, limit: 1 } });
    assert.deepEqual([page.body.hasMore, page.body.totalCount], [true, 2]);
  });

  it('platform.md §1.3.4a: creating an agent that may move money requires the permission to move it', async () => {
    const withheld = await platform.call('createToken', {
      body: { name: 'no money', permissions: ['VIEW', 'MANAGE'] },
    });
    const { clientId, clientSecret } = withheld.body;
    const as = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const send = (operation: string, agent: { id: string }, body?: object) =>
      platform.send(operation, { as, params: { agentId: agent.id }, ...(body && { body }) });
    for (const permission of ['CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_TRANSFERS']) {
      const refused = await platform.send('createAgent', {
        as,
        body: agentBody(ada.id, { permissions: ['VIEW_TRANSACTIONS', permission] }),
      });
      assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN'], permission);
    }
    const made = await platform.send('createAgent', { as, body: agentBody(ada.id, READS_ONLY) });
    assert.equal(made.status, 201, made.raw);
    const { agent: reader } = made.body as { agent: AgentReply };
    const payer = await givenAgent(platform, ada);
    const statuses = async (agent: AgentReply) => [
      (await send('updateAgentPolicy', agent, { defaultExecutionMode: 'APPROVAL_REQUIRED' })).status,
      (await send('regenerateAgentDeviceCode', agent)).status,
      (await send('updateAgent', agent, { isPaused: false })).status,
      (await send('updateAgent', agent, { isPaused: true })).status,
      (await send('updateAgent', agent, { name: 'Renamed' })).status,
    ];
    assert.deepEqual(await statuses(reader), [200, 201, 200, 200, 200]);
    assert.deepEqual(await statuses(payer), [403, 403, 403, 200, 200]);
    const gets = { permissions: [...READS_ONLY.permissions, 'CREATE_TRANSFERS'] };
    assert.equal((await send('updateAgentPolicy', reader, gets)).status, 403, 'it would get the permission');
    const loses = await send('updateAgentPolicy', payer, READS_ONLY);
    assert.equal(loses.status, 403, 'it has the permission');
    assert.equal((await send('deleteAgent', payer)).status, 204);
  });

  it('agents.md §5.5: every write leaves an audit row with the actor, the action and the agent', async () => {
    const agent = await givenAgent(platform, ada);
    await patch(agent, { isPaused: true });
    await patchPolicy(agent, { permissions: [] });
    await remove(agent);
    const rows = await world.database.query<{ action: string; actor_kind: string; details: object }>(sql`
      select action, actor_kind, details from audit_log
       where platform_id = ${platform.id} and (resource like ${`%${uuidOf(agent)}%`} or details->>'agentId' = ${agent.id})
       order by at, id`);
    assert.deepEqual(
      rows.map(({ action, actor_kind }) => [action, actor_kind]),
      [
        ['createAgent', 'token'],
        ['updateAgent', 'token'],
        ['updateAgentPolicy', 'token'],
        ['deleteAgent', 'token'],
      ],
    );
    assert.deepEqual([rows[1]?.details, rows[2]?.details], [{ isPaused: true }, { permissions: [] }]);
  });
});
