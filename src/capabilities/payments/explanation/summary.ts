import { type Place, placeOf } from '#capabilities/payments/explanation/history.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import { awaitsApproval, awaitsAuthorization, type TransactionRow } from '#capabilities/payments/row.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Failure } from '#foundation/explanation/explanation.ts';
import { sayAmount } from '#foundation/lib/currencies.ts';

/** Says in one or two sentences where the money of a payment is, and why. */
export function summaryOf(tx: ReadTx, row: TransactionRow, { failure, isOrdered }: SummaryFacts): string {
  const own = tx.platform.ownCurrencies;
  const sent = sayAmount(row.sending_amount, row.sending_currency, own);
  const received = sayAmount(row.receiving_amount, row.receiving_currency, own);
  const why = failure ? ` ${failure.sentence}` : '';
  const place = placeOf(row);
  if (place === 'NOT_MOVED') return notMoved(tx, row, why);
  const back = sayAmount(row.refund_amount ?? row.sending_amount, row.sending_currency, own);
  const fees = sayAmount(row.service_fee + row.platform_fee, row.sending_currency, own);
  return PLACES[place]({ row, sent, received, back, fees, why, isOrdered });
}

interface SummaryFacts {
  readonly failure: Failure | undefined;
  /** Whether the rail was asked to pay the receiver. */
  readonly isOrdered: boolean;
}

interface Words {
  readonly row: TransactionRow;
  readonly sent: string;
  readonly received: string;
  /** The refund. */
  readonly back: string;
  readonly fees: string;
  readonly why: string;
  readonly isOrdered: boolean;
}

const PLACES: Readonly<Record<Exclude<Place, 'NOT_MOVED'>, (words: Words) => string>> = {
  ON_HOLD: ({ sent }) =>
    `${sent} is on hold in the payer’s account, because the customer has not authorized the payment yet.`,
  BEING_COLLECTED: ({ sent }) =>
    `Nothing has been collected yet: the rail was asked to collect ${sent} from the external account, and has not reported the outcome.`,
  ON_ITS_WAY: ({ row, sent, received, isOrdered }) =>
    row.type === 'OUTGOING'
      ? `${sent} was taken from the payer, and ${received} is set aside for the receiver: ${
          isOrdered
            ? 'the rail was asked to pay it, and has not reported whether it did.'
            : 'the service has yet to ask the rail to pay it.'
        }`
      : `${received} is on its way to the receiver: the platform accepted the payment, and the money has not arrived.`,
  HELD_FOR_REVIEW: ({ row, sent, received }) =>
    row.type === 'OUTGOING'
      ? `${sent} was taken from the payer, and a compliance review is holding the payment.`
      : `${received} arrived, and a compliance review is holding it before it is credited.`,
  DELIVERED: ({ row, sent, received, fees }) =>
    row.type === 'OUTGOING'
      ? `${received} was delivered to the receiver. The payer paid ${sent}, including ${fees} in fees.`
      : `${received} was credited to the receiver.`,
  BEING_REFUNDED: ({ row, sent, back, why }) =>
    row.refund_reason === 'USER_CANCELLATION'
      ? `The payment was cancelled, and ${sent} is being paid back to the payer. The receiver gets nothing.`
      : `The payment failed.${why} The money that was taken, ${back}, is being paid back.`,
  REFUNDED: ({ row, sent, back, why }) =>
    row.refund_reason === 'USER_CANCELLATION'
      ? `The payment was cancelled, and the payer got ${sent} back. The receiver got nothing.`
      : `The payment failed.${why} The payer got all of the money back${row.source.kind === 'INTERNAL' ? ' into the account' : ''}: ${back}, fees included.`,
  IN_SUSPENSE: ({ back, why }) =>
    `The payment failed.${why} ${back} could not be paid back either, and waits for the operator.`,
};

function notMoved(tx: ReadTx, row: TransactionRow, why: string): string {
  const status = shownStatus(row, tx.now);
  if (status === 'EXPIRED') {
    return row.kind === 'QUOTE'
      ? `Nothing has moved: the quote was ${row.source.kind === 'REALTIME' ? 'not paid' : 'not executed'} in time, so it expired. To pay, the platform has to create a new quote.`
      : 'Nothing has moved: the agent’s transfer was rejected, or the agent was deleted.';
  }
  if (status === 'REJECTED') return 'Nothing has moved: the platform rejected the payment.';
  if (status === 'FAILED') return `${failedEnd(row)}${why}`;
  if (awaitsApproval(row, tx.now))
    return 'Nothing has moved: an agent asked for the payment, and the platform has not approved it yet.';
  if (awaitsAuthorization(row)) return 'Nothing has moved: the customer has not authorized the payment yet.';
  if (row.kind === 'UMA')
    return 'Nothing has moved: the platform has not decided whether to accept the payment.';
  return row.source.kind === 'REALTIME'
    ? 'Nothing has moved: the money for the quote has not arrived.'
    : 'Nothing has moved: the quote has not been executed.';
}

/** A failure without a refund: nothing had been taken, a hold was released, or a credit was taken back. */
function failedEnd(row: TransactionRow): string {
  if (row.settled_at !== null)
    return 'The credit was taken back, because the collection behind it was reversed.';
  if (row.authorize_by !== null && row.source.kind === 'INTERNAL')
    return 'The payment failed, and the hold was released: the payer kept the money.';
  return 'The payment failed before any money was taken.';
}
