import { resolveBreak } from '#capabilities/connectors/break-store.ts';
import { concernedByBreak } from '#capabilities/connectors/break-texts.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import {
  findBooksOf,
  insertBooking,
  isBooked,
  lockOpenBreak,
  lockOurs,
  lockTheirs,
  type OpenBreak,
} from '#capabilities/reconciliation/booking-store.ts';
import { fitLine } from '#capabilities/reconciliation/fit-line.ts';
import { areHashesMixed, lockOursLike } from '#capabilities/reconciliation/match-store.ts';
import { type OursRow, parseAbout, type TheirsRow } from '#capabilities/reconciliation/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Account, LedgerKind } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

/** The meaning that an operator gives to a line of the bank. */
export const LINE_MEANINGS = ['CHARGE', 'INTEREST'] as const;
export const DIFFERENCES = ['OWN', 'WRITE_OFF'] as const;
export type LineMeaning = (typeof LINE_MEANINGS)[number] | (typeof DIFFERENCES)[number];

const ENTRIES: Readonly<Record<LineMeaning, { kind: LedgerKind; other: 'FEES' | 'HOUSE' }>> = {
  CHARGE: { kind: 'bank.charged', other: 'FEES' },
  INTEREST: { kind: 'bank.charged', other: 'FEES' },
  OWN: { kind: 'bank.own_moved', other: 'HOUSE' },
  WRITE_OFF: { kind: 'bank.written_off', other: 'FEES' },
};

export interface BookedLine {
  readonly entryId: Id<'JournalEntry'>;
  /** Above zero: the money in the settlement account grew. */
  readonly amount: bigint;
  readonly currency: string;
}

interface Asked {
  readonly breakId: string;
  readonly as: LineMeaning;
  readonly reason: string;
}

/** The booking that an operator asks for, and the line that it answers. */
interface Difference {
  readonly amount: bigint;
  readonly at: Pick<TheirsRow, 'currency' | 'settlement_account'>;
  readonly theirs?: TheirsRow;
  readonly ours?: OursRow;
}

/**
 * Books a line that a break is about (L30, L31, L32), and closes the break (bank-files.md §6.5). The entry's own line on the
 * `RAIL` account is then matched with the line that it answers.
 */
export async function bookLine(tx: Tx, { breakId, as, reason }: Asked): Promise<BookedLine> {
  const run = tx.query.bind(tx);
  const open = await lockOpenBreak(run, breakId);
  if (!open) refuse('CONFLICT', 'The break is resolved already.');
  const { amount, at, theirs, ours } = await findDifference(tx, open, as);
  const { currency } = at;
  const entryId = postAtBank(tx, { connector: open.connector, ...at, amount, as });
  await insertBooking(run, {
    ...{ platform_id: tx.platformId, entry_id: entryId, break_id: breakId, line: theirs?.id ?? null },
    ...{ ours_seq: ours?.seq ?? null, ours_line_no: ours?.line_no ?? null, booked_at: realNow(tx) },
  });
  await resolveBreak(tx, breakId, reason, realNow(tx));
  const details = { reason, as, amount: amount.toString(), currency };
  const customerId = await concernedByBreak(tx, breakId);
  audit(tx, { action: 'break book line', resource: publicId('Break', breakId), customerId, details });
  return { entryId, amount, currency };
}

/** Posts what a settlement account has more, or less if below zero, than the books (L30, L31, L32). */
export function postAtBank(
  tx: Tx,
  {
    connector,
    settlement_account,
    currency,
    amount,
    as,
  }: Difference['at'] & {
    readonly connector: string;
    readonly amount: bigint;
    readonly as: LineMeaning;
  },
): Id<'JournalEntry'> {
  const id = tx.newId<'JournalEntry'>();
  const { kind, other } = ENTRIES[as];
  const rail = `RAIL:BANK:${connector}.${settlement_account}:${currency}` as Account;
  const house = `${other}:${currency}` as Account;
  const [debited, credited] = amount > 0n ? [rail, house] : [house, rail];
  const units = amount > 0n ? amount : -amount;
  post(tx, {
    ...{ id, kind },
    lines: [
      { account: debited, currency, side: 'DEBIT', amount: units },
      { account: credited, currency, side: 'CREDIT', amount: units },
    ],
  });
  return id;
}

async function findDifference(tx: Tx, open: OpenBreak, as: LineMeaning): Promise<Difference> {
  const run = tx.query.bind(tx);
  const about = parseAbout(open.about);
  if (about?.whose === 'ours') {
    const ours = await lockOurs(run, { platformId: tx.platformId, ...about });
    if (!ours) refuse('CONFLICT', 'The line has been matched since.');
    if (as !== 'WRITE_OFF')
      refuse('CONFLICT', 'The bank never booked this line: it can only be written off.');
    return { amount: -ours.amount, at: ours, ours };
  }
  const theirs = about && (await lockTheirs(run, about.id));
  if (!theirs)
    refuse('CONFLICT', 'The break is about no line of the bank, or the line has been matched since.');
  if ((await findBooksOf(run, theirs)) !== tx.platformId)
    refuse(
      'CONFLICT',
      'The line is booked in the books of the owner of its settlement account (connector owner).',
    );
  const isRightWay = as === 'CHARGE' ? theirs.amount < 0n : as === 'INTEREST' ? theirs.amount > 0n : true;
  if (!isRightWay)
    refuse(
      'CONFLICT',
      `The bank ${theirs.amount < 0n ? 'took' : 'paid'} this money: it is no ${as.toLowerCase()}.`,
    );
  return { amount: theirs.amount - (await findKnown(run, open, theirs)), at: theirs, theirs };
}

/** Returns the part of the line that the books have already. Only the rest is booked. */
async function findKnown(run: Run, { kind }: OpenBreak, theirs: TheirsRow): Promise<bigint> {
  if (await isBooked(run, theirs.id)) refuse('CONFLICT', 'The line was booked already.');
  if (await areHashesMixed(run))
    refuse('CONFLICT', 'The hashes of references are being rotated. Book the line when that has ended.');
  const fit = fitLine(theirs, await lockOursLike(run, theirs));
  if ('ours' in fit) refuse('CONFLICT', 'The books have the line now: the next round matches it.');
  if (fit.kind !== kind)
    refuse('CONFLICT', `The break is out of date: the line is now a break of the kind ${fit.kind}.`);
  if (fit.kind === 'LATE')
    refuse('CONFLICT', 'The books have the line already, on another day: nothing is booked beside it.');
  return fit.known;
}
