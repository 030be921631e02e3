import { sql } from '#foundation/database/sql.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface RetryRow {
  id: string;
  type: string;
  resource_id: string;
  attempts: number;
}

/** Retries of webhooks. A question has its deadline in the same column, and the source of payments lists that deadline. */
export const webhookRetries: DueSource = rowsDue<RetryRow>({
  name: 'webhook',
  ...{ from: sql`events t`, at: sql`t.next_attempt_at`, columns: sql`t.type, t.resource_id, t.attempts` },
  where: sql`t.state = 'PENDING' and t.next_attempt_at is not null and t.decision is null`,
  tell({ id, type, resource_id, attempts }) {
    const resourceId = publicId('Webhook', id);
    const times = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
    return { resourceId, sentence: `The webhook ${type} for ${resource_id} is retried, after ${times}.` };
  },
});
