import type { Capability } from '#capabilities/capability.ts';
import type { OperatorParts } from '#capabilities/operators/address.ts';
import { peopleOperations } from '#capabilities/operators/routes.ts';
import { purgeOperatorRows } from '#capabilities/operators/session-store.ts';
import { idleJobs, scheduleIdle } from '#capabilities/operators/suspend-idle.ts';

export const operators = {
  name: 'operators',
  operatorOperations: peopleOperations,
  jobs: idleJobs,
  daily: scheduleIdle,
  purges: [purgeOperatorRows],
} satisfies Capability<OperatorParts>;
