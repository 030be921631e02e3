import { dateProblem } from '#customers/profile-rules.ts';
import type { CustomerRow, OpenPerson } from '#customers/store.ts';
import { isDate } from '#lib/dates.ts';
import { firstOf, type Values } from '#onboarding/form/values.ts';
import { isTooYoung } from '#verification/rules.ts';

export const TOO_YOUNG = 'You must be at least 18 years old.';

/**
 * Whether a form speaks of a child: nobody under age can be onboarded (customers.md §4.3), so nothing of it may be
 * kept. A date that cannot be one is a mistake, and then the one on file counts.
 */
export function isOfChild({ customer_type, profile }: CustomerRow, values: Values, now: Date): boolean {
  if (customer_type !== 'INDIVIDUAL') return false;
  const typed = firstOf(values, 'birthDate');
  const isReal = isDate(typed) && dateProblem('birthDate', typed, now) === undefined;
  const isCleared = typed === '' && values.has('birthDate');
  const birthDate = isReal ? typed : isCleared ? undefined : (profile as OpenPerson).birthDate;
  return birthDate !== undefined && isTooYoung(birthDate, now);
}
