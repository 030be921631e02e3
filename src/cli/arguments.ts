import { type Argument, InvalidArgumentError, type Option } from 'commander';
import { systemClock } from '#foundation/lib/clock.ts';
import { isDate } from '#foundation/lib/dates.ts';
import { isClientId, parseId, type ResourceType } from '#foundation/lib/ids.ts';

/** For commander: the bare UUID of an id, given with or without its type, in whatever case. */
export function idArgument<T extends ResourceType>(type: T): (text: string) => Id<T> {
  return (text) => {
    const uuid = readId(type, text);
    if (uuid === undefined) throw new InvalidArgumentError(`It must be an id such as ${type}:<uuid>.`);
    return uuid;
  };
}

/** For commander: the bare UUID of a token, or its client id, with which people sign in. */
export function tokenArgument(text: string): string {
  const lower = text.toLowerCase();
  if (isClientId(lower)) return lower;
  const id = readId('Token', text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('It must be an id such as Token:<uuid>, or a client id of 32 digits.');
}

/** Does the same as `parseId`, but accepts any case. */
export function readId<T extends ResourceType>(type: T, text: string): Id<T> | undefined {
  const lower = text.trim().toLowerCase();
  const prefix = `${type.toLowerCase()}:`;
  return parseId(type, lower.startsWith(prefix) ? lower.slice(prefix.length) : lower);
}

/** A code such as EUR or SEPA_INSTANT: all of them are upper-case. */
export function codeArgument(text: string): string {
  const code = text.trim().toUpperCase();
  if (/^[A-Z][A-Z0-9_]{1,39}$/.test(code)) return code;
  throw new InvalidArgumentError('It must be a code of letters, digits and _.');
}

export function countArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= min && count <= max) return count;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** In the smallest unit of a currency. */
export function amountArgument(text: string): bigint {
  if (!/^[1-9][0-9]{0,16}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return BigInt(text);
}

const REASON_MAX = 255;

/** One line of printable text, for the audit log. */
export function reasonArgument(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= REASON_MAX && !/\p{Cc}/u.test(reason)) return reason;
  throw new InvalidArgumentError(`It must be one line of up to ${REASON_MAX} characters.`);
}

/** A point in time that may depend on the platform's own clock. */
export type BusinessTime = (now: Date) => Date;

/** An RFC 3339 time; a date, which means its midnight in UTC; or how long ago, such as 90m, 2h or 3d. */
export function businessTimeArgument(text: string): BusinessTime {
  const ago = parseSeconds(text);
  if (ago !== undefined) return (now) => new Date(now.getTime() - ago * 1000);
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i.test(text);
  // `new Date` would silently turn 2026-02-31 into a day in March.
  const time = new Date(isTime && isDate(text.slice(0, 10)) ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return () => time;
  throw new InvalidArgumentError(
    'It must be a date, a time with its zone such as 2026-03-01T12:00:00Z, or how long ago, such as 2h.',
  );
}

/** The same in real time, for records that no sandbox clock moves. */
export function timeArgument(text: string): Date {
  return businessTimeArgument(text)(new Date(systemClock.now()));
}

/** `90s`, `5m`, `1h30m`, `3d`: in seconds. */
export function durationArgument(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('It must be a duration such as 90s, 5m, 1h30m or 3d.');
}

function parseSeconds(text: string): number | undefined {
  const parts = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/.exec(text.toLowerCase());
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts?.map((count) => Number(count ?? 0)) ?? [];
  const sum = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return sum > 0 ? sum : undefined;
}

/** Accepts one of these values, in upper or lower case. The help lists them if they are few. */
export function acceptAnyCase<Input extends Option | Argument>(
  input: Input,
  values: readonly string[],
): Input {
  if (values.length <= LISTED_MAX) input.choices(values);
  input.argParser((text: string) => {
    const found = values.find((value) => value.toLowerCase() === text.trim().toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
  });
  return input;
}

const LISTED_MAX = 12;
