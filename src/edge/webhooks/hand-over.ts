import { randomUUID } from 'node:crypto';
import type { DeliveryQueue } from '#edge/webhooks/delivery-queue.ts';
import type { Dispatcher } from '#edge/webhooks/dispatcher.ts';
import { hold, newLease } from '#edge/webhooks/queue-store.ts';
import type { ClaimedEvent, QueueLease } from '#edge/webhooks/store.ts';
import type { CommitLease, CommittedEvent, CommittedQueue, EventTaker } from '#foundation/database/outbox.ts';
import { LEASE_MS } from '#foundation/jobs/leases.ts';
import type { Environment } from '#foundation/lib/platform.ts';

/** How many platforms this process remembers. */
const PLATFORMS_MAX = 10_000;
/** A lease with this many events in hand takes no more from commits: the backlog stays in the database. */
const LEASE_EVENTS_MAX = 16;

export interface HandOverParts {
  readonly clock: { now(): number };
  readonly dispatch: Dispatcher;
  /** Whether this many further events of the platform may be leased now. */
  hasRoom(platformId: PlatformId, count: number): boolean;
  enqueue(platformId: PlatformId, events: readonly ClaimedEvent[]): void;
  /** Some events are left to a claim. */
  onLeft(): void;
}

/**
 * Takes the events of this process's own commits from memory, so that they need no claim (decision 0004). A commit leases
 * the queues that it creates; its events are taken once its answer proves that. All others are left to a claim: those of a
 * queue that another process has leased, of a platform without a known endpoint or without room, and events that are sent
 * only once.
 */
export class HandOver implements EventTaker {
  readonly #parts: HandOverParts;
  /** The platforms that had an endpoint lately. */
  readonly #environments = new Map<PlatformId, Environment>();

  constructor(parts: HandOverParts) {
    this.#parts = parts;
  }

  /** A claim has found that the platform has an endpoint, or that it has none. */
  learn(platformId: PlatformId, environment: Environment | undefined): void {
    this.#environments.delete(platformId);
    if (environment === undefined) return;
    this.#environments.set(platformId, environment);
    const [oldest] = this.#environments.keys();
    if (this.#environments.size > PLATFORMS_MAX && oldest !== undefined) this.#environments.delete(oldest);
  }

  lease(platformIds: readonly PlatformId[]): CommitLease {
    const counts = new Map<PlatformId, number>();
    for (const id of platformIds) counts.set(id, 1 + (counts.get(id) ?? 0));
    const { clock, hasRoom } = this.#parts;
    return {
      owner: randomUUID(),
      until: new Date(clock.now() + LEASE_MS),
      platformIds: [...counts].flatMap(([id, count]) =>
        this.#environments.has(id) && hasRoom(id, count) ? id : [],
      ),
    };
  }

  take(commit: CommitLease, queues: readonly CommittedQueue[], events: readonly CommittedEvent[]): void {
    const byQueue = Map.groupBy(events, nameOf);
    const taken: ClaimedEvent[] = [];
    for (const queue of queues) {
      const own = byQueue.get(nameOf(queue)) ?? [];
      // Asked first: a lease that counts an event which is not taken would remove the queue while the event is pending.
      const environment = this.#environments.get(queue.platformId);
      const lease = environment && this.#leaseFor(commit, queue, own);
      if (lease && environment)
        taken.push(...own.map((event) => hold(lease, claimedEvent(event, environment))));
      else this.#parts.onLeft();
    }
    // The answer leaves out a queue that already waits for a claim.
    if (queues.length < byQueue.size) this.#parts.onLeft();
    for (const [platformId, own] of Map.groupBy(taken, (event) => event.platform_id))
      this.#parts.enqueue(platformId, own);
  }

  /** The lease under which the events can be sent now, after all earlier events of their resource. */
  #leaseFor(
    commit: CommitLease,
    { platformId, resourceId, leaseOwner, added }: CommittedQueue,
    events: readonly CommittedEvent[],
  ): QueueLease | undefined {
    if (leaseOwner === null || added === null) return undefined;
    const { dispatch } = this.#parts;
    if (leaseOwner === commit.owner) {
      const of = { platform_id: platformId, key: resourceId, owner: leaseOwner };
      const lease = { ...newLease(of, commit.until), added };
      dispatch.hold(lease);
      return lease;
    }
    const lease = dispatch.findLease(platformId, resourceId, leaseOwner);
    const hasAllBefore = lease?.added === added - BigInt(events.length);
    if (!lease || !hasAllBefore || !canTake(lease, events)) return undefined;
    lease.added = added;
    return lease;
  }
}

function canTake(lease: QueueLease, events: readonly CommittedEvent[]): boolean {
  if (lease.isSettling || lease.isClaiming || lease.isBroken) return false;
  return lease.events.size + events.length <= LEASE_EVENTS_MAX && !events.some(({ once }) => once);
}

function nameOf({ platformId, resourceId }: CommittedQueue | CommittedEvent): string {
  return `${platformId} ${resourceId}`;
}

function claimedEvent(event: CommittedEvent, environment: Environment): Omit<ClaimedEvent, 'lease'> {
  const { platformId, id, type, resourceId, payload, facts, once, createdAt } = event;
  return {
    ...{ platform_id: platformId, environment, id, type, resource_id: resourceId, payload, once },
    ...{ facts: facts === null ? null : JSON.parse(facts), decision: null, created_at: createdAt },
    ...{ attempts: 0, retries: 0, is_first: true, is_ended: false, was_leased: false },
  };
}

/** The most events of a platform in hand while commits lease more. A claim shares out the rest fairly. */
const IN_HAND_MAX = 512;

/** Whether a commit may lease this many events: not while older ones wait for a claim, or the receiver is slow. */
export function hasRoomFor(queue: DeliveryQueue | undefined, count: number): boolean {
  if (!queue) return count <= IN_HAND_MAX;
  return !queue.isSlow && !queue.mayHaveMore && queue.leasedCount + count <= IN_HAND_MAX;
}
