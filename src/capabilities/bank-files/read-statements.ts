import { createHash } from 'node:crypto';
import type { Applying } from '#capabilities/bank-files/applying.ts';
import { nextDay } from '#capabilities/bank-files/calendar.ts';
import {
  findClosingBefore,
  findStatementHash,
  insertStatement,
  listStatementsOf,
  type StatementRow,
} from '#capabilities/bank-files/file-store.ts';
import { joinAll, mayRepeat, repeatedIds, withEarlierIds } from '#capabilities/bank-files/join-statements.ts';
import { creditIdOf, type Line, linesOf } from '#capabilities/bank-files/lines.ts';
import type { AccountProfile } from '#capabilities/bank-files/profile.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import type { ReadBalance, ReadStatement } from '#foundation/bank-formats/camt.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { checkStatement, type Statement } from '#foundation/connector-protocol/bank-records.ts';
import { describe } from '#foundation/connector-protocol/read-answer.ts';
import type { StatementLine } from '#foundation/connector-protocol/repeated-lines.ts';
import type { Run } from '#foundation/database/database.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { cutText } from '#foundation/lib/storable.ts';
import { keyOfFile } from '#foundation/person-keys/people.ts';

/** Statements of an account, kept as the protocol knows them (connectors.md §7.3). */

export interface StatementParts extends Pick<Applying, 'run' | 'parts' | 'connectorId' | 'now' | 'fileId'> {
  readonly account: AccountProfile;
}

export interface KeptStatement {
  readonly isNew: boolean;
  /** Its receipts may repeat others: balances have a gap before it, or it may repeat an earlier statement. */
  readonly isDoubtful: boolean;
  /** Its last day. */
  readonly day: string;
  /** The ids of its lines that an earlier statement of the same days has, too. */
  readonly repeated: ReadonlySet<string>;
}

/** Keeps a statement; the same again changes nothing, and another one under its id is refused. */
export async function keepStatement(given: StatementParts, read: ReadStatement): Promise<KeptStatement> {
  const { run, parts, connectorId, account, now, fileId } = given;
  const statement = statementOf(read, account);
  const key = { connectorId, settlementAccount: account.id, id: statement.id };
  const text = canonicalJson(statement);
  const hash = createHash('sha256').update(text).digest();
  const known = await findStatementHash(run, key);
  if (known && !known.equals(hash)) throw new FileFault('there is another statement with this id', read.line);
  const { from, to } = statement;
  if (known) return { isNew: false, isDoubtful: false, day: to, repeated: new Set() };
  const [opening, closing] = [BigInt(statement.opening), BigInt(statement.closing)];
  const { earlier, repeated, isDoubtful } = await compareWithKept(given, statement);
  const before = repeated.size > 0 ? opening : await findClosing(given, statement);
  const named = earlier && repeated.size > 0 ? withEarlierIds(earlier, statement) : statement;
  const content = parts.vault.sealFor(keyOfFile(parts, fileId), canonicalJson(named), statementContext(key));
  await insertStatement(run, { ...key, fileId, from, to, opening, closing, hash, content }, now);
  const hasGap = before !== undefined && before !== opening;
  return { isNew: true, isDoubtful: hasGap || isDoubtful, day: to, repeated };
}

interface ComparedWithKept {
  /** The statements whose lines it repeats, as one. */
  readonly earlier: Statement | undefined;
  readonly repeated: ReadonlySet<string>;
  readonly isDoubtful: boolean;
}

/** Compares a statement with those of its days: a bank may send a day again, with more lines or within several days. */
async function compareWithKept(
  { run, parts, connectorId, account }: StatementParts,
  statement: Statement,
): Promise<ComparedWithKept> {
  const place = { connectorId, settlementAccount: account.id };
  const { from, to } = statement;
  const rows = await listStatementsOf(run, { ...place, from, to });
  const ofDay = await openJoined(
    parts,
    place,
    rows.filter(({ last_day }) => last_day === to),
  );
  const isDoubtful = rows.some((row) => overlaps(row, statement));
  for (const earlier of [await openJoined(parts, place, rows), ofDay]) {
    const repeated = earlier ? repeatedIds(earlier, statement) : new Set<string>();
    if (repeated.size > 0) return { earlier, repeated, isDoubtful };
  }
  const isSame = ofDay !== undefined && mayRepeat(ofDay, statement);
  return { earlier: undefined, repeated: new Set(), isDoubtful: isDoubtful || isSame };
}

/**
 * Returns whether two statements may have the same receipts. Some banks date an opening balance on the day before, so two
 * statements may share one day if the balance leads from one to the other. Any other two that share days overlap.
 */
function overlaps(
  { first_day, last_day, opening, closing }: StatementRow,
  { from, to, opening: opens, closing: closes }: Statement,
): boolean {
  if (first_day === from && last_day === to) return false;
  const isBefore = last_day <= from && closing === BigInt(opens);
  const isAfter = first_day >= to && opening === BigInt(closes);
  return !isBefore && !isAfter;
}

/** Finds the closing balance before a statement. If a day has several statements, their joined one counts. */
async function findClosing(
  { run, parts, connectorId, account }: StatementParts,
  { from }: Statement,
): Promise<bigint | undefined> {
  const place = { connectorId, settlementAccount: account.id };
  const before = await findClosingBefore(run, { ...place, from });
  if (!before) return undefined;
  const joined = await joinKept(parts, run, { ...place, day: before.day });
  return joined ? BigInt(joined.closing) : before.closing;
}

function statementContext(key: { connectorId: string; settlementAccount: string; id: string }): string {
  return `bank_file_statements.content:${key.connectorId}:${key.settlementAccount}:${key.id}`;
}

/** Balances at the beginning, best first: of the day itself, of the day before, of a page. */
const OPENINGS = ['OPBD', 'PRCD', 'ITBD'];
const CLOSINGS = ['CLBD', 'ITBD'];

/** The statement in the words of the protocol. Throws a `FileFault` if it has no balances, or its lines do not lead there. */
export function statementOf(read: ReadStatement, account: AccountProfile): Statement {
  const opening = choose(read.balances, OPENINGS);
  const closing = choose(read.balances.toReversed(), CLOSINGS);
  if (!opening || !closing)
    throw new FileFault('the statement has no opening or no closing balance', read.line);
  if ([opening, closing].some(({ currency }) => currency !== account.currency))
    throw new FileFault(`a balance is not in ${account.currency}`, read.line);
  const to = lastDayOf(closing, opening, read) ?? read.to;
  if (to === undefined) throw new FileFault('the statement does not say its day', read.line);
  const first = (opening.type === 'OPBD' ? opening.day : undefined) ?? read.from ?? to;
  const statement: Statement = {
    ...{ id: read.id, settlementAccount: account.id, from: first > to ? to : first, to },
    ...{ opening: opening.amount.toString(), closing: closing.amount.toString() },
    lines: linesOf(read, account, to).map((line) => presentLine(account, line)),
  };
  const problem = describe(checkStatement(statement));
  if (problem !== undefined) throw new FileFault(`the statement is not right: ${problem}`, read.line);
  return statement;
}

/**
 * Returns the day of the closing balance. Some banks give the moment at which the day ends, which is the midnight of the next
 * day. Others write every day as a midnight. The entries show the difference: some are booked, and none on that next day.
 */
function lastDayOf(
  { day, isAtMidnight }: ReadBalance,
  opening: ReadBalance,
  read: ReadStatement,
): string | undefined {
  const { type, day: begins = '' } = opening;
  if (day === undefined || !isAtMidnight || type !== 'OPBD' || begins === '' || begins >= day) return day;
  const days = read.entries.filter(({ isBooked }) => isBooked).map(({ bookedOn = day }) => bookedOn);
  const periodDiffers = read.to === day && !read.endsAtMidnight;
  return days.length === 0 || periodDiffers || days.some((booked) => booked >= day) ? day : nextDay(day, -1);
}

function choose(balances: readonly ReadBalance[], types: readonly string[]): ReadBalance | undefined {
  return types.map((type) => balances.find((balance) => balance.type === type)).find((found) => found);
}

const REFERENCES_MAX = 20;

function presentLine(settlementAccount: AccountProfile, line: Line): StatementLine {
  const { id, bookedOn, valueOn, side, amount, kind, counterparty, remittance } = line;
  // The books know money that came in by the name of its credit.
  const credit = side === 'CREDIT' ? [creditIdOf(settlementAccount, line)] : [];
  const references = [...credit, ...line.references].slice(0, REFERENCES_MAX);
  const { name, account } = counterparty;
  return {
    ...{ id, bookedOn, side, amount: amount.toString(), kind, references },
    ...(valueOn !== undefined && { valueOn }),
    ...((name ?? account) !== undefined && {
      counterparty: {
        ...(name !== undefined && { name: cutText(name, 200) }),
        ...(account !== undefined && { account: cutText(account, 100) }),
      },
    }),
    ...(remittance !== undefined && { remittance: cutText(remittance, 500) }),
  };
}

/**
 * Returns the statement of a day. If a bank sent several that follow on each other or repeat each other, it joins them. It
 * leaves out a statement whose file has lost its key.
 */
export async function joinStatements(
  parts: FilesParts,
  connectorId: string,
  settlementAccount: string,
  day: string,
): Promise<Statement | undefined> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  return joinKept(parts, parts.database.query, { connectorId, settlementAccount, day });
}

/** Joins the statements that end on a day. */
async function joinKept(
  parts: OpeningParts,
  run: Run,
  { connectorId, settlementAccount, day }: KeptDay,
): Promise<Statement | undefined> {
  const place = { connectorId, settlementAccount };
  const rows = await listStatementsOf(run, { ...place, from: day, to: day });
  return openJoined(
    parts,
    place,
    rows.filter(({ last_day }) => last_day === day),
  );
}

async function openJoined(
  { vault, personKeys }: OpeningParts,
  { connectorId, settlementAccount }: Omit<KeptDay, 'day'>,
  rows: readonly StatementRow[],
): Promise<Statement | undefined> {
  await personKeys.loadFor(rows.flatMap(({ content }) => content ?? []));
  const all = rows.flatMap(({ statement_id: id, content }) => {
    const context = statementContext({ connectorId, settlementAccount, id });
    const text = content === null ? undefined : vault.openKept(content, context);
    return text === undefined ? [] : [JSON.parse(text) as Statement];
  });
  return joinAll(all);
}

type OpeningParts = Pick<FilesParts, 'vault' | 'personKeys'>;

interface KeptDay {
  readonly connectorId: string;
  readonly settlementAccount: string;
  readonly day: string;
}
