import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import type { NoticeOf, PaymentRule } from '#capabilities/payments/machine/notice.ts';
import { expired, scheduleBySecond } from '#capabilities/payments/machine/outgoing.ts';
import {
  awaitsApproval,
  isNewTransfer,
  isOpenQuote,
  isPastExpiry,
  type TransactionRow,
} from '#capabilities/payments/row.ts';

const isTransferOut = (row: TransactionRow) => row.kind === 'TRANSFER' && row.type === 'OUTGOING';
const isTransferIn = (row: TransactionRow) => row.kind === 'TRANSFER' && row.type === 'INCOMING';
const canBeSubmitted = (row: TransactionRow) => row.agent_id !== null && row.approve_by === null;

/**
 * An agent's request that the platform has yet to approve (agents.md §5): none of its money has moved. Any notice ends
 * the wait (`applyNotice`). The notice of an approval is `executed`.
 */
export const APPROVAL_RULES: readonly PaymentRule[] = [
  {
    notice: 'submitted',
    label: 'an agent’s quote waits for the platform’s approval until it expires',
    moves: {},
    when: (row, _, now) => canBeSubmitted(row) && isOpenQuote(row) && !isPastExpiry(row, now),
    does: (draft) => draft.set({ approve_by: draft.row.expires_at }),
  },
  {
    notice: 'submitted',
    label: 'an agent’s transfer waits for the platform’s approval for seven days',
    moves: {},
    when: (row) => canBeSubmitted(row) && isNewTransfer(row),
    does: (draft) => waitForApproval(draft),
  },
  {
    notice: 'rejected',
    // agents.md §5.21.
    label: 'an agent’s transfer in is rejected, or its agent or customer deleted',
    moves: { INCOMING: ['PENDING → REJECTED'] },
    when: (row, _, now) => awaitsApproval(row, now) && isTransferIn(row),
    does: (draft) => rejectTransferIn(draft),
  },
  {
    notice: 'rejected',
    label: 'an agent’s transfer out is rejected, or its agent or customer deleted',
    moves: { OUTGOING: ['PENDING → EXPIRED'] },
    when: (row, _, now) => awaitsApproval(row, now) && isTransferOut(row),
    does: (draft) => expired(draft),
  },
  {
    notice: 'rejected',
    label:
      'an agent’s quote is rejected: it stops waiting, and expires at its time or when its customer is deleted',
    moves: { OUTGOING: ['PENDING → EXPIRED'], INCOMING: ['PENDING → EXPIRED'] },
    when: (row, _, now) => awaitsApproval(row, now) && isOpenQuote(row),
    does: (draft, notice) => rejectQuote(draft, notice),
  },
  {
    notice: 'approvalLapsed',
    // agents.md §5.22.
    label: 'the approval of an agent’s transfer in fails or is too late: COLLECTION_FAILED',
    moves: { INCOMING: ['PENDING → FAILED'] },
    when: (row) => row.approve_by !== null && isTransferIn(row),
    does: (draft) => failUnapproved(draft, 'COLLECTION_FAILED'),
  },
  {
    notice: 'approvalLapsed',
    label: 'the approval of an agent’s transfer out fails or is too late: QUOTE_EXECUTION_FAILED',
    moves: { OUTGOING: ['PENDING → FAILED'] },
    when: (row) => row.approve_by !== null && isTransferOut(row),
    does: (draft) => failUnapproved(draft, 'QUOTE_EXECUTION_FAILED'),
  },
  {
    notice: 'approvalLapsed',
    label: 'the approval of an agent’s quote fails: it stops waiting, and can be submitted again',
    moves: {},
    when: (row, _, now) => awaitsApproval(row, now) && isOpenQuote(row),
    does() {},
  },
];

/** agents.md §5.1. */
const APPROVAL_TIME_MS = 7 * 24 * 60 * 60_000;

function waitForApproval(draft: PaymentDraft): void {
  const by = new Date(draft.now.getTime() + APPROVAL_TIME_MS);
  draft.set({ approve_by: by });
  scheduleBySecond(draft, JOB.lapse, by);
}

function rejectTransferIn(draft: PaymentDraft): void {
  draft.set({ status: 'REJECTED' });
  draft.emit('FAILED');
}

/** A deleted customer's quote can no longer be executed, so it expires at once. */
function rejectQuote(draft: PaymentDraft, { isOwnerDeleted }: NoticeOf<'rejected'>): void {
  if (isOwnerDeleted) expired(draft);
}

function failUnapproved(draft: PaymentDraft, reason: 'COLLECTION_FAILED' | 'QUOTE_EXECUTION_FAILED'): void {
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}
