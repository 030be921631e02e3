import type { Capability } from '#capabilities/capability.ts';
import type { OperatorParts } from '#capabilities/operators/address.ts';
import { peopleOperations } from '#capabilities/operators/routes.ts';
import { purgeOperatorRows } from '#capabilities/operators/session-store.ts';
import { suspendIdle } from '#capabilities/operators/suspend-idle.ts';
import { inOneTransaction } from '#foundation/jobs/installation-work.ts';

export const operators = {
  name: 'operators',
  operatorOperations: peopleOperations,
  searchPlaces: [
    {
      type: 'Operator',
      table: 'operators',
      platform: 'null::uuid',
      texts: { email: { column: 'email', isFolded: true } },
      operators: ['admin'],
    },
  ],
  upkeep: [inOneTransaction('idle operators', suspendIdle)],
  purges: [purgeOperatorRows],
} satisfies Capability<OperatorParts>;
