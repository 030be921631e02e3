import { realNow } from '#capabilities/connectors/route-order.ts';
import { destroyTexts } from '#capabilities/reconciliation/statement-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

/** bank-files.md §5.3 */
const TEXTS_KEPT_YEARS = 10;

export const destroyOldTexts = purgeTask((tx: Tx, rowsMax) => {
  const before = realNow(tx);
  before.setUTCFullYear(before.getUTCFullYear() - TEXTS_KEPT_YEARS);
  return destroyTexts(tx.query.bind(tx), before, rowsMax);
});
