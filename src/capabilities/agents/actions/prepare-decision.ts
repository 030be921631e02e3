import {
  approveAction,
  type DecidedAction,
  type OpenAction,
  rejectAction,
} from '#capabilities/agents/actions/decide-action.ts';
import { isOpen } from '#capabilities/agents/actions/machine.ts';
import { presentAction, shownAction } from '#capabilities/agents/actions/present.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { findAction, findPendingAction, type JoinedActionRow } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { agentNotFound, findAgent } from '#capabilities/agents/agent-store.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { awaitsApproval, type TransactionRow } from '#capabilities/payments/row.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';

interface ActionRef {
  readonly agentId: AgentId;
  readonly actionId: Id<'AgentAction'>;
}

/** POST /agents/{agentId}/actions/{actionId}/approve (agents.md §5.1). */
export async function prepareApproval(
  payments: PaymentParts,
  tx: ReadTx,
  ref: ActionRef,
): Promise<SharedPlan<AgentAction> | Refusal> {
  const found = await findNamed(tx, ref);
  const open = openIn(tx, found);
  // An undecided action that no longer waits has already failed, and an approval would have the same result.
  if (!open && found.action.status === 'PENDING_APPROVAL') {
    return { change: new Change(tx), answer: presentAction(tx, found.action, found.row, tx.now) };
  }
  return open ? presentDecidedAction(tx, await approveAction(payments, tx, open)) : alreadyDecided(tx, found);
}

/** POST /agents/{agentId}/actions/{actionId}/reject (agents.md §5.1). */
export async function prepareRejection(
  tx: ReadTx,
  ref: ActionRef,
  reason: string | undefined,
): Promise<SharedPlan<AgentAction> | Refusal> {
  const found = await findNamed(tx, ref);
  const open = openIn(tx, found);
  return open ? presentDecidedAction(tx, rejectAction(tx, open, reason)) : alreadyDecided(tx, found);
}

/** Decides by the waiting transaction (agents.md §5.2). */
export const agentPaymentDecider: PaymentDecider = {
  async prepareApproval(tx, row, payments) {
    const open = await findOpenFor(tx, row);
    return open && presentDecidedTransaction(tx, await approveAction(payments, tx, open));
  },
  async prepareRejection(tx, row, reason) {
    const open = await findOpenFor(tx, row);
    return open && presentDecidedTransaction(tx, rejectAction(tx, open, reason));
  },
};

/** The open action; none if its agent was deleted. */
async function findOpenFor(tx: ReadTx, row: TransactionRow): Promise<OpenAction | undefined> {
  const action = row.agent_id === null ? undefined : await findPendingAction(tx, row.id);
  const agent = action && (await findAgent(tx, action.agent_id));
  return agent && openIn(tx, { action, agent, row });
}

function presentDecidedTransaction(tx: ReadTx, { change, row }: DecidedAction) {
  return { change, answer: presentTransaction(tx, row, tx.now) };
}

interface ActionSnapshot {
  readonly action: JoinedActionRow;
  readonly agent: AgentRow;
  readonly row: TransactionRow | undefined;
}

async function findNamed(tx: ReadTx, ref: ActionRef): Promise<ActionSnapshot> {
  const agent = await findAgent(tx, ref.agentId);
  if (!agent) throw agentNotFound();
  const action = await findOwn(tx, ref);
  const { transaction_id: id } = action;
  const row = id === null ? undefined : await findTransaction(tx, id);
  // If the transaction was decided meanwhile, the action was as well.
  return isOpen(action, tx.now) && !(row && awaitsApproval(row, tx.now))
    ? { action: await findOwn(tx, ref), agent, row }
    : { action, agent, row };
}

async function findOwn(tx: ReadTx, { agentId, actionId }: ActionRef): Promise<JoinedActionRow> {
  const action = await findAction(tx, actionId);
  if (action?.agent_id !== agentId) throw notFound('NOT_FOUND', 'AgentAction');
  return action;
}

/** Undefined if it is not open. */
function openIn(tx: ReadTx, { action, agent, row }: ActionSnapshot): OpenAction | undefined {
  return row && isOpen(action, tx.now) && awaitsApproval(row, tx.now) ? { action, agent, row } : undefined;
}

function alreadyDecided(tx: ReadTx, { action }: ActionSnapshot): Refusal {
  const { status } = shownAction(action, tx.now);
  return new Refusal('CONFLICT', `The action does not wait for a decision; it is ${status}.`, { status });
}

function presentDecidedAction(tx: ReadTx, { change, action, row }: DecidedAction): SharedPlan<AgentAction> {
  return { change, answer: presentAction(tx, action, row, tx.now) };
}
