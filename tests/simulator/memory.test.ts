// lane: whole — uses the steps of the models

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import { Crashed, KEYS, type Memory, MemoryChange } from '#tests/simulator/memory.ts';
import { MoneyMemory } from '#tests/simulator/money-memory.ts';

/** A customer's quote to its bank that can be executed. */
function givenQuote() {
  const money = new MoneyMemory(0, { seed: 1, machine: PAYMENTS, dailyLimitUsdCents: 10n ** 9n });
  const from = { kind: 'INSIDE', who: 'A', currency: 'USD' } as const;
  const to = { kind: 'OUTSIDE', who: 'A', currency: 'EUR', suffix: '115' } as const;
  const price = { sent: 1_000n, received: 900n, serviceFee: 7n, platformFee: 5n };
  money.fund(from, 5_000n);
  const asked = {
    kind: 'QUOTE',
    type: 'OUTGOING',
    owner: 'A',
    from,
    to,
    price,
    addressed: undefined,
  } as const;
  money.quote(0, { ...asked, currencies: ['USD', 'EUR'] }, { atOnce: false, asksUntil: undefined });
  return money;
}

/** The change that executes it, with everything that a commit can hold. */
function execution(money: MoneyMemory): MemoryChange {
  const { memory, payments } = money;
  const quote = money.row(0);
  const transition = PAYMENTS.require(
    quote,
    { kind: 'executed' },
    memory.date,
    payments.executionFacts(quote),
  );
  const change = new MemoryChange(memory);
  change.collect(KEYS, 'the key of the call');
  applyTransition(change, transition);
  return change;
}

function stateOf(memory: Memory): string {
  const { tables, balances, sums, journal, events, counters, jobs } = memory;
  const state = [...tables].map(([name, rows]) => [name, ...rows]);
  const all = [state, ...[balances, sums, events, counters, jobs].map((map) => [...map]), journal.length];
  return JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

describe('tables in memory', () => {
  it('money.md §12.11: a commit that is interrupted after any of its items leaves nothing behind', () => {
    const money = givenQuote();
    const before = stateOf(money.memory);
    const { length } = execution(money).collected;
    assert.ok(length > 5, 'row, entries, events, jobs, counters');
    for (let after = 0; after <= length; after++) {
      assert.throws(() => money.memory.commit(execution(money), after), Crashed);
      assert.equal(stateOf(money.memory), before, `after ${after} items`);
    }
    money.memory.commit(execution(money));
    assert.notEqual(stateOf(money.memory), before);
  });

  it('money.md §12.8: the second of two changes prepared from the same row is refused, and leaves nothing behind', () => {
    const money = givenQuote();
    const [first, second] = [execution(money), execution(money)];
    money.memory.commit(first);
    const after = stateOf(money.memory);
    assert.throws(() => money.memory.commit(second), CommitRefused);
    assert.equal(stateOf(money.memory), after);
  });

  it('refuses to write an item whose writer it does not know', () => {
    const { memory } = givenQuote();
    const change = new MemoryChange(memory);
    change.collect({ name: 'a new writer', stage: 'rows', write: () => [] }, {});
    assert.throws(() => memory.commit(change), /no writer "a new writer"/);
  });
});
