import { createHash } from 'node:crypto';
import type { Applying } from '#capabilities/bank-files/applying.ts';
import { nextDay } from '#capabilities/bank-files/calendar.ts';
import {
  findClosingBefore,
  findStatementHash,
  insertStatement,
  listStatementsOf,
} from '#capabilities/bank-files/file-store.ts';
import { joinAll, repeatedIds } from '#capabilities/bank-files/join-statements.ts';
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
  /** The ids of its lines that an earlier statement of the day has. */
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
  const opening = BigInt(statement.opening);
  const { from, to } = statement;
  if (known) return { isNew: false, hasGap: false, day: to, repeated: new Set() };
  const repeated = await findRepeated(given, statement);
  const before = repeated.size > 0 ? opening : await findClosing(given, statement);
  const kept = { day: to, hasGap: before !== undefined && before !== opening, repeated };
  const content = parts.vault.sealFor(keyOfFile(parts, fileId), text, statementContext(key));
  await insertStatement(
    run,
    { ...key, fileId, from, to, opening, closing: BigInt(statement.closing), hash, content },
    now,
  );
  return { ...kept, isNew: true };
}

/** A bank may send the statement of a day again, with what it has booked since. */
async function findRepeated(
  { run, parts, connectorId, account }: StatementParts,
  statement: Statement,
): Promise<ReadonlySet<string>> {
  const place = { connectorId, settlementAccount: account.id, day: statement.to };
  const earlier = await joinKept(parts, run, place);
  return earlier ? repeatedIds(earlier, statement) : new Set();
}

/** The closing balance before a statement. Of several statements of one day it is that of the longest. */
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
 * The statement of a day: if a bank sent several that follow on each other, or repeat each other, all of them as one. A
 * statement whose file has lost its key is left out.
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

async function joinKept(
  { vault, personKeys }: Pick<FilesParts, 'vault' | 'personKeys'>,
  run: Run,
  { connectorId, settlementAccount, day }: KeptDay,
): Promise<Statement | undefined> {
  const rows = await listStatementsOf(run, connectorId, settlementAccount, day);
  await personKeys.loadFor(rows.map(({ content }) => content));
  const all = rows.flatMap(({ statement_id: id, content }) => {
    const text = vault.openKept(content, statementContext({ connectorId, settlementAccount, id }));
    return text === undefined ? [] : [JSON.parse(text) as Statement];
  });
  return joinAll(all);
}

interface KeptDay {
  readonly connectorId: string;
  readonly settlementAccount: string;
  readonly day: string;
}
