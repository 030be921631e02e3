import { sql } from '#foundation/database/sql.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface QuoteRow {
  quote_id: string;
}

interface PaymentRow {
  id: string;
}

/**
 * The deadlines of payments. Jobs end everything whose deadline was in the same second (src/capabilities/payments/quotes/end-overdue.ts),
 * so the payments themselves are listed.
 */
export const paymentDeadlines: readonly DueSource[] = [
  rowsDue<QuoteRow>({
    name: 'quote expiry',
    ...{ from: sql`transactions t`, at: sql`t.expires_at`, columns: sql`t.quote_id`, isBySecond: true },
    where: sql`t.kind = 'QUOTE' and t.status = 'PENDING' and t.executed_at is null`,
    tell({ quote_id }) {
      const resourceId = publicId('Quote', quote_id);
      return { resourceId, sentence: `${resourceId} expires, unless it is executed first.` };
    },
  }),
  rowsDue<PaymentRow>({
    name: 'payment authorization',
    ...{ from: sql`transactions t`, at: sql`t.authorize_by`, columns: sql`t.status`, isBySecond: true },
    where: sql`t.status = 'PENDING_AUTHORIZATION'`,
    tell({ id }) {
      const resourceId = publicId('Transaction', id);
      return { resourceId, sentence: `${resourceId} fails, unless the customer authorizes it first.` };
    },
  }),
  rowsDue<PaymentRow>({
    name: 'payment approval',
    ...{ from: sql`transactions t`, at: sql`t.approve_by`, columns: sql`t.status`, isBySecond: true },
    where: sql`t.approve_by is not null and t.kind = 'TRANSFER'`,
    tell({ id }) {
      const resourceId = publicId('Transaction', id);
      return { resourceId, sentence: `${resourceId} fails, unless the agent’s action is approved first.` };
    },
  }),
];
