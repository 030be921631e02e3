import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AGENT_PERMISSIONS, type AgentPermission } from '#capabilities/agents/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { type CallingAgent, givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { givenOutside, givenPayer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** agents.md §3.11–3.18: any one of these allows the call; an empty list needs no permission. */
const NEEDS: Readonly<Record<string, readonly AgentPermission[]>> = {
  getAgentMe: [],
  agentListActions: [],
  agentGetAction: [],
  agentListInternalAccounts: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
  agentListTransactions: ['VIEW_TRANSACTIONS'],
  agentGetTransaction: ['VIEW_TRANSACTIONS'],
  agentCreateExternalAccount: ['MANAGE_EXTERNAL_ACCOUNTS'],
  agentListExternalAccounts: ['MANAGE_EXTERNAL_ACCOUNTS'],
  agentGetExternalAccount: ['MANAGE_EXTERNAL_ACCOUNTS'],
  agentDeleteExternalAccount: ['MANAGE_EXTERNAL_ACCOUNTS'],
  agentCreateQuote: ['CREATE_QUOTES'],
  agentGetQuote: [],
  agentExecuteQuote: ['EXECUTE_QUOTES'],
  agentCreateTransferIn: ['CREATE_TRANSFERS'],
  agentCreateTransferOut: ['CREATE_TRANSFERS'],
};

const without = (left: AgentPermission) => AGENT_PERMISSIONS.filter((permission) => permission !== left);
const SETS: readonly (readonly AgentPermission[])[] = [
  [],
  ...AGENT_PERMISSIONS.map((permission) => [permission]),
  ...AGENT_PERMISSIONS.map(without),
  AGENT_PERMISSIONS,
];

/** Every operation of an agent with every relevant set of permissions, active and paused. */
describe('permissions of agents', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let agent: CallingAgent;
  let quoteId: string;

  before(async () => {
    platform = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const payer = await givenPayer(platform, 10_000);
    agent = await givenConnectedAgent(platform, payer);
    const to = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    ({ id: quoteId } = await givenAgentQuote(platform, agent, {
      from: payer.account('USD').id,
      to,
      send: 100,
    }));
  });

  const own = () => world.app.operations.filter((operation) => callersOf(operation).includes('agent'));

  async function setAgent(permissions: readonly AgentPermission[], isPaused: boolean): Promise<void> {
    const params = { agentId: agent.id };
    await platform.send('updateAgentPolicy', { params, body: { permissions: [...permissions] } });
    const { status, raw } = await platform.send('updateAgent', { params, body: { isPaused } });
    assert.equal(status, 200, raw);
  }

  /**
   * Only the quote has to exist, because it is looked up first (agents.md §4.22). The body is invalid for every
   * operation.
   */
  async function callForViolation({ id, path, method }: NamedOperation): Promise<string | undefined> {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(
      names.map((name) => [
        name,
        id === 'agentExecuteQuote' ? quoteId : '019542f5-b3e7-7d02-8000-0000000000ff',
      ]),
    );
    const reply = await sendAs(platform, agent, id, { params, ...(method === 'POST' && { body: {} }) });
    assert.ok(reply.status < 500 && reply.status !== 401, `${id}: ${reply.raw}`);
    const violation = reply.body.details?.violation as string | undefined;
    assert.equal(reply.status === 403, violation !== undefined, `${id}: ${reply.raw}`);
    return violation;
  }

  it('agents.md §3.11–3.18: every operation of agents is in the table', () => {
    assert.deepEqual(
      own()
        .map(({ id }) => id)
        .sort(),
      Object.keys(NEEDS).sort(),
    );
  });

  it('agents.md §3.11–3.18, §3.3: a call requires exactly its permission; without it the violation is PERMISSION', async () => {
    for (const permissions of SETS) {
      await setAgent(permissions, false);
      for (const operation of own()) {
        const needs = NEEDS[operation.id] ?? [];
        const may = needs.length === 0 || needs.some((permission) => permissions.includes(permission));
        const told = `${operation.id} with ${permissions.join(', ')}`;
        assert.equal(await callForViolation(operation), may ? undefined : 'PERMISSION', told);
      }
    }
  });

  it('agents.md §3.3: a paused agent reads what its permissions allow, and every write is PAUSED, whatever its permissions', async () => {
    for (const permissions of SETS) {
      await setAgent(permissions, true);
      for (const operation of own()) {
        const needs = NEEDS[operation.id] ?? [];
        const may = needs.length === 0 || needs.some((permission) => permissions.includes(permission));
        const expected = operation.method !== 'GET' ? 'PAUSED' : may ? undefined : 'PERMISSION';
        const told = `${operation.id} with ${permissions.join(', ')}`;
        assert.equal(await callForViolation(operation), expected, told);
      }
    }
  });

  it('agents.md §5.5: every call that the policy refuses leaves one audit row, and no other does', async () => {
    const countRows = async () =>
      (
        await world.database.query(
          sql`select from audit_log where actor_id = ${uuidOf(agent)} and action = 'agent refused'`,
        )
      ).length;
    for (const isPaused of [false, true]) {
      await setAgent([], isPaused);
      for (const operation of own()) {
        const before = await countRows();
        const isRefused = (await callForViolation(operation)) !== undefined;
        assert.equal((await countRows()) - before, isRefused ? 1 : 0, operation.id);
      }
    }
  });
});
