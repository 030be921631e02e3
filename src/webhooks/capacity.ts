import { type ReceiverLine, SLOW_MAX, TRIED_MAX } from '#webhooks/receiver-line.ts';
import type { Capacity } from '#webhooks/store.ts';

/** What this process has in hand for one platform. */
export const USUAL_CAPACITY: Capacity = { events: 128, behind: 128, questions: 64 };
/** Of what is in hand for all platforms, for slow ones, so that no number of dead receivers takes it all. */
const SLOW_TOTAL_MAX = 2_048;

/**
 * Capacity of the platforms that have something in hand or are slow; taken in big gulps, not one by one. A line with
 * nothing left to remember goes. Where all that this process may have is in hand, there is room for questions alone.
 */
export function claimCapacity(lines: Map<string, ReceiverLine>, isFull: boolean): Map<string, Capacity> {
  const room = new Map<string, Capacity>();
  const slow = lines.values().reduce((sum, line) => sum + (line.isSlow ? line.inHand : 0), 0);
  let slowLeft = Math.max(0, SLOW_TOTAL_MAX - slow);
  for (const [platformId, line] of lines) {
    if (line.inHand === 0 && !line.isSlow) lines.delete(platformId);
    const events = isFull ? 0 : line.isSlow ? Math.min(slowRoom(line), slowLeft) : gulp(line);
    if (line.isSlow) slowLeft -= events;
    const behind = line.isSlow ? 0 : USUAL_CAPACITY.behind - line.waiting;
    room.set(platformId, { events, behind, questions: USUAL_CAPACITY.questions - line.questions });
  }
  return room;
}

/** Beside what hangs, a slow receiver is always tried with something else, or it could not show that it is back. */
function slowRoom(line: ReceiverLine): number {
  return Math.max(0, SLOW_MAX - line.open, TRIED_MAX - line.lively);
}

function gulp(line: ReceiverLine): number {
  const left = USUAL_CAPACITY.events - line.lively;
  return left >= USUAL_CAPACITY.events / 2 ? left : 0;
}
