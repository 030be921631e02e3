import { ACCOUNT_LIST, ACCOUNT_SHOW } from '#capabilities/accounts/account-records.ts';
import { unprovisionedAccounts } from '#capabilities/accounts/attention.ts';
import { CUSTOMER_LIST, CUSTOMER_SHOW } from '#capabilities/accounts/customer-records.ts';
import { internalAccountWebhook, renderAccountEvents } from '#capabilities/accounts/events.ts';
import { PROVISION_JOB } from '#capabilities/accounts/open-accounts.ts';
import { accountChanges } from '#capabilities/accounts/operator-changes.ts';
import { provisionHandler } from '#capabilities/accounts/provision-account.ts';
import { accountReactions } from '#capabilities/accounts/reactions.ts';
import { accountOperations } from '#capabilities/accounts/routes.ts';
import type { Capability } from '#capabilities/capability.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const accounts = {
  name: 'accounts',
  operatorOperations: [
    ...recordOperations([CUSTOMER_LIST, ACCOUNT_LIST], [CUSTOMER_SHOW, ACCOUNT_SHOW]),
    ...accountChanges,
  ],
  operations: accountOperations,
  jobs: { [PROVISION_JOB]: provisionHandler },
  reactions: ({ names }: { readonly names: WireNames }) => accountReactions({ serviceName: names.word }),
  webhooks: [internalAccountWebhook],
  renderers: { INTERNAL_ACCOUNT: renderAccountEvents },
  attention: [unprovisionedAccounts],
  searchPlaces: [
    { type: 'InternalAccount', table: 'internal_accounts', texts: { reference: { column: 'reference' } } },
  ],
} satisfies Capability;
