import { agentNotFound, findAgent, listAgents } from '#capabilities/agents/agent-store.ts';
import { readDeviceCode } from '#capabilities/agents/credentials/device-code.ts';
import { findDeviceCode } from '#capabilities/agents/credentials/device-code-store.ts';
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
import { GuessLimit } from '#foundation/codes/guess-limit.ts';
import { type IdParam, operation, type TextParam } from '#foundation/http/declare/operation.ts';
import { pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const COMMON = { area: 'Agent Management', isExperimental: true } as const;
const AGENT_PARAM: { agentId: IdParam<'Agent'> } = { agentId: { id: 'Agent', missing: 'NOT_FOUND' } };
const CODE_PARAM: { code: TextParam } = {
  code: { text: 'The device code. Lower case is accepted; hyphens and spaces are ignored.', isSecret: true },
};
const AGENT = { agentId: EXAMPLE_IDS.agent };

const create = operation('createAgent', {
  ...COMMON,
  route: 'POST /agents',
  summary: 'Create an agent',
  description:
    'An agent is a program that acts for one of your customers, within its policy. The reply has a device code, which is ' +
    'not stored and cannot be shown again: the agent redeems it for its token. Creating an agent that may move money ' +
    'requires TRANSACT in addition to MANAGE.',
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
    'An agent that needs approval above 250 dollars': {
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
  description: 'Newest first; deleted agents are not listed.',
  access: 'view',
  query: AgentsQuery,
  reply: AgentListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'The connected agents of a customer': {
      query: { customerId: EXAMPLE_IDS.ada, isConnected: true },
      reply: exampleList(CONNECTED_AGENT),
    },
  },
  async read(tx, { query }) {
    requireOrderedBounds(query, [
      ['createdAfter', 'createdBefore'],
      ['updatedAfter', 'updatedBefore'],
    ]);
    const page = await listAgents(tx, pageRequest('listAgents', query), readAgentFilters(query));
    return { ...page, data: await presentAgents(tx, page.data) };
  },
});

function readAgentFilters({ customerId, isPaused, isConnected, ...bounds }: AgentsQuery) {
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
  description: 'The current state of the agent, with its usage of the limits.',
  access: 'view',
  params: AGENT_PARAM,
  reply: Agent,
  codes: ['NOT_FOUND'],
  examples: { 'An agent that is not connected yet': { params: AGENT, reply: NEW_AGENT } },
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
    'A paused agent can only read, and none of its actions can be approved. Resuming an agent that may move money ' +
    'requires TRANSACT in addition to MANAGE.',
  access: 'manage',
  params: AGENT_PARAM,
  body: AgentUpdateRequest,
  reply: Agent,
  codes: ['NOT_FOUND'],
  // A name may identify the customer, and audit rows outlive the customer's erasure.
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
  description: 'Its token becomes invalid at once, and its pending actions are rejected.',
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
    'Applies to all later decisions. Omitted fields stay unchanged, lists are replaced as a whole, groups are merged ' +
    'member by member, and `null` clears an optional field. If you change the currency of the limits, limits that are not ' +
    'sent are converted and rounded down, and the usage is converted and rounded up. If the agent may move money before ' +
    'or after the change, this requires TRANSACT in addition to MANAGE.',
  access: 'manage',
  params: AGENT_PARAM,
  body: AgentPolicyUpdateRequest,
  checksBody: true,
  reply: Agent,
  codes: ['NOT_FOUND', 'QUOTE_REQUEST_FAILED'],
  auditDetails: ({ body }) => ({ ...body }),
  examples: {
    'Lower limits, and an approval for everything': {
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
  summary: 'Create a new device code',
  description:
    'Codes that were not redeemed become invalid. A connected agent must be paused first, and its token becomes invalid at ' +
    'once: use this to replace a leaked token. For an agent that may move money, this requires TRANSACT in addition to ' +
    'MANAGE.',
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
  summary: 'Get the status of a device code',
  description:
    'Shows whether the agent is connected. A code that expired, or that a newer one replaced, reads as not redeemed.',
  access: 'view',
  params: CODE_PARAM,
  reply: AgentDeviceCodeStatusResponse,
  codes: ['NOT_FOUND'],
  examples: {
    'A redeemed code': {
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
      'The agent calls this itself, without credentials. Only this reply contains the token, which is valid for ' +
      '`/agents/me`, the paths below it, and `/mcp`.',
    access: 'public',
    params: CODE_PARAM,
    reply: AgentDeviceCodeRedeemResponse,
    idempotency: { key: 'ignored' },
    codes: ['INVALID_INPUT', 'NOT_FOUND', 'RATE_LIMITED'],
    examples: { 'The first time': { params: { code: DEVICE_CODE.code }, reply: REDEEMED_CODE } },
    handle: (work, { params, request }) => redeemCode(work.runtime, limit, params.code, request),
  });

/** In the contract's order. */
export function agentOperations() {
  return [
    create,
    list,
    get,
    update,
    remove,
    changePolicy,
    regenerate,
    status,
    redeem(new GuessLimit(CODE_KINDS.DEVICE.limits)),
  ];
}
