import { codesDue } from '#foundation/codes/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Codes and sessions of wallets expire without a job: readers compare the time. */
export const walletExpiries: readonly DueSource[] = [
  codesDue('WALLET', (credentialId) => {
    const resourceId = publicId('AuthMethod', credentialId);
    return { resourceId, sentence: `The code of the credential ${resourceId} expires.` };
  }),
  rowsDue<{ id: string; account_id: string }>({
    name: 'wallet session',
    ...{ from: sql`wallet_sessions t`, at: sql`t.expires_at`, columns: sql`t.account_id` },
    where: sql`t.revoked_at is null`,
    tell({ id, account_id }) {
      const resourceId = publicId('Session', id);
      return {
        resourceId,
        sentence: `${resourceId} of the wallet ${publicId('InternalAccount', account_id)} expires.`,
      };
    },
  }),
];
