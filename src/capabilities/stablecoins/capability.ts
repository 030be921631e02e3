import type { Capability } from '#capabilities/capability.ts';
import { unansweredOperations, unapprovedCoins } from '#capabilities/stablecoins/attention.ts';
import { enablementJobs } from '#capabilities/stablecoins/coins/enablement.ts';
import { issuanceJobs } from '#capabilities/stablecoins/coins/provision-coin.ts';
import { coinOperations } from '#capabilities/stablecoins/coins/routes.ts';
import { STABLECOIN_CHECKS } from '#capabilities/stablecoins/ledger-checks.ts';
import { linkJobs } from '#capabilities/stablecoins/links/check-link.ts';
import { providerAccountOperations } from '#capabilities/stablecoins/links/routes.ts';
import { operationExplainer } from '#capabilities/stablecoins/operations/explain-operation.ts';
import { operationJobs } from '#capabilities/stablecoins/operations/follow-operation.ts';
import { stablecoinChanges } from '#capabilities/stablecoins/operations/operator-changes.ts';
import { stablecoinOperationOperations } from '#capabilities/stablecoins/operations/routes.ts';
import { stablecoinReactions } from '#capabilities/stablecoins/reactions/reactions.ts';

export const stablecoins = {
  name: 'stablecoins',
  operatorOperations: stablecoinChanges,
  operations: [...coinOperations, ...providerAccountOperations, ...stablecoinOperationOperations],
  jobs: { ...linkJobs, ...issuanceJobs, ...enablementJobs, ...operationJobs },
  reactions: stablecoinReactions,
  ledgerChecks: STABLECOIN_CHECKS,
  attention: [unapprovedCoins, unansweredOperations],
  explainer: operationExplainer,
  searchPlaces: [
    { type: 'Stablecoin', table: 'stablecoins' },
    { type: 'StablecoinOperation', table: 'stablecoin_operations', where: "t.status <> 'REFUSED'" },
    { type: 'StablecoinProviderAccount', table: 'stablecoin_provider_accounts' },
  ],
} satisfies Capability;
