import type { Capability } from '#capabilities/capability.ts';
import { platformChanges } from '#capabilities/tokens/operator-changes.ts';
import { tokenOperations } from '#capabilities/tokens/routes.ts';
import { TOKEN_LIST, TOKEN_SHOW } from '#capabilities/tokens/token-records.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const tokens = {
  name: 'tokens',
  operations: tokenOperations,
  operatorOperations: [...recordOperations([TOKEN_LIST], [TOKEN_SHOW]), ...platformChanges],
} satisfies Capability;
