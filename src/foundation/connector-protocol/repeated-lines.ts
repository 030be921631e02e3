import type { Statement } from '#foundation/connector-protocol/bank-records.ts';

/** Decides what a statement adds to earlier ones, whose lines it may repeat (bank-files.md §5.2). Pure. */

export type StatementLine = Statement['lines'][number];

/** Returns the signed amount of a line: above zero, money came in. */
export function movedBy({ side, amount }: Pick<StatementLine, 'side' | 'amount'>): bigint {
  return side === 'CREDIT' ? BigInt(amount) : -BigInt(amount);
}

export function movedByAll(lines: readonly StatementLine[]): bigint {
  return lines.reduce((sum, line) => sum + movedBy(line), 0n);
}

/** The parts of a line that comparisons use. */
export interface Movement {
  readonly id: string;
  readonly bookedOn: string;
  /** Above zero, money came in. */
  readonly moved: bigint;
}

export function movementOf(line: Pick<StatementLine, 'id' | 'bookedOn' | 'side' | 'amount'>): Movement {
  return { id: line.id, bookedOn: line.bookedOn, moved: movedBy(line) };
}

/** Returns the same text for the same movement. A bank may use a reference again on another day, or for another amount. */
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
 * Returns what is new. `WHOLE`: all lines, as far as the balances show. `REST`: only the lines that earlier statements do not
 * have. `NOTHING`: earlier statements have all of it. Balances decide before ids, because another movement may have the same id.
 */
export function judgeStatement(
  { opening, closing, lines }: Pick<Statement, 'opening' | 'closing' | 'lines'>,
  { repeated, added }: Compared,
  earlier: Earlier,
): 'WHOLE' | 'REST' | 'NOTHING' {
  const rest = added.length > 0 ? 'REST' : 'NOTHING';
  const knownUntil = BigInt(closing) - movedByAll(added);
  if (repeated.length > 0 && knownUntil === earlier.closing) return rest;
  // The known lines may be in a statement that shares days, but is not the one directly before.
  const isWithin = earlier.balances.has(BigInt(opening)) && earlier.balances.has(knownUntil);
  if (repeated.length > 0 && isWithin) return rest;
  if (BigInt(opening) === earlier.closing) return 'WHOLE';
  if (added.length === 0 && earlier.balances.has(BigInt(opening))) return 'NOTHING';
  return repeated.length > 0 && lines.length > 0 ? 'REST' : 'WHOLE';
}

/** Returns the opening balance, and the balance after each line in the order of the days. */
export function balancesFrom(opening: bigint, lines: readonly Omit<Movement, 'id'>[]): bigint[] {
  const inOrder = lines.toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));
  let balance = opening;
  const after = inOrder.map(({ moved }) => {
    balance += moved;
    return balance;
  });
  return [opening, ...after];
}
