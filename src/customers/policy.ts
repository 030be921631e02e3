import type { TermsVersion } from '#customers/terms.ts';
import type { ServiceDomains } from '#platform/change-config.ts';

/** What the service as a whole decides about customers; filled in app.ts. */
export interface CustomerPolicy {
  /** Oldest first; the last is in force. */
  readonly terms: readonly TermsVersion[];
  /** Where this service is reached, without a trailing slash: the terms page hangs off it. */
  publicUrl(): string;
  readonly domains: ServiceDomains;
  /** Sets of currencies that one customer cannot hold together (customers.md §2.1.13). */
  readonly separateCurrencies: readonly (readonly string[])[];
}
