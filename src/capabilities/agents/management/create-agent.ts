import { findOwnerships } from '#capabilities/accounts/store.ts';
import { type AgentRow, canMoveMoney } from '#capabilities/agents/agent-row.ts';
import { writeAgent } from '#capabilities/agents/agent-store.ts';
import { issueDeviceCode } from '#capabilities/agents/credentials/device-code.ts';
import {
  accountFields,
  normalisePolicy,
  policyProblems,
  thresholdProblems,
} from '#capabilities/agents/policy/policy.ts';
import { presentAgent, UNUSED } from '#capabilities/agents/policy/present.ts';
import {
  type Agent,
  AgentCreateRequest,
  type AgentDeviceCode,
  type AgentPolicy,
} from '#capabilities/agents/schemas.ts';
import {
  customerNotFound,
  findLiveCustomer,
  lockCustomersAgainstDeletion,
} from '#capabilities/customers/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** POST /agents (agents.md §1.1). `problems` are the schema's findings. */
export async function createAgent(
  tx: Tx,
  caller: Caller,
  body: AgentCreateRequest,
  problems: readonly FieldError[],
): Promise<{ agent: Agent; deviceCode: AgentDeviceCode }> {
  const policy = readNewPolicy(tx, body, problems);
  requireMayGrant(caller, policy);
  const customerId = await lockOwner(tx, bareId(body.customerId));
  await requireOwnAccounts(tx, customerId, policy, 'policy.');
  const row: AgentRow = {
    platform_id: tx.platformId,
    id: tx.newId('Agent'),
    version: 1n,
    customer_id: customerId,
    created_at: tx.now,
    name: body.name,
    policy,
    is_paused: false,
    token_hash: null,
    usage_no: 1,
    deleted_at: null,
    updated_at: tx.now,
  };
  writeAgent(tx, { from: undefined, row });
  // The code refers to the agent, whose row must exist first.
  await tx.flush();
  return { agent: presentAgent(row, UNUSED, tx.now), deviceCode: await issueDeviceCode(tx, row.id) };
}

function readNewPolicy(
  { platform }: ReadTx,
  { policy }: AgentCreateRequest,
  problems: readonly FieldError[],
): AgentPolicy {
  const found = [...policyProblems(policy, platform.ownCurrencies), ...thresholdProblems(policy)];
  const errors = [...problems, ...found.map(prefixFieldWith('policy.'))];
  if (errors.length > 0) throw invalidFields(inDocumentOrder(AgentCreateRequest, errors));
  return normalisePolicy(policy);
}

/** Keeps the customer from being deleted until the agent exists. */
async function lockOwner(tx: Tx, customerId: CustomerId): Promise<CustomerId> {
  const customer = await findLiveCustomer(tx, customerId);
  const gone = customer ? await lockCustomersAgainstDeletion(tx, [customer.id]) : [];
  if (!customer || gone.length > 0) throw customerNotFound();
  return customer.id;
}

/** platform.md §1.3.4a: otherwise a token without permission to move money could do so through an agent. */
export function requireMayGrant(caller: Caller, ...policies: readonly AgentPolicy[]): void {
  const mayMove = caller.kind !== 'token' || caller.permissions.includes('TRANSACT');
  if (mayMove || !policies.some(canMoveMoney)) return;
  throw new Refusal(
    'FORBIDDEN',
    'The agent may move money, so this call needs the TRANSACT permission as well.',
  );
}

/** agents.md §1.2: every account in the policy must be an internal account of the customer. */
export async function requireOwnAccounts(
  tx: ReadTx,
  customerId: CustomerId,
  policy: AgentPolicy,
  prefix = '',
): Promise<void> {
  const named = accountFields(policy).map(({ field, id }) => ({
    field,
    id: bareId(id),
  }));
  if (named.length === 0) return;
  const found = await findOwnerships(tx, [...new Set(named.map(({ id }) => id))]);
  const own = new Set(found.flatMap(({ id, customer_id }) => (customer_id === customerId ? [id] : [])));
  const errors = named
    .filter(({ id }) => !own.has(id))
    .map(({ field }) => ({ field, message: 'is not an internal account of the customer' }))
    .map(prefixFieldWith(prefix));
  if (errors.length > 0) throw invalidFields(errors);
}

function prefixFieldWith(prefix: string) {
  return (error: FieldError): FieldError => ({ ...error, field: prefix + error.field });
}
