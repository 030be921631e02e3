import type { Capability } from '#capabilities/capability.ts';
import { unscreenedAccounts } from '#capabilities/external-accounts/attention.ts';
import { externalAccountWebhook } from '#capabilities/external-accounts/events.ts';
import {
  EXTERNAL_ACCOUNT_LIST,
  EXTERNAL_ACCOUNT_SHOW,
} from '#capabilities/external-accounts/external-records.ts';
import { externalAccountJobs } from '#capabilities/external-accounts/jobs.ts';
import { externalAccountChanges } from '#capabilities/external-accounts/operator-changes.ts';
import { externalAccountReactions } from '#capabilities/external-accounts/reactions.ts';
import { receiverOperations } from '#capabilities/external-accounts/receivers/routes.ts';
import { externalAccountOperations } from '#capabilities/external-accounts/routes.ts';
import { trustOperations } from '#capabilities/external-accounts/trust/routes.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { recordOperations } from '#foundation/records/operations.ts';

interface Parts {
  readonly domains: ServiceDomains;
  readonly names: WireNames;
}

export const externalAccounts = {
  name: 'external-accounts',
  operatorOperations: [
    ...recordOperations([EXTERNAL_ACCOUNT_LIST], [EXTERNAL_ACCOUNT_SHOW]),
    ...externalAccountChanges,
  ],
  operations: ({ domains, names }: Parts) => [
    ...externalAccountOperations({ serviceName: names.word }),
    ...trustOperations,
    ...receiverOperations(domains),
  ],
  jobs: externalAccountJobs,
  reactions: externalAccountReactions,
  webhooks: [externalAccountWebhook],
  attention: [unscreenedAccounts],
  searchPlaces: [{ type: 'ExternalAccount', table: 'external_accounts', where: 't.deleted_at is null' }],
} satisfies Capability;
