// lane: whole — kills a process in the middle of its work

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { sql } from '#foundation/database/sql.ts';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  givenPrincipal,
  listActionsAs,
  sendAs,
} from '#tests/given/actions.ts';
import { givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { fetchBalance, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { killDuring } from '#tests/model/killable.ts';

describe('actions of agents, and a process that died in the middle of its commit', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world));
  });

  /** The row that a commit has to wait for: the agent itself or, late in the commit, its usage. */
  const PLACES = {
    'the agent is looked at': (id: string) => `select from agents where id = '${id}' for update`,
    'the usage is counted': (id: string) =>
      `select from counters where name like 'AGENT_%:${id}%' for update`,
  };

  /** Locks the row that the commit needs, cuts all connections while it waits, and repeats the call. */
  async function repeatedAfterDeath<T>(holding: string, call: () => Promise<T>): Promise<T> {
    const holder = new pg.Client({ connectionString: world.databaseUrl });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('begin');
    await holder.query(holding);
    return killDuring(world, () => untilBlocked(world.databaseUrl), call);
  }

  /** An agent with some usage, so that its counters exist. */
  async function givenUser(mode: 'AUTO' | 'APPROVAL_REQUIRED'): Promise<CallingAgent> {
    const agent = await givenConnectedAgent(platform, ada);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1 });
    assert.equal((await executeAs(platform, agent, quote.id)).status, 200);
    const params = { agentId: agent.id };
    await platform.send('updateAgentPolicy', { params, body: { defaultExecutionMode: mode } });
    return agent;
  }

  const asked = async (agent: CallingAgent) => {
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 1_000 };
    return {
      execution: (key: string) => executeAs(platform, agent, quote.id, { key }),
      transfer: (key: string) => sendAs(platform, agent, 'agentCreateTransferOut', { body, key }),
    };
  };

  /** The number of actions beside the first, the amounts counted and paid since, and the events of pending actions. */
  async function standing(agent: CallingAgent, balance: number) {
    const { usage } = await readAgent(platform, agent);
    const actions = (await listActionsAs(platform, agent)).slice(0, -1);
    const events = await world.database.query(sql`
      select from events e join agent_actions a on e.resource_id = 'AgentAction:' || a.id
       where a.agent_id = ${uuidOf(agent)}`);
    return {
      actions: actions.map(({ status }) => status),
      counted: [usage.dailyTransactionCount - 1, usage.dailySpend - 1],
      paid: balance - (await fetchBalance(platform, ada, 'USD')),
      events: events.length,
    };
  }

  for (const [place, holding] of Object.entries(PLACES)) {
    for (const what of ['execution', 'transfer'] as const) {
      it(`agents.md §4.6, §4.7, money.md §12.11: when ${place}: the ${what} under its key is one action, paid and counted once`, async () => {
        const agent = await givenUser('AUTO');
        const balance = await fetchBalance(platform, ada, 'USD');
        const call = (await asked(agent))[what];
        const reply = await repeatedAfterDeath(holding(uuidOf(agent)), () => call(`${place} ${what}`));
        assert.equal(reply.body.status, 'APPROVED', reply.raw);
        const again = await call(`${place} ${what}`);
        assert.equal(again.raw, reply.raw);
        const stands = { actions: ['APPROVED'], counted: [1, 1_000], paid: 1_000, events: 0 };
        assert.deepEqual(await standing(agent, balance), stands);
      });

      it(`agents.md §5.11, §4.5, money.md §12.11: when ${place}: the ${what} waits once, and its approval starts it once`, async () => {
        const agent = await givenUser('APPROVAL_REQUIRED');
        const balance = await fetchBalance(platform, ada, 'USD');
        const call = (await asked(agent))[what];
        const isAgent = place === 'the agent is looked at';
        const submit = () => call(`${place} ${what}`);
        const waiting = isAgent ? await repeatedAfterDeath(holding(uuidOf(agent)), submit) : await submit();
        assert.equal(waiting.body.status, 'PENDING_APPROVAL', waiting.raw);
        const waits = { actions: ['PENDING_APPROVAL'], counted: [0, 0], paid: 0, events: 1 };
        assert.deepEqual(await standing(agent, balance), waits);
        const params = { agentId: agent.id, actionId: waiting.body.id };
        const approved = await repeatedAfterDeath(holding(uuidOf(agent)), () =>
          platform.call('approveAgentAction', { params, key: `${place} ${what}` }),
        );
        assert.equal(approved.body.status, 'APPROVED', approved.raw);
        const started = { actions: ['APPROVED'], counted: [1, 1_000], paid: 1_000, events: 1 };
        assert.deepEqual(await standing(agent, balance), started);
      });
    }
  }
});
