import type { LivenessSession } from '#foundation/ports/ownership.ts';

export interface ResetLiveness {
  /** The reset's bare UUID: one reset is one session. */
  readonly reference: Id<'ScaReset'>;
  /** The bare UUIDs of the platform, for reporting the outcome, and of the person. */
  readonly platformId: PlatformId;
  readonly customerId: string;
  readonly expiresAt: Date;
}

/** Checks with a liveness session that the person who resets a factor is the customer (customers.md §7.16). */
export interface FactorResetPort {
  /** Undefined: no provider is connected in this environment. An outcome is reported later through `applyLiveness`. */
  startLiveness(request: ResetLiveness): Promise<LivenessSession | undefined>;
}
