import type { Capability } from '#capabilities/capability.ts';
import { unansweredOperations, unapprovedCoins } from '#capabilities/stablecoins/attention.ts';
import { enablementJobs } from '#capabilities/stablecoins/coins/enablement.ts';
import { issuanceJobs } from '#capabilities/stablecoins/coins/provision-coin.ts';
import { coinOperations } from '#capabilities/stablecoins/coins/routes.ts';
import { STABLECOIN_CHECKS } from '#capabilities/stablecoins/ledger-checks.ts';
import { linkJobs } from '#capabilities/stablecoins/links/check-link.ts';
import { providerAccountOperations } from '#capabilities/stablecoins/links/routes.ts';
import { COIN_LIST, COIN_SHOW } from '#capabilities/stablecoins/operations/coin-records.ts';
import { operationExplainer } from '#capabilities/stablecoins/operations/explain-operation.ts';
import { operationJobs } from '#capabilities/stablecoins/operations/follow-operation.ts';
import {
  COIN_OPERATION_LIST,
  COIN_OPERATION_SHOW,
} from '#capabilities/stablecoins/operations/operation-records.ts';
import { stablecoinChanges } from '#capabilities/stablecoins/operations/operator-changes.ts';
import { stablecoinOperationOperations } from '#capabilities/stablecoins/operations/routes.ts';
import { stablecoinReactions } from '#capabilities/stablecoins/reactions/reactions.ts';
import { recordOperations } from '#foundation/records/operations.ts';

export const stablecoins = {
  name: 'stablecoins',
  operatorOperations: [
    ...recordOperations([COIN_LIST, COIN_OPERATION_LIST], [COIN_SHOW, COIN_OPERATION_SHOW]),
    ...stablecoinChanges,
  ],
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
