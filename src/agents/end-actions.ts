import { ACTIONS, type ActionRow } from '#agents/action-row.ts';
import { lockOpenActions } from '#agents/action-store.ts';
import type { AgentRow } from '#agents/agent-row.ts';
import { lockAgentsOf } from '#agents/agent-store.ts';
import { customerDeletionRequested } from '#customers/announcements.ts';
import type { Tx } from '#database/tx.ts';
import { on, type Subscription } from '#events/reactions.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { applyNotices } from '#payments/settlement/notices.ts';

/** What waits for approval ends with its customer, before anything of the customer is locked (C.1.3, AD-5). */
export const actionReactions: Subscription[] = [
  on(customerDeletionRequested, async (tx, { customerId }) => {
    for (const agent of await lockAgentsOf(tx, customerId)) {
      await rejectOpenActions(tx, agent, 'customer deleted', { kind: 'rejected', isOwnerDeleted: true });
    }
  }),
];

/** Rejects what an agent, which the caller has locked, still waits for (AE-1). */
export async function rejectOpenActions(
  tx: Tx,
  agent: Pick<AgentRow, 'id'>,
  reason: string,
  notice: Notice = { kind: 'rejected' },
): Promise<void> {
  const actions = await lockOpenActions(tx, agent.id);
  for (const action of actions) {
    const row: ActionRow = {
      ...action,
      status: 'REJECTED',
      rejection_reason: reason,
      version: action.version + 1n,
      updated_at: tx.now,
    };
    tx.collect(ACTIONS.writer, { from: action.version, row });
  }
  const reports = actions.map(({ transaction_id: id }) => ({ reference: id ?? '', notices: [notice] }));
  await applyNotices(tx, reports);
}
