import type { ProvisioningPort } from '#rails/accounts.ts';

/**
 * No provider is connected: accounts stay `PENDING` until the operator reports what came of them
 * (`corridor account provision`), as a provider's adapter would.
 */
export const manualProvisioning: ProvisioningPort = {
  atOpening: () => undefined,
  submit: async () => 'accepted',
};
