import type { rateDetails } from '#pricing/rate-details.ts';

export function storedRateDetails(details: NonNullable<ReturnType<typeof rateDetails>>): StoredRateDetails {
  return {
    ...details,
    counterpartyFixedFee: details.counterpartyFixedFee.toString(),
    svcApiFixedFee: details.svcApiFixedFee.toString(),
    svcApiVariableFeeAmount: details.svcApiVariableFeeAmount.toString(),
  };
}

/** Amounts as text, since JSON numbers are not exact. */
export interface StoredRateDetails {
  readonly counterpartyMultiplier: number;
  readonly counterpartyFixedFee: string;
  readonly svcApiMultiplier: number;
  readonly svcApiFixedFee: string;
  readonly svcApiVariableFeeRate: number;
  readonly svcApiVariableFeeAmount: string;
}
