import { requireAgentCaller } from '#capabilities/agents/actions/agent-call.ts';
import { loadTransferring, prepareAgentTransfer } from '#capabilities/agents/actions/create-transfer.ts';
import {
  APPROVED_ACTION,
  LARGE_TRANSFER_REQUEST,
  LARGER_TRANSFER_REQUEST,
  OWN_ACTION,
  REJECTED_ACTION,
  ROOM_ACTION,
  SECOND_WAITING_ACTION,
  WAITING_ACTION,
} from '#capabilities/agents/actions/examples.ts';
import { prepareAgentExecution } from '#capabilities/agents/actions/execute-quote.ts';
import { prepareApproval, prepareRejection } from '#capabilities/agents/actions/prepare-decision.ts';
import { presentActions } from '#capabilities/agents/actions/present.ts';
import {
  ActionsOfAgentQuery,
  AgentAction,
  AgentActionListResponse,
  AgentActionRejectRequest,
  AgentActionsQuery,
  AgentApprovalsQuery,
} from '#capabilities/agents/actions/schemas.ts';
import { type ActionFilters, findAction, listActions } from '#capabilities/agents/actions/store.ts';
import { agentNotFound, findAgent } from '#capabilities/agents/agent-store.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { EXECUTION_CODES, MOVEMENT_CODES } from '#capabilities/payments/quotes/routes.ts';
import { TRANSFER_IN_REQUEST } from '#capabilities/payments/transfers/examples.ts';
import { TRANSFER_OUT_CODES, withAmount } from '#capabilities/payments/transfers/routes.ts';
import { TransferInRequest, TransferOutRequest } from '#capabilities/payments/transfers/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const COMMON = { area: 'Agent Operations', access: 'agent', isExperimental: true } as const;
const QUOTE_ID = { quoteId: { id: 'Quote', missing: 'QUOTE_NOT_FOUND' } } as const;
const ACTION_ID = { actionId: { id: 'AgentAction', missing: 'NOT_FOUND' } } as const;

/** `prepare` checks pause and permission, because the quote and the key come first (agents.md §4.22, §4.23). */
const execute = (payments: PaymentParts) =>
  operation('agentExecuteQuote', {
    ...COMMON,
    route: 'POST /agents/me/quotes/:quoteId/execute',
    summary: 'Execute the agent’s quote',
    description:
      'The payment starts at once or, if the agent’s policy requires it, after the platform’s approval. A quote ' +
      'from an embedded wallet needs the signature of the wallet’s owner over the `payloadToSign` in its instructions. ' +
      'Requires EXECUTE_QUOTES. A refusal by the policy is 403, with `details.violation`, `limit`, `used` and `requested`.',
    idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST', prepareFindsKey: true },
    signed: { withoutRequestId: true },
    params: QUOTE_ID,
    reply: AgentAction,
    codes: [...EXECUTION_CODES, 'QUOTE_REQUEST_FAILED'],
    examples: { 'A room': { params: { quoteId: EXAMPLE_IDS.roomQuote }, reply: ROOM_ACTION } },
    prepare: (tx, { caller, params, key, request }) =>
      prepareAgentExecution(payments, tx, {
        caller,
        quoteId: params.quoteId,
        key,
        request,
      }),
  });

const list = operation('agentListActions', {
  ...COMMON,
  route: 'GET /agents/me/actions',
  summary: 'List the agent’s actions',
  description: 'The current state of each action, newest first, including those that could not start.',
  query: AgentActionsQuery,
  reply: AgentActionListResponse,
  codes: [],
  examples: {
    'Rejected actions': { query: { status: 'REJECTED' }, reply: exampleList(REJECTED_ACTION) },
  },
  async read(tx, { caller, query }) {
    const filters = { agentId: requireAgentCaller(caller).id, status: query.status };
    const { data, ...page } = await listActions(tx, pageRequest('agentListActions', query), filters);
    return { ...page, data: await presentActions(tx, data) };
  },
});

const get = operation('agentGetAction', {
  ...COMMON,
  route: 'GET /agents/me/actions/:actionId',
  summary: 'Get an action of the agent',
  description:
    'The current state of the action; poll until it is decided. It has its `transaction` once it has started, and ' +
    '`failure` or `rejectionReason` if it has not.',
  params: ACTION_ID,
  reply: AgentAction,
  codes: [],
  examples: { 'A waiting action': { params: { actionId: WAITING_ACTION.id }, reply: WAITING_ACTION } },
  async read(tx, { caller, params }) {
    const action = await findAction(tx, params.actionId);
    if (action?.agent_id !== caller.id) return notFound('NOT_FOUND', 'AgentAction');
    const [shown] = await presentActions(tx, [action]);
    return shown ?? notFound('NOT_FOUND', 'AgentAction');
  },
});

/**
 * `prepare` checks pause and permission, because the key comes first (agents.md §4.42), and the body after them
 * (agents.md §4.45).
 */
const TRANSFERS = {
  ...COMMON,
  idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
  checksBody: true,
  status: 201,
  reply: AgentAction,
} as const;

const transferIn = operation('agentCreateTransferIn', {
  ...TRANSFERS,
  route: 'POST /agents/me/transfer-in',
  summary: 'Pull money from a bank account of the agent’s customer',
  description:
    'The money is collected at once or, if the agent’s policy requires it, after the platform’s approval, for which the ' +
    'transfer waits up to seven days. Requires CREATE_TRANSFERS. A refusal by the policy is 403, with `details.violation`.',
  body: TransferInRequest,
  codes: [...MOVEMENT_CODES, 'QUOTE_REQUEST_FAILED'],
  examples: { 'Within the policy': { body: TRANSFER_IN_REQUEST, reply: OWN_ACTION } },
  async prepare(tx, { caller, body, problems }) {
    const agent = await loadTransferring(tx, caller, 'TRANSFER_IN');
    return prepareAgentTransfer(tx, agent, { type: 'INCOMING', request: withAmount(body, problems) });
  },
});

const transferOut = operation('agentCreateTransferOut', {
  ...TRANSFERS,
  route: 'POST /agents/me/transfer-out',
  summary: 'Pay from an account of the agent’s customer',
  description:
    'The amount is debited at once or, if the agent’s policy requires it, after the platform’s approval, for which the ' +
    'transfer waits up to seven days. Requires CREATE_TRANSFERS. A refusal by the policy is 403, with `details.violation`.',
  body: TransferOutRequest,
  codes: [...TRANSFER_OUT_CODES, 'QUOTE_REQUEST_FAILED'],
  examples: {
    'A transfer that needs an approval': { body: LARGE_TRANSFER_REQUEST, reply: WAITING_ACTION },
    'Another transfer that needs an approval': {
      body: LARGER_TRANSFER_REQUEST,
      reply: SECOND_WAITING_ACTION,
    },
  },
  async prepare(tx, { caller, body, problems }) {
    const agent = await loadTransferring(tx, caller, 'TRANSFER_OUT');
    return prepareAgentTransfer(tx, agent, { type: 'OUTGOING', request: withAmount(body, problems) });
  },
});

const MANAGEMENT = { area: 'Agent Management', isExperimental: true } as const;
const ACTION_OF_AGENT = { agentId: { id: 'Agent', missing: 'NOT_FOUND' }, ...ACTION_ID } as const;

const listApprovals = operation('listAgentApprovals', {
  ...MANAGEMENT,
  route: 'GET /agents/approvals',
  summary: 'List actions that wait for approval',
  description: 'Undecided actions of your agents, newest first unless `sortOrder` says otherwise.',
  access: 'view',
  query: AgentApprovalsQuery,
  reply: AgentActionListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'Actions for a customer': { query: { customerId: EXAMPLE_IDS.ada }, reply: exampleList(WAITING_ACTION) },
  },
  async read(tx, { query }) {
    const { agentId, customerId } = query;
    const { data, ...page } = await listActions(tx, pageRequest('listAgentApprovals', query), {
      ...readBounds(query),
      agentId,
      customerId,
      status: 'PENDING_APPROVAL',
    });
    return { ...page, data: await presentActions(tx, data) };
  },
});

const listOfAgent = operation('listAgentActions', {
  ...MANAGEMENT,
  route: 'GET /agents/:agentId/actions',
  summary: 'List the actions of an agent',
  description:
    'All actions of the agent, decided or not, including those that could not start. Newest first unless `sortOrder` ' +
    'says otherwise.',
  access: 'view',
  isBeyondContract: true,
  params: { agentId: ACTION_OF_AGENT.agentId },
  query: ActionsOfAgentQuery,
  reply: AgentActionListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'Rejected actions': {
      params: { agentId: EXAMPLE_IDS.agent },
      query: { status: 'REJECTED' },
      reply: exampleList(REJECTED_ACTION),
    },
  },
  async read(tx, { params: { agentId }, query }) {
    const filters = { ...readBounds(query), agentId, status: query.status, type: query.type };
    if (!(await findAgent(tx, agentId))) return agentNotFound();
    const { data, ...page } = await listActions(
      tx,
      pageRequest(`listAgentActions ${agentId}`, query),
      filters,
    );
    return { ...page, data: await presentActions(tx, data) };
  },
});

interface Bounds {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sortOrder?: 'asc' | 'desc';
}

function readBounds(query: Bounds): Pick<ActionFilters, 'createdAfter' | 'createdBefore' | 'order'> {
  requireOrderedBounds(query, [['startDate', 'endDate']]);
  const { startDate, endDate, sortOrder: order } = query;
  return {
    createdAfter: startDate === undefined ? undefined : parseDateTime(startDate),
    createdBefore: endDate === undefined ? undefined : parseDateTime(endDate),
    order,
  };
}

const approve = (payments: PaymentParts) =>
  operation('approveAgentAction', {
    ...MANAGEMENT,
    route: 'POST /agents/:agentId/actions/:actionId/approve',
    summary: 'Approve an action of an agent',
    description:
      'The payment starts if all its conditions still hold; otherwise the action becomes `FAILED` with the reason. An ' +
      'approval cannot override a limit.',
    access: 'transact',
    params: ACTION_OF_AGENT,
    reply: AgentAction,
    codes: ['CONFLICT'],
    examples: {
      'A transfer': {
        params: { agentId: EXAMPLE_IDS.agent, actionId: WAITING_ACTION.id },
        reply: APPROVED_ACTION,
      },
    },
    prepare: (tx, { params }) => prepareApproval(payments, tx, params),
  });

const reject = operation('rejectAgentAction', {
  ...MANAGEMENT,
  route: 'POST /agents/:agentId/actions/:actionId/reject',
  summary: 'Reject an action of an agent',
  description:
    'No money has moved. The agent sees the reason and cannot execute the same quote again; you still can.',
  access: 'transact',
  params: ACTION_OF_AGENT,
  body: AgentActionRejectRequest,
  bodyOptional: true,
  reply: AgentAction,
  codes: ['INVALID_INPUT', 'CONFLICT'],
  examples: {
    'With a reason': {
      params: { agentId: EXAMPLE_IDS.agent, actionId: REJECTED_ACTION.id },
      body: { reason: 'Already paid' },
      reply: REJECTED_ACTION,
    },
  },
  prepare: (tx, { params, body }) => prepareRejection(tx, params, body?.reason),
});

/** Agents' operations that move money, and the decisions about them (agents.md §4, §5). In the contract's order. */
export function agentActionOperations(payments: PaymentParts) {
  return [
    ...[listApprovals, approve(payments), reject, execute(payments), list, get, transferIn, transferOut],
    listOfAgent,
  ];
}
