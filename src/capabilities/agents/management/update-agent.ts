import { rejectOpenActions } from '#capabilities/agents/actions/end-actions.ts';
import { type AgentRow, isConnected } from '#capabilities/agents/agent-row.ts';
import { lockAgent, writeAgent } from '#capabilities/agents/agent-store.ts';
import { issueDeviceCode } from '#capabilities/agents/credentials/device-code.ts';
import {
  removeDeviceCodes,
  supersedeDeviceCodes,
} from '#capabilities/agents/credentials/device-code-store.ts';
import { requireMayGrant, requireOwnAccounts } from '#capabilities/agents/management/create-agent.ts';
import { loadConversion } from '#capabilities/agents/policy/conversion.ts';
import {
  convertLimits,
  mergePolicy,
  policyProblems,
  thresholdProblems,
} from '#capabilities/agents/policy/policy.ts';
import { presentOneAgent } from '#capabilities/agents/policy/present.ts';
import { carryUsage, loadUsages } from '#capabilities/agents/policy/usage.ts';
import {
  type Agent,
  type AgentDeviceCode,
  type AgentPolicy,
  AgentPolicyUpdateRequest,
  type AgentUpdateRequest,
} from '#capabilities/agents/schemas.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { convertDown, convertUp } from '#foundation/lib/money.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** PATCH /agents/{agentId} (agents.md §1.3). */
export async function updateAgent(
  tx: Tx,
  caller: Caller,
  id: AgentId,
  body: AgentUpdateRequest,
): Promise<Agent> {
  const { name, isPaused } = body;
  if (name === undefined && isPaused === undefined) {
    throw invalidFields([{ field: 'name', message: 'there is nothing to change: send a name or isPaused' }]);
  }
  const agent = await lockAgent(tx, id);
  if (isPaused === false) requireMayGrant(caller, agent.policy);
  const after = change(tx, agent, {
    ...(name !== undefined && { name }),
    ...(isPaused !== undefined && { is_paused: isPaused }),
  });
  return presentOneAgent(tx, after);
}

export interface OperatorPause {
  readonly agentId: AgentId;
  readonly reason: string;
}

/** agents.md §1.3a: an agent that is already paused stays paused, and the reason is still audited. */
export async function pauseByOperator(tx: Tx, { agentId, reason }: OperatorPause): Promise<Agent> {
  const agent = await lockAgent(tx, agentId);
  const fact = { resource: publicId('Agent', agentId), customerId: agent.customer_id };
  audit(tx, { action: 'agent pause', ...fact, details: { reason } });
  return presentOneAgent(tx, agent.is_paused ? agent : change(tx, agent, { is_paused: true }));
}

/** PATCH /agents/{agentId}/policy (agents.md §1.4). `problems` are the schema's findings. */
export async function updatePolicy(
  tx: Tx,
  caller: Caller,
  id: AgentId,
  body: AgentPolicyUpdateRequest,
  problems: readonly FieldError[],
): Promise<Agent> {
  requireFields([...problems, ...policyProblems(body, tx.platform.ownCurrencies)]);
  const agent = await lockAgent(tx, id);
  const merged = mergePolicy(agent.policy, body);
  requireFields(thresholdProblems(merged));
  requireMayGrant(caller, agent.policy, merged);
  await requireOwnAccounts(tx, agent.customer_id, merged);
  const isConverted = merged.spendingLimits.currency !== agent.policy.spendingLimits.currency;
  if (isConverted) return presentOneAgent(tx, await changeCurrency(tx, agent, merged, body));
  return presentOneAgent(tx, Object.keys(body).length === 0 ? agent : change(tx, agent, { policy: merged }));
}

/** agents.md §1.4a: limits are rounded down, and the usage is rounded up. */
async function changeCurrency(
  tx: Tx,
  agent: AgentRow,
  merged: AgentPolicy,
  sent: AgentPolicyUpdateRequest,
): Promise<AgentRow> {
  const { currency: from } = agent.policy.spendingLimits;
  const { rate, decimals } = await loadConversion(tx, from, merged.spendingLimits.currency);
  const { policy, problems } = convertLimits(merged, sent, (limit) => convertDown(limit, rate, decimals));
  requireFields(problems);
  const [used] = await loadUsages(tx, [agent]);
  const after = change(tx, agent, { policy, usage_no: agent.usage_no + 1 });
  const inNew = (amount = 0n) => convertUp(amount, rate, decimals);
  carryUsage(tx, after, { day: inNew(used?.day), month: inNew(used?.month) });
  // Flushed so that the next read includes it.
  await tx.flush();
  return after;
}

function requireFields(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidFields(inDocumentOrder(AgentPolicyUpdateRequest, problems));
}

/** POST /agents/{agentId}/device-codes (agents.md §2.16–2.18). */
export async function regenerateCode(tx: Tx, caller: Caller, id: AgentId): Promise<AgentDeviceCode> {
  const agent = await lockAgent(tx, id);
  requireMayGrant(caller, agent.policy);
  if (isConnected(agent)) {
    if (!agent.is_paused) {
      refuse('CONFLICT', 'The agent is connected. Pause it first: a new code invalidates its token.');
    }
    change(tx, agent, { token_hash: null });
  }
  await supersedeDeviceCodes(tx, agent.id);
  return issueDeviceCode(tx, agent.id);
}

/** DELETE /agents/{agentId} (agents.md §1.3). */
export async function deleteAgent(tx: Tx, id: AgentId): Promise<void> {
  const agent = await lockAgent(tx, id);
  await rejectOpenActions(tx, agent, 'agent deleted');
  await endAgent(tx, agent);
}

/** Ends the token and the codes of an agent that the caller has locked. */
export async function endAgent(tx: Tx, agent: AgentRow): Promise<void> {
  await removeDeviceCodes(tx, agent.id);
  change(tx, agent, { token_hash: null, deleted_at: tx.now });
}

function change(tx: Tx, agent: AgentRow, changes: Partial<AgentRow>): AgentRow {
  const changed = changedRow(agent, changes, tx.now);
  writeAgent(tx, changed);
  return changed.row;
}
