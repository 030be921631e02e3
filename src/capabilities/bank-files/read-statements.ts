import { createHash } from 'node:crypto';
import type { Applying } from '#capabilities/bank-files/applying.ts';
import { nextDay } from '#capabilities/bank-files/calendar.ts';
import {
  findClosingBefore,
  findStatementHash,
  insertStatement,
  listStatementsOf,
} from '#capabilities/bank-files/file-store.ts';
import { creditIdOf, type Line, linesOf } from '#capabilities/bank-files/lines.ts';
import type { AccountProfile } from '#capabilities/bank-files/profile.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import type { ReadBalance, ReadStatement } from '#foundation/bank-formats/camt.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { checkStatement, type Statement } from '#foundation/connector-protocol/bank-records.ts';
import { describe } from '#foundation/connector-protocol/read-answer.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { keyOfFile } from '#foundation/person-keys/people.ts';

/** Statements of an account, kept as the protocol knows them (connectors.md §7.3). */

export interface StatementParts extends Pick<Applying, 'run' | 'parts' | 'connectorId' | 'now' | 'fileId'> {
  readonly account: AccountProfile;
}

export interface KeptStatement {
  readonly isNew: boolean;
  /** Its opening balance is not the closing balance before it. */
  readonly hasGap: boolean;
  /** Its last day. */
  readonly day: string;
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
  const opening = BigInt(statement.opening);
  const before = await findClosingBefore(run, { ...key, from: statement.from });
  const kept = { day: statement.to, hasGap: before !== undefined && before !== opening };
  if (known) return { ...kept, isNew: false };
  const { from, to } = statement;
  const content = parts.vault.sealFor(keyOfFile(parts, fileId), text, statementContext(key));
  await insertStatement(
    run,
    { ...key, fileId, from, to, opening, closing: BigInt(statement.closing), hash, content },
    now,
  );
  return { ...kept, isNew: true };
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
 * The day of the closing balance. Some banks say the moment at which the day ends, which is the midnight of the next one.
 * Others write every day as a midnight. So entries must show it: some are booked, and none of them on that next day.
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

type StatementLine = Statement['lines'][number];

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
        ...(name !== undefined && { name: name.slice(0, 200) }),
        ...(account !== undefined && { account: account.slice(0, 100) }),
      },
    }),
    ...(remittance !== undefined && { remittance: remittance.slice(0, 500) }),
  };
}

/**
 * The statement of a day: where a bank sent several that follow on each other, all of them as one. A statement whose file
 * has lost its key is left out.
 */
export async function joinStatements(
  { database, vault, personKeys }: FilesParts,
  connectorId: string,
  settlementAccount: string,
  day: string,
): Promise<Statement | undefined> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const rows = await listStatementsOf(database.query, connectorId, settlementAccount, day);
  await personKeys.loadFor(rows.map(({ content }) => content));
  const all = rows.flatMap(({ statement_id: id, content }) => {
    const context = statementContext({ connectorId, settlementAccount, id });
    const text = vault.openKept(content, context);
    return text === undefined ? [] : [JSON.parse(text) as Statement];
  });
  return all.reduce<Statement | undefined>(
    (joined, next) => (joined?.closing === next.opening ? follow(joined, next) : next),
    undefined,
  );
}

function follow(first: Statement, next: Statement): Statement {
  const ids = new Set(first.lines.map(({ id }) => id));
  const lines = [...first.lines, ...next.lines.filter(({ id }) => !ids.has(id))];
  return lines.length === first.lines.length + next.lines.length
    ? { ...next, from: first.from, opening: first.opening, lines }
    : next;
}
