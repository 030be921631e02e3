import type { PaymentRule } from '#capabilities/payments/machine/notice.ts';
import * as uma from '#capabilities/payments/machine/uma.ts';
import { internalDestination, type TransactionRow } from '#capabilities/payments/row.ts';

const awaitsArrival = (row: TransactionRow) =>
  uma.isSettling(row) && row.pending_reason === null && row.funding_hash === null;
const isNotForwarded = (row: TransactionRow) =>
  uma.isSettling(row) && (row.funding_hash === null || internalDestination(row) !== null);

/** The rules of incoming UMA payments (money.md §4.2, §7); they are tried before those of table.ts. */
export const UMA_RULES: readonly PaymentRule[] = [
  {
    notice: 'approved',
    // money.md §7.2.
    label: 'the platform approves: the money is on its way',
    moves: {},
    when: uma.awaitsDecision,
    does: (draft) => uma.approved(draft),
  },
  {
    notice: 'rejected',
    label: 'the platform rejects',
    moves: { INCOMING: ['PENDING → REJECTED'] },
    when: uma.awaitsDecision,
    does: (draft) => uma.rejected(draft),
  },
  {
    notice: 'approvalFailed',
    label: 'the platform did not decide in time, or gave no valid answer',
    moves: { INCOMING: ['PENDING → FAILED'] },
    when: uma.awaitsDecision,
    does: (draft, notice) => uma.approvalFailed(draft, notice),
  },
  {
    notice: 'arrived',
    label: 'the money arrives: it is credited, or forwarded to an external account',
    moves: { INCOMING: ['PENDING → COMPLETED', 'PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: awaitsArrival,
    does: (draft, notice, facts) => uma.arrived(draft, notice, facts),
  },
  {
    notice: 'held',
    // money.md §9.5.
    label: 'the money is held for a review',
    moves: { INCOMING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: awaitsArrival,
    does: (draft, _, facts) => uma.held(draft, facts),
  },
  {
    notice: 'released',
    label: 'the hold ends: the money is credited, or forwarded to an external account',
    moves: { INCOMING: ['PENDING → COMPLETED', 'PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) => uma.isSettling(row) && row.pending_reason !== null,
    does: (draft, notice, facts) => uma.released(draft, notice, facts),
  },
  {
    notice: 'complianceRejected',
    label: 'the review rejects it: COMPLIANCE_REJECTED',
    moves: { INCOMING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: isNotForwarded,
    does: (draft, _, facts) => uma.failed(draft, 'COMPLIANCE_REJECTED', facts),
  },
  {
    notice: 'delivered',
    // money.md §7.4.
    label: 'delivered to the receiver’s external account',
    moves: { INCOMING: ['PENDING → COMPLETED'] },
    when: uma.isForwarded,
    does: (draft, notice) => uma.delivered(draft, notice),
  },
  {
    notice: 'payoutFailed',
    // money.md §7.4.
    label: 'the external account cannot be paid: OFFRAMP_FAILED',
    moves: { INCOMING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: uma.isForwarded,
    does: (draft, _, facts) => uma.failed(draft, 'OFFRAMP_FAILED', facts),
  },
  {
    notice: 'returned',
    // money.md §7.4.
    label: 'the return arrives before the delivery: OFFRAMP_FAILED',
    moves: { INCOMING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: uma.isForwarded,
    does: (draft, _, facts) => uma.failed(draft, 'OFFRAMP_FAILED', facts),
  },
  {
    notice: 'returned',
    // money.md §7.4.
    label: 'the receiver’s bank returns it: OFFRAMP_FAILED',
    moves: { INCOMING: ['COMPLETED → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) => row.kind === 'UMA' && row.status === 'COMPLETED' && internalDestination(row) === null,
    does: (draft, notice, facts) => uma.returnedAfterDelivery(draft, notice, facts),
  },
  {
    notice: 'refunded',
    label: 'the sender has the money back',
    moves: { REFUND: ['PENDING → COMPLETED'] },
    when: (row) => row.kind === 'UMA' && row.refund_status === 'PENDING',
    does: (draft) => uma.refunded(draft),
  },
];
