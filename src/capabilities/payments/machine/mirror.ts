import { freshState } from '#capabilities/payments/columns.ts';
import type { TransactionDetails } from '#capabilities/payments/details.ts';
import { FIRST_PAYMENT_STATUSES, PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import type { Facts, NoticeOf } from '#capabilities/payments/machine/notice.ts';
import { type PaymentDestination, plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import { derivedId } from '#foundation/lib/ids.ts';

/**
 * The mirror of a delivered payment: the receiver's view of it, if the receiver is another customer of the platform or
 * the platform itself. A mirror is an incoming transaction, completed in the same commit, that posts nothing (money.md
 * §4.3, §11.e).
 */
export function draftMirror(
  row: TransactionRow,
  now: Date,
  facts: Pick<Facts, 'sealMirror'>,
): PaymentDraft | undefined {
  const { receiver } = row.details;
  if (receiver === undefined) return undefined;
  const details: TransactionDetails = {
    mirrorOf: row.id,
    sent: { amount: row.sending_amount.toString(), currency: row.sending_currency },
    ...(row.details.exchangeRate !== undefined && { exchangeRate: row.details.exchangeRate }),
  };
  const id = mirrorId(row, now);
  const mirror: TransactionRow = {
    ...freshState(FIRST_PAYMENT_STATUSES.credited.to, now),
    platform_id: row.platform_id,
    id,
    version: 0n,
    type: 'INCOMING',
    kind: 'MIRROR',
    customer_id: receiver.customerId,
    ...plainTerms(row.receiving_currency, row.receiving_amount),
    source: row.source,
    destination: creditedAccount(row),
    reference: row.reference,
    reference_hash: row.reference_hash,
    details,
    private: facts.sealMirror(id),
    created_at: now,
    settled_at: now,
  };
  const draft = new PaymentDraft(mirror, now);
  draft.emit('COMPLETED');
  return draft;
}

/** The account in which the receiver was paid: internal, or the external one behind its UMA address. */
function creditedAccount({ destination, details: { depositAccount } }: TransactionRow): PaymentDestination {
  return depositAccount === undefined ? destination : { kind: 'EXTERNAL', account: depositAccount };
}

/** `COMPLETED` → `FAILED`: the payment that the mirror shows was reversed. */
export function takenBack(draft: PaymentDraft, { reason }: NoticeOf<'takenBack'>): void {
  draft.set({ status: 'FAILED', failure_reason: reason });
  draft.emit('FAILED');
}

/** The notice for a transaction's mirror after this change, if it has a mirror and the change affects it. */
export function noticeForMirror(
  before: TransactionRow,
  after: TransactionRow,
): { readonly id: TransactionId; readonly notice: NoticeOf<'takenBack'> } | undefined {
  const isTakenBack = before.status === 'COMPLETED' && after.status === 'FAILED';
  if (!isTakenBack || before.details.receiver === undefined || before.settled_at === null) return undefined;
  const reason = before.type === 'OUTGOING' ? 'OFFRAMP_FAILED' : 'COLLECTION_FAILED';
  return { id: mirrorId(before, before.settled_at), notice: { kind: 'takenBack', reason } };
}

function mirrorId({ id }: TransactionRow, settledAt: Date): TransactionId {
  return derivedId(id, 'MIRROR', settledAt);
}
