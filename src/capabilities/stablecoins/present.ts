import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import type { LinkRow } from '#capabilities/stablecoins/link-row.ts';
import type { Stablecoin, StablecoinProviderAccount } from '#capabilities/stablecoins/schemas.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** The link as every reply carries it: never with its credentials. */
export function presentLink(row: LinkRow, { environment }: Platform): StablecoinProviderAccount {
  return {
    id: publicId('StablecoinProviderAccount', row.id),
    provider: row.provider,
    providerAccountId: row.provider_account_id,
    providerEnvironment: environment,
    status: row.status,
    ...(row.last_verified_at !== null && { lastVerifiedAt: row.last_verified_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function presentCoin(row: CoinRow): Stablecoin {
  return {
    id: publicId('Stablecoin', row.id),
    name: row.name,
    symbol: row.symbol,
    baseCurrency: row.base_currency,
    network: row.network,
    decimals: row.decimals,
    issuanceStatus: row.issuance_status,
    svcOperationsStatus: row.svc_operations_status,
    networkTokenIdentifier: row.network_token_identifier,
    ...(row.currency_since !== null && { currency: row.symbol }),
    provider: row.provider,
    stablecoinProviderAccountId: publicId('StablecoinProviderAccount', row.provider_account),
    providerEnvironment: row.environment,
    providerTokenIdentifier: row.provider_token_identifier,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
