import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Type from 'typebox';
import { CurrencyAmount } from '#foundation/http/schema.ts';
import { csvCell, csvColumns, csvLine, csvRow } from '#foundation/records/csv.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

describe('lists as CSV', () => {
  it('operator.md §6.2: cells that a program would take for a formula get an apostrophe, and numbers none', () => {
    for (const text of ['=1+1', '+cmd', '-a', '@x', '\tx', '\rx', '-', '+1-2']) {
      assert.equal(csvCell(text), `'${text}`);
    }
    for (const text of ['-5', '+4915', '-1.25', 'a=1', '']) assert.equal(csvCell(text), text);
    assert.equal(csvCell(-5), '-5');
    assert.equal(csvCell(new Date(0)), '1970-01-01T00:00:00.000Z');
  });

  it('operator.md §6.2: any text comes back from the file as it was, behind at most an apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: CODE_POINT }), { minLength: 2, maxLength: 4 }), (cells) => {
        const [row] = parse(csvLine(cells.map(csvCell)), { relax_column_count: true }) as string[][];
        assert.deepEqual(row, cells.map(csvCell));
        for (const cell of row ?? []) assert.ok(!/^[=@\t\r]/.test(cell));
      }),
    );
  });

  it('an amount has one more column for its currency', () => {
    const properties = { id: Type.String(), sent: CurrencyAmount };
    assert.deepEqual(csvColumns(properties), ['id', 'sent', 'sentCurrency']);
    const row = { id: 'a', sent: { amount: 1250, currency: { code: 'USD' } } };
    assert.equal(csvRow(properties, row), 'a,1250,USD\r\n');
    assert.equal(csvRow(properties, { id: 'b' }), 'b,,\r\n');
  });
});
