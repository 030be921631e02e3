import { type ReceiverLine, SLOW_MAX, TRIED_MAX } from '#webhooks/receiver-line.ts';
import type { Capacity } from '#webhooks/store.ts';

/** How much this process takes in hand for one platform. */
export const USUAL_CAPACITY: Capacity = { events: 128, behind: 128, questions: 64 };
/** How much of all that is in hand may be for slow receivers, so that dead ones cannot take everything. */
const SLOW_TOTAL_MAX = 2_048;

/**
 * How much the next claim may take for each platform that has something in hand or is slow; half of the usual capacity at
 * least, so that claims are few. Lines with nothing left to remember are removed. A full process takes questions only.
 */
export function claimCapacity(lines: Map<string, ReceiverLine>, isFull: boolean): Map<string, Capacity> {
  const capacity = new Map<string, Capacity>();
  const slow = lines.values().reduce((sum, line) => sum + (line.isSlow ? line.inHand : 0), 0);
  let slowLeft = Math.max(0, SLOW_TOTAL_MAX - slow);
  for (const [platformId, line] of lines) {
    if (line.inHand === 0 && !line.isSlow) lines.delete(platformId);
    const events = isFull ? 0 : line.isSlow ? Math.min(slowCapacity(line), slowLeft) : usualShare(line);
    if (line.isSlow) slowLeft -= events;
    const behind = line.isSlow ? 0 : USUAL_CAPACITY.behind - line.waiting;
    capacity.set(platformId, { events, behind, questions: USUAL_CAPACITY.questions - line.questions });
  }
  return capacity;
}

/** Beside what hangs, a slow receiver is always tried with something else, or it could not show that it is back. */
function slowCapacity(line: ReceiverLine): number {
  return Math.max(0, SLOW_MAX - line.open, TRIED_MAX - line.active);
}

function usualShare(line: ReceiverLine): number {
  const left = USUAL_CAPACITY.events - line.active;
  return left >= USUAL_CAPACITY.events / 2 ? left : 0;
}
