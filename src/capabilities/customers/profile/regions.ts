import { currencyOf, isCurrencyCode } from '#foundation/lib/currencies.ts';

/**
 * EU member states, Iceland, Liechtenstein and Norway: customers there verify both contacts and use strong customer
 * authentication (customers.md §1).
 */
const SCA_REGIONS: ReadonlySet<string> = new Set(
  ('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE ' + 'IS LI NO').split(
    ' ',
  ),
);

export function isScaRegion(region: string): boolean {
  return SCA_REGIONS.has(region);
}

const DEFAULT_REGION = 'US';

/** Infers the customer's region if the request has none (customers.md §2.1.12). */
export function inferRegion(hints: {
  readonly country: string | undefined;
  readonly currencies: readonly string[] | undefined;
}): string {
  if (hints.country !== undefined) return hints.country;
  for (const code of hints.currencies ?? []) {
    const issuer = isCurrencyCode(code) ? currencyOf(code).country : undefined;
    if (issuer !== undefined) return issuer;
  }
  return DEFAULT_REGION;
}
