import type { Capability } from '#capabilities/capability.ts';
import { PLATFORM_LIST, PLATFORM_SHOW } from '#capabilities/platform/platform-records.ts';
import { platformOperations } from '#capabilities/platform/routes.ts';
import { webhookKeyJobs } from '#capabilities/platform/webhook-keys.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const platform = {
  name: 'platform',
  operatorOperations: recordOperations([PLATFORM_LIST], [PLATFORM_SHOW]),
  operations: platformOperations,
  jobs: webhookKeyJobs,
} satisfies Capability;
