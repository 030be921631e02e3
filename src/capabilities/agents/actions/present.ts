import type { ActionFailure, ActionRow } from '#capabilities/agents/actions/row.ts';
import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import type { JoinedActionRow } from '#capabilities/agents/actions/store.ts';
import { loadPrivate, openPrivate } from '#capabilities/payments/details.ts';
import { presentParties } from '#capabilities/payments/present-agent-payment.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { presentTransaction, type Viewer } from '#capabilities/payments/present-transaction.ts';
import { awaitsApproval, type TransactionRow } from '#capabilities/payments/row.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

export async function presentActions(
  tx: ReadTx,
  actions: readonly JoinedActionRow[],
): Promise<AgentAction[]> {
  const ids = actions.flatMap(({ transaction_id: id }) => (id === null ? [] : [id]));
  const found = await findTransactions(tx, ids);
  await loadPrivate(tx, found);
  const rows = new Map(found.map((row) => [row.id, row]));
  return actions.map((action) =>
    presentAction(
      tx,
      action,
      action.transaction_id === null ? undefined : rows.get(action.transaction_id),
      tx.now,
    ),
  );
}

/** An action with its transaction, if it has one. The customer's challenge is not shown to agents (agents.md §3.4). */
export function presentAction(
  viewer: Viewer,
  action: JoinedActionRow,
  row: TransactionRow | undefined,
  now: Date,
): AgentAction {
  const { status, failure } = shownAction(action, now);
  return {
    id: publicId('AgentAction', action.id),
    agentId: publicId('Agent', action.agent_id),
    customerId: publicId('Customer', action.customer_id),
    platformCustomerId: action.platform_customer_id,
    status,
    type: action.type,
    ...(action.type === 'EXECUTE_QUOTE' && row && { quote: presentQuote(viewer, row, now) }),
    ...(action.transfer && { transferDetails: action.transfer }),
    ...(status === 'APPROVED' && row && { transaction: presentTransaction(viewer, row, now) }),
    ...(row && presentParties(row, openPrivate(viewer.vault, row))),
    ...(action.rejection_reason !== null && { rejectionReason: action.rejection_reason }),
    ...(failure && { failure: { ...failure } }),
    createdAt: action.created_at.toISOString(),
    updatedAt: action.updated_at.toISOString(),
  };
}

/** agents.md §5.13: an undecided action whose transaction no longer waits has failed, whatever ended the wait. */
export function shownAction(action: JoinedActionRow, now: Date): Pick<ActionRow, 'status' | 'failure'> {
  const { status, failure, type } = action;
  const isLapsed = status === 'PENDING_APPROVAL' && !awaitsApproval(action, now);
  return isLapsed ? { status: 'FAILED', failure: lapsedFailure(type) } : { status, failure };
}

function lapsedFailure(type: ActionRow['type']): ActionFailure {
  return type === 'EXECUTE_QUOTE'
    ? { code: 'QUOTE_EXPIRED', reason: 'The quote has expired. Create a new one.' }
    : {
        code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
        reason: 'There was no decision about the transfer in time.',
      };
}
