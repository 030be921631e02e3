import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeArgument } from '#cli/arguments.ts';
import { printObject, printRows } from '#cli/print.ts';

/** A red word, a line of its own, a bell, a one-character escape, and a turn of the direction of writing. */
const HOSTILE = '\u001b[31mred\nforged  row\u0007\u009b2J\u202e';

describe('what a command prints', () => {
  it('SECURITY.md: text of strangers cannot steer the terminal or forge a row of a table', (t) => {
    const printed = output(t, () => printRows([{ name: HOSTILE, id: 'b' }], { json: false, none: '' }));
    assert.equal(printed.split('\n').length, 3);
    assert.match(printed, /\\u001b\[31mred\\nforged {2}row\\u0007\\u009b2J\\u202e {2}b\n$/);
  });

  it('SECURITY.md: nor of a list under a name; text of several lines stays under its own name', (t) => {
    const thing = { tokens: [{ id: 'a', name: HOSTILE }], key: 'one\ntwo\n', body: HOSTILE };
    const lines = output(t, () => printObject(thing, { json: false })).split('\n');
    assert.deepEqual(lines.slice(0, 3), [
      'tokens  a  \\u001b[31mred\\nforged  row\\u0007\\u009b2J\\u202e',
      'key     one',
      '        two',
    ]);
    assert.deepEqual(lines.slice(3, 5), [
      'body    \\u001b[31mred',
      '        forged  row\\u0007\\u009b2J\\u202e',
    ]);
  });

  it('SECURITY.md: JSON says the same to a program and nothing to a terminal', (t) => {
    const printed = output(t, () => printObject({ name: HOSTILE }, { json: true }));
    assert.deepEqual(JSON.parse(printed), { name: HOSTILE });
    assert.doesNotMatch(printed, /(?!\n)[\p{Cc}\u202e]/u);
  });

  it('a day that is not in the calendar is refused, not taken for another', () => {
    for (const text of ['2026-02-31', '2026-04-31T10:00:00Z', '2026-13-01']) {
      assert.throws(() => timeArgument(text), /must be a date/, text);
    }
    assert.equal(timeArgument('2028-02-29').toISOString(), '2028-02-29T00:00:00.000Z');
    assert.equal(timeArgument('2026-03-01T23:30:00-05:00').toISOString(), '2026-03-02T04:30:00.000Z');
  });
});

function output(t: { mock: typeof import('node:test').mock }, step: () => void): string {
  const write = t.mock.method(process.stdout, 'write', () => true);
  try {
    step();
    return write.mock.calls.map((call) => String(call.arguments[0])).join('');
  } finally {
    write.mock.restore();
  }
}
