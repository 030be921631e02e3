import { daysBetween } from '#capabilities/reconciliation/banking-days.ts';
import type { OursLike } from '#capabilities/reconciliation/match-store.ts';
import { type OursRow, sumOf, type TheirsRow } from '#capabilities/reconciliation/row.ts';

/** bank-files.md §6.1 */
const DAYS_APART_MAX = 30;

/** Why a line of the bank is matched with none of ours. */
export interface LineBreak {
  readonly kind: 'AMOUNT_DIFFERS' | 'LATE' | 'DUPLICATE' | 'RETURNED' | 'THEIRS_UNMATCHED';
  readonly what: string;
}

/** Our lines that a line of the bank is matched with, or else the break that it is. `known`: what the books have of it. */
export type Fit = { readonly ours: readonly OursRow[] } | (LineBreak & { readonly known: bigint });

/** Compares a line of the bank with those of ours that share a reference with it (bank-files.md §6.1, §6.3). */
export function fitLine(theirs: TheirsRow, alike: readonly OursLike[]): Fit {
  const sameWay = alike.filter(({ amount }) => amount > 0n === theirs.amount > 0n);
  const free = sameWay.filter(({ match }) => match === null);
  const near = free.filter((one) => isNear(one, theirs));
  const one = near.find(({ amount }) => amount === theirs.amount);
  // A line of a whole batch names what all its orders share.
  const ours = one ? [one] : sumOf(near) === theirs.amount ? near : wholeOf(theirs, alike);
  if (ours.length > 0) return { ours };
  return { ...breakOf(theirs, alike, { sameWay, free, near }), known: sumOf(near) };
}

/** A difference that an operator wrote off may be in the other direction: the bank booked less than the books have. */
function wholeOf(theirs: TheirsRow, alike: readonly OursLike[]): readonly OursRow[] {
  const free = alike.filter((one) => one.match === null && isNear(one, theirs));
  return sumOf(free) === theirs.amount ? free : [];
}

/** Returns whether the dates fit. An entry that an operator booked for the line always fits it. */
function isNear({ booked_on, is_answer }: OursLike, theirs: TheirsRow): boolean {
  return is_answer || daysBetween(booked_on, theirs.booked_on) <= DAYS_APART_MAX;
}

/** The kind of a break about a line of the bank that matches nothing (bank-files.md §6.3). */
function breakOf(
  { amount, kind }: TheirsRow,
  alike: readonly OursRow[],
  { sameWay, free, near }: Readonly<Record<'sameWay' | 'free' | 'near', readonly OursRow[]>>,
): LineBreak {
  if (near.length > 0) {
    const what = `The bank booked ${amount}, and the books have ${sumOf(near)} under the same reference.`;
    return { kind: 'AMOUNT_DIFFERS', what };
  }
  if (free.length > 0)
    return {
      kind: 'LATE',
      what: `The bank booked it more than ${DAYS_APART_MAX} days apart from the books.`,
    };
  if (sameWay.length > 0)
    return {
      kind: 'DUPLICATE',
      what: 'The bank booked a second line with a reference that was matched.',
    };
  if (kind === 'RETURN' && alike.length > 0)
    return {
      kind: 'RETURNED',
      what: 'The bank returned money that the books do not have as returned.',
    };
  return {
    kind: 'THEIRS_UNMATCHED',
    what: 'The bank booked a line that fits nothing in the books.',
  };
}
