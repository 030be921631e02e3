import { applyNow } from '#capabilities/payments/commit/apply.ts';
import { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { shownStatus } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

const AHEAD_MAX_MS = 5 * 60_000;
/** RFC 3339 allows earlier times, which the database cannot store. */
const YEAR_ONE_MS = Date.parse('0001-01-01T00:00:00Z');

/** POST …/confirm (money.md §6.10): records when the receipt was delivered. The last call counts; no event is sent. */
export async function confirmReceipt(
  tx: Tx,
  row: TransactionRow,
  sent: string | undefined,
): Promise<TransactionRow> {
  const confirmedAt = sent === undefined ? tx.now : parseDateTime(sent);
  if (confirmedAt.getTime() > tx.now.getTime() + AHEAD_MAX_MS) {
    const message = 'must not be more than 5 minutes in the future';
    throw invalidFields([{ field: 'receiptDeliveryConfirmedAt', message }]);
  }
  if (confirmedAt.getTime() < YEAR_ONE_MS) {
    throw invalidFields([{ field: 'receiptDeliveryConfirmedAt', message: 'must not be before the year 1' }]);
  }
  if (row.settled_at === null) {
    refuse('INVALID_INPUT', 'This transaction is not COMPLETED, so there is no receipt to confirm.', {
      status: shownStatus(row, tx.now),
    });
  }
  const draft = new PaymentDraft(row, tx.now);
  draft.set({ confirmed_at: confirmedAt });
  const transition = draft.transition();
  await applyNow(tx, [transition]);
  return transition.row;
}
