import { realNow } from '#capabilities/connectors/route-order.ts';
import { destroyContents, destroyTexts } from '#capabilities/reconciliation/statement-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

export interface RetentionParts {
  /** The operator's setting: for how many days the texts of banks about people are kept (bank-files.md §5.3). */
  readonly bankTextsKeptDays: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Destroys what banks wrote about people once the operator's time is over. */
export function destroyOldTexts(keptDays: number): (tx: Tx) => Promise<void> {
  const before = (tx: Tx) => new Date(realNow(tx).getTime() - keptDays * DAY_MS);
  const ofLines = purgeTask((tx: Tx, rowsMax) => destroyTexts(tx.query.bind(tx), before(tx), rowsMax));
  const ofFiles = purgeTask((tx: Tx, rowsMax) => destroyContents(tx.query.bind(tx), before(tx), rowsMax));
  return async (tx) => {
    await ofLines(tx);
    await ofFiles(tx);
  };
}
