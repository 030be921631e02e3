import { agentNotFound, findAgent, listAgents } from '#capabilities/agents/agent-store.ts';
import { readDeviceCode } from '#capabilities/agents/credentials/device-code.ts';
import { findDeviceCode } from '#capabilities/agents/credentials/device-code-store.ts';
import { GuessLimit } from '#capabilities/agents/credentials/guess-limit.ts';
import {
  AGENT_REQUEST,
  CAREFUL_AGENT,
  CONNECTED_AGENT,
  DEVICE_CODE,
  NEW_AGENT,
  PAUSED_AGENT,
  REDEEMED_CODE,
  SECOND_CODE,
} from '#capabilities/agents/examples.ts';
import { createAgent } from '#capabilities/agents/management/create-agent.ts';
import { codeNotFound, redeemCode } from '#capabilities/agents/management/redeem-code.ts';
import {
  deleteAgent,
  regenerateCode,
  updateAgent,
  updatePolicy,
} from '#capabilities/agents/management/update-agent.ts';
import { presentAgents, presentOneAgent } from '#capabilities/agents/policy/present.ts';
import {
  Agent,
  AgentCreateRequest,
  AgentCreateResponse,
  AgentDeviceCode,
  AgentDeviceCodeRedeemResponse,
  AgentDeviceCodeStatusResponse,
  AgentListResponse,
  AgentPolicyUpdateRequest,
  AgentsQuery,
  AgentUpdateRequest,
} from '#capabilities/agents/schemas.ts';
import { type IdParam, operation, type TextParam } from '#foundation/http/declare/operation.ts';
import { pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const COMMON = { area: 'Agent Management', isExperimental: true } as const;
const AGENT_PARAM: { agentId: IdParam } = { agentId: { id: 'Agent', missing: 'NOT_FOUND' } };
const CODE_PARAM: { code: TextParam } = {
  code: { text: 'The device code; lower case is taken, hyphens and spaces are ignored.', isSecret: true },
};
/** Of the examples. */
const AGENT = { agentId: EXAMPLE_IDS.agent };

const create = operation('createAgent', {
  ...COMMON,
  route: 'POST /agents',
  summary: 'Create an agent',
  description:
    'A program that is to act for one of your customers, within the policy that you give it. The reply holds a device ' +
    'code, which is not stored and cannot be shown again: the agent redeems it for its token. Creating one that may ' +
    'move money takes TRANSACT beside MANAGE.',
  access: 'manage',
  body: AgentCreateRequest,
  checksBody: true,
  status: 201,
  reply: AgentCreateResponse,
  idempotency: { key: 'optional', secretReply: true },
  codes: ['CUSTOMER_NOT_FOUND', 'CONFLICT'],
  auditDetails: ({ body }, { agent }) => ({
    agentId: agent.id,
    customerId: agent.customerId,
    policy: body.policy,
  }),
  examples: {
    'That asks above 250 dollars': {
      body: AGENT_REQUEST,
      reply: { agent: NEW_AGENT, deviceCode: DEVICE_CODE },
    },
  },
  write: (tx, { caller, body, problems }) => createAgent(tx, caller, body, problems),
});

const list = operation('listAgents', {
  ...COMMON,
  route: 'GET /agents',
  summary: 'List agents',
  description: 'The newest first; deleted ones are not listed.',
  access: 'view',
  query: AgentsQuery,
  reply: AgentListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'The connected ones of a customer': {
      query: { customerId: EXAMPLE_IDS.ada, isConnected: true },
      reply: exampleList(CONNECTED_AGENT),
    },
  },
  async read(tx, { query }) {
    requireOrderedBounds(query, [
      ['createdAfter', 'createdBefore'],
      ['updatedAfter', 'updatedBefore'],
    ]);
    const page = await listAgents(tx, pageRequest('listAgents', query), filtersOf(query));
    return { ...page, data: await presentAgents(tx, page.data) };
  },
});

function filtersOf({ customerId, isPaused, isConnected, ...bounds }: AgentsQuery) {
  const at = (text: string | undefined) => (text === undefined ? undefined : parseDateTime(text));
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = bounds;
  return {
    ...{ customerId, isPaused, isConnected },
    createdAfter: at(createdAfter),
    createdBefore: at(createdBefore),
    updatedAfter: at(updatedAfter),
    updatedBefore: at(updatedBefore),
  };
}

const get = operation('getAgentById', {
  ...COMMON,
  route: 'GET /agents/:agentId',
  summary: 'Get an agent',
  description: 'The agent as it stands now, with what it has used of its limits.',
  access: 'view',
  params: AGENT_PARAM,
  reply: Agent,
  codes: ['NOT_FOUND'],
  examples: { 'That waits to be connected': { params: AGENT, reply: NEW_AGENT } },
  async read(tx, { params }) {
    const row = await findAgent(tx, params.agentId);
    return row ? presentOneAgent(tx, row) : agentNotFound();
  },
});

const update = operation('updateAgent', {
  ...COMMON,
  route: 'PATCH /agents/:agentId',
  summary: 'Rename, pause or resume an agent',
  description:
    'While it is paused an agent can only read, and none of its actions can be approved. Resuming one that may move money ' +
    'takes TRANSACT beside MANAGE.',
  access: 'manage',
  params: AGENT_PARAM,
  body: AgentUpdateRequest,
  reply: Agent,
  codes: ['NOT_FOUND'],
  // A name may say who the customer is, and audit rows outlive the customer's erasure.
  auditDetails: ({ body: { name, ...rest } }) => ({
    ...rest,
    ...(name !== undefined && { isRenamed: true }),
  }),
  examples: { 'Paused for a while': { params: AGENT, body: { isPaused: true }, reply: PAUSED_AGENT } },
  write: (tx, { caller, params, body }) => updateAgent(tx, caller, params.agentId, body),
});

const remove = operation('deleteAgent', {
  ...COMMON,
  route: 'DELETE /agents/:agentId',
  summary: 'Delete an agent',
  description: 'Its token is refused from now on, and what waits for your approval is rejected.',
  access: 'manage',
  params: AGENT_PARAM,
  codes: ['NOT_FOUND'],
  examples: { 'No longer needed': { params: AGENT } },
  async write(tx, { params }) {
    await deleteAgent(tx, params.agentId);
    return undefined;
  },
});

const changePolicy = operation('updateAgentPolicy', {
  ...COMMON,
  route: 'PATCH /agents/:agentId/policy',
  summary: 'Change the policy of an agent',
  description:
    'In force for whatever is decided from now on. What is left out stays; lists are replaced whole, groups are merged ' +
    'member by member, and `null` clears what may be none. Another currency of the limits converts those that are not ' +
    'sent, rounded down, and what was used, rounded up. Of an agent that may move money, now or then, it takes TRANSACT ' +
    'beside MANAGE.',
  access: 'manage',
  params: AGENT_PARAM,
  body: AgentPolicyUpdateRequest,
  checksBody: true,
  reply: Agent,
  codes: ['NOT_FOUND', 'QUOTE_REQUEST_FAILED'],
  auditDetails: ({ body }) => ({ ...body }),
  examples: {
    'Less at once, and nothing without asking': {
      params: AGENT,
      body: {
        defaultExecutionMode: 'APPROVAL_REQUIRED',
        spendingLimits: { perTransactionLimit: 20_000, dailyLimit: null },
      },
      reply: CAREFUL_AGENT,
    },
  },
  write: (tx, { caller, params, body, problems }) => updatePolicy(tx, caller, params.agentId, body, problems),
});

const regenerate = operation('regenerateAgentDeviceCode', {
  ...COMMON,
  route: 'POST /agents/:agentId/device-codes',
  summary: 'Make a new device code',
  description:
    'Codes that were not redeemed are dead from now on. Of a connected agent, which must be paused first, the token ends ' +
    'at once: this is how one that leaked is replaced. For an agent that may move money it takes TRANSACT beside MANAGE.',
  access: 'manage',
  params: AGENT_PARAM,
  status: 201,
  reply: AgentDeviceCode,
  idempotency: { key: 'optional', secretReply: true },
  codes: ['NOT_FOUND', 'CONFLICT'],
  examples: { 'For a token that may have leaked': { params: AGENT, reply: SECOND_CODE } },
  write: (tx, { caller, params }) => regenerateCode(tx, caller, params.agentId),
});

const status = operation('getAgentDeviceCodeStatus', {
  ...COMMON,
  route: 'GET /agents/device-codes/:code/status',
  summary: 'Ask whether a device code was redeemed',
  description:
    'Tells when the agent is connected. A code that expired, or that a newer one replaced, was not redeemed.',
  access: 'view',
  params: CODE_PARAM,
  reply: AgentDeviceCodeStatusResponse,
  codes: ['NOT_FOUND'],
  examples: {
    'That was redeemed': {
      params: { code: DEVICE_CODE.code },
      reply: { code: DEVICE_CODE.code, redeemed: true },
    },
  },
  async read(tx, { params }) {
    const typed = readDeviceCode(tx.runtime, params.code);
    const row = typed && (await findDeviceCode(tx, typed.hash));
    return typed && row ? { code: typed.code, redeemed: row.redeemed_at !== null } : codeNotFound();
  },
});

const redeem = (limit: GuessLimit) =>
  operation('redeemAgentDeviceCode', {
    ...COMMON,
    route: 'POST /agents/device-codes/:code/redeem',
    summary: 'Redeem a device code for the agent’s token',
    description:
      'The agent’s own call, without credentials. The token is in this reply only, and opens `/agents/me`, what is ' +
      'below it, and `/mcp`.',
    access: 'public',
    params: CODE_PARAM,
    reply: AgentDeviceCodeRedeemResponse,
    idempotency: { key: 'ignored' },
    codes: ['INVALID_INPUT', 'NOT_FOUND', 'RATE_LIMITED'],
    examples: { 'The first time': { params: { code: DEVICE_CODE.code }, reply: REDEEMED_CODE } },
    handle: (work, { params, request }) => redeemCode(work.runtime, limit, params.code, request),
  });

/** In contract order. */
export function agentOperations() {
  return [create, list, get, update, remove, changePolicy, regenerate, status, redeem(new GuessLimit())];
}
