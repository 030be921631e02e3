import { openBreak } from '#capabilities/connectors/break-store.ts';
import { bankingDaysBefore, daysBetween } from '#capabilities/reconciliation/banking-days.ts';
import { findBooksOf } from '#capabilities/reconciliation/booking-store.ts';
import {
  endBreaksAbout,
  endMatching,
  insertMatch,
  listAccountsWithStatements,
  listOverdueOurs,
  lockOursLike,
  lockTakenBack,
  lockTheirsToMatch,
  settleOurs,
} from '#capabilities/reconciliation/match-store.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { aboutOurs, aboutTheirs, type OursRow, type TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';

const LINES_OF_STEP = 500;
/** bank-files.md §6.1 */
const DAYS_APART_MAX = 30;
/** bank-files.md §6.3 */
const DUE_AFTER_BANKING_DAYS = 3;

type Parts = Pick<Runtime, 'database' | 'clock'>;

/** Matches by reference what came since the last time, and opens a break for what fits nothing (bank-files.md §6). */
export async function matchLines({ database, clock }: Parts): Promise<void> {
  const now = new Date(clock.now());
  let found: number;
  do {
    found = await database.transaction(async (run) => {
      const lines = await lockTheirsToMatch(run, LINES_OF_STEP);
      for (const line of lines) await matchLine(run, line, now);
      await endMatching(run, lines);
      await matchTakenBack(run, now);
      await settleOurs(run);
      return lines.length;
    });
  } while (found === LINES_OF_STEP);
  await database.transaction((run) => breakOverdue(run, now));
}

async function matchLine(run: Run, theirs: TheirsRow, now: Date): Promise<void> {
  const alike = await lockOursLike(run, theirs);
  const sameWay = alike.filter(({ amount }) => amount > 0n === theirs.amount > 0n);
  const free = sameWay.filter(({ match }) => match === null);
  const near = free.filter(({ booked_on }) => daysBetween(booked_on, theirs.booked_on) <= DAYS_APART_MAX);
  const one = near.find(({ amount }) => amount === theirs.amount);
  // A line of a whole batch names what all its orders share.
  const ours = one ? [one] : sumOf(near) === theirs.amount ? near : [];
  if (ours.length > 0) return match(run, theirs, ours, now);
  // What an operator books for it is in the books of the account's owner.
  const platformId = (await findBooksOf(run, theirs)) ?? alike[0]?.platform_id ?? null;
  const place = { connectorId: theirs.connector_id, platformId };
  const about = { about: aboutTheirs(theirs), amount: theirs.amount, currency: theirs.currency };
  await openBreak(
    run,
    { ...breakOf(theirs, alike, { sameWay, free, near }), ...place, ...about, id: newUuid() },
    now,
  );
}

function sumOf(lines: readonly Pick<OursRow, 'amount'>[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

async function match(run: Run, theirs: TheirsRow, ours: readonly OursRow[], now: Date): Promise<void> {
  await insertMatch(run, { id: newUuid(), theirs: [theirs], ours });
  await endBreaksAbout(run, theirs, [aboutTheirs(theirs), ...ours.map(aboutOurs)], now);
  const from = [theirs, ...ours].map(({ booked_on }) => booked_on).toSorted()[0] as string;
  await staleProofs(run, theirs, { from, currency: theirs.currency, now });
}

/** Our lines that the bank never booked, with the entries that take them back: they are equal, and the bank has none. */
async function matchTakenBack(run: Run, now: Date): Promise<void> {
  for (const { ours, taken } of await lockTakenBack(run)) {
    await insertMatch(run, { id: newUuid(), theirs: [], ours: [ours, taken] });
    const from = ours.booked_on < taken.booked_on ? ours.booked_on : taken.booked_on;
    await staleProofs(run, ours, { from, currency: ours.currency, now });
  }
}

/** The kind of a break about a line of the bank that matches nothing (bank-files.md §6.3). */
function breakOf(
  { amount, kind }: TheirsRow,
  alike: readonly OursRow[],
  { sameWay, free, near }: Readonly<Record<'sameWay' | 'free' | 'near', readonly OursRow[]>>,
) {
  if (near.length > 0) {
    const what = `The bank booked ${amount}, and the books have ${sumOf(near)} under the same reference.`;
    return { kind: 'AMOUNT_DIFFERS', what } as const;
  }
  if (free.length > 0)
    return {
      kind: 'LATE',
      what: `The bank booked it more than ${DAYS_APART_MAX} days apart from the books.`,
    } as const;
  if (sameWay.length > 0)
    return {
      kind: 'DUPLICATE',
      what: 'The bank booked a second line with a reference that was matched.',
    } as const;
  if (kind === 'RETURN' && alike.length > 0)
    return {
      kind: 'RETURNED',
      what: 'The bank returned money that the books do not have as returned.',
    } as const;
  return {
    kind: 'THEIRS_UNMATCHED',
    what: 'The bank booked a line that fits nothing in the books.',
  } as const;
}

/** Statements reach so far that the bank should have booked it. */
async function breakOverdue(run: Run, now: Date): Promise<void> {
  for (const account of await listAccountsWithStatements(run)) {
    const due = bankingDaysBefore(account.last_day, DUE_AFTER_BANKING_DAYS);
    for (const ours of await listOverdueOurs(run, account, due)) {
      const what = `The bank has not booked it, three banking days after ${ours.expected_on}.`;
      await openBreak(
        run,
        {
          ...{ kind: 'OURS_UNMATCHED', what, about: aboutOurs(ours), id: newUuid() },
          ...{ connectorId: account.connector_id, platformId: ours.platform_id },
          ...{ amount: ours.amount, currency: ours.currency },
        },
        now,
      );
      await staleProofs(run, account, { from: ours.booked_on, currency: ours.currency, now });
    }
  }
}
