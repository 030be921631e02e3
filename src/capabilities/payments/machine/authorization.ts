import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import type { Facts, NoticeOf, PaymentRule } from '#capabilities/payments/machine/notice.ts';
import {
  executeByPull,
  QUOTE_LIFETIME_MS,
  requireReceiver,
  scheduleBySecond,
  scheduleExpiry,
  startPayout,
  startProcessing,
} from '#capabilities/payments/machine/outgoing.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { countVolume } from '#capabilities/payments/machine/volume.ts';
import {
  awaitsAuthorization,
  isOpenQuote,
  isPastAuthorization,
  isPastExpiry,
  payerAccount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';

const canWait = (row: TransactionRow, now: Date) =>
  row.type === 'OUTGOING' && isOpenQuote(row) && !isPastExpiry(row, now);
const isAuthorizable = (row: TransactionRow, now: Date) =>
  awaitsAuthorization(row) && !isPastAuthorization(row, now);

/** The rows of customers.md §7's table of quotes: payments that wait for their customer's authorization. */
export const AUTHORIZATION_RULES: readonly PaymentRule[] = [
  {
    notice: 'authorizationRequired',
    // customers.md §7.10; a real-time quote waits from the start.
    label: 'the customer has to authorize it first',
    moves: { OUTGOING: ['PENDING → PENDING_AUTHORIZATION'] },
    when: (row, _, now) => canWait(row, now),
    does: (draft, notice) => waitForAuthorization(draft, notice),
  },
  {
    notice: 'authorized',
    label: 'a challenge is answered, and another one follows',
    moves: {},
    when: (row, { nextBy }, now) => isAuthorizable(row, now) && nextBy !== undefined,
    does: (draft, notice) => askAgain(draft, notice),
  },
  {
    notice: 'authorized',
    label: 'authorized: paid from an internal account',
    moves: {
      OUTGOING: ['PENDING_AUTHORIZATION → PROCESSING', 'PENDING_AUTHORIZATION → FAILED'],
      REFUND: ['none → PENDING'],
    },
    when: (row, _, now) => isAuthorizable(row, now) && row.source.kind === 'INTERNAL',
    does: (draft, _, facts) => authorizeFromBalance(draft, facts),
  },
  {
    notice: 'authorized',
    label: 'authorized: collected from an external account',
    moves: { OUTGOING: ['PENDING_AUTHORIZATION → PROCESSING', 'PENDING_AUTHORIZATION → FAILED'] },
    when: (row, _, now) => isAuthorizable(row, now) && row.source.kind === 'EXTERNAL',
    does: (draft, _, facts) => authorizePull(draft, facts),
  },
  {
    notice: 'authorized',
    label: 'authorized: a real-time quote can be funded',
    moves: { OUTGOING: ['PENDING_AUTHORIZATION → PENDING'] },
    when: (row, _, now) => isAuthorizable(row, now),
    does: (draft) => authorizeFunding(draft),
  },
  {
    notice: 'authorizedOverLimit',
    // customers.md §7.10c.
    label: 'authorized, but over the daily limit: LIMIT_EXCEEDED',
    moves: { OUTGOING: ['PENDING_AUTHORIZATION → FAILED'] },
    when: (row, _, now) => isAuthorizable(row, now) && row.source.kind !== 'REALTIME',
    does: (draft) => failUnauthorized(draft, 'LIMIT_EXCEEDED'),
  },
  {
    notice: 'authorizationLapsed',
    // customers.md §7.10d, money.md §3.1.
    label: 'not authorized in time, or the challenge was voided: SCA_NOT_COMPLETED',
    moves: { OUTGOING: ['PENDING_AUTHORIZATION → FAILED'] },
    when: (row) => awaitsAuthorization(row),
    does: (draft) => failUnauthorized(draft, 'SCA_NOT_COMPLETED'),
  },
];

/**
 * `PENDING` → `PENDING_AUTHORIZATION`: the customer is asked first. Money from an internal account is put on hold; for
 * a pull or real-time funding we hold no money yet (customers.md §7.10b).
 */
function waitForAuthorization(draft: PaymentDraft, { by }: NoticeOf<'authorizationRequired'>): void {
  const { row } = draft;
  if (row.source.kind === 'INTERNAL') {
    draft.post('payment.held', postings.hold(row));
    draft.requireActiveAccount(payerAccount(row));
  }
  askUntil(draft, by);
}

/** Stays `PENDING_AUTHORIZATION`: one challenge was answered, and the next one is open. */
function askAgain(draft: PaymentDraft, { nextBy }: NoticeOf<'authorized'>): void {
  if (nextBy) askUntil(draft, nextBy);
}

function askUntil(draft: PaymentDraft, by: Date): void {
  draft.set({ status: 'PENDING_AUTHORIZATION', authorize_by: by });
  scheduleBySecond(draft, JOB.lapse, by);
  draft.emit('PENDING_AUTHORIZATION');
}

/** `PENDING_AUTHORIZATION` → `PROCESSING`: the money on hold is taken. */
function authorizeFromBalance(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  draft.post('payment.captured', postings.capture(row));
  draft.requireActiveAccount(payerAccount(row));
  requireReceiver(draft);
  draft.set({ authorize_by: null, executed_at: now, taken_at: now });
  countVolume(draft, facts);
  startProcessing(draft, facts);
  startPayout(draft, facts);
}

/** `PENDING_AUTHORIZATION` → `PROCESSING`: the money is collected now. */
function authorizePull(draft: PaymentDraft, facts: Facts): void {
  draft.set({ authorize_by: null });
  executeByPull(draft, facts);
}

/**
 * `PENDING_AUTHORIZATION` → `PENDING`: the real-time quote can be funded, for as long as a new one (customers.md
 * §7.10c).
 */
function authorizeFunding(draft: PaymentDraft): void {
  const expiresAt = new Date(draft.now.getTime() + QUOTE_LIFETIME_MS);
  draft.set({ status: 'PENDING', authorize_by: null, expires_at: expiresAt });
  scheduleExpiry(draft);
}

/** `PENDING_AUTHORIZATION` → `FAILED`: the hold is released, and there is nothing to refund. */
function failUnauthorized(draft: PaymentDraft, reason: 'SCA_NOT_COMPLETED' | 'LIMIT_EXCEEDED'): void {
  const { row } = draft;
  if (row.source.kind === 'INTERNAL') draft.reverse('payment.released', 'payment.held', postings.hold(row));
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}
