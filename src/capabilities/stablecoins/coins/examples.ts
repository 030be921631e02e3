import type { Stablecoin, StablecoinRegisterRequest } from '#capabilities/stablecoins/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

/** The platform's own dollar. Its last characters make the sandbox enable it without the operator. */
export const COIN_REQUEST: StablecoinRegisterRequest = {
  providerTokenIdentifier: 'acme-006',
  networkTokenIdentifier: 'btkn1qacme006',
  network: 'SPARK',
};

export const EXAMPLE_COIN: Stablecoin = {
  id: EXAMPLE_IDS.coin,
  name: 'ACME006 Dollar',
  symbol: 'ACME006',
  baseCurrency: 'USD',
  network: 'SPARK',
  decimals: 6,
  issuanceStatus: 'PROVISIONED',
  svcOperationsStatus: 'NOT_ENABLED',
  networkTokenIdentifier: COIN_REQUEST.networkTokenIdentifier,
  provider: 'BRALE',
  stablecoinProviderAccountId: EXAMPLE_IDS.coinProvider,
  providerEnvironment: 'SANDBOX',
  providerTokenIdentifier: COIN_REQUEST.providerTokenIdentifier,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const REQUESTED_COIN: Stablecoin = { ...EXAMPLE_COIN, svcOperationsStatus: 'PENDING_APPROVAL' };

/** From now on a currency of the platform. */
export const ENABLED_COIN: Stablecoin = {
  ...EXAMPLE_COIN,
  svcOperationsStatus: 'ENABLED',
  currency: 'ACME006',
};
