import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD_TRANSACTION_STATUSES } from '#capabilities/card-transactions/schemas.ts';
import { type CardTransition, EXPIRE_ROW } from '#capabilities/cards/machine/draft.ts';
import { newRow, type RowTraits } from '#capabilities/cards/machine/new-row.ts';
import {
  type CardFacts,
  type CardNotice,
  NO_FACTS,
  type RowReport,
} from '#capabilities/cards/machine/notice.ts';
import { applyReport, CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { LEDGER_KINDS } from '#foundation/ledger/kinds.ts';
import { derivedId } from '#foundation/lib/ids.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
import { showLine, unbalanced } from '#tests/harness/entry-lines.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-09T10:00:00Z');

const OWNER = {
  card: { id: 'card' as CardId, customer_id: 'c1' as CustomerId, currency: 'USD' },
  platformCustomerId: 'user-1',
  account: { id: 'a1' as AccountId, currency: 'USD' },
};
const MERCHANT = { descriptor: 'SHOP' };
const idOf = (n: number) => `01990000-0000-7000-8000-00000000000${n}` as TransactionId;

const blank = (traits: Partial<RowTraits> = {}, n = 1, owner = OWNER): CardTransactionRow =>
  newRow({ platformId: 'p1' as PlatformId, now: NOW }, idOf(n), owner, {
    direction: 'DEBIT',
    kind: 'PURCHASE',
    token: `t${n}`,
    merchant: MERCHANT,
    amount: 1_000n,
    ...traits,
  });
const CREDIT = { direction: 'CREDIT', kind: 'CREDIT' } as const;

/** The account has enough, and nothing is owed. A row of its own is number 2, the reversal of a return number 3. */
const RICH: CardFacts = {
  available: 1_000_000n,
  mayDraw: true,
  isClosed: false,
  debt: undefined,
  purchase: undefined,
  newRow: (traits) => blank(traits, traits.kind === 'RETURN_REVERSAL' ? 3 : 2),
};
const POOR: CardFacts = { ...RICH, available: 0n };

const NOTICES = {
  approved: { kind: 'approved', isHeld: true, holdExpiresAt: LATER },
  'approved, uncovered': { kind: 'approved', isHeld: false, holdExpiresAt: LATER },
  'approved at once': { kind: 'approvedAtOnce', isPullFailing: false },
  'approved at once, its pull fails': { kind: 'approvedAtOnce', isPullFailing: true },
  declined: { kind: 'declined', reason: 'BLOCKED' },
  'cleared in part': { kind: 'clearing', direction: 'DEBIT', amount: 400n, merchant: MERCHANT },
  cleared: { kind: 'clearing', direction: 'DEBIT', amount: 1_000n, merchant: MERCHANT },
  'cleared above': { kind: 'clearing', direction: 'DEBIT', amount: 1_500n, merchant: MERCHANT },
  'cleared as a credit, in part': { kind: 'clearing', direction: 'CREDIT', amount: 400n, merchant: MERCHANT },
  'cleared as a credit': { kind: 'clearing', direction: 'CREDIT', amount: 1_000n, merchant: MERCHANT },
  'cleared with zero': { kind: 'clearing', direction: 'DEBIT', amount: 0n, merchant: MERCHANT },
  'advice up': { kind: 'advice', amount: 1_200n },
  'advice down': { kind: 'advice', amount: 500n },
  'advice to the part': { kind: 'advice', amount: 400n },
  'advice to zero': { kind: 'advice', amount: 0n },
  reversed: { kind: 'reversal' },
  'reversed in part': { kind: 'reversal', amount: 250n },
  'reversed by the rest': { kind: 'reversal', amount: 600n },
  expired: { kind: 'expiry' },
  'pull failed': { kind: 'pull_failure' },
  returned: { kind: 'return', purchaseToken: 't1', amount: 400n, merchant: MERCHANT },
  'returned with zero': { kind: 'return', purchaseToken: 't1', amount: 0n, merchant: MERCHANT },
  'return reversed': { kind: 'return_reversal', returnToken: 't2', amount: 400n, merchant: MERCHANT },
  'return reversed with zero': { kind: 'return_reversal', returnToken: 't2', amount: 0n, merchant: MERCHANT },
  collected: { kind: 'collected' },
  'written off': { kind: 'writtenOff' },
} as const satisfies Record<string, CardNotice>;

type NoticeName = keyof typeof NOTICES;

/** The rows after these notices; each starts from a row that is not stored yet. */
function after(
  row: CardTransactionRow,
  ...steps: (NoticeName | [NoticeName, CardFacts])[]
): CardTransactionRow {
  return steps.reduce((current, step) => {
    const [name, facts] = typeof step === 'string' ? [step, RICH] : step;
    const transition = advance(current, NOTICES[name], facts);
    assert.ok(transition, `${name} changes nothing`);
    return transition.row;
  }, row);
}

const held = () => after(blank(), 'approved');
const credit = () => after(blank(CREDIT), 'approved, uncovered');
const returnRow = (): CardTransactionRow => {
  const purchase = after(held(), 'cleared');
  const row = advance(purchase, NOTICES.returned, RICH)?.others[0]?.row;
  assert.ok(row);
  return row;
};

const SITUATIONS = {
  'new debit': () => blank(),
  'new credit': () => blank(CREDIT),
  'new debit of a part': () => blank({ amount: 400n }),
  'new credit of a part': () => blank({ ...CREDIT, amount: 400n }),
  'new inquiry': () => blank({ kind: 'INQUIRY' }),
  authorized: held,
  'authorized, uncovered': () => after(blank(), 'approved, uncovered'),
  'authorized credit': credit,
  declined: () => after(blank(), 'declined'),
  'cleared in part': () => after(held(), 'cleared in part'),
  'cleared in part, uncovered': () => after(blank(), 'approved, uncovered', 'cleared in part'),
  'credit cleared in part': () => after(credit(), 'cleared as a credit, in part'),
  settled: () => after(held(), 'cleared'),
  'settled, returned': () => after(held(), 'cleared', 'returned'),
  expired: () => after(held(), 'expired'),
  'settled credit': () => after(credit(), 'cleared as a credit'),
  'settled inquiry': () => after(blank({ kind: 'INQUIRY' }), 'approved'),
  exception: () => after(held(), ['cleared above', POOR]),
  'exception of a credit': () => after(credit(), 'pull failed'),
  return: returnRow,
  'return, reversed': () => after(returnRow(), 'return reversed'),
} as const satisfies Record<string, () => CardTransactionRow>;

type Situation = keyof typeof SITUATIONS;

// ── The table of cards.md §6.1 ────────────────────────────────────────────────────────────────────────────────────────

/** `status A/S [hold] [owes] | entries | events | jobs`, `+` other rows; a notice that is not listed changes nothing. */
type Outcomes = { readonly [On in NoticeName]?: string };

const TABLE: Record<Situation, Outcomes> = {
  'new debit': {
    approved: 'AUTHORIZED 1000/- hold 1000 | L16 | AUTHORIZED | expire',
    'approved, uncovered': 'AUTHORIZED 1000/- | | AUTHORIZED | expire',
    'approved at once': 'SETTLED 1000/1000 | L17 | SETTLED |',
    'approved at once, its pull fails': 'EXCEPTION 1000/1000 owes 1000 | L23 | EXCEPTION |',
    declined: 'DECLINED 1000/- | | DECLINED |',
    cleared: 'SETTLED 1000/1000 | L17 | SETTLED |',
  },
  'new credit': {
    'approved, uncovered': 'AUTHORIZED 1000/- | | AUTHORIZED | expire',
    'approved at once': 'SETTLED 1000/1000 | L18 | SETTLED |',
    'approved at once, its pull fails': 'EXCEPTION 1000/- | | EXCEPTION |',
    declined: 'DECLINED 1000/- | | DECLINED |',
    'cleared as a credit': 'SETTLED 1000/1000 | L18 | SETTLED |',
  },
  'new debit of a part': {
    approved: 'AUTHORIZED 400/- hold 400 | L16 | AUTHORIZED | expire',
    'approved, uncovered': 'AUTHORIZED 400/- | | AUTHORIZED | expire',
    'approved at once': 'SETTLED 400/400 | L17 | SETTLED |',
    'approved at once, its pull fails': 'EXCEPTION 400/400 owes 400 | L23 | EXCEPTION |',
    declined: 'DECLINED 400/- | | DECLINED |',
    'cleared in part': 'SETTLED 400/400 | L17 | SETTLED |',
    'return reversed': 'SETTLED 400/400 | L17 | SETTLED |',
  },
  'new credit of a part': {
    'approved, uncovered': 'AUTHORIZED 400/- | | AUTHORIZED | expire',
    'approved at once': 'SETTLED 400/400 | L18 | SETTLED |',
    'approved at once, its pull fails': 'EXCEPTION 400/- | | EXCEPTION |',
    declined: 'DECLINED 400/- | | DECLINED |',
    'cleared as a credit, in part': 'SETTLED 400/400 | L18 | SETTLED |',
    returned: 'SETTLED 400/400 | L18 | SETTLED |',
  },
  'new inquiry': {
    approved: 'SETTLED 0/0 | | SETTLED |',
    'approved, uncovered': 'SETTLED 0/0 | | SETTLED |',
    declined: 'DECLINED 1000/- | | DECLINED |',
  },
  authorized: {
    'cleared in part': 'PARTIALLY_SETTLED 1000/400 hold 600 | L17 | PARTIALLY_SETTLED |',
    cleared: 'SETTLED 1000/1000 | L17 | SETTLED | -expire',
    'cleared above': 'SETTLED 1000/1500 | L17 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/0 | L16 | SETTLED | -expire',
    'advice up': 'AUTHORIZED 1200/- hold 1200 | L16 | AUTHORIZED |',
    'advice down': 'AUTHORIZED 500/- hold 500 | L16 | AUTHORIZED |',
    'advice to the part': 'AUTHORIZED 400/- hold 400 | L16 | AUTHORIZED |',
    'advice to zero': 'SETTLED 0/0 | L16 | SETTLED | -expire',
    reversed: 'SETTLED 1000/0 | L16 | SETTLED | -expire',
    'reversed in part': 'AUTHORIZED 750/- hold 750 | L16 | AUTHORIZED |',
    'reversed by the rest': 'AUTHORIZED 400/- hold 400 | L16 | AUTHORIZED |',
    expired: 'SETTLED 1000/0 | L16 | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/1000 owes 1000 | L16 L23 | EXCEPTION | -expire',
  },
  'authorized, uncovered': {
    'cleared in part': 'PARTIALLY_SETTLED 1000/400 | L17 | PARTIALLY_SETTLED |',
    cleared: 'SETTLED 1000/1000 | L17 | SETTLED | -expire',
    'cleared above': 'SETTLED 1000/1500 | L17 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/0 | | SETTLED | -expire',
    'advice up': 'AUTHORIZED 1200/- hold 200 | L16 | AUTHORIZED |',
    'advice down': 'AUTHORIZED 500/- | | AUTHORIZED |',
    'advice to the part': 'AUTHORIZED 400/- | | AUTHORIZED |',
    'advice to zero': 'SETTLED 0/0 | | SETTLED | -expire',
    reversed: 'SETTLED 1000/0 | | SETTLED | -expire',
    'reversed in part': 'AUTHORIZED 750/- | | AUTHORIZED |',
    'reversed by the rest': 'AUTHORIZED 400/- | | AUTHORIZED |',
    expired: 'SETTLED 1000/0 | | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/1000 owes 1000 | L23 | EXCEPTION | -expire',
  },
  'authorized credit': {
    'cleared as a credit, in part': 'PARTIALLY_SETTLED 1000/400 | L18 | PARTIALLY_SETTLED |',
    'cleared as a credit': 'SETTLED 1000/1000 | L18 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/0 | | SETTLED | -expire',
    'advice up': 'AUTHORIZED 1200/- | | AUTHORIZED |',
    'advice down': 'AUTHORIZED 500/- | | AUTHORIZED |',
    'advice to the part': 'AUTHORIZED 400/- | | AUTHORIZED |',
    'advice to zero': 'SETTLED 0/0 | | SETTLED | -expire',
    reversed: 'SETTLED 1000/0 | | SETTLED | -expire',
    'reversed in part': 'AUTHORIZED 750/- | | AUTHORIZED |',
    'reversed by the rest': 'AUTHORIZED 400/- | | AUTHORIZED |',
    expired: 'SETTLED 1000/0 | | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/- | | EXCEPTION | -expire',
  },
  declined: {},
  'cleared in part': {
    'cleared in part': 'PARTIALLY_SETTLED 1000/800 hold 200 | L17 | PARTIALLY_SETTLED |',
    cleared: 'SETTLED 1000/1400 | L17 | SETTLED | -expire',
    'cleared above': 'SETTLED 1000/1900 | L17 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/400 | L16 | SETTLED | -expire',
    'advice up': 'PARTIALLY_SETTLED 1200/400 hold 800 | L16 | PARTIALLY_SETTLED |',
    'advice down': 'PARTIALLY_SETTLED 500/400 hold 100 | L16 | PARTIALLY_SETTLED |',
    'advice to the part': 'SETTLED 400/400 | L16 | SETTLED | -expire',
    'advice to zero': 'SETTLED 0/400 | L16 | SETTLED | -expire',
    reversed: 'SETTLED 1000/400 | L16 | SETTLED | -expire',
    'reversed in part': 'PARTIALLY_SETTLED 750/400 hold 350 | L16 | PARTIALLY_SETTLED |',
    'reversed by the rest': 'SETTLED 1000/400 | L16 | SETTLED | -expire',
    expired: 'SETTLED 1000/400 | L16 | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/1000 owes 600 | L16 L23 | EXCEPTION | -expire',
    returned: 'PARTIALLY_SETTLED 1000/400 hold 600 returned 400 | | | + SETTLED 400/400 | L18 | SETTLED |',
  },
  'cleared in part, uncovered': {
    'cleared in part': 'PARTIALLY_SETTLED 1000/800 | L17 | PARTIALLY_SETTLED |',
    cleared: 'SETTLED 1000/1400 | L17 | SETTLED | -expire',
    'cleared above': 'SETTLED 1000/1900 | L17 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/400 | | SETTLED | -expire',
    'advice up': 'PARTIALLY_SETTLED 1200/400 hold 200 | L16 | PARTIALLY_SETTLED |',
    'advice down': 'PARTIALLY_SETTLED 500/400 | | PARTIALLY_SETTLED |',
    'advice to the part': 'SETTLED 400/400 | | SETTLED | -expire',
    'advice to zero': 'SETTLED 0/400 | | SETTLED | -expire',
    reversed: 'SETTLED 1000/400 | | SETTLED | -expire',
    'reversed in part': 'PARTIALLY_SETTLED 750/400 | | PARTIALLY_SETTLED |',
    'reversed by the rest': 'SETTLED 1000/400 | | SETTLED | -expire',
    expired: 'SETTLED 1000/400 | | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/1000 owes 600 | L23 | EXCEPTION | -expire',
    returned: 'PARTIALLY_SETTLED 1000/400 returned 400 | | | + SETTLED 400/400 | L18 | SETTLED |',
  },
  'credit cleared in part': {
    'cleared as a credit, in part': 'PARTIALLY_SETTLED 1000/800 | L18 | PARTIALLY_SETTLED |',
    'cleared as a credit': 'SETTLED 1000/1400 | L18 | SETTLED | -expire',
    'cleared with zero': 'SETTLED 1000/400 | | SETTLED | -expire',
    'advice up': 'PARTIALLY_SETTLED 1200/400 | | PARTIALLY_SETTLED |',
    'advice down': 'PARTIALLY_SETTLED 500/400 | | PARTIALLY_SETTLED |',
    'advice to the part': 'SETTLED 400/400 | | SETTLED | -expire',
    'advice to zero': 'SETTLED 0/400 | | SETTLED | -expire',
    reversed: 'SETTLED 1000/400 | | SETTLED | -expire',
    'reversed in part': 'PARTIALLY_SETTLED 750/400 | | PARTIALLY_SETTLED |',
    'reversed by the rest': 'SETTLED 1000/400 | | SETTLED | -expire',
    expired: 'SETTLED 1000/400 | | SETTLED | -expire',
    'pull failed': 'EXCEPTION 1000/400 | | EXCEPTION | -expire',
  },
  settled: {
    'cleared in part': 'SETTLED 1000/1400 | L17 | SETTLED |',
    cleared: 'SETTLED 1000/2000 | L17 | SETTLED |',
    'cleared above': 'SETTLED 1000/2500 | L17 | SETTLED |',
    returned: 'SETTLED 1000/1000 returned 400 | | | + SETTLED 400/400 | L18 | SETTLED |',
  },
  'settled, returned': {
    'cleared in part': 'SETTLED 1000/1400 returned 400 | L17 | SETTLED |',
    cleared: 'SETTLED 1000/2000 returned 400 | L17 | SETTLED |',
    'cleared above': 'SETTLED 1000/2500 returned 400 | L17 | SETTLED |',
    returned: 'SETTLED 1000/1000 returned 800 | | | + SETTLED 400/400 | L18 | SETTLED |',
  },
  expired: {
    'cleared in part': 'SETTLED 1000/400 | L17 | SETTLED |',
    cleared: 'SETTLED 1000/1000 | L17 | SETTLED |',
    'cleared above': 'SETTLED 1000/1500 | L17 | SETTLED |',
  },
  'settled credit': {
    'cleared as a credit, in part': 'SETTLED 1000/1400 | L18 | SETTLED |',
    'cleared as a credit': 'SETTLED 1000/2000 | L18 | SETTLED |',
  },
  'settled inquiry': {},
  exception: {
    'cleared in part': 'EXCEPTION 1000/1900 owes 500 | L17 | EXCEPTION |',
    cleared: 'EXCEPTION 1000/2500 owes 500 | L17 | EXCEPTION |',
    'cleared above': 'EXCEPTION 1000/3000 owes 500 | L17 | EXCEPTION |',
    returned: 'EXCEPTION 1000/1500 owes 100 returned 400 | | | + SETTLED 400/400 | L18 | SETTLED |',
    collected: 'SETTLED 1000/1500 | L25 | SETTLED |',
    'written off': 'SETTLED 1000/1500 | L22 | SETTLED |',
  },
  'exception of a credit': {
    'cleared as a credit, in part': 'EXCEPTION 1000/400 | L18 | EXCEPTION |',
    'cleared as a credit': 'EXCEPTION 1000/1000 | L18 | EXCEPTION |',
    collected: 'SETTLED 1000/- | | SETTLED |',
    'written off': 'SETTLED 1000/- | | SETTLED |',
  },
  return: {
    'return reversed': 'SETTLED 400/400 reversed | | | + SETTLED 400/400 | L24 | SETTLED |',
  },
  'return, reversed': {},
};

/** Facts that change an outcome, and the lines of every kind of entry. */
const CASES: readonly {
  readonly named: string;
  readonly from: () => CardTransactionRow;
  readonly on: NoticeName;
  readonly facts?: Partial<CardFacts>;
  readonly gives: string;
}[] = [
  {
    named: 'cards.md §6.1: approved, with a hold',
    from: SITUATIONS['new debit'],
    on: 'approved',
    gives: 'AUTHORIZED 1000/- hold 1000 | L16 - AVAIL:a1 1000 USD, + HOLD:a1 1000 USD',
  },
  {
    named: 'cards.md §1.3: a cent is 10,000 units of USDB',
    from: () => blank({ amount: 1n }, 1, { ...OWNER, account: { id: 'a1' as AccountId, currency: 'USDB' } }),
    on: 'approved',
    gives: 'AUTHORIZED 1/- hold 1 | L16 - AVAIL:a1 10000 USDB, + HOLD:a1 10000 USDB',
  },
  {
    named: 'cards.md §6.1: cleared in part',
    from: SITUATIONS.authorized,
    on: 'cleared in part',
    gives: 'PARTIALLY_SETTLED 1000/400 hold 600 | L17 - HOLD:a1 400 USD, + RAIL:CARD:USD 400 USD',
  },
  {
    named: 'cards.md §6.9: cleared above the hold: the rest is pulled',
    from: SITUATIONS.authorized,
    on: 'cleared above',
    gives: 'SETTLED 1000/1500 | L17 - HOLD:a1 1000 USD, - AVAIL:a1 500 USD, + RAIL:CARD:USD 1500 USD',
  },
  {
    named: 'cards.md §6.9, §7.1: an excess that cannot be pulled is owed entirely by the row',
    from: SITUATIONS.authorized,
    on: 'cleared above',
    facts: { available: 499n },
    gives: `EXCEPTION 1000/1500 owes 500 | L17 - HOLD:a1 1000 USD, + RAIL:CARD:USD 1000 USD; L23 - RECEIVABLE:${idOf(1)}:USD 500 USD, + RAIL:CARD:USD 500 USD`,
  },
  {
    named: 'cards.md §7.2: an account that may not be debited gives its hold and no more',
    from: SITUATIONS.authorized,
    on: 'cleared above',
    facts: { mayDraw: false },
    gives: `EXCEPTION 1000/1500 owes 500 | L17 - HOLD:a1 1000 USD, + RAIL:CARD:USD 1000 USD; L23 - RECEIVABLE:${idOf(1)}:USD 500 USD, + RAIL:CARD:USD 500 USD`,
  },
  {
    named: 'cards.md §6.1.8: the same after a part was cleared',
    from: SITUATIONS['cleared in part'],
    on: 'cleared',
    facts: POOR,
    gives: `EXCEPTION 1000/1400 owes 400 | L17 - HOLD:a1 600 USD, + RAIL:CARD:USD 600 USD; L23 - RECEIVABLE:${idOf(1)}:USD 400 USD, + RAIL:CARD:USD 400 USD`,
  },
  {
    named: 'cards.md §6.8: without a hold the whole amount is pulled at the clearing',
    from: SITUATIONS['authorized, uncovered'],
    on: 'cleared',
    gives: 'SETTLED 1000/1000 | L17 - AVAIL:a1 1000 USD, + RAIL:CARD:USD 1000 USD',
  },
  {
    named: 'cards.md §6.1: expired after a part was cleared: the rest is released',
    from: SITUATIONS['cleared in part'],
    on: 'expired',
    gives: 'SETTLED 1000/400 | L16 + AVAIL:a1 600 USD, - HOLD:a1 600 USD',
  },
  {
    named: 'cards.md §6.9: a late clearing is pulled, and the row stays settled',
    from: SITUATIONS.expired,
    on: 'cleared in part',
    gives: 'SETTLED 1000/400 | L17 - AVAIL:a1 400 USD, + RAIL:CARD:USD 400 USD',
  },
  {
    named: 'cards.md §6.1: a late clearing that cannot be pulled',
    from: SITUATIONS.expired,
    on: 'cleared in part',
    facts: POOR,
    gives: `EXCEPTION 1000/400 owes 400 | L23 - RECEIVABLE:${idOf(1)}:USD 400 USD, + RAIL:CARD:USD 400 USD`,
  },
  {
    named: 'cards.md §6.1, §6.2: an exception grows and does not heal',
    from: SITUATIONS.exception,
    on: 'cleared in part',
    gives: 'EXCEPTION 1000/1900 owes 500 | L17 - AVAIL:a1 400 USD, + RAIL:CARD:USD 400 USD',
  },
  {
    named: 'cards.md §8: an advice up holds the extra',
    from: SITUATIONS.authorized,
    on: 'advice up',
    gives: 'AUTHORIZED 1200/- hold 1200 | L16 - AVAIL:a1 200 USD, + HOLD:a1 200 USD',
  },
  {
    named: 'cards.md §8: an advice up that the account does not cover raises the total, not the hold',
    from: SITUATIONS.authorized,
    on: 'advice up',
    facts: POOR,
    gives: 'AUTHORIZED 1200/- hold 1000 |',
  },
  {
    named: 'cards.md §6.1: an advice down to the cleared amount, or below, settles',
    from: SITUATIONS['cleared in part'],
    on: 'advice to the part',
    gives: 'SETTLED 400/400 | L16 + AVAIL:a1 600 USD, - HOLD:a1 600 USD',
  },
  {
    named: 'cards.md §6.9: a partial reversal lowers total and hold',
    from: SITUATIONS.authorized,
    on: 'reversed in part',
    gives: 'AUTHORIZED 750/- hold 750 | L16 + AVAIL:a1 250 USD, - HOLD:a1 250 USD',
  },
  {
    named: 'cards.md §8, suffix 006: the pull behind it failed: released, and owed',
    from: SITUATIONS.authorized,
    on: 'pull failed',
    gives: `EXCEPTION 1000/1000 owes 1000 | L16 + AVAIL:a1 1000 USD, - HOLD:a1 1000 USD; L23 - RECEIVABLE:${idOf(1)}:USD 1000 USD, + RAIL:CARD:USD 1000 USD`,
  },
  {
    named: 'cards.md §6.1: one message debits at once',
    from: SITUATIONS['new debit'],
    on: 'approved at once',
    gives: 'SETTLED 1000/1000 | L17 - AVAIL:a1 1000 USD, + RAIL:CARD:USD 1000 USD',
  },
  {
    named: 'cards.md §6.1.12: one message whose money cannot be pulled',
    from: SITUATIONS['new debit'],
    on: 'approved at once',
    facts: POOR,
    gives: `EXCEPTION 1000/1000 owes 1000 | L23 - RECEIVABLE:${idOf(1)}:USD 1000 USD, + RAIL:CARD:USD 1000 USD`,
  },
  {
    named: 'cards.md §6.9: a force post that cannot be pulled',
    from: SITUATIONS['new debit'],
    on: 'cleared',
    facts: POOR,
    gives: `EXCEPTION 1000/1000 owes 1000 | L23 - RECEIVABLE:${idOf(1)}:USD 1000 USD, + RAIL:CARD:USD 1000 USD`,
  },
  {
    named: 'cards.md §6.1: one message credits at once, whatever the account has',
    from: SITUATIONS['new credit'],
    on: 'approved at once',
    facts: POOR,
    gives: 'SETTLED 1000/1000 | L18 - RAIL:CARD:USD 1000 USD, + AVAIL:a1 1000 USD',
  },
  {
    named: 'cards.md §7.1: a credit repays the owner’s other debts first',
    from: SITUATIONS['new credit'],
    on: 'approved at once',
    facts: { debt: { account: 'RECEIVABLE:c1:USD', balance: 300n } },
    gives:
      'SETTLED 1000/1000 | L18 - RAIL:CARD:USD 1000 USD, + RECEIVABLE:c1:USD 300 USD, + AVAIL:a1 700 USD',
  },
  {
    named: 'cards.md §7.2: a credit for a closed account waits in suspense',
    from: SITUATIONS['new credit'],
    on: 'approved at once',
    facts: { isClosed: true },
    gives: 'SETTLED 1000/1000 | L20 - RAIL:CARD:USD 1000 USD, + SUSPENSE:USD 1000 USD',
  },
  {
    named: 'cards.md §6.1.13, §7.18: the operator collects',
    from: SITUATIONS.exception,
    on: 'collected',
    gives: `SETTLED 1000/1500 | L25 - AVAIL:a1 500 USD, + RECEIVABLE:${idOf(1)}:USD 500 USD`,
  },
  {
    named: 'cards.md §6.1.13, §7.18: the operator writes off',
    from: SITUATIONS.exception,
    on: 'written off',
    gives: `SETTLED 1000/1500 | L22 - FEES:USD 500 USD, + RECEIVABLE:${idOf(1)}:USD 500 USD`,
  },
  {
    named: 'cards.md §6.4, §7: a return repays its purchase’s debt, and the purchase does not show it',
    from: SITUATIONS.exception,
    on: 'returned',
    gives: `EXCEPTION 1000/1500 owes 100 returned 400 | + SETTLED 400/400 | L18 - RAIL:CARD:USD 400 USD, + RECEIVABLE:${idOf(1)}:USD 400 USD`,
  },
  {
    named: 'cards.md §7: a return repays its purchase’s debt first, and the account gets the rest',
    from: () => after(SITUATIONS.exception(), 'returned'),
    on: 'returned',
    gives: `EXCEPTION 1000/1500 returned 800 | + SETTLED 400/400 | L18 - RAIL:CARD:USD 400 USD, + RECEIVABLE:${idOf(1)}:USD 100 USD, + AVAIL:a1 300 USD`,
  },
  {
    named:
      'cards.md §7.2: for a closed account a return repays its purchase’s debt, and the rest waits in suspense',
    from: () => after(SITUATIONS.exception(), 'returned'),
    on: 'returned',
    facts: { isClosed: true },
    gives: `EXCEPTION 1000/1500 returned 800 | + SETTLED 400/400 | L18 - RAIL:CARD:USD 100 USD, + RECEIVABLE:${idOf(1)}:USD 100 USD; L20 - RAIL:CARD:USD 300 USD, + SUSPENSE:USD 300 USD`,
  },
  {
    named: 'cards.md §8: a reversed return is taken from the account, and can be returned again',
    from: SITUATIONS.return,
    on: 'return reversed',
    facts: { purchase: SITUATIONS['settled, returned']() },
    gives:
      'SETTLED 400/400 reversed | + SETTLED 400/400 | L24 - AVAIL:a1 400 USD, + RAIL:CARD:USD 400 USD + SETTLED 1000/1000 |',
  },
  {
    named: 'cards.md §8: if the account lacks the money of a reversed return, the new row owes it',
    from: SITUATIONS.return,
    on: 'return reversed',
    facts: { ...POOR, purchase: SITUATIONS['settled, returned']() },
    gives: `SETTLED 400/400 reversed | + EXCEPTION 400/400 owes 400 | L23 - RECEIVABLE:${idOf(3)}:USD 400 USD, + RAIL:CARD:USD 400 USD + SETTLED 1000/1000 |`,
  },
  {
    named: 'cards.md §6.11: a force post for a return that is unknown, and that cannot be pulled',
    from: SITUATIONS['new debit of a part'],
    on: 'return reversed',
    facts: POOR,
    gives: `EXCEPTION 400/400 owes 400 | L23 - RECEIVABLE:${idOf(1)}:USD 400 USD, + RAIL:CARD:USD 400 USD`,
  },
];

/** Notices that cannot belong to the row that they name: that row stays, and a new one has the amount. */
const OWN_ROWS: readonly [Situation, NoticeName, string][] = [
  ['declined', 'cleared', 'DEBIT PURCHASE SETTLED 1000/1000 | L17 | SETTLED |'],
  ['authorized', 'cleared as a credit', 'CREDIT CREDIT SETTLED 1000/1000 | L18 | SETTLED |'],
  ['authorized credit', 'cleared', 'DEBIT PURCHASE SETTLED 1000/1000 | L17 | SETTLED |'],
  ['settled inquiry', 'cleared', 'DEBIT PURCHASE SETTLED 1000/1000 | L17 | SETTLED |'],
  ['return', 'cleared as a credit', 'CREDIT CREDIT SETTLED 1000/1000 | L18 | SETTLED |'],
  ['authorized', 'returned', 'CREDIT CREDIT SETTLED 400/400 | L18 | SETTLED |'],
  ['expired', 'returned', 'CREDIT CREDIT SETTLED 400/400 | L18 | SETTLED |'],
  ['settled credit', 'returned', 'CREDIT CREDIT SETTLED 400/400 | L18 | SETTLED |'],
  ['settled', 'return reversed', 'DEBIT PURCHASE SETTLED 400/400 | L17 | SETTLED |'],
  ['return, reversed', 'return reversed', 'DEBIT PURCHASE SETTLED 400/400 | L17 | SETTLED |'],
];

// ── The tests ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the effect of notices on a card transaction (cards.md §6.1)', () => {
  for (const [name, make] of Object.entries(SITUATIONS)) {
    it(`${name}: every notice does what the table says, or nothing`, () => {
      const row = make();
      const outcomes: Outcomes = TABLE[name as Situation];
      for (const [on, notice] of Object.entries(NOTICES)) {
        const transition = advance(row, notice, RICH);
        assert.equal(transition && shown(transition), outcomes[on as NoticeName], on);
        if (transition) assertSound(row, transition);
      }
    });
  }

  for (const { named, from, on, facts, gives } of CASES) {
    it(named, () => {
      const row = from();
      const transition = advance(row, NOTICES[on], { ...RICH, ...facts });
      assert.equal(transition && withLines(transition), gives);
      if (transition) assertSound(row, transition);
    });
  }

  it('cards.md §6.11: a notice that cannot belong to its row is booked as a row of its own', () => {
    for (const [name, on, gives] of OWN_ROWS) {
      const transition = report(SITUATIONS[name](), on);
      assert.ok(transition, name);
      const { row } = transition;
      assert.equal(`${row.direction} ${row.kind} ${shown(transition)}`, gives, `${name}: ${on}`);
      assert.deepEqual([row.id, transition.from, row.original_id], [idOf(2), undefined, null]);
    }
    for (const [on, kind] of [
      ['cleared', 'PURCHASE'],
      ['cleared as a credit', 'CREDIT'],
      ['returned', 'CREDIT'],
      ['return reversed', 'PURCHASE'],
    ] as const) {
      assert.equal(report(undefined, on)?.row.kind, kind);
    }
  });

  it('cards.md §6.9, §6.11: a notice of nothing, or about an authorization that is over, makes no row', () => {
    for (const on of ['returned with zero', 'return reversed with zero', 'cleared with zero'] as const) {
      assert.equal(report(undefined, on), undefined);
      assert.equal(report(SITUATIONS.settled(), on), undefined);
    }
    for (const on of ['advice up', 'reversed', 'expired', 'pull failed'] as const) {
      assert.equal(report(undefined, on), undefined);
      assert.equal(report(SITUATIONS.declined(), on), undefined);
    }
  });

  it('every rule of the table is covered, and every change of status that it can make', () => {
    const { rules } = CARD_TRANSACTIONS_MACHINE.description;
    const seen = new Set<string>();
    const look = (row: CardTransactionRow, on: string, facts: CardFacts) => {
      const notice = NOTICES[on as NoticeName];
      const rule = rules.find((each) => each.notice === notice.kind && each.when(row, notice as never, NOW));
      const transition = advance(row, notice, facts);
      assert.equal(rule !== undefined, transition !== undefined);
      if (!rule || !transition) return;
      seen.add(rule.label);
      for (const move of movesOf(row, transition)) seen.add(`${rule.label}: ${move}`);
    };
    for (const make of Object.values(SITUATIONS)) {
      for (const on of Object.keys(NOTICES)) for (const facts of [RICH, POOR]) look(make(), on, facts);
    }
    const declared = rules.flatMap(({ label, moves }) => [
      label,
      ...(moves.TRANSACTION ?? []).map((move) => `${label}: ${move}`),
    ]);
    assert.deepEqual([...seen].sort(), declared.sort());
  });

  it('cards.md §6.4: a purchase records its return without showing a change', () => {
    const purchase = { ...SITUATIONS.settled(), updated_at: new Date(0) };
    const { row, others } = advance(purchase, NOTICES.returned, RICH) ?? {};
    assert.deepEqual([row?.returned, row?.updated_at], [400n, purchase.updated_at]);
    const { original_id, kind, direction } = others?.[0]?.row ?? {};
    assert.deepEqual([original_id, kind, direction], [purchase.id, 'RETURN', 'CREDIT']);
  });

  it('cards.md §6.9.8: an authorization expires when its hold does', () => {
    const [job] = advance(blank(), NOTICES.approved, RICH)?.jobs ?? [];
    assert.deepEqual(job, {
      does: 'schedule',
      kind: EXPIRE_ROW,
      key: idOf(1),
      dueAt: LATER,
      payload: { id: idOf(1) },
    });
  });

  it('cards.md §6.1.13: the operator’s commands, and decisions on a row that is decided, are refused', () => {
    for (const on of ['collected', 'written off', 'approved', 'declined'] as const) {
      assert.throws(
        () => CARD_TRANSACTIONS_MACHINE.advance(SITUATIONS.settled(), NOTICES[on], NOW, NO_FACTS),
        NoticeRefused,
      );
    }
  });
});

function report(row: CardTransactionRow | undefined, on: NoticeName): CardTransition | undefined {
  return applyReport(row, NOTICES[on] as RowReport, NOW, RICH);
}

/** A caller's notice that does not apply is refused, the network's is ignored: neither changes anything. */
function advance(row: CardTransactionRow, notice: CardNotice, facts: CardFacts): CardTransition | undefined {
  try {
    return CARD_TRANSACTIONS_MACHINE.advance(row, notice, NOW, facts);
  } catch (error) {
    const { commands } = CARD_TRANSACTIONS_MACHINE.description;
    assert.ok(error instanceof NoticeRefused && commands?.includes(notice.kind));
    return undefined;
  }
}

function shown({ row, entries, events, jobs, others }: CardTransition): string {
  const kinds = entries.map(({ kind }) => LEDGER_KINDS[kind]).join(' ');
  const told = events.map(({ type }) => type.slice('CARD_TRANSACTION.'.length)).join(' ');
  const work = jobs.map(({ does, kind }) => `${does === 'cancel' ? '-' : ''}${kind.slice('cards.'.length)}`);
  return [
    [stateOf(row), kinds, told, work.join(' ')].join(' | ').replace(/ {2,}/g, ' ').trimEnd(),
    ...others.map(shown),
  ].join(' + ');
}

/** `status A/S [hold] [owes] | entries with their lines`. */
function withLines({ row, entries, others }: CardTransition): string {
  const kinds = entries.map(({ kind, lines }) => `${LEDGER_KINDS[kind]} ${lines.map(showLine).join(', ')}`);
  return [`${stateOf(row)} | ${kinds.join('; ')}`.trimEnd(), ...others.map(withLines)].join(' + ');
}

function stateOf(row: CardTransactionRow): string {
  return [
    `${row.status} ${row.authorized_amount}/${row.settled_amount ?? '-'}`,
    row.hold > 0n && `hold ${row.hold}`,
    row.receivable > 0n && `owes ${row.receivable}`,
    row.returned > 0n && `returned ${row.returned}`,
    row.is_reversed && 'reversed',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The invariants after any transition. */
function assertSound(before: CardTransactionRow, { from, row, entries, others }: CardTransition): void {
  assert.deepEqual([from ?? 0n, row.version], [before.version, before.version + 1n]);
  for (const [i, { id, kind, ordinal, lines }] of entries.entries()) {
    assert.equal(ordinal, before.entries + i);
    assert.equal(id, derivedId(row.id, `${LEDGER_KINDS[kind]}:${ordinal}`));
    assert.deepEqual(unbalanced(lines), [], `${kind} does not balance`);
    assert.ok(
      lines.every(({ amount }) => amount > 0n),
      `${kind} has a zero line`,
    );
  }
  assert.equal(row.entries, before.entries + entries.length);
  assert.ok(CARD_TRANSACTION_STATUSES.includes(row.status));
  assert.ok([row.hold, row.receivable, row.returned].every((amount) => amount >= 0n));
  assert.equal(row.declined_reason !== null, row.status === 'DECLINED');
  assert.equal(row.hold_expires_at !== null, isOpenRow(row), 'cards.md §6.9.8');
  if (!isOpenRow(row)) assert.equal(row.hold, 0n);
  assert.notEqual(before.version > 0n && before.status, 'DECLINED', 'cards.md §6.1.2: DECLINED is final');
  for (const other of others) {
    const { version, entries: posted } = other.row;
    assertSound({ ...other.row, version: version - 1n, entries: posted - other.entries.length }, other);
  }
}

/** The changes of status, also of rows that the notice creates. */
function movesOf(before: CardTransactionRow, { row, others }: CardTransition): string[] {
  const { TRANSACTION: from } = CARD_TRANSACTIONS_MACHINE.description.statuses(before);
  const created = others.filter((other) => other.from === undefined);
  return [
    ...(row.status === from ? [] : [`${from} → ${row.status}`]),
    ...created.map((other) => `new → ${other.row.status}`),
  ];
}
