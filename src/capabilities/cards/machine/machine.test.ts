import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardTransition } from '#capabilities/cards/machine/draft.ts';
import {
  advise,
  authorize,
  type CardFacts,
  clear,
  decline,
  expire,
  failPull,
  inquire,
  postAtOnce,
  resolveException,
  returnPurchase,
  reverse,
  reverseReturn,
} from '#capabilities/cards/machine/machine.ts';
import type { CardTransactionRow, FixedCardTransaction } from '#capabilities/cards/transaction-row.ts';
import { showLine, unbalanced } from '#tests/harness/entry-lines.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-09T10:00:00Z');

const FIXED: FixedCardTransaction = {
  platform_id: 'p1',
  id: '01990000-0000-7000-8000-000000000001',
  card_id: 'card',
  customer_id: 'c1',
  account_id: 'a1',
  account_currency: 'USD',
  direction: 'DEBIT',
  kind: 'PURCHASE',
  currency: 'USD',
  merchant: { descriptor: 'SHOP' },
  token: 't1',
  original_id: null,
  declined_reason: null,
  confirmed_at: null,
  platform_customer_id: 'user-1',
  created_at: NOW,
};
const CREDIT: FixedCardTransaction = { ...FIXED, direction: 'CREDIT', kind: 'CREDIT' };
const RETURN: FixedCardTransaction = {
  ...CREDIT,
  id: `${FIXED.id.slice(0, -1)}2`,
  kind: 'RETURN',
  token: 't2',
};
const REVERSAL: FixedCardTransaction = {
  ...FIXED,
  id: `${FIXED.id.slice(0, -1)}3`,
  kind: 'RETURN_REVERSAL',
  token: 't3',
};

const RICH: CardFacts = { now: NOW, available: 1_000_000n, mayDraw: true, isClosed: false, debt: undefined };
const POOR: CardFacts = { ...RICH, available: 0n };

const held = (amount = 1_000n) => authorize(FIXED, amount, { isHeld: true, holdExpiresAt: LATER });
const uncovered = (amount = 1_000n) => authorize(FIXED, amount, { isHeld: false, holdExpiresAt: LATER });
const requireRow = (transition: CardTransition | undefined): CardTransactionRow => {
  assert.ok(transition);
  return transition.row;
};

/** `status A/S hold receivable | entries with their lines | events` */
function shown(transition: CardTransition | undefined): string {
  if (!transition) return 'nothing';
  const { row, entries, events } = transition;
  for (const { kind, lines } of entries) assert.deepEqual(unbalanced(lines), [], kind);
  const kinds = entries.map(({ kind, lines }) => `${kind} ${lines.map((line) => showLine(line)).join(', ')}`);
  const state = `${row.status} ${row.authorized_amount}/${row.settled_amount} hold ${row.hold} owes ${row.receivable}`;
  return [state, kinds.join('; '), events.map(({ status }) => status).join(' ')].join(' | ');
}

describe('the effect of a network message on a card transaction', () => {
  const cases: readonly [string, () => CardTransition | undefined, string][] = [
    [
      'cards.md §6.1: approved, with a hold',
      () => held(),
      'AUTHORIZED 1000/null hold 1000 owes 0 | L16 - AVAIL:a1 1000 USD, + HOLD:a1 1000 USD | AUTHORIZED',
    ],
    [
      'cards.md §6.8: approved though the account does not cover it: without a hold',
      () => uncovered(),
      'AUTHORIZED 1000/null hold 0 owes 0 |  | AUTHORIZED',
    ],
    [
      'cards.md §6.1, §6.7: declined, nothing moves',
      () => decline(FIXED, 1_000n, 'BLOCKED'),
      'DECLINED 1000/null hold 0 owes 0 |  | DECLINED',
    ],
    [
      'cards.md §6.1: cleared in part',
      () => clear(held().row, 400n, RICH),
      'PARTIALLY_SETTLED 1000/400 hold 600 owes 0 | L17 - HOLD:a1 400 USD, + RAIL:CARD:USD 400 USD | PARTIALLY_SETTLED',
    ],
    [
      'cards.md §6.1: cleared whole',
      () => clear(held().row, 1_000n, RICH),
      'SETTLED 1000/1000 hold 0 owes 0 | L17 - HOLD:a1 1000 USD, + RAIL:CARD:USD 1000 USD | SETTLED',
    ],
    [
      'cards.md §6.9: cleared above the hold: the rest is pulled',
      () => clear(held().row, 1_500n, RICH),
      'SETTLED 1000/1500 hold 0 owes 0 | L17 - HOLD:a1 1000 USD, - AVAIL:a1 500 USD, + RAIL:CARD:USD 1500 USD | SETTLED',
    ],
    [
      'cards.md §6.9, §7.1: an excess that cannot be pulled is owed entirely by the row',
      () => clear(held().row, 1_500n, { ...RICH, available: 499n }),
      'EXCEPTION 1000/1500 hold 0 owes 500 | L17 - HOLD:a1 1000 USD, + RAIL:CARD:USD 1000 USD; L23 - RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD, + RAIL:CARD:USD 500 USD | EXCEPTION',
    ],
    [
      'cards.md §7.2: an account that may not be debited gives its hold and no more',
      () => clear(held().row, 1_500n, { ...RICH, mayDraw: false }),
      'EXCEPTION 1000/1500 hold 0 owes 500 | L17 - HOLD:a1 1000 USD, + RAIL:CARD:USD 1000 USD; L23 - RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD, + RAIL:CARD:USD 500 USD | EXCEPTION',
    ],
    [
      'cards.md §6.8: without a hold the whole amount is pulled at the clearing',
      () => clear(uncovered().row, 1_000n, RICH),
      'SETTLED 1000/1000 hold 0 owes 0 | L17 - AVAIL:a1 1000 USD, + RAIL:CARD:USD 1000 USD | SETTLED',
    ],
    [
      'cards.md §6.1: expired after a part was cleared: the rest is released',
      () => expire(clear(held().row, 400n, RICH).row, NOW),
      'SETTLED 1000/400 hold 0 owes 0 | L16 + AVAIL:a1 600 USD, - HOLD:a1 600 USD | SETTLED',
    ],
    [
      'cards.md §6.1: expired with nothing cleared',
      () => expire(held().row, NOW),
      'SETTLED 1000/0 hold 0 owes 0 | L16 + AVAIL:a1 1000 USD, - HOLD:a1 1000 USD | SETTLED',
    ],
    [
      'cards.md §6.1: a finished row does not expire',
      () => expire(requireRow(expire(held().row, NOW)), NOW),
      'nothing',
    ],
    [
      'cards.md §6.9: a late clearing is pulled, and the row stays settled',
      () => clear(requireRow(expire(held().row, NOW)), 300n, RICH),
      'SETTLED 1000/300 hold 0 owes 0 | L17 - AVAIL:a1 300 USD, + RAIL:CARD:USD 300 USD | SETTLED',
    ],
    [
      'cards.md §6.1: a late clearing that cannot be pulled',
      () => clear(requireRow(expire(held().row, NOW)), 300n, POOR),
      'EXCEPTION 1000/300 hold 0 owes 300 | L23 - RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 300 USD, + RAIL:CARD:USD 300 USD | EXCEPTION',
    ],
    [
      'cards.md §6.1, §6.2: an exception grows and does not heal',
      () => clear(clear(held().row, 1_500n, POOR).row, 100n, RICH),
      'EXCEPTION 1000/1600 hold 0 owes 500 | L17 - AVAIL:a1 100 USD, + RAIL:CARD:USD 100 USD | EXCEPTION',
    ],
    [
      'cards.md §8: an advice up holds the extra',
      () => advise(held().row, 1_200n, RICH),
      'AUTHORIZED 1200/null hold 1200 owes 0 | L16 - AVAIL:a1 200 USD, + HOLD:a1 200 USD | AUTHORIZED',
    ],
    [
      'cards.md §8: an advice up that the account does not cover raises the total, not the hold',
      () => advise(held().row, 1_200n, POOR),
      'AUTHORIZED 1200/null hold 1000 owes 0 |  | AUTHORIZED',
    ],
    [
      'cards.md §8: an advice down releases',
      () => advise(held().row, 300n, RICH),
      'AUTHORIZED 300/null hold 300 owes 0 | L16 + AVAIL:a1 700 USD, - HOLD:a1 700 USD | AUTHORIZED',
    ],
    [
      'cards.md §6.1: an advice down to the cleared amount, or below, settles',
      () => advise(clear(held().row, 400n, RICH).row, 400n, RICH),
      'SETTLED 400/400 hold 0 owes 0 | L16 + AVAIL:a1 600 USD, - HOLD:a1 600 USD | SETTLED',
    ],
    [
      'cards.md §6.9: a partial reversal lowers total and hold',
      () => reverse(held().row, 250n, RICH),
      'AUTHORIZED 750/null hold 750 owes 0 | L16 + AVAIL:a1 250 USD, - HOLD:a1 250 USD | AUTHORIZED',
    ],
    [
      'cards.md §6.1: a reversal of the whole open amount is like the expiry',
      () => reverse(clear(held().row, 400n, RICH).row, 600n, RICH),
      'SETTLED 1000/400 hold 0 owes 0 | L16 + AVAIL:a1 600 USD, - HOLD:a1 600 USD | SETTLED',
    ],
    [
      'cards.md §8, suffix 006: the pull behind it failed: released, and owed',
      () => failPull(held().row, NOW),
      'EXCEPTION 1000/1000 hold 0 owes 1000 | L16 + AVAIL:a1 1000 USD, - HOLD:a1 1000 USD; L23 - RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 1000 USD, + RAIL:CARD:USD 1000 USD | EXCEPTION',
    ],
    [
      'cards.md §8, suffix 006: a credit becomes an exception without an entry',
      () => failPull(authorize(CREDIT, 1_000n, { isHeld: false, holdExpiresAt: LATER }).row, NOW),
      'EXCEPTION 1000/null hold 0 owes 0 |  | EXCEPTION',
    ],
    [
      'cards.md §6.1: one message debits at once',
      () => postAtOnce(FIXED, 1_000n, RICH),
      'SETTLED 1000/1000 hold 0 owes 0 | L17 - AVAIL:a1 1000 USD, + RAIL:CARD:USD 1000 USD | SETTLED',
    ],
    [
      'cards.md §6.9: a force post that cannot be pulled',
      () => postAtOnce(FIXED, 1_000n, POOR),
      'EXCEPTION 1000/1000 hold 0 owes 1000 | L23 - RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 1000 USD, + RAIL:CARD:USD 1000 USD | EXCEPTION',
    ],
    [
      'cards.md §6.1: one message credits at once',
      () => postAtOnce(CREDIT, 1_000n, POOR),
      'SETTLED 1000/1000 hold 0 owes 0 | L18 - RAIL:CARD:USD 1000 USD, + AVAIL:a1 1000 USD | SETTLED',
    ],
    [
      'cards.md §7.1: a credit repays the owner’s other debts first',
      () => postAtOnce(CREDIT, 1_000n, { ...RICH, debt: { account: 'RECEIVABLE:c1:USD', balance: 300n } }),
      'SETTLED 1000/1000 hold 0 owes 0 | L18 - RAIL:CARD:USD 1000 USD, + RECEIVABLE:c1:USD 300 USD, + AVAIL:a1 700 USD | SETTLED',
    ],
    [
      'cards.md §7.2: a credit for a closed account waits in suspense',
      () => postAtOnce(CREDIT, 1_000n, { ...RICH, isClosed: true }),
      'SETTLED 1000/1000 hold 0 owes 0 | L20 - RAIL:CARD:USD 1000 USD, + SUSPENSE:USD 1000 USD | SETTLED',
    ],
    [
      'cards.md §8: an inquiry moves nothing',
      () => inquire({ ...FIXED, kind: 'INQUIRY' }),
      'SETTLED 0/0 hold 0 owes 0 |  | SETTLED',
    ],
    [
      'cards.md §6.1.13, §7.18: the operator collects',
      () => resolveException(clear(held().row, 1_500n, POOR).row, 'collect', NOW),
      'SETTLED 1000/1500 hold 0 owes 0 | L25 - AVAIL:a1 500 USD, + RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD | SETTLED',
    ],
    [
      'cards.md §6.1.13, §7.18: the operator writes off',
      () => resolveException(clear(held().row, 1_500n, POOR).row, 'write off', NOW),
      'SETTLED 1000/1500 hold 0 owes 0 | L22 - FEES:USD 500 USD, + RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD | SETTLED',
    ],
    [
      'cards.md §1.3: a cent is 10,000 units of USDB',
      () => authorize({ ...FIXED, account_currency: 'USDB' }, 1n, { isHeld: true, holdExpiresAt: LATER }),
      'AUTHORIZED 1/null hold 1 owes 0 | L16 - AVAIL:a1 10000 USDB, + HOLD:a1 10000 USDB | AUTHORIZED',
    ],
  ];
  for (const [named, make, gives] of cases) {
    it(named, () => assert.equal(shown(make()), gives));
  }

  it('cards.md §7.2: for a closed account a return repays its purchase’s debt, and the rest waits in suspense', () => {
    const purchase = clear(held().row, 1_500n, POOR).row;
    const [returned, noted] = returnPurchase(RETURN, 800n, purchase, { ...RICH, isClosed: true });
    assert.equal(
      shown(returned),
      'SETTLED 800/800 hold 0 owes 0 | L18 - RAIL:CARD:USD 500 USD, + RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD; L20 - RAIL:CARD:USD 300 USD, + SUSPENSE:USD 300 USD | SETTLED',
    );
    assert.equal(noted?.row.receivable, 0n);
  });

  it('cards.md §6.2: a credit in EXCEPTION stays so when it is cleared, and an expired one does not open again', () => {
    const asked = authorize(CREDIT, 1_000n, { isHeld: false, holdExpiresAt: LATER }).row;
    assert.equal(clear(requireRow(failPull(asked, NOW)), 400n, RICH).row.status, 'EXCEPTION');
    assert.equal(clear(requireRow(expire(asked, NOW)), 400n, RICH).row.status, 'SETTLED');
  });

  it('cards.md §6.4, §7: a return repays its purchase’s debt, and the purchase does not show it', () => {
    const purchase = clear(held().row, 1_500n, POOR).row;
    const [returned, noted] = returnPurchase(RETURN, 800n, purchase, RICH);
    assert.equal(
      shown(returned),
      'SETTLED 800/800 hold 0 owes 0 | L18 - RAIL:CARD:USD 800 USD, + RECEIVABLE:01990000-0000-7000-8000-000000000001:USD 500 USD, + AVAIL:a1 300 USD | SETTLED',
    );
    assert.equal(shown(noted), 'EXCEPTION 1000/1500 hold 0 owes 0 |  | ');
    assert.deepEqual([noted?.row.returned, noted?.row.updated_at], [800n, purchase.updated_at]);
  });

  it('cards.md §8: a reversed return can be returned again; if the account lacks the money, the row owes it', () => {
    const purchase = clear(held().row, 1_000n, RICH).row;
    const [returned, noted] = returnPurchase(RETURN, 400n, purchase, RICH);
    for (const [facts, gives] of [
      [RICH, 'SETTLED 400/400 hold 0 owes 0 | L24 - AVAIL:a1 400 USD, + RAIL:CARD:USD 400 USD | SETTLED'],
      [
        POOR,
        'EXCEPTION 400/400 hold 0 owes 400 | L23 - RECEIVABLE:01990000-0000-7000-8000-000000000003:USD 400 USD, + RAIL:CARD:USD 400 USD | EXCEPTION',
      ],
    ] as const) {
      const [back, reversed, free] = reverseReturn(REVERSAL, requireRow(returned), requireRow(noted), facts);
      assert.equal(shown(back), gives);
      assert.equal(reversed?.row.is_reversed, true);
      assert.deepEqual([reversed?.events, free?.row.returned, free?.events], [[], 0n, []]);
    }
  });
});
