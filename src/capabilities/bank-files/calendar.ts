import { isInstant, type RailProfile, WEEKDAYS, WORKDAYS } from '#capabilities/bank-files/profile.ts';

/** Cut-offs and banking days of a rail, in the zone of the bank (bank-files.md §2.2, §3.2). Pure. */

type Days = Pick<RailProfile, 'rail' | 'cutOffs' | 'weekdays' | 'holidays'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A rail has a banking day within this time, unless its profile says that it has none. */
const LOOK_AHEAD_DAYS = 400;

/** Returns the day and time of day of a moment: `2026-03-02`, `10:05`. */
export function localTime(at: Date, zone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** Returns the moment of a time of day. If a change of the clock leaves the time out, it is the moment an hour later. */
export function momentOf(day: string, time: string, zone: string): Date {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  let guess = wanted;
  for (let round = 0; round < 2; round++) {
    const found = localTime(new Date(guess), zone);
    guess += wanted - Date.parse(`${found.day}T${found.time}:00Z`);
  }
  return new Date(guess);
}

export function nextDay(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function isBankingDay(rail: Days, day: string): boolean {
  if (isInstant(rail)) return true;
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()];
  const { weekdays = WORKDAYS, holidays = [] } = rail;
  return weekday !== undefined && weekdays.includes(weekday) && !holidays.includes(day);
}

/** Returns the banking day that is `count` banking days after `from`. */
export function bankingDayAfter(rail: Days, from: string, count: number): string {
  let day = from;
  let left = count;
  for (let looked = 0; left > 0 && looked < LOOK_AHEAD_DAYS; looked++) {
    day = nextDay(day);
    if (isBankingDay(rail, day)) left--;
  }
  return day;
}

/** Returns the first cut-off after a moment, and the day on which the bank carries out the orders that came before it. */
export function nextCutOff(rail: Days, zone: string, after: Date): { at: Date; day: string } {
  if (isInstant(rail)) {
    const at = new Date((Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
    return { at, day: localTime(at, zone).day };
  }
  const times = (rail.cutOffs ?? []).toSorted();
  let { day } = localTime(after, zone);
  for (let looked = 0; looked < LOOK_AHEAD_DAYS; looked++, day = nextDay(day)) {
    if (!isBankingDay(rail, day)) continue;
    const at = times.map((time) => momentOf(day, time, zone)).find((moment) => moment > after);
    if (at) return { at, day };
  }
  throw new Error(`the rail ${rail.rail} has no banking day within ${LOOK_AHEAD_DAYS} days`);
}

/** A worker seals a batch at its cut-off; one that was away longer has missed it. */
const LATE_MS = 10 * MINUTE_MS;

export function executionDay(rail: Days, zone: string, cutOff: Date, now: Date): string {
  const isInTime = now.getTime() - cutOff.getTime() <= LATE_MS;
  return isInTime ? localTime(cutOff, zone).day : nextCutOff(rail, zone, now).day;
}
