import { isBookedElsewhere } from '#capabilities/connectors/order-store.ts';
import { accountName, type ConnectorRow, type OrderRow } from '#capabilities/connectors/row.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { lockTransaction } from '#capabilities/payments/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

/** Whether a payment agrees with an end that a connector reports; if it does not, somebody said otherwise. */
const AGREES: Partial<Record<RailNotice['kind'], (payment: TransactionRow) => boolean>> = {
  delivered: ({ status, refund_status }) => status === 'COMPLETED' && refund_status === null,
  payoutFailed: isGivenBack,
  cancelled: isGivenBack,
  returned: isGivenBack,
  collected: ({ taken_at }) => taken_at !== null,
  collectionFailed: ({ taken_at }) => taken_at === null,
  // The owner of an outgoing payment owes the money already, and the payment stays as it is.
  collectionReversed: ({ type, status }) => type === 'OUTGOING' || status === 'FAILED',
  refunded: ({ refund_status }) => refund_status === 'COMPLETED',
  refundFailed: ({ refund_status }) => refund_status === 'FAILED',
};

/** A payment that was cancelled is COMPLETED, with a refund. */
function isGivenBack({ status, refund_status }: TransactionRow): boolean {
  return status === 'FAILED' || refund_status !== null;
}

/** The entries of movements: each is booked at one settlement account. */
const ENTRIES: Partial<Record<RailNotice['kind'], readonly LedgerKind[]>> = {
  delivered: ['payment.delivered', 'uma.delivered'],
  returned: ['payment.returned'],
  collected: ['payment.collected', 'deposit.received', 'receipt.suspended'],
  collectionReversed: ['collection.reversed'],
  refunded: ['refund.paid', 'uma.refund_paid'],
};

/** The movement that a return takes back. */
const TAKEN_BACK: Partial<Record<RailNotice['kind'], readonly LedgerKind[] | undefined>> = {
  returned: ENTRIES.delivered,
  collectionReversed: ENTRIES.collected,
};

interface Return {
  readonly notice: RailNotice['kind'];
  readonly transactionId: TransactionId;
  /** The settlement account to which the money came back, or which it left again. */
  readonly account: string;
}

/**
 * Whether a return takes back what was booked at another settlement account: then the connector had moved money a second
 * time, only that came back, and the payment stands (connectors.md §5.7). The payment is locked until the transaction ends.
 */
export async function takesBackOthers(tx: Tx, { notice, transactionId, account }: Return): Promise<boolean> {
  const entries = TAKEN_BACK[notice];
  if (!entries) return false;
  await lockTransaction(tx, transactionId);
  return isBookedElsewhere(tx, { transactionId, entries, account });
}

interface Ignored {
  readonly notice: PaymentNotice['kind'];
  readonly payment: TransactionRow | undefined;
  readonly connector: ConnectorRow;
  readonly order: OrderRow;
}

/**
 * How a payment contradicts an end that a connector reports and that changed nothing (connectors.md §5.7). The same movement
 * at another settlement account contradicts it, too: then the money moved twice.
 */
export async function findContradiction(
  tx: Tx,
  { notice, payment, connector, order }: Ignored,
): Promise<string | undefined> {
  const kind = notice as RailNotice['kind'];
  const agrees = AGREES[kind];
  if (!agrees) return undefined;
  const says = `The connector reports "${notice}" of a payment`;
  if (!payment || !agrees(payment)) return `${says} that is ${payment?.status ?? 'unknown'}.`;
  const entries = ENTRIES[kind];
  if (!entries || order.settlement_account === null) return undefined;
  const account = accountName(connector, order.settlement_account);
  const isTwice = await isBookedElsewhere(tx, { transactionId: payment.id, entries, account });
  return isTwice ? `${says} that was booked at another settlement account.` : undefined;
}
