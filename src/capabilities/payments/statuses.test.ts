import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { OPEN_STATUSES, statusesOf, TRANSACTION_STATUSES } from '#capabilities/payments/statuses.ts';

describe('statuses of payments', () => {
  it('money.md §4.2: CREATED and REFUNDED are accepted as filters but never produced', () => {
    const produced = new Set<string>([...statusesOf('OUTGOING'), ...statusesOf('INCOMING')]);
    assert.deepEqual(
      TRANSACTION_STATUSES.filter((status) => !produced.has(status)),
      ['CREATED', 'REFUNDED'],
    );
  });

  it('money.md §4: an outgoing payment is never rejected, an incoming one never processed', () => {
    const [outgoing, incoming] = [statusesOf('OUTGOING'), statusesOf('INCOMING')] as string[][];
    assert.ok(!outgoing?.includes('REJECTED') && !incoming?.includes('PROCESSING'));
  });

  for (const type of ['OUTGOING', 'INCOMING'] as const) {
    it(`money.md §4: the tables reach exactly the statuses of ${type} payments, and leave no final one but COMPLETED`, () => {
      const moves = PAYMENTS.description.rules.flatMap(({ moves }) => moves[type] ?? []);
      const [from, to] = [0, 1].map((side) => new Set(moves.map((move) => move.split(' → ')[side] ?? '')));
      const reached = new Set(['PENDING', ...(to ?? [])]);
      assert.deepEqual([...reached].sort(), statusesOf(type).sort());
      const final = [...(from ?? [])].filter((status) => !(OPEN_STATUSES as string[]).includes(status));
      assert.deepEqual(final, ['COMPLETED']);
    });
  }
});
