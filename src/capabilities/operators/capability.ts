import type { Capability } from '#capabilities/capability.ts';
import { purgeOperatorRows } from '#capabilities/operators/session-store.ts';
import { idleJobs, scheduleIdle } from '#capabilities/operators/suspend-idle.ts';

export const operators = {
  name: 'operators',
  jobs: idleJobs,
  daily: scheduleIdle,
  purges: [purgeOperatorRows],
} satisfies Capability;
