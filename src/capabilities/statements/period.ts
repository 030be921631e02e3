import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** Days of a zone, as moments: from the start of the first day to the start of the day after the last one. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly start: Date;
  readonly end: Date;
}

export interface AskedPeriod {
  readonly from: string;
  readonly to: string;
  readonly zone?: string | undefined;
}

const DAYS_MAX = 366;
const FIRST_YEAR = 1970;
const LAST_YEAR = 2999;

/** Reads a period of days, and refuses all its faults at once (bank-files.md §8.1, §8.5). */
export function parsePeriod({ from, to, zone = 'UTC' }: AskedPeriod): Period {
  const [first, last] = [readDay(from), readDay(to)];
  const errors: FieldError[] = [
    ...(first ? [] : [{ field: 'from', message: DAY }]),
    ...(last ? [] : [{ field: 'to', message: DAY }]),
    ...(isZone(zone) ? [] : [{ field: 'zone', message: 'must be a time zone such as Europe/Berlin' }]),
    ...(first && last ? orderProblems(first, last) : []),
  ];
  if (!first || !last || errors.length > 0) throw invalidFields(errors);
  return { from, to, zone, start: startOf(first, zone), end: startOf(last.add({ days: 1 }), zone) };
}

const DAY = `must be a day such as 2026-03-31, of the years ${FIRST_YEAR} to ${LAST_YEAR}`;

function readDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const day = Temporal.PlainDate.from(text, { overflow: 'reject' });
    return day.year >= FIRST_YEAR && day.year <= LAST_YEAR ? day : undefined;
  } catch {
    return undefined;
  }
}

/** A name of the zone database; an offset, which never changes, is none. */
function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function orderProblems(first: Temporal.PlainDate, last: Temporal.PlainDate): FieldError[] {
  const days = first.until(last).days + 1;
  if (days < 1) return [{ field: 'to', message: 'must not be before from' }];
  return days > DAYS_MAX ? [{ field: 'to', message: `must be at most ${DAYS_MAX} days after from` }] : [];
}

/** Where clocks are moved at midnight, the day starts at its first moment that exists. */
function startOf(day: Temporal.PlainDate, zone: string): Date {
  return new Date(day.toZonedDateTime({ timeZone: zone }).epochMilliseconds);
}
