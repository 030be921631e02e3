import type {
  StablecoinProviderAccount,
  StablecoinProviderAccountLinkRequest,
} from '#capabilities/stablecoins/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

/** The platform's account at the provider that issues its coin. */
export const LINK_REQUEST: StablecoinProviderAccountLinkRequest = {
  provider: 'BRALE',
  apiClientId: 'client-acme',
  apiClientSecret: 'the secret of your API client',
};

export const EXAMPLE_LINK: StablecoinProviderAccount = {
  id: EXAMPLE_IDS.coinProvider,
  provider: 'BRALE',
  providerAccountId: 'account-client-acme',
  providerEnvironment: 'SANDBOX',
  status: 'ACTIVE',
  lastVerifiedAt: EXAMPLE_TIME,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};
