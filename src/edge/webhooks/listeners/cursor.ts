import {
  type FeedPosition,
  type HeardEvents,
  KNOWN_RANGES_MAX,
  KNOWN_ROWS_MAX,
} from '#edge/webhooks/listeners/store.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/** The suffix of the position of a resent event. */
const RESENT = '.r';
const MAX_INT8 = 2n ** 63n - 1n;
/** Place and `seq`, and for a new listener the events that it skips: `57.120`, `57.120.r`, `57.120~60:121-123,125-126`. */
const CURSOR = /^(\d+)\.(\d+)(\.r)?(?:~(\d+):(\d+-\d+(?:,\d+-\d+)*))?$/;

export function encodeCursor({ xid, seq, isResent, known }: FeedPosition): string {
  return `${xid}.${seq}${isResent ? RESENT : ''}${known ? `~${knownText(known)}` : ''}`;
}

function knownText({ top, ranges }: HeardEvents): string {
  return `${top}:${ranges.map((range) => range.join('-')).join()}`;
}

export function parseCursor(text: string): FeedPosition {
  const match = CURSOR.exec(text);
  if (!match) throw notACursor();
  const [, xid = '', seq = '', resent, top, ranges] = match;
  const known =
    top !== undefined && ranges !== undefined ? { top: int8(top), ranges: parseRanges(ranges) } : undefined;
  return { xid: int8(xid), seq: int8(seq), isResent: resent !== undefined, known };
}

/** Refuses more than our own cursors have, because every poll reads past each known event. */
function parseRanges(text: string): HeardEvents['ranges'] {
  const ranges = text.split(',').map((range) => {
    const [from = 0n, end = 0n] = range.split('-').map(int8);
    return [from, end] as const;
  });
  const rows = ranges.reduce((sum, [from, end]) => sum + end - from, 0n);
  const isSound = ranges.every(([from, end]) => from < end) && ranges.length <= KNOWN_RANGES_MAX;
  if (!isSound || rows > KNOWN_ROWS_MAX) throw notACursor();
  return ranges;
}

function int8(digits: string): bigint {
  const number = digits.length < 20 ? BigInt(digits) : MAX_INT8 + 1n;
  if (number > MAX_INT8) throw notACursor();
  return number;
}

function notACursor(): Error {
  return invalidFields([{ field: 'cursor', message: 'is not a cursor of this feed' }]);
}
