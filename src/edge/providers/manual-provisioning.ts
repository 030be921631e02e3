import type { ProvisioningPort } from '#foundation/ports/accounts.ts';
import type { NetworkFeesPort } from '#foundation/ports/network-fees.ts';

/**
 * No provider is connected: accounts stay `PENDING` until the operator reports the outcome
 * (`corridor account provision`), as a provider's adapter would.
 */
export const manualProvisioning: ProvisioningPort = {
  atOpening: () => undefined,
  submit: async () => 'accepted',
};

/** No source of network fees is connected: an estimate is refused rather than invented. */
export const noNetworkFees: NetworkFeesPort = { feeOf: async () => undefined };
