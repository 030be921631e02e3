import { CardDraft, type CardTransition } from '#capabilities/cards/machine/draft.ts';
import * as effects from '#capabilities/cards/machine/effects.ts';
import type { CardFacts, CardNotice, CardRule, RowReport } from '#capabilities/cards/machine/notice.ts';
import * as postings from '#capabilities/cards/machine/postings.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { Machine, type NoticeOf } from '#foundation/machine/machine.ts';

const isNew = (row: CardTransactionRow) => row.version === 0n;
const isOpen = (row: CardTransactionRow) => !isNew(row) && isOpenRow(row);
const isNewOf = (row: CardTransactionRow, ...kinds: CardTransactionRow['kind'][]) =>
  isNew(row) && kinds.includes(row.kind);

/** The row is new, and was made for this amount. */
const isMadeFor = (row: CardTransactionRow, amount: bigint) =>
  isNew(row) && amount > 0n && amount === row.authorized_amount;

/** A clearing belongs to an approved row of its own direction that is neither a return nor an inquiry. */
const belongsTo = (row: CardTransactionRow, { direction }: NoticeOf<CardNotice, 'clearing'>) =>
  row.kind === (direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT') && row.status !== 'DECLINED';

const SETTLES = ['AUTHORIZED → SETTLED', 'PARTIALLY_SETTLED → SETTLED'] as const;
const FAILS = ['AUTHORIZED → EXCEPTION', 'PARTIALLY_SETTLED → EXCEPTION'] as const;

const AUTHORIZATION_RULES: readonly CardRule[] = [
  {
    notice: 'approved',
    // cards.md §8.
    label: 'an inquiry: the card works',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row) => isNewOf(row, 'INQUIRY'),
    does(draft) {
      draft.set({ authorized_amount: 0n });
      effects.end(draft);
    },
  },
  {
    notice: 'approved',
    label: 'an authorization is approved, with a hold if the account covers it',
    moves: { TRANSACTION: ['new → AUTHORIZED'] },
    when: (row, { isHeld }) => isNewOf(row, 'PURCHASE') || (isNewOf(row, 'CREDIT') && !isHeld),
    does: effects.authorize,
  },
  {
    notice: 'approvedAtOnce',
    label: 'a single message is approved, but its pull fails',
    moves: { TRANSACTION: ['new → EXCEPTION'] },
    when: (row, { isPullFailing }) => isPullFailing && isNewOf(row, 'PURCHASE', 'CREDIT'),
    does: effects.failPull,
  },
  {
    notice: 'approvedAtOnce',
    label: 'a single message is approved and cleared',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row) => isNewOf(row, 'PURCHASE', 'CREDIT'),
    does: (draft, _, facts) => effects.clear(draft, draft.row.authorized_amount, facts),
  },
  {
    notice: 'declined',
    label: 'an authorization or an increment is declined; no money moves',
    moves: { TRANSACTION: ['new → DECLINED'] },
    when: (row) => isNewOf(row, 'PURCHASE', 'CREDIT', 'INQUIRY'),
    does(draft, { reason }) {
      draft.set({ declined_reason: reason });
      draft.enter('DECLINED');
    },
  },
];

const CLEARING_RULES: readonly CardRule[] = [
  {
    notice: 'clearing',
    label: 'a clearing of zero: the merchant takes nothing more',
    moves: { TRANSACTION: SETTLES },
    when: (row, { amount }) => isOpen(row) && amount === 0n,
    does: effects.end,
  },
  {
    notice: 'clearing',
    label: 'an open row is cleared; a debit becomes an exception if its excess cannot be pulled',
    moves: { TRANSACTION: ['AUTHORIZED → PARTIALLY_SETTLED', ...SETTLES, ...FAILS] },
    when: (row, notice) => isOpen(row) && belongsTo(row, notice),
    does: (draft, { amount }, facts) => effects.clear(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label:
      'a row is cleared late: an exception stays one, and a settled debit that cannot be pulled becomes one',
    moves: { TRANSACTION: ['SETTLED → EXCEPTION'] },
    when: (row, notice) => !isNew(row) && notice.amount > 0n && belongsTo(row, notice),
    does: (draft, { amount }, facts) => effects.clear(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label: 'a row of its own: a credit, or a force post',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row, notice) => isMadeFor(row, notice.amount) && belongsTo(row, notice),
    does: (draft, { amount }, facts) => effects.clear(draft, amount, facts),
  },
];

const OPEN_ROW_RULES: readonly CardRule[] = [
  {
    notice: 'advice',
    label: 'the authorized total changes, and the hold with it',
    moves: {},
    when: (row, { amount }) => isOpen(row) && amount > settledAmountOf(row),
    does: (draft, { amount }, facts) => effects.setTotal(draft, amount, facts),
  },
  {
    notice: 'advice',
    label: 'the authorized total falls to the cleared amount or below',
    moves: { TRANSACTION: SETTLES },
    when: isOpen,
    does: (draft, { amount }, facts) => effects.setTotal(draft, amount, facts),
  },
  {
    notice: 'reversal',
    label: 'a part of the open amount is reversed',
    moves: {},
    when: (row, { amount = row.authorized_amount }) =>
      isOpen(row) && settledAmountOf(row) < row.authorized_amount - amount,
    does: (draft, { amount = 0n }, facts) =>
      effects.setTotal(draft, draft.row.authorized_amount - amount, facts),
  },
  {
    notice: 'reversal',
    label: 'the whole open amount is reversed',
    moves: { TRANSACTION: SETTLES },
    when: isOpen,
    does: effects.end,
  },
  {
    notice: 'expiry',
    label: 'the authorization expires',
    moves: { TRANSACTION: SETTLES },
    when: isOpen,
    does: effects.end,
  },
  {
    notice: 'pull_failure',
    label: 'the pull behind the authorization fails: a debit becomes a debt, and a credit is not booked',
    moves: { TRANSACTION: FAILS },
    when: isOpen,
    does: effects.failPull,
  },
];

const RETURN_RULES: readonly CardRule[] = [
  {
    notice: 'return',
    label: 'a merchant returns a purchase or a part of it, as a row of its own',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row, { amount }) =>
      row.kind === 'PURCHASE' && amount > 0n && amount <= settledAmountOf(row) - row.returned,
    does: effects.returnPurchase,
  },
  {
    notice: 'return',
    label: 'a return of more than the purchase has left, or without a purchase: a credit of its own',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row, { amount }) => isNewOf(row, 'CREDIT') && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clear(draft, amount, facts),
  },
  {
    notice: 'return_reversal',
    label: 'a return is taken back, as a row of its own',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row, { amount }) =>
      row.kind === 'RETURN' && !row.is_reversed && amount > 0n && amount === settledAmountOf(row),
    does: effects.reverseReturn,
  },
  {
    notice: 'return_reversal',
    label: 'the return is unknown, was taken back before or had another amount: a force post',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row, { amount }) => isNewOf(row, 'PURCHASE') && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clear(draft, amount, facts),
  },
];

const EXCEPTION_RULES: readonly CardRule[] = [
  {
    notice: 'collected',
    label: 'the operator collects the debt of an exception',
    moves: { TRANSACTION: ['EXCEPTION → SETTLED'] },
    when: (row) => row.status === 'EXCEPTION',
    does: (draft) => effects.settleDebt(draft, 'card.shortfall_collected', postings.collect),
  },
  {
    notice: 'writtenOff',
    label: 'the operator writes off the debt of an exception',
    moves: { TRANSACTION: ['EXCEPTION → SETTLED'] },
    when: (row) => row.status === 'EXCEPTION',
    does: (draft) => effects.settleDebt(draft, 'debt.written_off', postings.writeOff),
  },
];

export const CARD_TRANSACTIONS_MACHINE = new Machine<CardTransactionRow, CardDraft, CardNotice, CardFacts>({
  rules: [...AUTHORIZATION_RULES, ...CLEARING_RULES, ...OPEN_ROW_RULES, ...RETURN_RULES, ...EXCEPTION_RULES],
  newDraft: (row, now) => new CardDraft(row, now),
  statuses: (row) => ({ TRANSACTION: isNew(row) ? 'new' : row.status }),
  commands: ['approved', 'approvedAtOnce', 'declined', 'collected', 'writtenOff'],
});

const OWN_DIRECTIONS = { return: 'CREDIT', return_reversal: 'DEBIT' } as const;

/**
 * Applies a notice to the row that it is about. If it cannot belong to that row, it is booked as a row of its own
 * (cards.md §6.11).
 */
export function applyReport(
  row: CardTransactionRow | undefined,
  notice: RowReport,
  now: Date,
  facts: CardFacts,
): CardTransition | undefined {
  const change = row && CARD_TRANSACTIONS_MACHINE.advance(row, notice, now, facts);
  if (change || !('merchant' in notice)) return change;
  const { merchant, amount } = notice;
  const direction = 'direction' in notice ? notice.direction : OWN_DIRECTIONS[notice.kind];
  const kind = direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT';
  const own = facts.newRow({ direction, kind, merchant, amount });
  return CARD_TRANSACTIONS_MACHINE.advance(own, notice, now, facts);
}
