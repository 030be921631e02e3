import { sql } from '#database/sql.ts';
import type { ReadTx } from '#database/tx.ts';
import { TRANSACTIONS } from '#payments/columns.ts';
import type { TransactionRow } from '#payments/row.ts';

/** Payments that have begun and not ended, refunds included, the oldest first. A quote has begun when it is executed. */
export function listUnfinished(tx: ReadTx, rowsMax: number): Promise<TransactionRow[]> {
  return tx.query<TransactionRow>(sql`
    select ${TRANSACTIONS.columns('t')} from transactions t
     where t.platform_id = ${tx.platformId}
       and (t.status in ('PENDING_AUTHORIZATION', 'PROCESSING') or t.refund_status = 'PENDING'
            or t.status = 'PENDING' and (t.kind <> 'QUOTE' or t.executed_at is not null))
     order by t.created_at, t.id
     limit ${rowsMax}`);
}
