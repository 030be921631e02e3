import type { Capability } from '#capabilities/capability.ts';
import { eraseAgainJobs, eraseTraces, findTraces } from '#capabilities/erasure/erase-traces.ts';
import type { TraceEraser } from '#foundation/manifest.ts';

interface Parts {
  readonly erasers: readonly TraceEraser[];
}

/** The last of all: it erases traces after every other reaction has locked or changed the customer's rows. */
export const erasure = {
  name: 'erasure',
  jobs: ({ erasers }: Parts) => eraseAgainJobs(erasers),
  reactions: ({ erasers }: Parts) => [findTraces, eraseTraces(erasers)],
} satisfies Capability;
