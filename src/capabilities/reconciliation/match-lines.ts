import { openBreak } from '#capabilities/connectors/break-store.ts';
import { bankingDaysBefore } from '#capabilities/reconciliation/banking-days.ts';
import { findBooksOf } from '#capabilities/reconciliation/booking-store.ts';
import { fitLine } from '#capabilities/reconciliation/fit-line.ts';
import { type Lines, lockJoined, lockOpenings } from '#capabilities/reconciliation/hand-store.ts';
import {
  areHashesMixed,
  endBreaksAbout,
  endMatching,
  endOtherBreaks,
  insertMatch,
  listAccountsWithStatements,
  listLastNewOurs,
  listOverdueOurs,
  lockOursLike,
  lockTakenBack,
  lockTheirsToMatch,
  settleOurs,
} from '#capabilities/reconciliation/match-store.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { aboutOurs, aboutTheirs, type TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';

const LINES_OF_STEP = 500;
/** bank-files.md §6.3 */
const DUE_AFTER_BANKING_DAYS = 3;

type Parts = Pick<Runtime, 'database' | 'clock'>;

/**
 * Matches by reference the lines that came since the last call, and opens a break for each line that fits nothing (bank-files.md
 * §6). A line of ours stays new until it was compared with all lines of the bank that share a reference. Returns false if it has
 * to wait for the end of a rotation of the hashes.
 */
export async function matchLines({ database, clock }: Parts): Promise<boolean> {
  const now = new Date(clock.now());
  const last = await listLastNewOurs(database.query);
  const compared: string[] = [];
  let lines: TheirsRow[] | undefined;
  do {
    const after = lines?.at(-1);
    lines = await database.transaction((run) => matchStep(run, after, now));
    if (!lines) return false;
    compared.push(...lines.map(({ id }) => id));
  } while (lines.length === LINES_OF_STEP);
  return database.transaction(async (run) => {
    if (await areHashesMixed(run)) return false;
    // Our lines that the bank never booked, with the entries that take them back: they are equal, and the bank has none.
    for (const { ours, taken } of await lockTakenBack(run))
      await match(run, { theirs: [], ours: [ours, taken] }, now);
    await settleOurs(run, last, compared);
    await breakOverdue(run, now);
    return true;
  });
}

async function matchStep(
  run: Run,
  after: TheirsRow | undefined,
  now: Date,
): Promise<TheirsRow[] | undefined> {
  if (await areHashesMixed(run)) return undefined;
  // What operators matched by hand, once the entry of the rest was copied; and opening balances.
  for (const lines of await lockJoined(run)) await match(run, lines, now);
  for (const lines of await lockOpenings(run)) await match(run, lines, now);
  const lines = await lockTheirsToMatch(run, after, LINES_OF_STEP);
  // An operator may have matched a line before it was compared, or between the look-up and the lock.
  for (const line of lines) if (line.match === null) await matchLine(run, line, now);
  await endMatching(run, lines);
  return lines;
}

async function matchLine(run: Run, theirs: TheirsRow, now: Date): Promise<void> {
  const alike = await lockOursLike(run, theirs);
  const fit = fitLine(theirs, alike);
  if ('ours' in fit) return match(run, { theirs: [theirs], ours: fit.ours }, now);
  // An entry that an operator books for it is in the books of the account's owner.
  const platformId = (await findBooksOf(run, theirs)) ?? alike[0]?.platform_id ?? null;
  const place = { connectorId: theirs.connector_id, platformId };
  const about = { about: aboutTheirs(theirs), amount: theirs.amount, currency: theirs.currency };
  // One break of a line is open at a time: it could be booked once for each.
  await endOtherBreaks(run, { connectorId: theirs.connector_id, about: about.about, kind: fit.kind }, now);
  await openBreak(run, { ...fit, ...place, ...about, id: newUuid() }, now);
}

/** Lines of one account, which were in no match: each break about them is gone. */
async function match(run: Run, { theirs, ours }: Lines, now: Date): Promise<void> {
  const [first] = [...theirs, ...ours].toSorted((a, b) => (a.booked_on < b.booked_on ? -1 : 1));
  if (!first) return;
  await insertMatch(run, { id: newUuid(), theirs, ours });
  await endBreaksAbout(run, first, [...theirs.map(aboutTheirs), ...ours.map(aboutOurs)], now);
  await staleProofs(run, first, { from: first.booked_on, currency: first.currency, now });
}

/** Opens a break for each line of ours that the bank should have booked within its statements. */
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
