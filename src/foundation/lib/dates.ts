/** A real calendar date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** RFC 3339 with an offset (platform.md §1.2.3). Leap seconds are refused: `Date` cannot represent them. */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (!parts?.[1] || !isDate(parts[1])) return false;
  const time = parseDateTime(text);
  // In UTC the year may no longer have four digits: 9999-12-31T23:59:59-01:00.
  return !Number.isNaN(time.getTime()) && isFourDigits(time.getUTCFullYear());
}

function isFourDigits(year: number): boolean {
  return year >= 0 && year <= 9999;
}

/** Text that `isDateTime` accepts; `Date` alone does not read all of its spellings. */
export function parseDateTime(text: string): Date {
  return new Date(text.replace(' ', 'T').toUpperCase());
}
