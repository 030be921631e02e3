import { useSignal } from '@preact/signals';
import { clockOffsetMs, shownNow, shownPlatformNow } from '../api/clock.ts';

export interface TimeProps {
  readonly at: string | undefined;
  /** `real` for what is kept in real time, such as requests and attempts of webhooks. */
  readonly clock?: 'platform' | 'real';
  /** Shows the exact time at once, and the relative one on hover and focus. */
  readonly isExact?: boolean;
  /** The screen has times of the other clock, too: if the clocks differ, “ago” would have two meanings, so this one is exact. */
  readonly isMixed?: boolean;
}

const UNITS: readonly (readonly [string, string, number])[] = [
  ['year', 'years', 31_536_000],
  ['month', 'months', 2_592_000],
  ['day', 'days', 86_400],
  ['h', 'h', 3_600],
  ['min', 'min', 60],
  ['s', 's', 1],
];

/** A time as people say it, with the exact UTC and local time on hover and focus. */
export function Time({ at, clock = 'platform', isExact: isAlwaysExact = false, isMixed = false }: TimeProps) {
  const isShown = useSignal(false);
  if (at === undefined) return <span class="soft">–</span>;
  const isExact = isAlwaysExact || (isMixed && clockOffsetMs.value !== 0);
  const said = formatRelative(at, clock === 'platform' ? shownPlatformNow() : shownNow.value);
  const exact = formatUtc(at);
  const show = () => {
    isShown.value = true;
  };
  const hide = () => {
    isShown.value = false;
  };
  return (
    <time
      class="time"
      dateTime={at}
      tabIndex={0}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {isExact ? exact : said}
      {isShown.value && (
        <span class="time-exact" role="tooltip">
          {isExact ? said : exact}
          <br />
          {formatLocal(at)}
          {clock === 'platform' && clockOffsetMs.value !== 0 && (
            <>
              <br />
              sandbox time
            </>
          )}
        </span>
      )}
    </time>
  );
}

/** `6 min ago`, `in 3 days`. */
export function formatRelative(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const size = Math.abs(seconds);
  const [one, many, length] = UNITS.find(([, , fits]) => size >= fits) ?? ['s', 's', 1];
  if (size < 10) return 'now';
  const count = Math.round(size / length);
  const said = `${count} ${count === 1 ? one : many}`;
  return seconds < 0 ? `${said} ago` : `in ${said}`;
}

/** `2026-11-18 06:00:46 UTC` */
export function formatUtc(at: string): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

function formatLocal(at: string): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

/** `6 min`, `2 h 5 min`, `3 days 4 h`: the two largest units of a duration. */
export function formatDuration(ms: number): string {
  let seconds = Math.max(0, Math.round(ms / 1_000));
  const parts: string[] = [];
  for (const [one, many, length] of UNITS) {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    if (count > 0) parts.push(`${count} ${count === 1 ? one : many}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
