import { sql } from '#foundation/database/sql.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface CustomerRow {
  id: string;
  customer_id: string;
}

/** What expires without a job: readers compare the time. A payment's challenge ends with the payment's own deadline. */
export const authenticationExpiries: readonly DueSource[] = [
  rowsDue<CustomerRow>({
    name: 'sca challenge',
    ...{ from: sql`sca_challenges t`, at: sql`t.expires_at`, columns: sql`t.customer_id` },
    where: sql`t.voided_at is null and t.purpose <> 'PAYMENT'`,
    tell({ id, customer_id }) {
      const sentence = `${publicId('ScaChallenge', id)} of ${publicId('Customer', customer_id)} expires, unless it is answered first.`;
      return { resourceId: publicId('ScaChallenge', id), sentence };
    },
  }),
  rowsDue<CustomerRow>({
    name: 'sca session',
    ...{ from: sql`sca_sessions t`, at: sql`t.expires_at`, columns: sql`t.customer_id` },
    where: sql`t.revoked_at is null`,
    tell({ customer_id }) {
      const resourceId = publicId('Customer', customer_id);
      return {
        resourceId,
        sentence: `The session of ${resourceId} ends, and the customer has to log in again.`,
      };
    },
  }),
  rowsDue<CustomerRow>({
    name: 'sca reset',
    ...{ from: sql`sca_resets t`, at: sql`t.expires_at`, columns: sql`t.customer_id` },
    where: sql`t.status not in ('COMPLETED', 'REJECTED')`,
    tell({ id }) {
      const resourceId = publicId('ScaReset', id);
      return { resourceId, sentence: `${resourceId} expires, unless it is completed first.` };
    },
  }),
];
