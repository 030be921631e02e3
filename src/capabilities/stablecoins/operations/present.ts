import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import type { BurnRail, OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import type { StablecoinOperation, StablecoinSupply } from '#capabilities/stablecoins/operations/schemas.ts';
import type { Supply } from '#capabilities/stablecoins/operations/supply-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { describing } from '#foundation/person-keys/people.ts';

/** The operation as every reply carries it (stablecoins.md §5.7). */
export function presentOperation(row: OperationRow, { environment }: Platform): StablecoinOperation {
  if (row.status === 'REFUSED') throw new Error('an operation that the provider refused is never presented');
  const shown: StablecoinOperation = {
    id: publicId('StablecoinOperation', row.id),
    stablecoinId: publicId('Stablecoin', row.stablecoin_id),
    operationType: row.operation_type,
    status: row.status,
    amount: String(row.amount),
    provider: row.provider,
    providerEnvironment: environment,
    stablecoinProviderAccountId: publicId('StablecoinProviderAccount', row.provider_account),
    source: presentSource(row),
    ...(row.funding_instructions !== null && { fundingInstructions: { ...row.funding_instructions } }),
    destination: presentDestination(row),
    ...(row.rail !== null && { estimatedDelivery: estimatedDelivery(row.rail, row.cents) }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at.toISOString() }),
    ...(row.provider_status !== null && { providerStatus: row.provider_status }),
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    ...(row.description !== null && { description: row.description }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
  return describing(shown, [row.customer_id]);
}

function presentSource({ source_type, source_internal, source_external }: OperationRow) {
  return {
    type: source_type,
    ...(source_external !== null && { externalAccountId: publicId('ExternalAccount', source_external) }),
    ...(source_internal !== null && { accountId: publicId('InternalAccount', source_internal) }),
  };
}

function presentDestination({ destination_internal, destination_external, rail }: OperationRow) {
  const accountId =
    destination_external === null
      ? publicId('InternalAccount', destination_internal as AccountId)
      : publicId('ExternalAccount', destination_external);
  return { accountId, ...(rail !== null && { rail }) };
}

/** stablecoins.md §5.5. */
function estimatedDelivery(rail: BurnRail, cents: bigint) {
  return { rail, amount: String(cents), currency: 'USD', timing: TIMINGS[rail] };
}

const TIMINGS: Readonly<Record<BurnRail, string>> = {
  WIRE: 'same business day',
  SAME_DAY_ACH_CREDIT: 'same business day',
  ACH_CREDIT: '1-3 business days',
  RTP_CREDIT: 'within minutes',
};

/** The books of a coin (stablecoins.md §7.3). */
export function presentSupply({ id, base_currency }: CoinRow, supply: Supply): StablecoinSupply {
  return {
    stablecoinId: publicId('Stablecoin', id),
    issued: String(supply.issued),
    inside: String(supply.issued - supply.outside),
    outside: String(supply.outside),
    reserve: String(supply.reserve),
    reserveCurrency: base_currency,
    openMints: String(supply.openMints),
    openBurns: String(supply.openBurns),
  };
}
