import type { ReceiverLine } from '#webhooks/receiver-line.ts';

/** Events this process has in hand for one platform; fewer while it is slow. */
export const IN_HAND_MAX = 256;
export const SLOW_MAX = 4;
/** Of what is in hand for all platforms, for slow ones, so that no number of dead receivers takes it all. */
const SLOW_TOTAL_MAX = 1_024;

/**
 * Room of the platforms that have something in hand or are slow; taken in big gulps, not one by one. A line with
 * nothing left to remember goes.
 */
export function roomOf(lines: Map<string, ReceiverLine>): Map<string, number> {
  const room = new Map<string, number>();
  const slow = lines.values().reduce((sum, line) => sum + (line.isSlow ? line.inHand : 0), 0);
  let slowLeft = SLOW_TOTAL_MAX - slow;
  for (const [platformId, line] of lines) {
    if (line.inHand === 0 && !line.isSlow) lines.delete(platformId);
    const left = (line.isSlow ? SLOW_MAX : IN_HAND_MAX) - line.inHand;
    const isWorth = line.isSlow || left >= IN_HAND_MAX / 2;
    const given = isWorth ? Math.max(0, line.isSlow ? Math.min(left, slowLeft) : left) : 0;
    if (line.isSlow) slowLeft -= given;
    room.set(platformId, given);
  }
  return room;
}
