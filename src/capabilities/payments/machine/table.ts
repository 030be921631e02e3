import { APPROVAL_RULES } from '#capabilities/payments/machine/approval.ts';
import { AUTHORIZATION_RULES } from '#capabilities/payments/machine/authorization.ts';
import { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import * as incoming from '#capabilities/payments/machine/incoming.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { takenBack } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, PaymentNotice, PaymentRule } from '#capabilities/payments/machine/notice.ts';
import * as outgoing from '#capabilities/payments/machine/outgoing.ts';
import * as refund from '#capabilities/payments/machine/refund.ts';
import { TRANSFER_RULES } from '#capabilities/payments/machine/transfer-rules.ts';
import { UMA_RULES } from '#capabilities/payments/machine/uma-rules.ts';
import {
  internalDestination,
  isCollecting,
  isOpenQuote,
  isPastExpiry,
  isPaying,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { Machine } from '#foundation/machine/machine.ts';

const isOutgoing = (row: TransactionRow) => row.type === 'OUTGOING';
const isIncoming = (row: TransactionRow) => row.type === 'INCOMING';

/** A quote that was neither executed nor funded, and that has not expired. */
const isExecutable = (row: TransactionRow, now: Date) => isOpenQuote(row) && !isPastExpiry(row, now);
const awaitsFunds = (row: TransactionRow, now: Date) =>
  isExecutable(row, now) && row.source.kind === 'REALTIME';
const isPulled = (row: TransactionRow) => row.source.kind === 'EXTERNAL' && row.taken_at !== null;
const isFunded = (row: TransactionRow) => row.source.kind === 'REALTIME' && row.taken_at !== null;
const isUnderWay = (row: TransactionRow) =>
  (row.status === 'PENDING' || row.status === 'PROCESSING') && row.executed_at !== null;

const RULES: readonly PaymentRule[] = [
  {
    notice: 'executed',
    label: 'executed from an internal account',
    moves: { OUTGOING: ['PENDING → PROCESSING', 'PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row, _, now) => isExecutable(row, now) && row.source.kind === 'INTERNAL',
    does: (draft, _, facts) => outgoing.executeFromBalance(draft, facts),
  },
  {
    notice: 'executed',
    label: 'executed from an external account: the money is collected first',
    moves: { OUTGOING: ['PENDING → PROCESSING', 'PENDING → FAILED'] },
    when: (row, _, now) => isExecutable(row, now) && row.source.kind === 'EXTERNAL' && isOutgoing(row),
    does: (draft, _, facts) => outgoing.executeByPull(draft, facts),
  },
  {
    notice: 'executed',
    label: 'a quote that pulls money into an internal account of its currency is executed',
    moves: { INCOMING: ['PENDING → FAILED'] },
    when: (row, _, now) => isExecutable(row, now) && row.source.kind === 'EXTERNAL' && isIncoming(row),
    does: (draft, _, facts) => incoming.executePull(draft, facts),
  },
  {
    notice: 'funded',
    label: 'the exact amount of a real-time quote arrives',
    moves: { OUTGOING: ['PENDING → PROCESSING', 'PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row, { amount }, now) => awaitsFunds(row, now) && amount === row.sending_amount,
    does: (draft, notice, facts) => outgoing.funded(draft, notice, facts),
  },
  {
    notice: 'funded',
    label: 'another amount arrives: FUNDING_AMOUNT_MISMATCH',
    moves: { OUTGOING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row, _, now) => awaitsFunds(row, now),
    does: (draft, notice, facts) => outgoing.refundFunding(draft, notice, facts),
  },
  {
    notice: 'fundedOverLimit',
    // money.md §8.2.
    label: 'it arrives, but exceeds the daily limit: LIMIT_EXCEEDED',
    moves: { OUTGOING: ['PENDING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row, _, now) => awaitsFunds(row, now),
    does: (draft, notice, facts) => outgoing.refundFunding(draft, notice, facts),
  },
  {
    notice: 'rateUnavailable',
    // money.md §3.3.
    label: 'its corridor was withdrawn after the quote was created',
    moves: { OUTGOING: ['PENDING → FAILED'], INCOMING: ['PENDING → FAILED'] },
    when: (row) => isOpenQuote(row),
    does: (draft) => outgoing.rateUnavailable(draft),
  },
  {
    notice: 'expired',
    // money.md §3.1.
    label: 'the quote was neither executed nor funded in time',
    moves: { OUTGOING: ['PENDING → EXPIRED'], INCOMING: ['PENDING → EXPIRED'] },
    when: (row, _, now) => isPastExpiry(row, now),
    does: (draft) => outgoing.expired(draft),
  },
  {
    notice: 'accepted',
    label: 'the rail accepts a transfer',
    moves: { OUTGOING: ['PENDING → PROCESSING'] },
    when: (row) => isPaying(row) && row.status === 'PENDING',
    does: (draft) => outgoing.pickedUp(draft),
  },
  {
    notice: 'delivered',
    label: 'delivered, or failed if the internal account cannot be credited',
    moves: {
      OUTGOING: ['PENDING → COMPLETED', 'PROCESSING → COMPLETED', 'PENDING → FAILED', 'PROCESSING → FAILED'],
      REFUND: ['none → PENDING'],
    },
    when: (row) => isPaying(row),
    does: (draft, notice, facts) => outgoing.delivered(draft, notice, facts),
  },
  {
    notice: 'payoutFailed',
    label: 'the payout fails',
    moves: { OUTGOING: ['PENDING → FAILED', 'PROCESSING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) => isPaying(row),
    does: (draft, notice, facts) => outgoing.payoutFailed(draft, notice, facts),
  },
  {
    notice: 'returned',
    label: 'the receiver’s bank returns it: PAYOUT_RETURNED',
    moves: { OUTGOING: ['COMPLETED → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) =>
      isOutgoing(row) &&
      row.status === 'COMPLETED' &&
      row.refund_status === null &&
      internalDestination(row) === null,
    does: (draft, notice, facts) => outgoing.returnedAfterDelivery(draft, notice, facts),
  },
  {
    notice: 'returned',
    label: 'the return arrives before the delivery: PAYOUT_RETURNED',
    moves: { OUTGOING: ['PENDING → FAILED', 'PROCESSING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) => isPaying(row) && internalDestination(row) === null,
    does: (draft, _, facts) => outgoing.returnedBeforeDelivery(draft, facts),
  },
  {
    notice: 'collected',
    // money.md §9.2.
    label: 'the funds of an outgoing payment are collected: the payout begins',
    moves: { OUTGOING: ['PROCESSING → FAILED'], REFUND: ['none → PENDING'] },
    when: (row) => isCollecting(row) && isOutgoing(row),
    does: (draft, notice, facts) => outgoing.collected(draft, notice, facts),
  },
  {
    notice: 'collected',
    label: 'collected into an internal account, or failed if it cannot hold the amount',
    moves: { INCOMING: ['PENDING → COMPLETED', 'PENDING → FAILED'] },
    when: (row) => isCollecting(row) && isIncoming(row),
    does: (draft, notice, facts) => incoming.collected(draft, notice, facts),
  },
  {
    notice: 'collectionFailed',
    // money.md §9.2.
    label: 'the funds of an outgoing payment cannot be collected: no refund',
    moves: { OUTGOING: ['PROCESSING → FAILED'] },
    when: (row) => isCollecting(row) && isOutgoing(row),
    does: (draft) => outgoing.collectionFailed(draft),
  },
  {
    notice: 'collectionFailed',
    label: 'the money cannot be collected',
    moves: { INCOMING: ['PENDING → FAILED'] },
    when: (row) => isCollecting(row) && isIncoming(row),
    does: (draft) => incoming.collectionFailed(draft),
  },
  {
    notice: 'collectionReversed',
    // money.md §11.b.
    label: 'a collection, or a deposit, is reversed after the credit: COLLECTION_FAILED',
    moves: { INCOMING: ['COMPLETED → FAILED'] },
    when: (row) => isIncoming(row) && (isPulled(row) || row.kind === 'DEPOSIT') && row.status === 'COMPLETED',
    does: (draft, notice, facts) => incoming.collectionReversed(draft, notice, facts),
  },
  {
    notice: 'collectionReversed',
    // money.md §11.b.
    label: 'the money for an outgoing payment is taken back: its owner owes it',
    moves: {},
    when: (row) => isOutgoing(row) && (isPulled(row) || isFunded(row)),
    does: (draft, notice, facts) => outgoing.collectionReversed(draft, notice, facts),
  },
  {
    notice: 'collectionReversed',
    label: 'the reversal arrives before the collection',
    moves: { OUTGOING: ['PROCESSING → FAILED'], INCOMING: ['PENDING → FAILED'] },
    when: (row) => isCollecting(row),
    does: (draft) => (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft),
  },
  {
    notice: 'cancelled',
    label: 'cancelled: completed when the refund is paid',
    moves: { OUTGOING: ['PENDING → PROCESSING'], REFUND: ['none → PENDING'] },
    when: (row) => isPaying(row),
    does(draft, _, facts) {
      draft.cancel(JOB.cancel, draft.row.id);
      outgoing.cancelled(draft, facts);
    },
  },
  {
    notice: 'cancelled',
    // money.md §6.9.
    label: 'a pull is cancelled: no refund',
    moves: { OUTGOING: ['PROCESSING → FAILED'], INCOMING: ['PENDING → FAILED'] },
    when: (row) => isCollecting(row),
    does(draft) {
      draft.cancel(JOB.cancel, draft.row.id);
      (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft);
    },
  },
  {
    notice: 'refunded',
    label: 'the money is paid back, or booked to suspense if the account cannot be credited',
    moves: {
      OUTGOING: ['PROCESSING → COMPLETED', 'PROCESSING → FAILED'],
      REFUND: ['PENDING → COMPLETED', 'PENDING → FAILED'],
    },
    when: (row) => row.refund_status === 'PENDING',
    does: (draft, notice, facts) => refund.refunded(draft, notice, facts),
  },
  {
    notice: 'refundFailed',
    label: 'the refund cannot be paid: it is booked to suspense',
    moves: { OUTGOING: ['PROCESSING → FAILED'], REFUND: ['PENDING → FAILED'] },
    when: (row) => row.refund_status === 'PENDING',
    does: (draft) => refund.refundFailed(draft),
  },
  {
    notice: 'takenBack',
    // money.md §4.3, §7.4.
    label: 'the payment that the mirror shows is reversed',
    moves: { INCOMING: ['COMPLETED → FAILED'] },
    when: (row) => row.kind === 'MIRROR' && row.status === 'COMPLETED',
    does: (draft, notice) => takenBack(draft, notice),
  },
  {
    notice: 'held',
    // An incoming UMA payment is held before it arrives, or never: uma-rules.ts.
    label: 'a compliance hold begins; the status does not change',
    moves: {},
    when: (row) => row.kind !== 'UMA' && isUnderWay(row) && row.pending_reason === null,
    does: (draft) => draft.set({ pending_reason: 'COMPLIANCE_REVIEW' }),
  },
  {
    notice: 'released',
    label: 'the hold ends; the status does not change',
    moves: {},
    when: (row) => row.pending_reason !== null,
    does: (draft) => draft.set({ pending_reason: null }),
  },
];

export const PAYMENTS = new Machine<TransactionRow, PaymentDraft, PaymentNotice, Facts>({
  rules: [...UMA_RULES, ...AUTHORIZATION_RULES, ...APPROVAL_RULES, ...TRANSFER_RULES, ...RULES],
  newDraft: (row, now) => new PaymentDraft(row, now),
  statuses: ({ type, status, refund_status: refund }) => ({ [type]: status, REFUND: refund ?? 'none' }),
  commands: ['executed', 'submitted'],
  prepare(draft) {
    if (draft.row.approve_by !== null) draft.set({ approve_by: null });
  },
});
