import type { Capability } from '#capabilities/capability.ts';
import { PLATFORM_LIST, PLATFORM_SHOW } from '#capabilities/platform/platform-records.ts';
import { platformOperations } from '#capabilities/platform/routes.ts';
import { webhookKeyJobs } from '#capabilities/platform/webhook-keys.ts';
import { EVERY_ROLE } from '#foundation/lib/operator-roles.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const platform = {
  name: 'platform',
  operatorOperations: recordOperations([PLATFORM_LIST], [PLATFORM_SHOW]),
  searchPlaces: [
    {
      type: 'Platform',
      table: 'platforms',
      platform: 't.id',
      texts: { name: { column: 'name', isFolded: true } },
      operators: EVERY_ROLE,
    },
  ],
  operations: platformOperations,
  jobs: webhookKeyJobs,
} satisfies Capability;
