import { realNow } from '#capabilities/connectors/route-order.ts';
import { destroyContents, destroyTexts } from '#capabilities/reconciliation/statement-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { InstallationTask } from '#foundation/jobs/installation-work.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

export interface RetentionParts {
  /** A setting: for how many days the service keeps the texts of banks about people (bank-files.md §5.3). */
  readonly bankTextsKeptDays: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Destroys the texts of banks about people after the time of the setting. Lines and files are two tasks, so that neither holds
 * its locks while the other works.
 */
export function destroyOldTexts(keptDays: number): readonly InstallationTask[] {
  const before = (tx: Tx) => new Date(realNow(tx).getTime() - keptDays * DAY_MS);
  return [
    purgeTask('old texts of banks', (tx, rowsMax) => destroyTexts(tx.query.bind(tx), before(tx), rowsMax)),
    purgeTask('old statements of banks', (tx, rowsMax) =>
      destroyContents(tx.query.bind(tx), before(tx), rowsMax),
    ),
  ];
}
