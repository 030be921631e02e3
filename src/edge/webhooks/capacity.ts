import { type DeliveryQueue, SLOW_IN_FLIGHT, SLOW_PROBES } from '#edge/webhooks/delivery-queue.ts';
import type { Capacity } from '#edge/webhooks/queue-store.ts';

/** How much this process leases at a time for one platform. */
export const DEFAULT_CAPACITY: Capacity = { resources: 128, blocked: 128, questions: 64 };
/** How many of all leased events may be for slow receivers, so that unreachable ones cannot use up the capacity. */
const SLOW_TOTAL_MAX = 2_048;

/**
 * How many events the next claim may take for each platform that has a queue: none, or at least half of the default
 * capacity, so that claims are few. Queues that are empty and not slow are removed. A process that is full takes
 * questions only.
 */
export function claimCapacity(queues: Map<string, DeliveryQueue>, isFull: boolean): Map<string, Capacity> {
  const capacity = new Map<string, Capacity>();
  const slow = queues.values().reduce((sum, queue) => sum + (queue.isSlow ? queue.leasedCount : 0), 0);
  let slowLeft = Math.max(0, SLOW_TOTAL_MAX - slow);
  for (const [platformId, queue] of queues) {
    if (queue.leasedCount === 0 && !queue.isSlow) queues.delete(platformId);
    const resources = isFull
      ? 0
      : queue.isSlow
        ? Math.min(slowCapacity(queue), slowLeft)
        : defaultCapacity(queue);
    if (queue.isSlow) slowLeft -= resources;
    const blocked = queue.isSlow ? 0 : DEFAULT_CAPACITY.blocked - queue.blockedCount;
    capacity.set(platformId, { resources, blocked, questions: DEFAULT_CAPACITY.questions - queue.questions });
  }
  return capacity;
}

/** However many attempts hang, a slow receiver is always sent a few others: otherwise its recovery would not be seen. */
function slowCapacity(queue: DeliveryQueue): number {
  return Math.max(0, SLOW_IN_FLIGHT - queue.open, SLOW_PROBES - queue.active);
}

function defaultCapacity(queue: DeliveryQueue): number {
  const left = DEFAULT_CAPACITY.resources - queue.active;
  return left >= DEFAULT_CAPACITY.resources / 2 ? left : 0;
}
