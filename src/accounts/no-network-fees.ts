import type { NetworkFeesPort } from '#rails/network-fees.ts';

/** No source of fees is connected: an estimate is then refused rather than invented. */
export const noNetworkFees: NetworkFeesPort = { feeOf: async () => undefined };
