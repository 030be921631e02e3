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

/** Statements that a bank sent of one day, as one (bank-files.md §5.2). Pure. */

/**
 * The statements in the order in which they came. Those that follow on each other, or repeat each other, become one; it has
 * the id of the newest that added something. If a statement fits none of the others, the newest counts.
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
 * The ids of the lines of a statement that an earlier statement of its days has already; empty if the balances do not show
 * that the one continues the other.
 */
export function repeatedIds(earlier: Statement, next: Statement): ReadonlySet<string> {
  const { verdict, pairs, added } = compare(earlier, next);
  const leadsOn = BigInt(next.closing) - movedByAll(added) === BigInt(earlier.closing);
  const continues = verdict === 'NOTHING' || (verdict === 'REST' && leadsOn);
  return new Set(continues ? [...pairs.keys()].map(({ id }) => id) : []);
}

/** The statement with the ids that its lines have in the earlier one. */
export function withEarlierIds(earlier: Statement, next: Statement): Statement {
  return around(next, compare(earlier, next).pairs);
}

/**
 * The statement may follow on the earlier one, or repeat lines of it that add up to zero: the balances show both, and some
 * lines are the same. Only lines without an id of the bank are compared.
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

/** Each line of the next statement that the earlier one has, with that line. */
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

/** All lines of the earlier one, and lines before them. */
function contains(next: Statement, earlier: Statement, pairs: Pairs): boolean {
  return pairs.size === earlier.lines.length && balancesOf(next).has(BigInt(earlier.opening));
}

/**
 * By the bank's id. A line that has only its place in the statement is compared by its content, each with one line; but not
 * if the statement follows on, because then the bank may have booked the same once more.
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

/** Everything but the id, which also stands in the name of its credit. */
function contentOf({ settlementAccount }: Statement, line: StatementLine): string {
  const { id, references, ...content } = line;
  const others = references.filter((reference) => reference !== `${settlementAccount}:${id}`);
  return canonicalJson({ ...content, references: others });
}

interface Both {
  readonly earlier: Statement;
  readonly next: Statement;
  /** The lines of the next one that the earlier one does not have. */
  readonly added: readonly StatementLine[];
  /** The next one stands before the earlier one. */
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

/** The lines that the earlier one has keep their ids. */
function around(next: Statement, pairs: Pairs): Statement {
  const added = next.lines.filter((line) => !pairs.has(line));
  const named = new Map(
    withOwnIds(next, added, [...pairs.values()]).map((line, index) => [added[index], line]),
  );
  return { ...next, lines: next.lines.map((line) => pairs.get(line) ?? named.get(line) ?? line) };
}

/** Two lines of one statement have different ids, also if a bank uses a reference again. */
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
