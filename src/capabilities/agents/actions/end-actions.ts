import { changeAction } from '#capabilities/agents/actions/machine.ts';
import { lockOpenActions } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { lockCustomerAgents } from '#capabilities/agents/agent-store.ts';
import { customerDeletionRequested } from '#capabilities/customers/announcements.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';

/** Open actions end with their customer, before any row of the customer is locked (agents.md §1.3, §5.15). */
export const actionReactions: Subscription[] = [
  on(customerDeletionRequested, async (tx, { customerId }) => {
    for (const agent of await lockCustomerAgents(tx, customerId)) {
      await rejectOpenActions(tx, agent, 'customer deleted', { kind: 'rejected', isOwnerDeleted: true });
    }
  }),
];

/** Rejects the open actions of an agent that the caller has locked (agents.md §5.21). */
export async function rejectOpenActions(
  tx: Tx,
  agent: Pick<AgentRow, 'id'>,
  reason: string,
  notice: PaymentNotice = { kind: 'rejected' },
): Promise<void> {
  const actions = await lockOpenActions(tx, agent.id);
  for (const action of actions) changeAction(tx, action, { kind: 'ownerDeleted', reason });
  const reports = actions.map(({ transaction_id: reference }) => ({ reference, notices: [notice] }));
  await applyNotices(tx, reports);
}
