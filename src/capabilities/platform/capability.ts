import type { Capability } from '#capabilities/capability.ts';
import { platformOperations } from '#capabilities/platform/routes.ts';
import { webhookKeyJobs } from '#capabilities/platform/webhook-keys.ts';

export const platform = {
  name: 'platform',
  operations: platformOperations,
  jobs: webhookKeyJobs,
} satisfies Capability;
