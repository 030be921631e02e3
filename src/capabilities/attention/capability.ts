import { type WorkParts, workOperations } from '#capabilities/attention/routes.ts';
import type { Capability } from '#capabilities/capability.ts';

export const attention = {
  name: 'attention',
  operatorOperations: workOperations,
} satisfies Capability<WorkParts>;
