import { startWaitingTransfer } from '#capabilities/agents/actions/create-transfer.ts';
import { movementOf, startExecution } from '#capabilities/agents/actions/execute-quote.ts';
import { type ActionNotice, changeAction } from '#capabilities/agents/actions/machine.ts';
import { checkStanding, countMovement, judge } from '#capabilities/agents/actions/movement.ts';
import type { JoinedActionRow } from '#capabilities/agents/actions/store.ts';
import { failureOf } from '#capabilities/agents/actions/submit-action.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { ROUTES_BY_ACTION } from '#capabilities/agents/permissions.ts';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { quoteIdOf, type TransactionRow } from '#capabilities/payments/row.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** An open action with its agent, and the transaction that waits for it. */
export interface OpenAction {
  readonly action: JoinedActionRow;
  readonly agent: AgentRow;
  readonly row: TransactionRow;
}

/** The result of a decision: the changes to commit, and the rows to present. */
export interface DecidedAction {
  readonly change: Change;
  readonly action: JoinedActionRow;
  readonly row: TransactionRow;
}

/** agents.md §5.11, §5.12: all checks but the mode are repeated (agents.md §5.1). If one fails, the action fails. */
export async function approveAction(
  payments: PaymentParts,
  tx: ReadTx,
  open: OpenAction,
): Promise<DecidedAction> {
  const started = await start(payments, tx, open).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (started instanceof Refusal) {
    const failed = { kind: 'approvalFailed', failure: failureOf(started) } as const;
    return end(tx, open, { kind: 'approvalLapsed' }, failed);
  }
  const { change, row, measured } = started;
  countMovement(change, open.agent, measured);
  return { change, row, action: changeAction(change, open.action, { kind: 'approved' }).action };
}

/** agents.md §5.14, §5.15. */
export function rejectAction(tx: ReadTx, open: OpenAction, reason: string | undefined): DecidedAction {
  return end(tx, open, { kind: 'rejected' }, { kind: 'rejected', reason: reason ?? null });
}

interface Started {
  readonly change: Change;
  readonly row: TransactionRow;
  /** The amount that counts against the agent's limits. */
  readonly measured: bigint;
}

/** Throws or returns the refusal that the action fails with. */
async function start(payments: PaymentParts, tx: ReadTx, open: OpenAction): Promise<Started | Refusal> {
  const { action, agent, row } = open;
  const refused = checkStanding(agent, ROUTES_BY_ACTION[action.type]);
  if (refused) return refused;
  const verdict = await judge(tx, agent, movementOf(row));
  if ('refusal' in verdict) return verdict.refusal;
  const plan =
    action.type === 'EXECUTE_QUOTE'
      ? await startQuote(payments, tx, open)
      : await startWaitingTransfer(tx, agent, row);
  if (plan instanceof Refusal) return plan;
  if (plan.answer instanceof Refusal) return plan.answer;
  return { change: plan.change, row: plan.answer as TransactionRow, measured: verdict.measured };
}

/** The session that signed for a wallet may have ended since, but must not have been revoked (agents.md §5.1). */
async function startQuote(
  payments: PaymentParts,
  tx: ReadTx,
  { action, row }: OpenAction,
): Promise<SharedPlan<TransactionRow> | Refusal> {
  const signerKey = action.signer_key ?? undefined;
  const { execution } = await payments.loadExecution({
    platformId: tx.platformId,
    quoteId: quoteIdOf(row),
    signerKey,
    now: action.created_at,
  });
  if (!execution) throw new Error('the quote of an action does not exist');
  if (signerKey !== undefined && !execution.isSigner) {
    return new Refusal('UNAUTHORIZED', 'The session that signed for the wallet has been revoked.');
  }
  return startExecution(tx, { ...execution, row });
}

/** No money has moved: the action ends, and its transaction stops waiting (agents.md §5.3). */
function end(
  tx: ReadTx,
  { action, row }: OpenAction,
  ofPayment: PaymentNotice,
  ofAction: ActionNotice,
): DecidedAction {
  const transition = PAYMENTS.require(row, ofPayment, tx.now, executionFacts(tx, row));
  const change = new Change(tx);
  applyTransition(change, transition);
  return { change, row: transition.row, action: changeAction(change, action, ofAction).action };
}
