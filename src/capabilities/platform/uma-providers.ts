import { findUmaPlatforms, type UmaPlatform } from '#capabilities/platform/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import type { Environment, PlatformSettings } from '#foundation/lib/platform.ts';
import { payoutCountriesOf } from '#foundation/lib/rails-by-currency.ts';

/** A provider whose addresses can be paid; its regions are the countries of its currencies. */
export interface UmaProvider {
  readonly name: string;
  readonly domain: string;
  readonly currencies: readonly string[];
  readonly regions: readonly string[];
}

export interface ListedProvider extends UmaProvider {
  /** Whether the calling platform may pay its users. */
  readonly isAllowed: boolean;
}

export interface ProviderFilter {
  readonly countryCode?: string;
  readonly currencyCode?: string;
  /** False omits providers that the platform may not pay. */
  readonly hasBlockedProviders?: boolean;
}

/** The service's built-in providers by environment; platforms with a domain are added (platform.md §8.1). */
export type UmaProvidersByEnvironment = Readonly<Record<Environment, readonly UmaProvider[]>>;

export async function listUmaProviders(
  tx: ReadTx,
  known: UmaProvidersByEnvironment,
  filter: ProviderFilter,
): Promise<ListedProvider[]> {
  const platforms = await findUmaPlatforms(tx);
  return [...known[tx.platform.environment], ...platforms.map(providerOf)]
    .map((provider) => ({ ...provider, isAllowed: isProviderAllowed(tx.platform.settings, provider.domain) }))
    .filter((provider) => matches(provider, filter));
}

/**
 * Whether the operator allows the platform to pay addresses of this domain; by default all are allowed
 * (platform.md §3.3).
 */
export function isProviderAllowed({ allowedUmaProviders }: PlatformSettings, domain: string): boolean {
  return allowedUmaProviders === null || allowedUmaProviders.includes(domain.toLowerCase());
}

/** Omits the platform's own coins: other platforms do not know them, and no UMA payment uses them (platform.md §8.1a). */
function providerOf({ name, domain, currencies }: UmaPlatform): UmaProvider {
  const receiving = currencies
    .filter((currency) => currency.enabledTransactionTypes.includes('INCOMING'))
    .map((currency) => currency.currencyCode);
  return umaProvider(name, domain, receiving.filter(isCurrencyCode));
}

export function umaProvider(name: string, domain: string, currencies: readonly string[]): UmaProvider {
  return { name, domain, currencies, regions: [...new Set(currencies.flatMap(payoutCountriesOf))].sort() };
}

function matches(provider: ListedProvider, filter: ProviderFilter): boolean {
  const { countryCode, currencyCode, hasBlockedProviders = true } = filter;
  return (
    (countryCode === undefined || provider.regions.includes(countryCode)) &&
    (currencyCode === undefined || provider.currencies.includes(currencyCode)) &&
    (hasBlockedProviders || provider.isAllowed)
  );
}
