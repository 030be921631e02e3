export function bankingDaysBefore(day: string, count: number): string {
  return moveBankingDays(day, count, -1);
}

export function bankingDaysAfter(day: string, count: number): string {
  return moveBankingDays(day, count, 1);
}

/** Counts Mondays to Fridays: holidays of a bank only make something due later than it could be. */
function moveBankingDays(day: string, count: number, days: 1 | -1): string {
  let at = Temporal.PlainDate.from(day);
  for (let left = count; left > 0; ) {
    at = at.add({ days });
    if (at.dayOfWeek <= 5) left--;
  }
  return at.toString();
}

export function daysBetween(one: string, other: string): number {
  return Math.abs(Temporal.PlainDate.from(one).until(Temporal.PlainDate.from(other)).days);
}
