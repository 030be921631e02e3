export interface LivenessRequest {
  /** The challenge's bare UUID: one challenge is one session. */
  readonly reference: Id<'Challenge'>;
  /** The platform's bare UUID, for reporting the outcome. */
  readonly platformId: PlatformId;
  readonly accountType: string;
  readonly address: string;
  readonly expiresAt: Date;
}

export interface LivenessSession {
  /** The link that the person opens. */
  readonly verificationLink: string;
  /** For the provider's SDK, if it has one. */
  readonly token?: string | undefined;
  /** An outcome that is already known. Absent: it is reported later. */
  readonly outcome?: { readonly passed: boolean; readonly afterMs: number } | undefined;
}

/** Checks with a liveness session that a wallet's owner is a living person (accounts.md §5.2). */
export interface OwnershipPort {
  /** Undefined: no provider is connected in this environment. An outcome is reported later through `resolveLiveness`. */
  startLiveness(request: LivenessRequest): Promise<LivenessSession | undefined>;
}
