import type { Notice } from '#payments/machine/notice.ts';
import type { Rule } from '#payments/machine/rule.ts';
import * as uma from '#payments/machine/uma.ts';
import type { TransactionRow } from '#payments/row.ts';
import { internalDestination } from '#payments/rules.ts';

const isAwaited = (row: TransactionRow) =>
  uma.isSettling(row) && row.pending_reason === null && row.funding_hash === null;
const isHere = (row: TransactionRow) =>
  uma.isSettling(row) && (row.funding_hash === null || internalDestination(row) !== null);

/** What notices do to incoming UMA payments (money.md §4, §7); looked at before the rules for all others. */
export const UMA_RULES: { readonly [K in Notice['kind']]?: readonly Rule<K>[] } = {
  approved: [
    {
      // money.md §7.2: the platform takes an offered payment; its money is on its way.
      when: uma.awaitsDecision,
      does: (draft) => uma.approved(draft),
    },
  ],
  rejected: [
    {
      // PENDING, platform rejects → REJECTED.
      when: uma.awaitsDecision,
      does: (draft) => uma.rejected(draft),
    },
  ],
  approvalFailed: [
    {
      // PENDING, approval error or timeout → FAILED.
      when: uma.awaitsDecision,
      does: (draft, notice) => uma.approvalFailed(draft, notice),
    },
  ],
  arrived: [
    {
      // PENDING, approved and settled → COMPLETED, or paid on.
      when: isAwaited,
      does: (draft, notice, facts) => uma.arrived(draft, notice, facts),
    },
  ],
  held: [
    {
      // money.md §9.5: after approval funds pend.
      when: isAwaited,
      does: (draft, _, facts) => uma.held(draft, facts),
    },
  ],
  released: [
    {
      // PENDING, the hold is over → COMPLETED, or paid on.
      when: (row) => uma.isSettling(row) && row.pending_reason !== null,
      does: (draft, notice, facts) => uma.released(draft, notice, facts),
    },
  ],
  complianceRejected: [
    {
      // PENDING, compliance → FAILED COMPLIANCE_REJECTED and refund.
      when: isHere,
      does: (draft, _, facts) => uma.failed(draft, 'COMPLIANCE_REJECTED', facts),
    },
  ],
  delivered: [
    {
      // money.md §7.4: paid on to the default deposit account → COMPLETED.
      when: uma.isPaidOn,
      does: (draft, notice) => uma.delivered(draft, notice),
    },
  ],
  payoutFailed: [
    {
      // money.md §7.4: the payout to the default deposit account fails → FAILED OFFRAMP_FAILED and refund.
      when: uma.isPaidOn,
      does: (draft, _, facts) => uma.failed(draft, 'OFFRAMP_FAILED', facts),
    },
  ],
  returned: [
    {
      // money.md §7.4: the return overtook the delivery → FAILED OFFRAMP_FAILED and refund.
      when: uma.isPaidOn,
      does: (draft, _, facts) => uma.failed(draft, 'OFFRAMP_FAILED', facts),
    },
    {
      // money.md §7.4: the receiver’s bank returns it → FAILED OFFRAMP_FAILED and refund.
      when: (row) => row.kind === 'UMA' && row.status === 'COMPLETED' && internalDestination(row) === null,
      does: (draft, _, facts) => uma.returnedAfterDelivery(draft, facts),
    },
  ],
  refunded: [
    {
      // refund PENDING, the sender has it back → COMPLETED.
      when: (row) => row.kind === 'UMA' && row.refund_status === 'PENDING',
      does: (draft) => uma.refunded(draft),
    },
  ],
};
