import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { AgentAccountsQuery, InternalAccountListResponse } from '#capabilities/accounts/schemas.ts';
import { listCustomerAccounts } from '#capabilities/accounts/store.ts';
import {
  allowedAccountsOf,
  loadCaller,
  readAccess,
  requireAgentCaller,
  writeAccess,
} from '#capabilities/agents/actions/agent-call.ts';
import { RefusedByPolicy } from '#capabilities/agents/actions/movement.ts';
import { CONNECTED_AGENT, HOST, HOST_REQUEST, USABLE_ACCOUNT } from '#capabilities/agents/examples.ts';
import {
  createQuote,
  getQuote,
  getTransaction,
  listOwnTransactions,
} from '#capabilities/agents/own/own-payments.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import { policyViolation } from '#capabilities/agents/policy/verdict.ts';
import { Agent } from '#capabilities/agents/schemas.ts';
import { createExternalAccount } from '#capabilities/external-accounts/create-external-account.ts';
import { deleteExternalAccount } from '#capabilities/external-accounts/delete-external-account.ts';
import { JEAN } from '#capabilities/external-accounts/examples.ts';
import { presentExternalAccount } from '#capabilities/external-accounts/present.ts';
import { CREATE_CODES, EXTERNAL_ACCOUNT_PARAM } from '#capabilities/external-accounts/routes.ts';
import {
  ExternalAccount,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  PlatformExternalAccountsQuery,
} from '#capabilities/external-accounts/schemas.ts';
import {
  externalAccountNotFound,
  findExternalAccount,
  listAccounts,
} from '#capabilities/external-accounts/store.ts';
import type { QuoteParts } from '#capabilities/payments/quotes/create-quote.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { exampleList } from '#foundation/lib/examples.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

const getAgentMe = operation('getAgentMe', {
  ...readAccess('GET /agents/me'),
  summary: 'Get the calling agent',
  description:
    'Its policy, and its usage of the limits. Requires no permission, and works while the agent is paused.',
  reply: Agent,
  codes: [],
  examples: { 'A connected agent': { reply: CONNECTED_AGENT } },
  read: async (tx, { caller }) => presentOneAgent(tx, await loadCaller(tx, caller)),
});

const listInternalAccounts = operation('agentListInternalAccounts', {
  ...readAccess('GET /agents/me/internal-accounts'),
  summary: 'List the accounts that the agent may use',
  description:
    'The accounts of its customer that the policy allows, newest first, with their current balances. Requires any ' +
    'permission other than MANAGE_EXTERNAL_ACCOUNTS.',
  query: AgentAccountsQuery,
  reply: InternalAccountListResponse,
  codes: [],
  examples: {
    'The account that the agent may use': { query: { currency: 'USD' }, reply: exampleList(USABLE_ACCOUNT) },
  },
  async read(tx, { caller, query }) {
    const agent = await loadCaller(tx, caller);
    const { customer_id: customerId } = agent;
    const ids = allowedAccountsOf(agent);
    const request = pageRequest('agentListInternalAccounts', query);
    const { currency, type } = query;
    return listCustomerAccounts(tx, request, { customerId, currency, type, ids }, (row) =>
      presentInternalAccount(tx, row),
    );
  },
});

const createPayee = operation('agentCreateExternalAccount', {
  ...writeAccess('POST /agents/me/external-accounts'),
  summary: 'Add an external account for the agent’s customer',
  description:
    'The fields of `accountInfo` depend on its `accountType`. The account always belongs to the customer. An agent cannot ' +
    'make it the default for the customer’s UMA payments. Requires MANAGE_EXTERNAL_ACCOUNTS.',
  body: ExternalAccountCreateRequest,
  checksBody: true,
  status: 201,
  reply: ExternalAccount,
  codes: CREATE_CODES,
  examples: { 'A host': { body: HOST_REQUEST, reply: HOST } },
  async write(tx, { caller, body, problems }) {
    const { customerId } = requireAgentCaller(caller);
    const errors = [...problems, ...problemsOfAgent(body, customerId)];
    return presentExternalAccount(tx, await createExternalAccount(tx, customerId, body, errors));
  },
});

/** agents.md §3.14, §3.4: the fields of an account that an agent may not set. The body may still violate its schema. */
function problemsOfAgent(body: ExternalAccountCreateRequest, customerId: CustomerId): FieldError[] {
  const isForeign = body.customerId !== undefined && body.customerId !== publicId('Customer', customerId);
  return [
    ...(isForeign ? [{ field: 'customerId', message: 'is not the customer that the agent acts for' }] : []),
    ...(body.defaultUmaDepositAccount === true
      ? [{ field: 'defaultUmaDepositAccount', message: 'cannot be set by an agent' }]
      : []),
  ];
}

const listPayees = operation('agentListExternalAccounts', {
  ...readAccess('GET /agents/me/external-accounts'),
  summary: 'List the external accounts of the agent’s customer',
  description:
    'Newest first; the platform’s own accounts are not included. Requires MANAGE_EXTERNAL_ACCOUNTS.',
  query: PlatformExternalAccountsQuery,
  reply: ExternalAccountListResponse,
  codes: [],
  examples: { 'Accounts in euros': { query: { currency: 'EUR' }, reply: exampleList(HOST, JEAN) } },
  read(tx, { caller, query }) {
    const { customerId } = requireAgentCaller(caller);
    const filters = { customerId, currency: query.currency };
    return listAccounts(tx, 'CUSTOMERS', pageRequest('agentListExternalAccounts', query), filters, (row) =>
      presentExternalAccount(tx, row),
    );
  },
});

const getPayee = operation('agentGetExternalAccount', {
  ...readAccess('GET /agents/me/external-accounts/:externalAccountId'),
  summary: 'Read an external account of the agent’s customer',
  description:
    'The current state of the account; a deleted one is not found. Requires MANAGE_EXTERNAL_ACCOUNTS.',
  params: EXTERNAL_ACCOUNT_PARAM,
  reply: ExternalAccount,
  codes: [],
  examples: { 'A host': { params: { externalAccountId: HOST.id }, reply: HOST } },
  async read(tx, { caller, params }) {
    const { customerId } = requireAgentCaller(caller);
    const row = await findExternalAccount(tx, params.externalAccountId, { customerId });
    return row ? presentExternalAccount(tx, row) : externalAccountNotFound();
  },
});

const deletePayee = operation('agentDeleteExternalAccount', {
  ...writeAccess('DELETE /agents/me/external-accounts/:externalAccountId'),
  summary: 'Delete an external account of the agent’s customer',
  description:
    'Existing payments still finish. An agent cannot delete a trusted account, or the default account for UMA payments to ' +
    'the customer. Requires MANAGE_EXTERNAL_ACCOUNTS.',
  params: EXTERNAL_ACCOUNT_PARAM,
  codes: ['BENEFICIARY_TRUSTED'],
  examples: { 'A host': { params: { externalAccountId: HOST.id } } },
  async write(tx, { caller, params }) {
    const scope = { customerId: requireAgentCaller(caller).customerId };
    // An account becomes the default only when it is added, so this cannot change meanwhile.
    const account = await findExternalAccount(tx, params.externalAccountId, scope);
    if (account?.is_default) {
      const reason = 'UMA payments to the customer go to this account, so only its platform can delete it.';
      throw new RefusedByPolicy(requireAgentCaller(caller).id, policyViolation('PERMISSION', reason));
    }
    await deleteExternalAccount(tx, params.externalAccountId, scope);
    return undefined;
  },
});

/** The operations that only an agent may call, with its own token (agents.md §3). In the contract's order. */
export function ownAgentOperations(quoteParts: QuoteParts) {
  return [
    getAgentMe,
    listOwnTransactions,
    getTransaction,
    createQuote(quoteParts),
    getQuote,
    listInternalAccounts,
    createPayee,
    listPayees,
    getPayee,
    deletePayee,
  ];
}
