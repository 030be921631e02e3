import { changeAction } from '#capabilities/agents/actions/machine.ts';
import { countMovement } from '#capabilities/agents/actions/movement.ts';
import { presentAction } from '#capabilities/agents/actions/present.ts';
import type { ActionFailure, ActionRow } from '#capabilities/agents/actions/row.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { type JoinedActionRow, requireAgent } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { AuditedRefusal, type AuditFact } from '#foundation/audit/audit.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** An agent's request before its outcome is known; a transfer has no transaction yet. */
export interface Submission extends Pick<ActionRow, 'type' | 'transaction_id' | 'transfer' | 'signer_key'> {
  readonly agent: AgentRow;
  readonly platformCustomerId: string;
}

/** agents.md §4.5: the action waits, with its transaction, and the platform is notified. */
export function planSubmission(
  tx: ReadTx,
  submission: Submission,
  plan: { readonly change: Change; readonly row: TransactionRow },
): SharedPlan<AgentAction> {
  const { change, row } = plan;
  const asked = newAction(tx, submission);
  const { action, events } = changeAction(change, asked, { kind: 'submitted', transaction: row });
  const answer = presentAction(tx, action, row, tx.now);
  requireAgent(change, submission.agent);
  for (const { type } of events) emit(change, { type, resourceId: answer.id, data: answer });
  return { change, answer };
}

/**
 * agents.md §4.4: the action starts at once, or fails. A failed action is stored, and the agent gets the error. A
 * failure that only the commit detects is found again when the request is prepared again, and is stored then.
 */
export function planStart(
  tx: ReadTx,
  submission: Submission,
  measured: bigint,
  started: SharedPlan<TransactionRow> | Refusal,
): SharedPlan<AgentAction> {
  const asked = newAction(tx, submission);
  const change = started instanceof Refusal ? new Change(tx) : started.change;
  const outcome = started instanceof Refusal ? started : started.answer;
  if (outcome instanceof Refusal) {
    changeAction(change, asked, { kind: 'failed', failure: failureOf(outcome) });
    return { change, answer: new FailedAction(asked.id, outcome) };
  }
  const row = outcome as TransactionRow;
  const { action } = changeAction(change, asked, { kind: 'started', transaction: row });
  countMovement(change, submission.agent, measured);
  return { change, answer: presentAction(tx, action, row, tx.now) };
}

/**
 * The error for an action that is stored as FAILED: the action was submitted, so it leaves an audit row
 * (agents.md §5.5).
 */
class FailedAction extends AuditedRefusal {
  readonly #actionId: Id<'AgentAction'>;

  constructor(actionId: Id<'AgentAction'>, { code, message, details, headers }: Refusal) {
    super(code, message, details, headers);
    this.#actionId = actionId;
  }

  fact(): AuditFact {
    const resource = publicId('AgentAction', this.#actionId);
    return { action: 'agent action failed', resource, details: { code: this.code, reason: this.message } };
  }
}

export function failureOf({ code, message: reason }: Refusal): ActionFailure {
  return { code, reason };
}

/** The action before its outcome is known. */
function newAction(tx: ReadTx, { agent, platformCustomerId, ...asked }: Submission): JoinedActionRow {
  return {
    platform_id: tx.platformId,
    id: tx.newId('AgentAction'),
    version: 0n,
    agent_id: agent.id,
    customer_id: agent.customer_id,
    ...asked,
    limits: agent.policy.spendingLimits,
    status: 'PENDING_APPROVAL',
    rejection_reason: null,
    failure: null,
    created_at: tx.now,
    updated_at: tx.now,
    platform_customer_id: platformCustomerId,
    approve_by: null,
  };
}
