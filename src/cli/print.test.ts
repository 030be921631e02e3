import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeArgument } from '#cli/arguments.ts';
import { printObject, printResource, printRows } from '#cli/print.ts';

/** A red word, a line break, a bell, a one-character escape, and a change of the writing direction. */
const HOSTILE = '\u001b[31mred\nforged  row\u0007\u009b2J\u202e';

describe('the output of a command', () => {
  it('SECURITY.md: untrusted text cannot control the terminal or forge a row of a table', (t) => {
    const printed = output(t, () => printRows([{ name: HOSTILE, id: 'b' }], { json: false, none: '' }));
    assert.equal(printed.split('\n').length, 3);
    assert.match(printed, /\\u001b\[31mred\\nforged {2}row\\u0007\\u009b2J\\u202e {2}b\n$/);
  });

  it('SECURITY.md: untrusted text cannot forge an item of a list; text of several lines stays under its own name', (t) => {
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

  it('SECURITY.md: JSON keeps the text for programs, and its escapes do not control a terminal', (t) => {
    const printed = output(t, () => printObject({ name: HOSTILE }, { json: true }));
    assert.deepEqual(JSON.parse(printed), { name: HOSTILE });
    assert.doesNotMatch(printed, /(?!\n)[\p{Cc}\u202e]/u);
  });

  it('platform.md §1.2.4: an amount that is a bare number in a reply gets the currency of the field beside it', (t) => {
    const currencies = { currency: { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 } };
    const yen = { code: 'JPY', name: 'Yen', symbol: '¥', decimals: 0 };
    const payment = {
      sentAmount: { amount: 25_000, ...currencies },
      receivedAmount: { amount: 300, currency: yen },
      ...{ fees: 125, exchangeRate: 2, attempts: 3 },
      rateDetails: { counterpartyFixedFee: 5, svcApiFixedFee: 0, acmeApiVariableFeeAmount: 125 },
    };
    const quote = {
      ...{ sendingCurrency: yen, totalSendingAmount: 700, feesIncluded: 7, totalReceivingAmount: 9 },
    };
    const agent = {
      policy: { spendingLimits: { currency: 'EUR', dailyLimit: 5_000, dailyTransactionLimit: 4 } },
      usage: { dailySpend: 1_250, dailyTransactionCount: 1 },
    };
    const others = {
      card: { currency: 'USD', maxSpendPerDay: 900, maxSpendPerTransaction: null },
      transferDetails: { amount: 100, currency: 'EUR' },
      unknown: { amount: 100, currency: 'COIN', fees: 3 },
    };
    const printed = output(t, () => printResource({ payment, quote, agent, ...others }, { json: false }));
    const words = (line: string) => line.trim().split(/ {2,}/).join(' = ');
    assert.deepEqual(
      printed
        .split('\n')
        .map(words)
        .filter((line) => /\d/.test(line)),
      [
        ...['sentAmount = 250.00 USD', 'receivedAmount = 300 JPY', 'fees = 1.25 USD', 'exchangeRate = 2'],
        ...['attempts = 3', 'counterpartyFixedFee = 5 JPY', 'svcApiFixedFee = 0.00 USD'],
        ...['acmeApiVariableFeeAmount = 1.25 USD', 'decimals = 0', 'totalSendingAmount = 700 JPY'],
        ...['feesIncluded = 7 JPY', 'totalReceivingAmount = 9', 'dailyLimit = 50.00 EUR'],
        ...['dailyTransactionLimit = 4', 'dailySpend = 12.50 EUR', 'dailyTransactionCount = 1'],
        ...['maxSpendPerDay = 9.00 USD', 'amount = 1.00 EUR', 'amount = 100', 'fees = 3'],
      ],
    );
  });

  it('a date that does not exist is refused, not taken for another', () => {
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
