/** An event as the commit that wrote it knows it. */
export interface CommittedEvent {
  readonly platformId: PlatformId;
  readonly id: EventId;
  readonly type: string;
  readonly resourceId: string;
  readonly createdAt: Date;
  /** Sealed; null: rendered from the facts later. */
  readonly payload: Buffer | null;
  /** JSON text. */
  readonly facts: string | null;
  /** Sent at most once. */
  readonly once: boolean;
}

/** The queue of a resource after a commit has put its events there. */
export interface CommittedQueue {
  readonly platformId: PlatformId;
  readonly resourceId: string;
  readonly leaseOwner: string | null;
  /** How many events commits have added while it was leased; null: unknown. */
  readonly added: bigint | null;
}

/** The lease of the queues that a commit creates for these platforms. */
export interface CommitLease {
  readonly owner: string;
  readonly until: Date;
  readonly platformIds: readonly PlatformId[];
}

/** Sends events of this process's own commits, from memory (decision 0004). */
export interface EventTaker {
  /** Returns a lease for the platforms that have room for these events. Called while the commit is built. */
  lease(platformIds: readonly PlatformId[]): CommitLease;
  /** Called after the commit, with its events in order. It takes those whose queue is leased to this process. */
  take(lease: CommitLease, queues: readonly CommittedQueue[], events: readonly CommittedEvent[]): void;
}

/** Has a taker while this process sends webhooks. */
export interface Outbox {
  taker?: EventTaker | undefined;
}
