import type { Statement } from '#foundation/connector-protocol/bank-records.ts';

/** What a statement adds to earlier ones, of which it may repeat lines (bank-files.md §5.2). Pure. */

export type StatementLine = Statement['lines'][number];

/** Above zero, money came in. */
export function movedBy({ side, amount }: Pick<StatementLine, 'side' | 'amount'>): bigint {
  return side === 'CREDIT' ? BigInt(amount) : -BigInt(amount);
}

export function movedByAll(lines: readonly StatementLine[]): bigint {
  return lines.reduce((sum, line) => sum + movedBy(line), 0n);
}

/** What a line is compared by. */
export interface Movement {
  readonly id: string;
  readonly bookedOn: string;
  /** Above zero, money came in. */
  readonly moved: bigint;
}

export function movementOf(line: Pick<StatementLine, 'id' | 'bookedOn' | 'side' | 'amount'>): Movement {
  return { id: line.id, bookedOn: line.bookedOn, moved: movedBy(line) };
}

/** The same for the same movement. A bank may use a reference again on another day, or for another amount. */
export function nameOf({ id, bookedOn, moved }: Movement): string {
  return `${bookedOn} ${moved} ${id}`;
}

export interface Compared {
  /** Lines that earlier statements have, too. */
  readonly repeated: readonly StatementLine[];
  readonly added: readonly StatementLine[];
}

export interface Earlier {
  /** The closing balance of the statement before; null: there is none. */
  readonly closing: bigint | null;
  /** The balances through which the earlier statements of these days pass. */
  readonly balances: ReadonlySet<bigint>;
}

/**
 * `WHOLE`: all of its lines are new, as far as the balances say. `REST`: only those that earlier statements do not have.
 * `NOTHING`: the earlier statements say all of it. Balances decide before ids: a second movement may have the id of another.
 */
export function judgeStatement(
  { opening, closing, lines }: Pick<Statement, 'opening' | 'closing' | 'lines'>,
  { repeated, added }: Compared,
  earlier: Earlier,
): 'WHOLE' | 'REST' | 'NOTHING' {
  const rest = added.length > 0 ? 'REST' : 'NOTHING';
  const knownUntil = BigInt(closing) - movedByAll(added);
  if (repeated.length > 0 && knownUntil === earlier.closing) return rest;
  // A statement that shares days may have the lines, and not be the one before.
  const isWithin = earlier.balances.has(BigInt(opening)) && earlier.balances.has(knownUntil);
  if (repeated.length > 0 && isWithin) return rest;
  if (BigInt(opening) === earlier.closing) return 'WHOLE';
  if (added.length === 0 && earlier.balances.has(BigInt(opening))) return 'NOTHING';
  return repeated.length > 0 && lines.length > 0 ? 'REST' : 'WHOLE';
}

/** The opening balance, and the balance after each line in the order of the days. */
export function balancesFrom(opening: bigint, lines: readonly Omit<Movement, 'id'>[]): bigint[] {
  const inOrder = lines.toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
  let balance = opening;
  const after = inOrder.map(({ moved }) => {
    balance += moved;
    return balance;
  });
  return [opening, ...after];
}
