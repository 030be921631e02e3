import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';

/** Service-wide settings for customers; src/app/app.ts fills them in. */
export interface CustomerPolicy {
  /** Oldest first; the last is in force. */
  readonly terms: readonly TermsVersion[];
  /** Public address of this service, without a trailing slash. */
  publicUrl(): string;
  readonly domains: ServiceDomains;
  /** Sets of currencies that one customer cannot hold together (customers.md §2.1.13). */
  readonly separateCurrencies: readonly (readonly string[])[];
}
