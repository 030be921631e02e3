import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { AGENT_PERMISSIONS } from '#capabilities/agents/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { fieldsOf } from '#tests/given/customers.ts';
import { buildAccountRequest, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the accounts of an agent’s customer', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let other: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 5_000);
    other = await givenPayer(platform, 0, { platformCustomerId: randomUUID() });
  });

  /** Calls as this agent. */
  const as = ({ accessToken }: { accessToken: string }) => {
    const send = <Id extends string>(operationId: Id, call: Call = {}) =>
      platform.send(operationId, { ...call, as: `Bearer ${accessToken}` });
    return send;
  };
  const agentWith = async (policy: object = {}) => as(await givenConnectedAgent(platform, ada, policy));
  const addressed = (id: string) => ({ params: { externalAccountId: id } });
  const givenPayee = (customerId: string | undefined, more: object = {}) =>
    givenExternalAccount(
      platform,
      'EUR_ACCOUNT',
      { iban: newIban() },
      { ...(customerId && { customerId }), ...more },
    );

  let ibans = 100_000;
  const newIban = () => `DE89${String(++ibans).padStart(15, '3')}999`;

  it('agents.md §3.12, §3.2: an agent sees the internal accounts of its customer, with their balances', async () => {
    const send = await agentWith();
    const { status, body } = await send('agentListInternalAccounts');
    assert.equal(status, 200);
    assert.deepEqual(body.data.map(({ id }) => id).toSorted(), ada.accounts.map(({ id }) => id).toSorted());
    const one = await send('agentListInternalAccounts', { query: { currency: 'USD' } });
    const seen = await platform.call('listCustomerInternalAccounts', {
      query: { customerId: ada.id, currency: 'USD' },
    });
    assert.deepEqual(one.body.data, seen.body.data);
    assert.equal(one.body.data[0]?.balance.amount, 5_000);
    const asked = await send('agentListInternalAccounts', { query: { customerId: other.id } });
    assert.deepEqual(asked.body, body, 'a filter by customer is an unknown parameter');
  });

  it('agents.md §3.12: it lists only accounts that the current policy allows', async () => {
    const [usd, eur] = [ada.account('USD').id, ada.account('EUR').id];
    const agent = await givenConnectedAgent(platform, ada, {
      accountRestrictions: { allowedAccountIds: [usd] },
    });
    const listed = async () => (await as(agent)('agentListInternalAccounts')).body.data.map(({ id }) => id);
    const allow = (allowedAccountIds: string[] | null) =>
      platform.send('updateAgentPolicy', {
        params: { agentId: agent.id },
        body: { accountRestrictions: { allowedAccountIds } },
      });
    assert.deepEqual(await listed(), [usd]);
    await allow([eur]);
    assert.deepEqual(await listed(), [eur]);
    await allow([]);
    assert.deepEqual(await listed(), []);
    await allow(null);
    assert.equal((await listed()).length, ada.accounts.length);
  });

  it('agents.md §3.12, §3.3: any permission opens the list, except the one for external accounts', async () => {
    for (const permission of AGENT_PERMISSIONS) {
      const send = await agentWith({ permissions: [permission] });
      const { status, body } = await send('agentListInternalAccounts');
      if (permission !== 'MANAGE_EXTERNAL_ACCOUNTS') assert.equal(status, 200, permission);
      else assert.deepEqual([status, body.code, body.details.violation], [403, 'FORBIDDEN', 'PERMISSION']);
    }
    const send = await agentWith({ permissions: [] });
    assert.equal((await send('agentListInternalAccounts')).status, 403);
  });

  it('agents.md §3.14, §3.3: external accounts require their permission, and a paused agent can only read them', async () => {
    const payee = await givenPayee(ada.id);
    const bad = { body: { customerId: other.id } };
    const without = await agentWith({ permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES'] });
    for (const [operation, call] of [
      ['agentListExternalAccounts', {}],
      ['agentGetExternalAccount', addressed(payee.id)],
      ['agentDeleteExternalAccount', addressed(payee.id)],
      // The body is not even checked.
      ['agentCreateExternalAccount', bad],
    ] as const) {
      const { status, body } = await without(operation, call);
      assert.deepEqual([status, body.details.violation], [403, 'PERMISSION'], operation);
    }
    const agent = await givenConnectedAgent(platform, ada);
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const paused = as(agent);
    assert.equal((await paused('agentListExternalAccounts')).status, 200);
    assert.equal((await paused('agentGetExternalAccount', addressed(payee.id))).status, 200);
    for (const [operation, call] of [
      ['agentDeleteExternalAccount', addressed(payee.id)],
      ['agentCreateExternalAccount', bad],
    ] as const) {
      const { status, body } = await paused(operation, call);
      assert.deepEqual([status, body.code, body.details.violation], [403, 'FORBIDDEN', 'PAUSED'], operation);
    }
  });

  it('agents.md §3.14, §3.4: an account that an agent adds belongs to its customer, whether the body names it or not', async () => {
    const send = await agentWith();
    for (const more of [{}, { customerId: ada.id }]) {
      const body = { ...buildAccountRequest('EUR_ACCOUNT', { iban: newIban() }), ...more };
      const made = await send('agentCreateExternalAccount', { body });
      assert.equal(made.status, 201, made.raw);
      assert.equal(made.body.customerId, ada.id);
      const read = await platform.call('getCustomerExternalAccountById', addressed(made.body.id));
      assert.deepEqual(made.body, read.body);
      assert.deepEqual((await send('agentGetExternalAccount', addressed(made.body.id))).body, read.body);
    }
    const refused = await send('agentCreateExternalAccount', {
      body: {
        ...buildAccountRequest('EUR_ACCOUNT', { iban: 'XX' }),
        customerId: other.id,
        defaultUmaDepositAccount: true,
      },
    });
    assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(refused.body).toSorted(), [
      'accountInfo.iban',
      'customerId',
      'defaultUmaDepositAccount',
    ]);
  });

  it('agents.md §3.2, §3.4: accounts of others and of the platform are unknown to it, and not listed', async () => {
    const send = await agentWith();
    const own = await givenPayee(ada.id);
    const platforms = await platform.call('createPlatformExternalAccount', {
      body: buildAccountRequest('EUR_ACCOUNT', { iban: newIban() }),
    });
    const strange = [(await givenPayee(other.id)).id, platforms.body.id, `ExternalAccount:${randomUUID()}`];
    const answers = new Set<string>();
    for (const id of strange) {
      for (const operation of ['agentGetExternalAccount', 'agentDeleteExternalAccount']) {
        const { status, raw } = await send(operation, addressed(id));
        assert.equal(status, 404, operation);
        answers.add(raw);
      }
    }
    assert.equal(answers.size, 1);
    const { body } = await send('agentListExternalAccounts', { query: { currency: 'EUR', limit: 100 } });
    const ids = body.data.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes(own.id));
    assert.deepEqual(
      strange.filter((id) => ids.includes(id)),
      [],
    );
    assert.deepEqual((await send('agentListExternalAccounts', { query: { currency: 'GBP' } })).body.data, []);
  });

  it('agents.md §3.14, §3.4: it can delete accounts that are neither the default for UMA payments nor trusted', async () => {
    const send = await agentWith();
    const plain = await givenPayee(ada.id);
    assert.equal((await send('agentDeleteExternalAccount', addressed(plain.id))).status, 204);
    assert.equal((await send('agentGetExternalAccount', addressed(plain.id))).status, 404);
    const chosen = await givenPayee(ada.id, { defaultUmaDepositAccount: true });
    const { status, body } = await send('agentDeleteExternalAccount', addressed(chosen.id));
    assert.deepEqual([status, body.code, body.details.violation], [403, 'FORBIDDEN', 'PERMISSION']);
    const trusted = await givenPayee(ada.id);
    await world.database.query(
      sql`update external_accounts set trusted = true where id = ${uuidOf(trusted)}`,
    );
    const kept = await send('agentDeleteExternalAccount', addressed(trusted.id));
    assert.deepEqual([kept.status, kept.body.code], [409, 'BENEFICIARY_TRUSTED']);
  });

  it('agents.md §5.5: an agent’s writes leave an audit row with the agent as the actor', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const made = await as(agent)('agentCreateExternalAccount', {
      body: buildAccountRequest('EUR_ACCOUNT', { iban: newIban() }),
    });
    await as(agent)('agentDeleteExternalAccount', addressed(made.body.id));
    const rows = await world.database.query<{ action: string }>(sql`
      select action from audit_log where actor_kind = 'agent' and actor_id = ${uuidOf(agent)} order by at, id`);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['redeemAgentDeviceCode', 'agentCreateExternalAccount', 'agentDeleteExternalAccount'],
    );
  });

  it('platform.md §2.3: an agent has its own idempotency keys', async () => {
    const [one, two] = [await agentWith(), await agentWith()];
    const call = { body: buildAccountRequest('EUR_ACCOUNT', { iban: newIban() }), key: randomUUID() };
    const first = await one('agentCreateExternalAccount', call);
    const again = await one('agentCreateExternalAccount', call);
    assert.deepEqual(
      [first.status, again.raw, again.headers['idempotency-replayed']],
      [201, first.raw, 'true'],
    );
    const others = await two('agentCreateExternalAccount', call);
    assert.deepEqual([others.status, others.body.code], [409, 'DUPLICATE_EXTERNAL_ACCOUNT']);
  });
});
