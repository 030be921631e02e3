import { resolveBreak, resolveBreaksAbout } from '#capabilities/connectors/break-store.ts';
import { concernedByBreak } from '#capabilities/connectors/break-texts.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { postAtBank } from '#capabilities/reconciliation/book-line.ts';
import {
  findBooksOf,
  insertBooking,
  lockOpenBreak,
  lockOurs,
  lockTheirs,
  type OpenBreak,
} from '#capabilities/reconciliation/booking-store.ts';
import {
  insertHandMatch,
  type Lines,
  lockOursNamed,
  lockTheirsNamed,
} from '#capabilities/reconciliation/hand-store.ts';
import { insertMatch } from '#capabilities/reconciliation/match-store.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { aboutOurs, aboutTheirs, parseAbout, sumOf } from '#capabilities/reconciliation/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isUuid, newUuid, parseId, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

interface Asked {
  readonly breakId: string;
  /** Entries of ours, and our ids of lines of the bank, beside the line of the break. */
  readonly lines: readonly string[];
  /** Whether the bank kept what is missing. */
  readonly isCharge: boolean;
  readonly reason: string;
}

export interface HandMatch {
  readonly ours: number;
  readonly theirs: number;
  /** The amount that is booked as a charge of the bank: below zero, or nothing. */
  readonly rest: bigint;
  readonly currency: string;
}

/**
 * Matches the line of a break with lines that an operator names, and closes the break (bank-files.md §6.5). Both sides are equal
 * to the unit, or the rest is booked as the bank's charge (L31), and completes the match once its entry was copied.
 */
export async function matchByHand(tx: Tx, asked: Asked): Promise<HandMatch> {
  const run = tx.query.bind(tx);
  const open = await lockOpenBreak(run, asked.breakId);
  if (!open) refuse('CONFLICT', 'The break is resolved already.');
  const lines = await lockLines(tx, open, asked.lines);
  const rest = sumOf(lines.theirs) - sumOf(lines.ours);
  const [{ currency } = refuseEmpty()] = lines.theirs;
  checkRest(lines, rest, asked);
  if (rest === 0n) await insertMatch(run, { id: newUuid(), ...lines });
  else await bookRest(tx, open, { lines, rest, breakId: asked.breakId });
  await closeBreaks(tx, open, { breakId: asked.breakId, reason: asked.reason, lines });
  const from = [...lines.theirs, ...lines.ours].map(({ booked_on }) => booked_on).toSorted()[0] as string;
  await staleProofs(run, lines.theirs[0] ?? refuseEmpty(), { from, currency, now: realNow(tx) });
  const counts = { ours: lines.ours.length, theirs: lines.theirs.length };
  const details = { reason: asked.reason, ...counts, rest: rest.toString(), currency };
  const customerId = await concernedByBreak(tx, asked.breakId);
  audit(tx, { action: 'break match', resource: publicId('Break', asked.breakId), customerId, details });
  return { ...counts, rest, currency };
}

/** The line of the break and those that the operator names: all of them are unmatched, at one account. */
async function lockLines(tx: Tx, open: OpenBreak, named: readonly string[]): Promise<Lines> {
  const run = tx.query.bind(tx);
  const own = await lockOwn(tx, run, open);
  const entries = named.flatMap((one) => parseId('JournalEntry', one, 'full') ?? []);
  const ids = named.filter((one) => isUuid(one));
  const bad = named.filter((one) => !isUuid(one) && parseId('JournalEntry', one, 'full') === undefined);
  if (bad.length > 0)
    throw invalidFields(
      bad.map((one) => ({ field: 'lines', message: `${one} is neither an entry nor a line of the bank` })),
    );
  const [at] = [...own.theirs, ...own.ours];
  if (!at) return own;
  const theirs = await lockTheirsNamed(run, at, ids);
  const ours = await lockOursNamed(run, at, entries);
  const found = [...theirs.map(({ id }) => id), ...ours.map(({ entry_id }) => entry_id as string)];
  const missing = [...ids, ...entries].filter((id) => !found.includes(id));
  if (missing.length > 0)
    throw invalidFields(
      missing.map((id) => ({
        field: 'lines',
        message: `${id} is no line of this settlement account that is still unmatched`,
      })),
    );
  return {
    theirs: distinct([...own.theirs, ...theirs], aboutTheirs),
    ours: distinct([...own.ours, ...ours], aboutOurs),
  };
}

async function lockOwn(tx: Tx, run: Run, open: OpenBreak): Promise<Lines> {
  const about = parseAbout(open.about);
  const ours =
    about?.whose === 'ours' ? await lockOurs(run, { platformId: tx.platformId, ...about }) : undefined;
  const theirs = about?.whose === 'theirs' ? await lockTheirs(run, about.id) : undefined;
  if (!ours && !theirs) refuse('CONFLICT', 'The break is about no line, or the line has been matched since.');
  return { ours: ours ? [ours] : [], theirs: theirs ? [theirs] : [] };
}

function distinct<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}

function refuseEmpty(): never {
  refuse('CONFLICT', 'A match needs a line of the books and a line of the bank.');
}

function checkRest({ ours, theirs }: Lines, rest: bigint, { isCharge }: Asked): void {
  if (ours.length === 0 || theirs.length === 0) refuseEmpty();
  const [books, bank] = [sumOf(ours), sumOf(theirs)];
  if (rest !== 0n && !isCharge)
    refuse('CONFLICT', `The bank has ${bank}, and the books have ${books}: the sums must be equal.`);
  if (rest === 0n && isCharge) refuse('CONFLICT', 'The sums are equal: no charge is left to book.');
  if (rest > 0n) refuse('CONFLICT', `The bank has ${rest} more than the books: that is no charge.`);
  if (rest !== 0n && theirs.length > 1)
    refuse('CONFLICT', 'A charge belongs to one line of the bank: match the other lines first.');
}

async function bookRest(
  tx: Tx,
  open: OpenBreak,
  {
    lines,
    rest: amount,
    breakId,
  }: { readonly lines: Lines; readonly rest: bigint; readonly breakId: string },
): Promise<void> {
  const run = tx.query.bind(tx);
  const [theirs = refuseEmpty()] = lines.theirs;
  if ((await findBooksOf(run, theirs)) !== tx.platformId)
    refuse(
      'CONFLICT',
      'The charge is booked in the books of the owner of its settlement account (connector owner).',
    );
  const entryId = postAtBank(tx, { connector: open.connector, ...theirs, amount, as: 'CHARGE' });
  await insertBooking(run, {
    ...{ platform_id: tx.platformId, entry_id: entryId, break_id: breakId, line: theirs.id },
    ...{ ours_seq: null, ours_line_no: null, booked_at: realNow(tx) },
  });
  await insertHandMatch(run, { platformId: tx.platformId, entryId }, lines.ours);
}

/** This break, and all others about these lines. */
async function closeBreaks(
  tx: Tx,
  { connector_id: connectorId }: OpenBreak,
  { lines, breakId, reason }: Pick<Asked, 'breakId' | 'reason'> & { readonly lines: Lines },
): Promise<void> {
  const now = realNow(tx);
  await resolveBreak(tx, breakId, reason, now);
  for (const about of [...lines.theirs.map(aboutTheirs), ...lines.ours.map(aboutOurs)])
    await resolveBreaksAbout(tx, { connectorId, about }, { reason, now });
}
