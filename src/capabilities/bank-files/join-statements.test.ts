import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinAll, repeatedIds } from '#capabilities/bank-files/join-statements.ts';
import { checkStatement, type Statement } from '#foundation/connector-protocol/bank-records.ts';

const DAY = '2026-03-02';

/** Returns a statement of the day. The id of a line without one is its place, as in a file without references of the bank. */
function statementOf(
  id: string,
  opening: bigint,
  lines: readonly (readonly [string | undefined, bigint])[],
): Statement {
  const closing = lines.reduce((sum, [, amount]) => sum + amount, opening);
  const made = {
    ...{ id, settlementAccount: 'main', from: DAY, to: DAY, opening: `${opening}`, closing: `${closing}` },
    lines: lines.map(([reference, amount], index) => {
      const line = reference ?? `${id}/${index + 1}`;
      const side = amount > 0n ? ('CREDIT' as const) : ('DEBIT' as const);
      const units = amount > 0n ? amount : -amount;
      return {
        ...{ id: line, bookedOn: DAY, side, amount: `${units}`, kind: 'PAYMENT' as const },
        references: side === 'CREDIT' ? [`main:${line}`] : [],
      };
    }),
  };
  assert.deepEqual(checkStatement(made), []);
  return made;
}

/** Joins these statements. Returns the id, the balances and the ids of the lines. */
function joined(...statements: readonly Statement[]) {
  const whole = joinAll(statements);
  assert.deepEqual(checkStatement(whole), []);
  const { id, opening, closing, lines = [] } = whole ?? {};
  return [id, opening, closing, lines.map((line) => line.id).join()];
}

const A = ['A', 100n] as const;
const B = ['B', 50n] as const;
const C = ['C', -30n] as const;
const NAMELESS = [undefined, 100n] as const;

describe('several statements of one day', () => {
  const [first, second, third] = [
    statementOf('1', 0n, [A]),
    statementOf('2', 100n, [B]),
    statementOf('3', 150n, [C]),
  ];
  const [longer, longest] = [statementOf('4', 0n, [A, B]), statementOf('5', 0n, [A, B, C])];

  it('bank-files.md §5.2: statements that follow on each other are one, in whatever order they came', () => {
    assert.deepEqual(joined(first, second, third), ['3', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(first, third, second), ['2', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(third, second, first), ['1', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(first, third), ['3', '150', '120', 'C']);
  });

  it('bank-files.md §5.2: a longer statement of the same day has the lines of the shorter one once', () => {
    assert.deepEqual(joined(first, longer), ['4', '0', '150', 'A,B']);
    assert.deepEqual(joined(longer, first), ['4', '0', '150', 'A,B']);
    assert.deepEqual(joined(first, second, longest), ['5', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(second, longest), ['5', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(longest, second), ['5', '0', '120', 'A,B,C']);
    const empty = statementOf('6', 0n, []);
    assert.deepEqual(joined(longest, empty), ['5', '0', '120', 'A,B,C']);
    assert.deepEqual(joined(empty, longest), ['5', '0', '120', 'A,B,C']);
  });

  it('bank-files.md §4.4, §5.2: lines without a reference keep the id under which they came first', () => {
    const [short, long] = [
      statementOf('7', 0n, [NAMELESS, A]),
      statementOf('8', 0n, [C, NAMELESS, A, NAMELESS]),
    ];
    assert.deepEqual(joined(short, long), ['8', '0', '270', '7/1,A,C,8/4']);
    assert.deepEqual([...repeatedIds(short, long)], ['A', '8/2']);
    const after = statementOf('9', 200n, [NAMELESS]);
    assert.deepEqual(joined(short, after), ['9', '0', '300', '7/1,A,9/1']);
    assert.deepEqual([...repeatedIds(short, after)], []);
  });

  it('bank-files.md §4.4, §5.2: two equal lines of one statement, and a reference that the bank uses again, stay two lines', () => {
    const twice = statementOf('10', 0n, [A, [undefined, 100n]]);
    assert.deepEqual(joined(first, twice), ['10', '0', '200', 'A,10/2']);
    assert.deepEqual(joined(twice, statementOf('11', 0n, [A, NAMELESS, B])), ['11', '0', '250', 'A,10/2,B']);
    const again = statementOf('12', 100n, [A]);
    assert.deepEqual(joined(first, again), ['12', '0', '200', 'A,12/1']);
    assert.deepEqual([...repeatedIds(first, again)], []);
    const balanced = statementOf('13', 0n, [A, ['D', -100n]]);
    assert.deepEqual(joined(balanced, statementOf('14', 0n, [A, ['D', -100n], B])), [
      '14',
      '0',
      '50',
      'A,D,B',
    ]);
  });

  it('bank-files.md §5.2: a statement that contradicts the others repeats nothing, and the newest counts', () => {
    const other = statementOf('15', 7n, [A]);
    assert.deepEqual(joined(first, other), ['15', '7', '107', 'A']);
    assert.deepEqual([...repeatedIds(first, other)], []);
    const elsewhere = statementOf('16', 999n, [NAMELESS]);
    assert.deepEqual(joined(statementOf('17', 0n, [NAMELESS]), elsewhere), ['16', '999', '1099', '16/1']);
  });
});
