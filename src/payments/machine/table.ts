import { Draft, type Step } from '#payments/machine/draft.ts';
import * as incoming from '#payments/machine/incoming.ts';
import { JOB } from '#payments/machine/jobs.ts';
import { takenBack } from '#payments/machine/mirror.ts';
import type { Facts, Notice } from '#payments/machine/notice.ts';
import * as outgoing from '#payments/machine/outgoing.ts';
import * as refund from '#payments/machine/refund.ts';
import type { Rule, Rules } from '#payments/machine/rule.ts';
import { UMA_RULES } from '#payments/machine/uma-rules.ts';
import {
  internalDestination,
  isCollecting,
  isOpenQuote,
  isPastExpiry,
  isPaying,
  type TransactionRow,
} from '#payments/row.ts';

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
      rule: 'PENDING, execute, no SCA → PROCESSING',
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'INTERNAL',
      does: (draft, _, facts) => outgoing.executeFromBalance(draft, facts),
    },
    {
      rule: 'PENDING, execute, collected from outside → PROCESSING',
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'EXTERNAL' && isOutgoing(row),
      does: (draft, _, facts) => outgoing.executeByPull(draft, facts),
    },
    {
      rule: 'execution of a same-currency external→internal quote → PENDING',
      when: (row, _, now) => isExecutable(row, now) && row.source_type === 'EXTERNAL' && isIncoming(row),
      does: (draft, _, facts) => incoming.executePull(draft, facts),
    },
  ],
  funded: [
    {
      rule: 'PENDING, JIT funding arrives, exact amount → PROCESSING',
      when: (row, { amount }, now) => awaitsFunds(row, now) && amount === row.sending_amount,
      does: (draft, notice, facts) => outgoing.funded(draft, notice, facts),
    },
    {
      rule: 'PENDING, JIT funding arrives, any other amount → FAILED FUNDING_AMOUNT_MISMATCH',
      when: (row, _, now) => awaitsFunds(row, now),
      does: (draft, notice, facts) => outgoing.fundedInVain(draft, notice, facts),
    },
  ],
  fundedOverLimit: [
    {
      rule: '§8.2: JIT funding crosses the daily volume → FAILED LIMIT_EXCEEDED',
      when: (row, _, now) => awaitsFunds(row, now),
      does: (draft, notice, facts) => outgoing.fundedInVain(draft, notice, facts),
    },
  ],
  rateUnavailable: [
    {
      rule: '§3.3: corridor withdrawn since quoting → FAILED QUOTE_RATE_UNAVAILABLE',
      when: (row) => isOpenQuote(row),
      does: (draft) => outgoing.rateUnavailable(draft),
    },
  ],
  expired: [
    {
      rule: 'PENDING, expiresAt reached → EXPIRED',
      when: (row, _, now) => isPastExpiry(row, now),
      does: (draft) => outgoing.expired(draft),
    },
  ],
  accepted: [
    {
      rule: 'PENDING, transfer picked up → PROCESSING',
      when: (row) => isPaying(row) && row.status === 'PENDING',
      does: (draft) => outgoing.pickedUp(draft),
    },
  ],
  delivered: [
    {
      rule: 'PROCESSING, payout delivered → COMPLETED',
      when: (row) => isPaying(row),
      does: (draft, notice, facts) => outgoing.delivered(draft, notice, facts),
    },
  ],
  payoutFailed: [
    {
      rule: 'PROCESSING, any failure → FAILED and refund',
      when: (row) => isPaying(row),
      does: (draft, notice, facts) => outgoing.payoutFailed(draft, notice, facts),
    },
  ],
  returned: [
    {
      rule: 'COMPLETED, bank return → FAILED PAYOUT_RETURNED and refund',
      when: (row) =>
        isOutgoing(row) &&
        row.status === 'COMPLETED' &&
        row.refund_status === null &&
        internalDestination(row) === null,
      does: (draft, _, facts) => outgoing.returnedAfterDelivery(draft, facts),
    },
    {
      rule: 'PROCESSING, the return overtook the delivery → FAILED PAYOUT_RETURNED and refund',
      when: (row) => isPaying(row) && internalDestination(row) === null,
      does: (draft, _, facts) =>
        outgoing.payoutFailed(draft, { kind: 'payoutFailed', reason: 'PAYOUT_RETURNED' }, facts),
    },
  ],
  collected: [
    {
      rule: '§9.2: a pull that feeds an outgoing payment is collected; the payout begins',
      when: (row) => isCollecting(row) && isOutgoing(row),
      does: (draft, _, facts) => outgoing.collected(draft, facts),
    },
    {
      rule: 'PENDING, pull collected → COMPLETED',
      when: (row) => isCollecting(row) && isIncoming(row),
      does: (draft, _, facts) => incoming.collected(draft, facts),
    },
  ],
  collectionFailed: [
    {
      rule: '§9.2: a pull that feeds an outgoing payment fails it, no refund object',
      when: (row) => isCollecting(row) && isOutgoing(row),
      does: (draft) => outgoing.collectionFailed(draft),
    },
    {
      rule: 'PENDING, collection failure → FAILED',
      when: (row) => isCollecting(row) && isIncoming(row),
      does: (draft) => incoming.collectionFailed(draft),
    },
  ],
  collectionReversed: [
    {
      rule: '§11 (b): late reversal of a collected pull → FAILED COLLECTION_FAILED',
      when: (row) => isIncoming(row) && isPulled(row) && row.status === 'COMPLETED' && row.kind !== 'MIRROR',
      does: (draft, _, facts) => incoming.collectionReversed(draft, facts),
    },
    {
      rule: '§11 (b): the same behind an outgoing payment: the owner owes it',
      when: (row) => isOutgoing(row) && isPulled(row),
      does: (draft, _, facts) => outgoing.collectionReversed(draft, facts),
    },
    {
      rule: 'the reversal overtook the collection: it has failed',
      when: (row) => isCollecting(row),
      does: (draft) => (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft),
    },
  ],
  cancelled: [
    {
      rule: 'PROCESSING, cancellation accepted: stays; refund PENDING (USER_CANCELLATION)',
      when: (row) => isPaying(row),
      does(draft, _, facts) {
        draft.cancel(JOB.cancel, draft.row.id);
        outgoing.cancelled(draft, facts);
      },
    },
    {
      rule: '§6.9: a cancelled pull fails without refund',
      when: (row) => isCollecting(row),
      does(draft) {
        draft.cancel(JOB.cancel, draft.row.id);
        (isIncoming(draft.row) ? incoming : outgoing).collectionFailed(draft);
      },
    },
  ],
  refunded: [
    {
      rule: 'refund PENDING, money is back → COMPLETED',
      when: (row) => row.refund_status === 'PENDING',
      does: (draft, _, facts) => refund.refunded(draft, facts),
    },
  ],
  refundFailed: [
    {
      rule: 'refund PENDING, cannot be paid back → FAILED',
      when: (row) => row.refund_status === 'PENDING',
      does: (draft) => refund.refundFailed(draft),
    },
  ],
  takenBack: [
    {
      rule: '§4, §7.4: what was delivered to somebody else on the platform is taken back: so is its mirror',
      when: (row) => row.kind === 'MIRROR' && row.status === 'COMPLETED',
      does: (draft, notice) => takenBack(draft, notice),
    },
  ],
  held: [
    {
      // An incoming UMA payment is held before it arrives or not at all: uma-rules.ts.
      rule: 'pendingReason while a compliance hold or customer action blocks settlement',
      when: (row) => row.kind !== 'UMA' && isOpen(row) && row.pending_reason === null && !isOpenQuote(row),
      does: (draft, { reason }) => draft.set({ pending_reason: reason ?? 'COMPLIANCE_REVIEW' }),
    },
  ],
  released: [
    {
      rule: 'pendingReason is removed when the hold ends',
      when: (row) => row.pending_reason !== null,
      does: (draft) => draft.set({ pending_reason: null }),
    },
  ],
};

export interface Advance {
  /** Undefined where none of the notices fitted. */
  readonly step: Step | undefined;
  readonly ignored: readonly Notice[];
}

/** What becomes of a transaction when these notices reach it, in order: one step, or none. Pure. */
export function advance(row: TransactionRow, notices: readonly Notice[], now: Date, facts: Facts): Advance {
  const draft = new Draft(row, now);
  const ignored = notices.filter((notice) => !take(draft, notice, facts));
  return { step: draft.finish(), ignored };
}

/** Takes one notice into a draft; false where it does not fit. */
export function take(draft: Draft, notice: Notice, facts: Facts): boolean {
  const rule = rulesFor(notice.kind).find(({ when }) => when(draft.row, notice, draft.now));
  rule?.does(draft, notice, facts);
  return rule !== undefined;
}

/** For tests and documents: every rule by its notice. */
export function listRules(): { notice: Notice['kind']; rule: string }[] {
  return (Object.keys(RULES) as Notice['kind'][]).flatMap((notice) =>
    rulesFor(notice).map(({ rule }) => ({ notice, rule })),
  );
}

function rulesFor(notice: Notice['kind']): Rule<Notice['kind']>[] {
  return [...(UMA_RULES[notice] ?? []), ...RULES[notice]] as unknown as Rule<Notice['kind']>[];
}
