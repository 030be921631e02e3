import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import {
  type AuthorizationFacts,
  type AuthorizationRequest,
  decide,
  holdExpiry,
} from '#capabilities/cards/machine/decide.ts';

const FACTS: AuthorizationFacts = {
  card: {
    status: 'ACTIVE',
    brand: 'VISA',
    exp_month: 3,
    exp_year: 2029,
    max_spend_per_transaction: 1_000n,
    max_spend_per_day: 2_500n,
    max_transactions_per_day: 3n,
  },
  today: { spent: 1_500n, count: 2n },
  canFund: true,
  available: 1_000n,
  program: { blockedMccs: ['7995'], blockedCountries: ['KP'], approvesUncovered: false, uncoveredMax: null },
  uncovered: 0n,
  now: new Date('2026-03-02T10:00:00Z'),
};
const REQUEST: AuthorizationRequest = { asks: 'DEBIT', amount: 1_000n, merchant: { descriptor: 'SHOP' } };

/** The rows of cards.md §6.6, each with facts that break it alone. */
const ROWS: readonly {
  named: string;
  reason: DeclinedReason;
  request?: Partial<AuthorizationRequest>;
  facts?: Partial<AuthorizationFacts>;
  forced?: DeclinedReason;
}[] = [
  {
    named: 'a card that is frozen',
    reason: 'CARD_NOT_ACTIVE',
    facts: { card: { ...FACTS.card, status: 'FROZEN' } },
  },
  { named: 'what the issuer says', reason: 'OTHER', forced: 'OTHER' },
  { named: 'another network', reason: 'UNSUPPORTED_NETWORK', request: { network: 'MASTERCARD' } },
  {
    named: 'a blocked country',
    reason: 'BLOCKED',
    request: { merchant: { descriptor: 'SHOP', country: 'kp' } },
  },
  {
    named: 'a blocked country in three letters',
    reason: 'BLOCKED',
    request: { merchant: { descriptor: 'SHOP', country: 'PrK' } },
  },
  {
    named: 'the cap for a day',
    reason: 'SPEND_LIMIT_EXCEEDED',
    facts: { today: { spent: 1_501n, count: 0n } },
  },
  { named: 'no account that can fund it', reason: 'NO_ELIGIBLE_FUNDING_SOURCE', facts: { canFund: false } },
  { named: 'too little money', reason: 'INSUFFICIENT_FUNDS', facts: { available: 999n } },
];

describe('the decision on an authorization', () => {
  it('cards.md §1.6, §6.6: exactly the limits, and exactly the balance, pass', () => {
    assert.equal(decide(REQUEST, FACTS), undefined);
  });

  for (const [i, { named, reason, request, facts, forced }] of ROWS.entries()) {
    it(`cards.md §6.6: ${named}: ${reason}, before everything that comes after it`, () => {
      const breaks = { request: { ...REQUEST, ...request }, facts: { ...FACTS, ...facts }, forced };
      assert.equal(decide(breaks.request, breaks.facts, breaks.forced), reason);
      for (const later of ROWS.slice(i + 1)) {
        const both = { ...later.facts, ...facts };
        const asked = { ...REQUEST, ...later.request, ...request };
        assert.equal(decide(asked, { ...FACTS, ...both }, forced ?? later.forced), reason, later.named);
      }
    });
  }

  it('cards.md §6.6: a card works to the last moment of its month', () => {
    const at = (text: string) => decide(REQUEST, { ...FACTS, now: new Date(text) });
    assert.equal(at('2029-03-31T23:59:59.999Z'), undefined);
    assert.equal(at('2029-04-01T00:00:00Z'), 'CARD_NOT_ACTIVE');
  });

  it('cards.md §1.6: each limit by itself', () => {
    assert.equal(
      decide({ ...REQUEST, amount: 1_001n }, { ...FACTS, available: 2_000n }),
      'SPEND_LIMIT_EXCEEDED',
    );
    const third = { ...FACTS, today: { spent: 0n, count: 3n } };
    assert.equal(decide({ ...REQUEST, amount: 1n }, third), 'SPEND_LIMIT_EXCEEDED');
  });

  it('cards.md §6.6: credits and inquiries spend nothing: neither limits nor balance are checked', () => {
    const poor = { ...FACTS, available: 0n, today: { spent: 9_999n, count: 99n } };
    for (const asks of ['CREDIT', 'INQUIRY'] as const)
      assert.equal(decide({ ...REQUEST, asks }, poor), undefined);
  });

  it('cards.md §6.8: a program may approve uncovered purchases, up to the operator’s limit', () => {
    const program = { ...FACTS.program, approvesUncovered: true };
    const poor = { ...FACTS, available: 0n };
    assert.equal(decide(REQUEST, { ...poor, program }), undefined);
    const bounded = { ...program, uncoveredMax: 1_500n };
    assert.equal(decide(REQUEST, { ...poor, program: bounded, uncovered: 500n }), undefined);
    assert.equal(decide(REQUEST, { ...poor, program: bounded, uncovered: 501n }), 'BLOCKED');
  });

  it('cards.md §6.9: holds last 7 days, for travel 30', () => {
    const at = new Date('2026-03-02T10:00:00Z');
    const days = (mcc?: string) =>
      (holdExpiry({ descriptor: 'X', ...(mcc !== undefined && { mcc }) }, at).getTime() - at.getTime()) /
      86_400_000;
    assert.deepEqual([days(), days('5411'), days('3350'), days('4000'), days('oops')], [7, 7, 7, 7, 7]);
    assert.deepEqual(
      [days('3351'), days('3501'), days('3999'), days('7011'), days('7512')],
      [30, 30, 30, 30, 30],
    );
  });
});
