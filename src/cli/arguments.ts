import { InvalidArgumentError } from 'commander';
import { isDate } from '#lib/dates.ts';
import { parseId, type ResourceType } from '#lib/ids.ts';

/** For commander: the bare UUID of an id, given with or without its type. */
export function idArgument(type: ResourceType): (text: string) => string {
  return (text) => {
    const uuid = parseId(type, text);
    if (uuid === undefined) throw new InvalidArgumentError(`It must be an id such as ${type}:<uuid>.`);
    return uuid;
  };
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

/** An RFC 3339 time, or a date, which means its midnight in UTC. */
export function timeArgument(text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  // `new Date` would silently turn 2026-02-31 into a day in March.
  const time = new Date(isTime && isDate(text.slice(0, 10)) ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('It must be a date or a time with its zone, such as 2026-03-01T12:00:00Z.');
}
