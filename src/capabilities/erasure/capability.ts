import type { Capability } from '#capabilities/capability.ts';
import { lostKeys } from '#capabilities/erasure/attention.ts';
import { checkKeysJobs, scheduleCheckOfKeys } from '#capabilities/erasure/check-keys.ts';
import { destroyKeyJobs } from '#capabilities/erasure/destroy-key.ts';
import { endMonthsJobs, scheduleEndOfMonths } from '#capabilities/erasure/end-months.ts';
import { eraseRestoredJobs } from '#capabilities/erasure/erase-restored.ts';
import { eraseAgainJobs, eraseTraces, findTraces } from '#capabilities/erasure/erase-traces.ts';
import { erasureChanges } from '#capabilities/erasure/operator-changes.ts';
import { sealStoredJobs } from '#capabilities/erasure/seal-stored.ts';
import { scheduleShredding, shredKeysJobs } from '#capabilities/erasure/shred-keys.ts';
import type { TraceEraser } from '#foundation/manifest.ts';

interface Parts {
  readonly erasers: readonly TraceEraser[];
}

/** The last of all: it erases traces after every other reaction has locked or changed the customer's rows. */
export const erasure = {
  name: 'erasure',
  operatorOperations: erasureChanges,
  jobs: ({ erasers }: Parts) => ({
    ...eraseAgainJobs(erasers),
    ...destroyKeyJobs,
    ...eraseRestoredJobs,
    ...sealStoredJobs,
    ...endMonthsJobs,
    ...checkKeysJobs,
    ...shredKeysJobs,
  }),
  daily(tx) {
    scheduleEndOfMonths(tx);
    scheduleCheckOfKeys(tx);
    scheduleShredding(tx);
  },
  attention: [lostKeys],
  reactions: ({ erasers }: Parts) => [findTraces, eraseTraces(erasers)],
} satisfies Capability;
