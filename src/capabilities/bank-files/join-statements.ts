import { placedId } from '#capabilities/bank-files/lines.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import {
  balancesFrom,
  judgeStatement,
  movedByAll,
  movementOf,
  nameOf,
  type StatementLine,
} from '#foundation/connector-protocol/repeated-lines.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';

/** Joins the statements that a bank sent of one day (bank-files.md §5.2). Pure. */

/**
 * Takes statements in the order in which they came, and makes one of those that follow on each other or repeat each other. It
 * has the id of the newest one that added something. If statements do not fit together, the newest counts.
 */
export function joinAll(statements: readonly Statement[]): Statement | undefined {
  let pieces: readonly Statement[] = [];
  for (const statement of statements) {
    let newest = statement;
    let others = pieces;
    for (;;) {
      const joined = joinFirst(others, newest);
      if (!joined) break;
      newest = joined.whole;
      others = others.filter((piece) => piece !== joined.piece);
    }
    pieces = [...others, newest];
  }
  return pieces.at(-1);
}

function joinFirst(pieces: readonly Statement[], newest: Statement) {
  for (const piece of pieces) {
    const whole = join(piece, newest);
    if (whole) return { piece, whole };
  }
  return undefined;
}

function join(earlier: Statement, next: Statement): Statement | undefined {
  const { verdict, pairs, added } = compare(earlier, next);
  if (verdict === 'NOTHING') return earlier;
  if (verdict === 'REST') {
    if (BigInt(next.closing) - movedByAll(added) === BigInt(earlier.closing))
      return both({ earlier, next, added, isBefore: false });
    return contains(next, earlier, pairs) ? around(next, pairs) : undefined;
  }
  if (next.opening === earlier.closing) return both({ earlier, next, added: next.lines, isBefore: false });
  const isBefore = next.closing === earlier.opening;
  return isBefore ? both({ earlier, next, added: next.lines, isBefore }) : undefined;
}

/**
 * Returns the ids of the lines that an earlier statement of the same days has already. Returns none if the balances do not show
 * that the next statement continues the earlier one.
 */
export function repeatedIds(earlier: Statement, next: Statement): ReadonlySet<string> {
  const { verdict, pairs, added } = compare(earlier, next);
  const leadsOn = BigInt(next.closing) - movedByAll(added) === BigInt(earlier.closing);
  const continues = verdict === 'NOTHING' || (verdict === 'REST' && leadsOn);
  return new Set(continues ? [...pairs.keys()].map(({ id }) => id) : []);
}

/** Returns the statement, in which known lines have their ids of the earlier one. */
export function withEarlierIds(earlier: Statement, next: Statement): Statement {
  return around(next, compare(earlier, next).pairs);
}

/**
 * Returns whether the balances allow both readings: the next statement follows on the earlier one, or it repeats lines of it
 * that add up to zero. Some lines must be the same. Only lines without an id of the bank are compared.
 */
export function mayRepeat(earlier: Statement, next: Statement): boolean {
  if (next.opening !== earlier.closing) return false;
  const through = balancesFrom(BigInt(earlier.opening), earlier.lines.map(movementOf));
  if (!through.slice(0, -1).includes(BigInt(next.opening))) return false;
  const contents = new Set(earlier.lines.map((line) => contentOf(earlier, line)));
  return next.lines.some(
    (line, index) => line.id === placedId(next.id, index) && contents.has(contentOf(next, line)),
  );
}

/** Lines of the next statement, each with the same line of the earlier one. */
type Pairs = ReadonlyMap<StatementLine, StatementLine>;

function compare(earlier: Statement, next: Statement) {
  const pairs = pairLines(earlier, next);
  const repeated = next.lines.filter((line) => pairs.has(line));
  const added = next.lines.filter((line) => !pairs.has(line));
  const known = { closing: BigInt(earlier.closing), balances: balancesOf(earlier) };
  return { verdict: judgeStatement(next, { repeated, added }, known), pairs, added };
}

function balancesOf({ opening, lines }: Statement): ReadonlySet<bigint> {
  return new Set(balancesFrom(BigInt(opening), lines.map(movementOf)));
}

/** Returns whether the next statement has all lines of the earlier one, and may have lines before them. */
function contains(next: Statement, earlier: Statement, pairs: Pairs): boolean {
  return pairs.size === earlier.lines.length && balancesOf(next).has(BigInt(earlier.opening));
}

/**
 * Pairs lines by the bank's id. It pairs lines that have only their place in the statement by their content, each with one
 * line. It does not if the statement follows on the earlier one, because then the bank may have booked the same once more.
 */
function pairLines(earlier: Statement, next: Statement): Pairs {
  const byName = new Map(earlier.lines.map((line) => [nameOf(movementOf(line)), line]));
  const pairs = new Map<StatementLine, StatementLine>();
  for (const line of next.lines) {
    const same = byName.get(nameOf(movementOf(line)));
    if (same) pairs.set(line, same);
  }
  if (pairs.size === 0 && next.opening === earlier.closing) return pairs;
  const taken = new Set(pairs.values());
  const free = Map.groupBy(
    earlier.lines.filter((line) => !taken.has(line)),
    (line) => contentOf(earlier, line),
  );
  for (const [index, line] of next.lines.entries()) {
    if (pairs.has(line) || line.id !== placedId(next.id, index)) continue;
    const same = free.get(contentOf(next, line))?.shift();
    if (same) pairs.set(line, same);
  }
  return pairs;
}

/** Returns everything but the id, which is also part of the name of the credit. */
function contentOf({ settlementAccount }: Statement, line: StatementLine): string {
  const { id, references, ...content } = line;
  const others = references.filter((reference) => reference !== `${settlementAccount}:${id}`);
  return canonicalJson({ ...content, references: others });
}

interface Both {
  readonly earlier: Statement;
  readonly next: Statement;
  /** The lines of the next statement that the earlier one does not have. */
  readonly added: readonly StatementLine[];
  /** Whether the lines of the next statement come before those of the earlier one. */
  readonly isBefore: boolean;
}

function both({ earlier, next, added, isBefore }: Both): Statement {
  const named = withOwnIds(next, added, earlier.lines);
  const [first, last] = isBefore ? [next, earlier] : [earlier, next];
  return {
    ...next,
    from: earlier.from < next.from ? earlier.from : next.from,
    opening: first.opening,
    closing: last.closing,
    lines: isBefore ? [...named, ...earlier.lines] : [...earlier.lines, ...named],
  };
}

/** Returns the next statement, in which paired lines are those of the earlier one, with their ids. */
function around(next: Statement, pairs: Pairs): Statement {
  const added = next.lines.filter((line) => !pairs.has(line));
  const named = new Map(
    withOwnIds(next, added, [...pairs.values()]).map((line, index) => [added[index], line]),
  );
  return { ...next, lines: next.lines.map((line) => pairs.get(line) ?? named.get(line) ?? line) };
}

/** Gives each added line an id of its own, even if the bank uses a reference again. */
function withOwnIds(
  { id: statement, lines }: Statement,
  added: readonly StatementLine[],
  others: readonly StatementLine[],
): StatementLine[] {
  const used = new Set(others.map(({ id }) => id));
  return added.map((line) => {
    let id = line.id;
    for (let place = lines.indexOf(line); used.has(id); place += lines.length)
      id = placedId(statement, place);
    used.add(id);
    return { ...line, id };
  });
}
