import { filesInQuarantine, unclearFiles } from '#capabilities/bank-files/attention.ts';
import { destroyBytes } from '#capabilities/bank-files/batch-store.ts';
import { purgeReported } from '#capabilities/bank-files/event-store.ts';
import { bankFileChanges } from '#capabilities/bank-files/operator-changes.ts';
import type { Capability } from '#capabilities/capability.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The archive keeps a sealed copy for longer. */
const BYTES_KEPT_MS = 30 * DAY_MS;
/** connectors.md §6.1 asks for 90 days. */
const EVENTS_KEPT_MS = 180 * DAY_MS;

const before = ({ runtime }: Tx, age: number) => new Date(runtime.clock.now() - age);

export const bankFiles = {
  name: 'bank-files',
  operatorOperations: bankFileChanges,
  attention: [filesInQuarantine, unclearFiles],
  upkeep: [
    purgeTask('old files of banks', (tx, rowsMax) =>
      destroyBytes(tx.query.bind(tx), before(tx, BYTES_KEPT_MS), rowsMax),
    ),
    purgeTask('old reports of banks', (tx, rowsMax) =>
      purgeReported(tx.query.bind(tx), before(tx, EVENTS_KEPT_MS), rowsMax),
    ),
  ],
} satisfies Capability;
