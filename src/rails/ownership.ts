export interface LivenessRequest {
  /** The challenge's bare UUID: one challenge is one session. */
  readonly reference: string;
  /** The platform's bare UUID, for the way back. */
  readonly platformId: string;
  readonly accountType: string;
  readonly address: string;
  readonly expiresAt: Date;
}

export interface LivenessSession {
  /** Where the wallet's owner goes. */
  readonly verificationLink: string;
  /** For the provider's SDK, where it has one. */
  readonly token?: string | undefined;
  /** An outcome that is known already. Absent: it is reported through `resolveLiveness`. */
  readonly outcome?: { readonly passed: boolean; readonly afterMs: number } | undefined;
}

/** Whoever shows a wallet owner's face to be alive and theirs (accounts.md §5.2). */
export interface OwnershipPort {
  /** Undefined: nobody does that in this environment. */
  startLiveness(request: LivenessRequest): Promise<LivenessSession | undefined>;
}

export const withoutLiveness: OwnershipPort = { startLiveness: async () => undefined };
