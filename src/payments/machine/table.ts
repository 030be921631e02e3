import { Draft, type Transition } from '#payments/machine/draft.ts';
import * as incoming from '#payments/machine/incoming.ts';
import { JOB } from '#payments/machine/jobs.ts';
import { takenBack } from '#payments/machine/mirror.ts';
import type { Facts, Notice } from '#payments/machine/notice.ts';
import * as outgoing from '#payments/machine/outgoing.ts';
import * as refund from '#payments/machine/refund.ts';
import type { Rule, Rules } from '#payments/machine/rule.ts';
import { UMA_RULES } from '#payments/machine/uma-rules.ts';
import type { TransactionRow } from '#payments/row.ts';
import { internalDestination, isCollecting, isOpenQuote, isPastExpiry, isPaying } from '#payments/rules.ts';

const isOutgoing = (row: TransactionRow) => row.type === 'OUTGOING';
const isIncoming = (row: TransactionRow) => row.type === 'INCOMING';

/** An unexpired quote whose money lies in, or is pulled from, an account. */
const isExecutable = (row: TransactionRow, now: Date) => isOpenQuote(row) && !isPastExpiry(row, now);
const awaitsFunds = (row: TransactionRow, now: Date) =>
  isExecutable(row, now) && row.source_type === 'REALTIME';
const isPulled = (row: TransactionRow) => row.source_type === 'EXTERNAL' && row.taken_at !== null;
const isOpen = (row: TransactionRow) => row.status === 'PENDING' || row.status === 'PROCESSING';

/** The first rule that fits counts. A notice that fits none changes nothing: it is late, repeated or not ours. */
const RULES: Rules = {
  // Only incoming UMA payments know these.
  approved: [],
  rejected: [],
  approvalFailed: [],
  arrived: [],
  complianceRejected: [],
  executed: [
    {
      // PENDING, execute, no SCA → PROCESSING.
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'INTERNAL',
      does: (draft, _, facts) => outgoing.executeFromBalance(draft, facts),
    },
    {
      // PENDING, execute, collected from outside → PROCESSING.
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'EXTERNAL' && isOutgoing(row),
      does: (draft, _, facts) => outgoing.executeByPull(draft, facts),
    },
    {
      // execution of a same-currency external→internal quote → PENDING.
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'EXTERNAL' && isIncoming(row),
      does: (draft, _, facts) => incoming.executePull(draft, facts),
    },
  ],
  funded: [
    {
      // PENDING, JIT funding arrives, exact amount → PROCESSING.
      when: (row, { amount }, now) => awaitsFunds(row, now) && amount === row.sending_amount,
      does: (draft, notice, facts) => outgoing.funded(draft, notice, facts),
    },
    {
      // PENDING, JIT funding arrives, any other amount → FAILED FUNDING_AMOUNT_MISMATCH.
      when: (row, _, now) => awaitsFunds(row, now),
      does: (draft, notice, facts) => outgoing.fundedInVain(draft, notice, facts),
    },
  ],
  fundedOverLimit: [
    {
      // money.md §8.2: JIT funding crosses the daily volume → FAILED LIMIT_EXCEEDED.
      when: (row, _, now) => awaitsFunds(row, now),
      does: (draft, notice, facts) => outgoing.fundedInVain(draft, notice, facts),
    },
  ],
  rateUnavailable: [
    {
      // money.md §3.3: corridor withdrawn since quoting → FAILED QUOTE_RATE_UNAVAILABLE.
      when: (row) => isOpenQuote(row),
      does: (draft) => outgoing.rateUnavailable(draft),
    },
  ],
  expired: [
    {
      // PENDING, expiresAt reached → EXPIRED.
      when: (row, _, now) => isPastExpiry(row, now),
      does: (draft) => outgoing.expired(draft),
    },
  ],
  accepted: [
    {
      // PENDING, transfer picked up → PROCESSING.
      when: (row) => isPaying(row) && row.status === 'PENDING',
      does: (draft) => outgoing.pickedUp(draft),
    },
  ],
  delivered: [
    {
      // PROCESSING, payout delivered → COMPLETED.
      when: (row) => isPaying(row),
      does: (draft, notice, facts) => outgoing.delivered(draft, notice, facts),
    },
  ],
  payoutFailed: [
    {
      // PROCESSING, any failure → FAILED and refund.
      when: (row) => isPaying(row),
      does: (draft, notice, facts) => outgoing.payoutFailed(draft, notice, facts),
    },
  ],
  returned: [
    {
      // COMPLETED, bank return → FAILED PAYOUT_RETURNED and refund.
      when: (row) =>
        isOutgoing(row) &&
        row.status === 'COMPLETED' &&
        row.refund_status === null &&
        internalDestination(row) === null,
      does: (draft, _, facts) => outgoing.returnedAfterDelivery(draft, facts),
    },
    {
      // PROCESSING, the return overtook the delivery → FAILED PAYOUT_RETURNED and refund.
      when: (row) => isPaying(row) && internalDestination(row) === null,
      does: (draft, _, facts) => outgoing.returnedBeforeDelivery(draft, facts),
    },
  ],
  collected: [
    {
      // money.md §9.2: a pull that feeds an outgoing payment is collected; the payout begins.
      when: (row) => isCollecting(row) && isOutgoing(row),
      does: (draft, _, facts) => outgoing.collected(draft, facts),
    },
    {
      // PENDING, pull collected → COMPLETED.
      when: (row) => isCollecting(row) && isIncoming(row),
      does: (draft, _, facts) => incoming.collected(draft, facts),
    },
  ],
  collectionFailed: [
    {
      // money.md §9.2: a pull that feeds an outgoing payment fails it, no refund object.
      when: (row) => isCollecting(row) && isOutgoing(row),
      does: (draft) => outgoing.collectionFailed(draft),
    },
    {
      // PENDING, collection failure → FAILED.
      when: (row) => isCollecting(row) && isIncoming(row),
      does: (draft) => incoming.collectionFailed(draft),
    },
  ],
  collectionReversed: [
    {
      // money.md §11.b: late reversal of a collected pull → FAILED COLLECTION_FAILED.
      when: (row) => isIncoming(row) && isPulled(row) && row.status === 'COMPLETED' && row.kind !== 'MIRROR',
      does: (draft, _, facts) => incoming.collectionReversed(draft, facts),
    },
    {
      // money.md §11.b: the same behind an outgoing payment: the owner owes it.
      when: (row) => isOutgoing(row) && isPulled(row),
      does: (draft, _, facts) => outgoing.collectionReversed(draft, facts),
    },
    {
      // the reversal overtook the collection: it has failed.
      when: (row) => isCollecting(row),
      does: (draft) => (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft),
    },
  ],
  cancelled: [
    {
      // PROCESSING, cancellation accepted: stays; refund PENDING (USER_CANCELLATION).
      when: (row) => isPaying(row),
      does(draft, _, facts) {
        draft.cancel(JOB.cancel, draft.row.id);
        outgoing.cancelled(draft, facts);
      },
    },
    {
      // money.md §6.9: a cancelled pull fails without refund.
      when: (row) => isCollecting(row),
      does(draft) {
        draft.cancel(JOB.cancel, draft.row.id);
        (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft);
      },
    },
  ],
  refunded: [
    {
      // refund PENDING, money is back → COMPLETED.
      when: (row) => row.refund_status === 'PENDING',
      does: (draft, _, facts) => refund.refunded(draft, facts),
    },
  ],
  refundFailed: [
    {
      // refund PENDING, cannot be paid back → FAILED.
      when: (row) => row.refund_status === 'PENDING',
      does: (draft) => refund.refundFailed(draft),
    },
  ],
  takenBack: [
    {
      // money.md §4, §7.4: what was delivered to somebody else on the platform is taken back: so is its mirror.
      when: (row) => row.kind === 'MIRROR' && row.status === 'COMPLETED',
      does: (draft, notice) => takenBack(draft, notice),
    },
  ],
  held: [
    {
      // pendingReason while a compliance hold or customer action blocks settlement. An incoming UMA payment is held
      // before it arrives or not at all: uma-rules.ts.
      when: (row) => row.kind !== 'UMA' && isOpen(row) && row.pending_reason === null && !isOpenQuote(row),
      does: (draft) => draft.set({ pending_reason: 'COMPLIANCE_REVIEW' }),
    },
  ],
  released: [
    {
      // pendingReason is removed when the hold ends.
      when: (row) => row.pending_reason !== null,
      does: (draft) => draft.set({ pending_reason: null }),
    },
  ],
};

/** What becomes of a transaction when a notice reaches it; undefined where it does not fit. Pure. */
export function advance(
  row: TransactionRow,
  notice: Notice,
  now: Date,
  facts: Facts,
): Transition | undefined {
  const draft = new Draft(row, now);
  take(draft, notice, facts);
  return draft.finish();
}

/** Takes a notice into a draft; one that does not fit leaves it as it is. */
export function take(draft: Draft, notice: Notice, facts: Facts): void {
  const rule = rulesFor(notice.kind).find(({ when }) => when(draft.row, notice, draft.now));
  rule?.does(draft, notice, facts);
}

function rulesFor(notice: Notice['kind']): Rule<Notice['kind']>[] {
  return [...(UMA_RULES[notice] ?? []), ...RULES[notice]] as unknown as Rule<Notice['kind']>[];
}
