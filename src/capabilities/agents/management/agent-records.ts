import Type from 'typebox';
import { presentActions, shownAction } from '#capabilities/agents/actions/present.ts';
import { ACTION_STATUSES } from '#capabilities/agents/actions/row.ts';
import { findAction, type JoinedActionRow, listActions } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { agentNotFound, findAgent, findTokenUse, listAgents } from '#capabilities/agents/agent-store.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Agents';

export const AGENT_LIST = recordList({
  name: 'agents',
  area: AREA,
  summary: 'Agents',
  filters: {
    customer: filterBy.customer,
    connected: filterBy.flag('Whether it has a token.'),
    paused: filterBy.flag('Whether it is paused.'),
  },
  item: Type.Object({
    agent: shown.id('Agent', 'The agent.'),
    customer: shown.id('Customer', 'The customer for whom it acts.'),
    name: shown.masked('name', 'The first letters of its name.'),
    isPaused: shown.flag('Whether it may only read.'),
    isConnected: shown.flag('Whether it has a token.'),
    mode: shown.code('Whether its payments need an approval.'),
    createdAt: shown.time('When it was created.'),
  }),
  async page(tx, request, { customer: customerId, connected: isConnected, paused: isPaused }) {
    const found = await listAgents(tx, request, { customerId, isConnected, isPaused });
    return { ...found, data: found.data.map(presentListed) };
  },
});

function presentListed(row: AgentRow) {
  return {
    agent: publicId('Agent', row.id),
    customer: publicId('Customer', row.customer_id),
    name: row.name,
    isPaused: row.is_paused,
    isConnected: row.token_hash !== null,
    mode: row.policy.defaultExecutionMode,
    createdAt: row.created_at,
  };
}

export const AGENT_SHOW = recordShow({
  name: 'agents',
  area: AREA,
  summary: 'An agent with its policy and its use of the limits',
  type: 'Agent',
  async load(tx, agentId: AgentId) {
    const row = await findAgent(tx, agentId);
    if (!row) throw agentNotFound();
    return { ...(await presentOneAgent(tx, row)), tokenUsedAt: await findTokenUse(tx, agentId) };
  },
});

/** Actions of deleted agents are among them. */
export const ACTION_LIST = recordList({
  name: 'agent-actions',
  area: AREA,
  summary: 'Actions that agents requested',
  filters: {
    agent: filterBy.id('Agent', 'Only actions of this agent.'),
    customer: filterBy.id('Customer', 'Only actions of this customer’s agents.'),
    status: filterBy.status(ACTION_STATUSES),
  },
  item: Type.Object({
    action: shown.id('AgentAction', 'The action.'),
    agent: shown.id('Agent', 'The agent that requested it.'),
    type: shown.code('Its type.'),
    status: shown.code('Its status.', ACTION_STATUSES),
    failure: shown.code('The code of its failure.'),
    transaction: shown.id('Transaction', 'The transaction that it is about.'),
    createdAt: shown.time('When it was requested.'),
  }),
  async page(tx, request, { agent: agentId, customer: customerId, status }) {
    const found = await listActions(tx, request, { agentId, customerId, status });
    return { ...found, data: found.data.map((action) => presentListedAction(tx, action)) };
  },
});

function presentListedAction({ now }: ReadTx, action: JoinedActionRow) {
  const { status, failure } = shownAction(action, now);
  return {
    action: publicId('AgentAction', action.id),
    agent: publicId('Agent', action.agent_id),
    type: action.type,
    status,
    failure: failure?.code ?? null,
    transaction: action.transaction_id === null ? null : publicId('Transaction', action.transaction_id),
    createdAt: action.created_at,
  };
}

export const ACTION_SHOW = recordShow({
  name: 'agent-actions',
  area: AREA,
  summary: 'An action of an agent with its quote or transfer',
  type: 'AgentAction',
  async load(tx, actionId: Id<'AgentAction'>) {
    const action = await findAction(tx, actionId);
    const [found] = action ? await presentActions(tx, [action]) : [];
    if (!found) throw notFound('NOT_FOUND', 'AgentAction');
    return found;
  },
});
