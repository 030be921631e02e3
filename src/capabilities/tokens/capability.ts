import type { Capability } from '#capabilities/capability.ts';
import { platformChanges } from '#capabilities/tokens/operator-changes.ts';
import { tokenOperations } from '#capabilities/tokens/routes.ts';

export const tokens = {
  name: 'tokens',
  operations: tokenOperations,
  operatorOperations: platformChanges,
} satisfies Capability;
