import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { executePull } from '#capabilities/payments/machine/incoming.ts';
import type { Facts, PaymentRule } from '#capabilities/payments/machine/notice.ts';
import { pickedUp, requireReceiver, startPayout } from '#capabilities/payments/machine/outgoing.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { countVolume } from '#capabilities/payments/machine/volume.ts';
import {
  isNewTransfer,
  isPastApproval,
  payerAccount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';

const canStart = (row: TransactionRow, now: Date) => isNewTransfer(row) && !isPastApproval(row, now);

/** How transfers start (money.md §5); afterwards they proceed like executed quotes. */
export const TRANSFER_RULES: readonly PaymentRule[] = [
  {
    notice: 'executed',
    // money.md §5.2.
    label: 'a transfer out is debited, and waits for the rail to pick it up',
    moves: { OUTGOING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row, _, now) => canStart(row, now) && row.type === 'OUTGOING',
    does: (draft, _, facts) => executeTransferOut(draft, facts),
  },
  {
    notice: 'executed',
    // money.md §5.3.
    label: 'a transfer in is credited only after it was collected',
    moves: { INCOMING: ['PENDING → FAILED'] },
    when: (row, _, now) => canStart(row, now) && row.type === 'INCOMING',
    does: (draft, _, facts) => executePull(draft, facts),
  },
];

function executeTransferOut(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  draft.post('payment.executed', postings.execute(row));
  draft.requireActiveAccount(payerAccount(row));
  requireReceiver(draft);
  draft.set({ executed_at: now, taken_at: now });
  countVolume(draft, facts);
  // A transfer that the rail refuses at once counts as picked up (money.md §9).
  if (facts.knownPayoutFailure !== undefined) pickedUp(draft);
  startPayout(draft, facts);
}
