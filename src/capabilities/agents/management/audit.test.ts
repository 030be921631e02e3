import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { executeAs, givenAgentQuote, listActionsAs, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('agents in the audit log', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const listRows = (agent: { readonly id: string }, action: string) =>
    world.database.query<{ resource: string; details: Record<string, unknown> }>(sql`
      select resource, details from audit_log
       where actor_kind = 'agent' and actor_id = ${uuidOf(agent)} and action = ${action} order by at, id`);

  it('agents.md §5.5, §3.3: every refusal for a pause or a missing permission leaves one row, also for reads', async () => {
    const agent = await givenConnectedAgent(platform, ada, { permissions: [] });
    await sendAs(platform, agent, 'agentListTransactions');
    await sendAs(platform, agent, 'agentCreateQuote', { body: {} });
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    await sendAs(platform, agent, 'agentCreateExternalAccount', { body: {} });
    await sendAs(platform, agent, 'agentCreateTransferOut', { body: {} });
    const rows = await listRows(agent, 'agent refused');
    assert.deepEqual(
      rows.map(({ details }) => details.violation),
      ['PERMISSION', 'PERMISSION', 'PAUSED', 'PAUSED'],
    );
    assert.ok(rows.every(({ resource }) => resource === agent.id));
  });

  it('agents.md §5.5, §3.4: the refused deletion of an account that only the platform may delete leaves a row', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const { id: externalAccountId } = await givenExternalAccount(
      platform,
      'USD_ACCOUNT',
      {},
      { customerId: ada.id, defaultUmaDepositAccount: true },
    );
    const { status } = await sendAs(platform, agent, 'agentDeleteExternalAccount', {
      params: { externalAccountId },
    });
    assert.equal(status, 403);
    const [row] = await listRows(agent, 'agent refused');
    assert.equal(row?.details.violation, 'PERMISSION');
  });

  it('agents.md §5.5, §4.4: an action that could not start leaves a row with its id and the error', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const usd = ada.account('USD').id;
    const bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
    const executed = await executeAs(platform, agent, quote.id);
    assert.deepEqual([executed.status, executed.body.code], [400, 'INSUFFICIENT_FUNDS']);
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 1_000 };
    await sendAs(platform, agent, 'agentCreateTransferOut', { body });
    const rows = await listRows(agent, 'agent action failed');
    const kept = await listActionsAs(platform, agent);
    assert.deepEqual(
      rows.map(({ resource, details: { code } }) => [resource, code]),
      kept.toReversed().map(({ id }) => [id, 'INSUFFICIENT_FUNDS']),
    );
    assert.equal(rows.length, 2);
  });
});
