import type { Capability } from '#capabilities/capability.ts';
import { platformChanges } from '#capabilities/tokens/operator-changes.ts';
import { tokenOperations } from '#capabilities/tokens/routes.ts';
import { TOKEN_LIST, TOKEN_SHOW } from '#capabilities/tokens/token-records.ts';
import { EVERY_ROLE } from '#foundation/lib/operator-roles.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const tokens = {
  name: 'tokens',
  operations: tokenOperations,
  searchPlaces: [
    {
      type: 'Token',
      table: 'tokens',
      platform: 't.platform_id',
      texts: { clientId: { column: 'client_id' } },
      operators: EVERY_ROLE,
    },
  ],
  operatorOperations: [...recordOperations([TOKEN_LIST], [TOKEN_SHOW]), ...platformChanges],
} satisfies Capability;
