import type { Sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { findExpired } from '#payments/store.ts';

const BATCH_MAX = 500;

/** Marks quotes whose time is over: all of the platform, or those that a condition on `transactions` names. */
export async function expireQuotes(tx: Tx, condition?: Sql): Promise<void> {
  for (;;) {
    const ids = await findExpired(tx, BATCH_MAX, condition);
    await applyNotices(
      tx,
      ids.map((reference) => ({ reference, notices: [{ kind: 'expired' }] })),
    );
    if (ids.length < BATCH_MAX) return;
  }
}
