import { CardDraft, type CardTransition } from '#capabilities/cards/machine/draft.ts';
import * as effects from '#capabilities/cards/machine/effects.ts';
import type { CardFacts, CardNotice, CardRule, RowReport } from '#capabilities/cards/machine/notice.ts';
import * as postings from '#capabilities/cards/machine/postings.ts';
import {
  type CardTransactionRow,
  isOpenRow,
  openAmountOf,
  settledAmountOf,
} from '#capabilities/cards/transaction-row.ts';
import { Machine, type NoticeOf } from '#foundation/machine/machine.ts';

const isNew = (row: CardTransactionRow) => row.version === 0n;
const isOpen = (row: CardTransactionRow) => !isNew(row) && isOpenRow(row);
const isNewDebit = (row: CardTransactionRow) => isNew(row) && row.kind === 'PURCHASE';
const isNewCredit = (row: CardTransactionRow) => isNew(row) && row.kind === 'CREDIT';

/** The amount is the one that the new row was made for. */
const isMadeFor = (row: CardTransactionRow, amount: bigint) =>
  amount > 0n && amount === row.authorized_amount;

/** A clearing belongs to an approved row of its own direction that is neither a return nor an inquiry. */
const isCleared = (
  row: CardTransactionRow,
  { amount, direction }: NoticeOf<CardNotice, 'clearing'>,
  of: 'DEBIT' | 'CREDIT',
) =>
  !isNew(row) &&
  amount > 0n &&
  direction === of &&
  row.kind === (of === 'DEBIT' ? 'PURCHASE' : 'CREDIT') &&
  row.status !== 'DECLINED';

const SETTLES = ['AUTHORIZED → SETTLED', 'PARTIALLY_SETTLED → SETTLED'] as const;

const AUTHORIZATION_RULES: readonly CardRule[] = [
  {
    notice: 'approved',
    // cards.md §8.
    label: 'an inquiry asked whether the card works',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row) => isNew(row) && row.kind === 'INQUIRY',
    does(draft) {
      draft.set({ authorized_amount: 0n });
      effects.end(draft);
    },
  },
  {
    notice: 'approved',
    label: 'an authorization is approved, with a hold if the account covers it',
    moves: { TRANSACTION: ['new → AUTHORIZED'] },
    when: (row, { isHeld }) => isNewDebit(row) || (isNewCredit(row) && !isHeld),
    does: effects.authorize,
  },
  {
    notice: 'approvedAtOnce',
    label: 'a single message is approved, but its pull fails',
    moves: { TRANSACTION: ['new → EXCEPTION'] },
    when: (row, { isPullFailing }) => isPullFailing && (isNewDebit(row) || isNewCredit(row)),
    does: effects.failPull,
  },
  {
    notice: 'approvedAtOnce',
    label: 'the debit of a single message is approved and cleared',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: isNewDebit,
    does: (draft, _, facts) => effects.clearDebit(draft, draft.row.authorized_amount, facts),
  },
  {
    notice: 'approvedAtOnce',
    label: 'the credit of a single message is approved and cleared',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: isNewCredit,
    does: (draft, _, facts) => effects.clearCredit(draft, draft.row.authorized_amount, facts),
  },
  {
    notice: 'declined',
    label: 'an authorization or an increment is declined; no money moves',
    moves: { TRANSACTION: ['new → DECLINED'] },
    when: isNew,
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
    label: 'an open debit is cleared; an exception, if the excess over the hold cannot be pulled',
    moves: {
      TRANSACTION: [
        'AUTHORIZED → PARTIALLY_SETTLED',
        ...SETTLES,
        'AUTHORIZED → EXCEPTION',
        'PARTIALLY_SETTLED → EXCEPTION',
      ],
    },
    when: (row, notice) => isOpen(row) && isCleared(row, notice, 'DEBIT'),
    does: (draft, { amount }, facts) => effects.clearDebit(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label:
      'a debit is cleared late: an exception stays one, and a settled row becomes one if nothing can be pulled',
    moves: { TRANSACTION: ['SETTLED → EXCEPTION'] },
    when: (row, notice) => isCleared(row, notice, 'DEBIT'),
    does: (draft, { amount }, facts) => effects.clearDebit(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label: 'a credit is cleared; if it is not open, its status does not change',
    moves: { TRANSACTION: ['AUTHORIZED → PARTIALLY_SETTLED', ...SETTLES] },
    when: (row, notice) => isCleared(row, notice, 'CREDIT'),
    does: (draft, { amount }, facts) => effects.clearCredit(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label: 'a force post: a debit is cleared as a row of its own',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row, { amount, direction }) => direction === 'DEBIT' && isNewDebit(row) && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clearDebit(draft, amount, facts),
  },
  {
    notice: 'clearing',
    label: 'a credit is cleared as a row of its own',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row, { amount, direction }) =>
      direction === 'CREDIT' && isNewCredit(row) && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clearCredit(draft, amount, facts),
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
    label: 'the authorized total sinks to the cleared amount, or below',
    moves: { TRANSACTION: SETTLES },
    when: isOpen,
    does: (draft, { amount }, facts) => effects.setTotal(draft, amount, facts),
  },
  {
    notice: 'reversal',
    label: 'a part of the open amount is reversed',
    moves: {},
    when: (row, { amount }) => isOpen(row) && amount !== undefined && amount < openAmountOf(row),
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
    label: 'the pull behind the authorization fails: the row owes a debit, and a credit has no entry',
    moves: { TRANSACTION: ['AUTHORIZED → EXCEPTION', 'PARTIALLY_SETTLED → EXCEPTION'] },
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
    label: 'a merchant returns more than the rest of a purchase, or for no purchase: a credit of its own',
    moves: { TRANSACTION: ['new → SETTLED'] },
    when: (row, { amount }) => isNewCredit(row) && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clearCredit(draft, amount, facts),
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
    label: 'a return that is unknown, taken back before or of another amount is taken back: a force post',
    moves: { TRANSACTION: ['new → SETTLED', 'new → EXCEPTION'] },
    when: (row, { amount }) => isNewDebit(row) && isMadeFor(row, amount),
    does: (draft, { amount }, facts) => effects.clearDebit(draft, amount, facts),
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
  const direction = directionOf(notice);
  const kind = direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT';
  return CARD_TRANSACTIONS_MACHINE.advance(
    facts.newRow({ direction, kind, merchant, amount }),
    notice,
    now,
    facts,
  );
}

function directionOf(notice: Extract<RowReport, { merchant: unknown }>): CardTransactionRow['direction'] {
  if (notice.kind === 'clearing') return notice.direction;
  return notice.kind === 'return' ? 'CREDIT' : 'DEBIT';
}
