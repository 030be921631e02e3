import { pendingInAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { decideKeys, followKey, JOB } from '#capabilities/payments/machine/jobs.ts';
import type { Facts, NoticeOf } from '#capabilities/payments/machine/notice.ts';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { buildRefundReference } from '#capabilities/payments/reference.ts';
import {
  type IncomingFailure,
  internalDestination,
  refundAmount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import type { Line } from '#foundation/ledger/entries.ts';
import type { Account } from '#foundation/ledger/kinds.ts';

/**
 * The rows of money.md §4's table of incoming transactions that begin with a UMA payment offered to a customer
 * (money.md §7); uma-rules.ts defines when each applies. L13, L14 and L15 are posted in two parts, a and b.
 */

/** The rail in RAIL:<rail>:<currency> for money from other providers. */
const RAIL = 'UMA';

/** The platform has not decided yet, and its deadline has not been processed. */
export function awaitsDecision(row: TransactionRow): boolean {
  return row.kind === 'UMA' && row.status === 'PENDING' && row.executed_at === null;
}

/** Approved; the money is on its way to the receiver. */
export function isSettling(row: TransactionRow): boolean {
  return row.kind === 'UMA' && row.status === 'PENDING' && row.taken_at !== null;
}

/** A rail takes the money to the receiver's external account. */
export function isForwarded(row: TransactionRow): boolean {
  return isSettling(row) && internalDestination(row) === null && row.pending_reason === null;
}

/** Approved: posts L13 (a). The sender's provider is notified after the commit. */
export function approved(draft: PaymentDraft): void {
  const { row, now } = draft;
  stopTimers(draft);
  draft.set({ executed_at: now, taken_at: now });
  draft.post('uma.received', postings.fund(row, RAIL, row.receiving_amount));
  draft.schedule(JOB.receive, row.id, { afterMs: 0 });
}

/** `PENDING` → `REJECTED`: by the platform. */
export function rejected(draft: PaymentDraft): void {
  stopTimers(draft);
  draft.set({ status: 'REJECTED' });
  draft.emit('FAILED');
}

/** `PENDING` → `FAILED` before any money arrived. */
export function approvalFailed(draft: PaymentDraft, { reason }: NoticeOf<'approvalFailed'>): void {
  stopTimers(draft);
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}

function stopTimers(draft: PaymentDraft): void {
  for (const key of decideKeys(draft.row.id)) draft.cancel(JOB.decide, key);
}

/** The money arrived: it is credited, or forwarded to the receiver's external account (money.md §7.4). */
export function arrived(draft: PaymentDraft, notice: NoticeOf<'arrived'>, facts: Facts): void {
  draft.set({ funding_hash: notice.transactionHash ?? null });
  forward(draft, facts);
}

/** money.md §11.L14 (a): the money arrived and is held. If it goes to an external account, it stays in INFLIGHT. */
export function held(draft: PaymentDraft, facts: Facts): void {
  const account = internalDestination(draft.row);
  if (account !== null) {
    // The account may have been closed during the approval. With money in PENDING_IN it can no longer be closed.
    if (facts.isClosed(account) || !facts.canHold(account, draft.row.receiving_amount)) {
      failed(draft, 'OFFRAMP_FAILED', facts);
      return;
    }
    const lines = postings.oweRefund(draft.row, draft.row.receiving_amount);
    draft.post(
      'uma.held',
      replaced(lines, postings.refundPayableAccountOf(draft.row), pendingInAccountOf(account)),
    );
  }
  draft.set({ pending_reason: 'COMPLIANCE_REVIEW' });
}

/** The hold ended: the money is credited or forwarded. */
export function released(draft: PaymentDraft, { transactionHash }: NoticeOf<'released'>, facts: Facts): void {
  draft.set({ pending_reason: null, funding_hash: transactionHash ?? draft.row.funding_hash });
  forward(draft, facts);
}

/** `PENDING` → `COMPLETED`: delivered to the receiver's external account. */
export function delivered(draft: PaymentDraft, notice: NoticeOf<'delivered'>): void {
  const { row } = draft;
  draft.post(
    'uma.delivered',
    postings.deliver(row, { rail: postings.railThrough(postings.payoutRailOf(row), notice) }),
  );
  // Set before COMPLETED is emitted, so that the event carries the hash.
  if (notice.transactionHash !== undefined) draft.set({ payout_hash: notice.transactionHash });
  complete(draft);
}

/** `PENDING` → `FAILED`: the sender is paid back (L15). */
export function failed(draft: PaymentDraft, reason: IncomingFailure, facts: Facts): void {
  const { row } = draft;
  for (const phase of ['receive', 'pay'] as const) draft.cancel(JOB.follow, followKey(row.id, phase));
  draft.cancel(JOB.receive, row.id);
  draft.cancel(JOB.pay, row.id);
  draft.set({ status: 'FAILED', failure_reason: reason, pending_reason: null });
  draft.emit('FAILED');
  refundSender(draft, facts);
}

/** `COMPLETED` → `FAILED`: the receiver's bank returned the money. */
export function returnedAfterDelivery(draft: PaymentDraft, notice: NoticeOf<'returned'>, facts: Facts): void {
  const { row } = draft;
  const rail = postings.railThrough(postings.payoutRailOf(row), notice);
  draft.post('payment.returned', postings.returnPayout(row, rail, undefined));
  failed(draft, 'OFFRAMP_FAILED', facts);
}

/** money.md §11.L15 (b): the sender was paid back. */
export function refunded(draft: PaymentDraft): void {
  const { row, now } = draft;
  draft.post('uma.refund_paid', postings.payRefund(row, refundAmount(row), { rail: RAIL }));
  draft.set({ refund_status: 'COMPLETED', refund_settled_at: now });
  draft.emit('REFUND_COMPLETED');
}

function forward(draft: PaymentDraft, facts: Facts): void {
  const account = internalDestination(draft.row);
  if (account !== null) credit(draft, account, facts);
  else if (facts.knownPayoutFailure !== undefined) failed(draft, 'OFFRAMP_FAILED', facts);
  else draft.schedule(JOB.pay, draft.row.id, { afterMs: 0 });
}

/** `PENDING` → `COMPLETED`: L13 (b) from INFLIGHT or, after a hold, L14 (b) from PENDING_IN. */
function credit(draft: PaymentDraft, account: AccountId, facts: Facts): void {
  const fits = isOnHold(draft.row) || facts.canHold(account, draft.row.receiving_amount);
  if (!facts.canReceive(account) || !fits) {
    failed(draft, 'OFFRAMP_FAILED', facts);
    return;
  }
  const lines = postings.deliver(draft.row, { internal: account, debt: facts.debtOf(account) });
  draft.requireActiveAccount(account);
  if (isOnHold(draft.row)) draft.post('uma.released', fromPending(draft.row, account, lines));
  else draft.post('uma.delivered', lines);
  complete(draft);
}

function complete(draft: PaymentDraft): void {
  draft.set({ status: 'COMPLETED', settled_at: draft.now, pending_reason: null });
  draft.emit('COMPLETED');
}

/** money.md §11.L15 (a): the sender will be paid back. */
function refundSender(draft: PaymentDraft, facts: Facts): void {
  const { row, now } = draft;
  const account = internalDestination(row);
  const lines = postings.oweRefund(row, row.receiving_amount);
  draft.post('uma.refund_owed', account !== null && isOnHold(row) ? fromPending(row, account, lines) : lines);
  draft.set({
    refund_status: 'PENDING',
    refund_reason: 'TRANSACTION_FAILED',
    refund_reference: buildRefundReference(facts.referencePrefix, row),
    refund_amount: row.receiving_amount,
    refund_initiated_at: now,
  });
  draft.emit('REFUND_PENDING');
  draft.schedule(JOB.refund, row.id, { afterMs: 0 });
}

/** The money is in PENDING_IN, not in INFLIGHT. */
function isOnHold(row: TransactionRow): boolean {
  return row.inflight_sent === 0n;
}

function fromPending(row: TransactionRow, accountId: AccountId, lines: readonly Line[]): Line[] {
  return replaced(lines, postings.inflightAccountOf(row), pendingInAccountOf(accountId));
}

function replaced(lines: readonly Line[], from: Account, to: Account): Line[] {
  return lines.map((line) => (line.account === from ? { ...line, account: to } : line));
}
