import {
  ACTIONS,
  type ActionFailure,
  sealAction,
  type WaitingActionRow,
} from '#capabilities/agents/actions/row.ts';
import { awaitsApproval, type TransactionRow } from '#capabilities/payments/row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { Draft, type DraftEvent } from '#foundation/machine/draft.ts';
import { Machine, type Rule } from '#foundation/machine/machine.ts';

/** A report about an agent's action: the outcome of its policy, or a decision of the platform. */
export type ActionNotice =
  /** The policy requires an approval, and the transaction waits for it (agents.md §4.5). */
  | { readonly kind: 'submitted'; readonly transaction: Pick<TransactionRow, 'id' | 'approve_by'> }
  /** The policy allows it, and it starts or cannot start (agents.md §4.4). */
  | { readonly kind: 'started'; readonly transaction: Pick<TransactionRow, 'id'> }
  | { readonly kind: 'failed'; readonly failure: ActionFailure }
  /** The platform approves, and it starts or cannot start. */
  | { readonly kind: 'approved' }
  | { readonly kind: 'approvalFailed'; readonly failure: ActionFailure }
  | { readonly kind: 'rejected'; readonly reason: string | null }
  /** Its agent or customer is deleted. */
  | { readonly kind: 'ownerDeleted'; readonly reason: string };

type ActionDraft = Draft<WaitingActionRow>;

const isNew = ({ version }: WaitingActionRow) => version === 0n;

/** Whether the platform can still decide; after the deadline the action is shown as `FAILED` (agents.md §5.13). */
export function isOpen(row: WaitingActionRow, now: Date): boolean {
  return !isNew(row) && row.status === 'PENDING_APPROVAL' && awaitsApproval(row, now);
}

const canBeDecided = (row: WaitingActionRow, _: ActionNotice, now: Date) => isOpen(row, now);

const RULES: readonly Rule<ActionDraft, ActionNotice, undefined>[] = [
  {
    notice: 'submitted',
    label: 'the policy requires an approval: the action waits for the platform',
    moves: { ACTION: ['new → PENDING_APPROVAL'] },
    when: isNew,
    does(draft, { transaction: { id, approve_by } }) {
      draft.set({ status: 'PENDING_APPROVAL', transaction_id: id, approve_by });
      draft.addEvent('AGENT_ACTION.PENDING_APPROVAL');
    },
  },
  {
    notice: 'started',
    label: 'the policy allows the action, and it starts',
    moves: { ACTION: ['new → APPROVED'] },
    when: isNew,
    does: (draft, { transaction: { id } }) => draft.set({ status: 'APPROVED', transaction_id: id }),
  },
  {
    notice: 'failed',
    label: 'the policy allows the action, but it cannot start',
    moves: { ACTION: ['new → FAILED'] },
    when: isNew,
    does: (draft, { failure }) => draft.set({ status: 'FAILED', failure }),
  },
  {
    notice: 'approved',
    // agents.md §5.11.
    label: 'the platform approves, and the action starts',
    moves: { ACTION: ['PENDING_APPROVAL → APPROVED'] },
    when: canBeDecided,
    does: (draft) => draft.set({ status: 'APPROVED' }),
  },
  {
    notice: 'approvalFailed',
    // agents.md §5.12.
    label: 'the platform approves, but the action cannot start',
    moves: { ACTION: ['PENDING_APPROVAL → FAILED'] },
    when: canBeDecided,
    does: (draft, { failure }) => draft.set({ status: 'FAILED', failure }),
  },
  {
    notice: 'rejected',
    // agents.md §5.14.
    label: 'the platform rejects',
    moves: { ACTION: ['PENDING_APPROVAL → REJECTED'] },
    when: canBeDecided,
    does: (draft, { reason }) => draft.set({ status: 'REJECTED', rejection_reason: reason }),
  },
  {
    notice: 'ownerDeleted',
    // agents.md §5.15.
    label: 'its agent or customer is deleted',
    moves: { ACTION: ['PENDING_APPROVAL → REJECTED'] },
    when: canBeDecided,
    does: (draft, { reason }) => draft.set({ status: 'REJECTED', rejection_reason: reason }),
  },
];

/** All notices are commands: an action is submitted once, and decided while it is open. */
export const AGENT_ACTIONS = new Machine<WaitingActionRow, ActionDraft, ActionNotice, undefined>({
  rules: RULES,
  newDraft: (row, now) => new Draft(row, now),
  statuses: (row) => ({ ACTION: isNew(row) ? 'new' : row.status }),
  commands: RULES.map(({ notice }) => notice),
});

/** The action after a notice, and the events that the caller emits with the action as it presents it. */
export function changeAction<Row extends WaitingActionRow>(
  changes: Changes,
  action: Row,
  notice: ActionNotice,
): { readonly action: Row; readonly events: readonly DraftEvent<WaitingActionRow>[] } {
  const { from, row, events } = AGENT_ACTIONS.require(action, notice, changes.now, undefined);
  changes.collect(ACTIONS.writer, { from, row: sealAction(changes.runtime.vault, row) });
  return { action: { ...action, ...row }, events };
}
