import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import {
  CardDraft,
  type CardTransition,
  centsToUnits,
  newCardTransaction,
} from '#capabilities/cards/machine/draft.ts';
import type { OwnersDebt } from '#capabilities/cards/machine/postings.ts';
import * as postings from '#capabilities/cards/machine/postings.ts';
import {
  type CardTransactionRow,
  type FixedCardTransaction,
  isOpenRow,
  settledAmountOf,
} from '#capabilities/cards/transaction-row.ts';
import { smaller } from '#foundation/lib/money.ts';

/**
 * The effects of the network's messages on a card transaction (cards.md §6.1, §6.9, §8). Pure; amounts are card cents.
 */

/** The facts beside the row that a change depends on. The caller loads and locks them. */
export interface CardFacts {
  readonly now: Date;
  /** The account's available balance, in its own smallest unit. */
  readonly available: bigint;
  /**
   * More than the hold may be drawn: the account is active and, if a wallet, has a key for the card (cards.md §7.2,
   * wallets.md §6.8.45).
   */
  readonly mayDraw: boolean;
  /** The account can no longer be credited. */
  readonly isClosed: boolean;
  /** The owner's other debt. */
  readonly debt: OwnersDebt | undefined;
}

/** How an authorization was decided. */
export type Decision =
  | { readonly declined: DeclinedReason }
  /** `isHeld`: the account covers it (cards.md §6.8). */
  | { readonly isHeld: boolean; readonly holdExpiresAt: Date };

/** A purchase becomes `AUTHORIZED`, with its cost on hold, or `DECLINED`. */
export function authorize(fixed: FixedCardTransaction, amount: bigint, decision: Decision): CardTransition {
  if ('declined' in decision) return decline(fixed, amount, decision.declined);
  const draft = newCardTransaction(fixed, amount);
  if (decision.isHeld) draft.holdExactly(amount);
  draft.set({ hold_expires_at: decision.holdExpiresAt });
  draft.enter('AUTHORIZED');
  return draft.transition();
}

export function decline(fixed: FixedCardTransaction, amount: bigint, reason: DeclinedReason): CardTransition {
  const draft = newCardTransaction({ ...fixed, declined_reason: reason }, amount);
  draft.enter('DECLINED');
  return draft.transition();
}

/** A debit or credit in a single message: approved and cleared at once, or a force post (cards.md §6.9, §8). */
export function postAtOnce(fixed: FixedCardTransaction, amount: bigint, facts: CardFacts): CardTransition {
  const draft = newCardTransaction(fixed, amount);
  if (fixed.direction === 'CREDIT') clearCredit(draft, amount, facts);
  else clearDebit(draft, amount, facts);
  return draft.transition();
}

/** An inquiry: asks only whether the card works (cards.md §8). */
export function inquire(fixed: FixedCardTransaction): CardTransition {
  const draft = newCardTransaction(fixed, 0n);
  draft.set({ settled_amount: 0n });
  draft.enter('SETTLED');
  return draft.transition();
}

/** A clearing above zero, also a late one (cards.md §6.9). */
export function clear(row: CardTransactionRow, amount: bigint, facts: CardFacts): CardTransition {
  const draft = new CardDraft(row, facts.now);
  if (row.direction === 'CREDIT') clearCredit(draft, amount, facts);
  else clearDebit(draft, amount, facts);
  return draft.transition();
}

function clearDebit(draft: CardDraft, amount: bigint, facts: CardFacts): void {
  const before = draft.row;
  const captured = smaller(amount, before.hold);
  const excess = amount - captured;
  const isPulled = excess === 0n || canDraw(draft, excess, facts);
  draft.post(
    'card.cleared',
    postings.clear(before, draft.units(captured), draft.units(isPulled ? excess : 0n)),
  );
  if (!isPulled) draft.post('card.shortfall_owed', postings.shortfall(before, draft.units(excess)));
  const settled = settledAmountOf(before) + amount;
  draft.set({
    hold: before.hold - captured,
    settled_amount: settled,
    receivable: before.receivable + (isPulled ? 0n : excess),
  });
  draft.enter(isPulled ? statusAfterClearing(before, settled) : 'EXCEPTION');
}

/** An exception stays an exception, and a finished row does not open again (cards.md §6.1, §6.2). */
function statusAfterClearing(before: CardTransactionRow, settled: bigint): CardTransactionRow['status'] {
  if (before.status === 'EXCEPTION') return 'EXCEPTION';
  return isOpenRow(before) && settled < before.authorized_amount ? 'PARTIALLY_SETTLED' : 'SETTLED';
}

/** Whether the whole amount can be drawn; a part never is (cards.md §6.9). */
function canDraw(draft: CardDraft, cents: bigint, { available, mayDraw }: CardFacts): boolean {
  return mayDraw && available >= draft.units(cents);
}

function clearCredit(draft: CardDraft, amount: bigint, facts: CardFacts): void {
  const before = draft.row;
  postCredit(draft, amount, undefined, facts);
  const settled = settledAmountOf(before) + amount;
  draft.set({ settled_amount: settled });
  draft.enter(statusAfterClearing(before, settled));
}

function postCredit(
  draft: CardDraft,
  amount: bigint,
  purchase: CardTransactionRow | undefined,
  { isClosed, debt }: CardFacts,
): void {
  const { row } = draft;
  const repaid = purchase ? smaller(purchase.receivable, amount) : 0n;
  const owed = purchase && { row: purchase, owed: centsToUnits(purchase, purchase.receivable) };
  // If the account is closed, only the purchase's own debt is repaid; the rest waits in suspense (cards.md §7.2).
  const credited = isClosed ? repaid : amount;
  draft.post(
    'card.credited',
    postings.creditBack(row, draft.units(credited), owed, isClosed ? undefined : debt),
  );
  if (isClosed) draft.post('receipt.suspended', postings.suspendCredit(row, draft.units(amount - repaid)));
}

/** The open rest expires or is reversed entirely: the hold is released (cards.md §6.1). */
export function expire(row: CardTransactionRow, now: Date): CardTransition | undefined {
  if (!isOpenRow(row)) return undefined;
  const draft = new CardDraft(row, now);
  draft.set({ settled_amount: settledAmountOf(row) });
  draft.enter('SETTLED');
  return draft.transition();
}

/**
 * Sets the authorized total to `amount` (cards.md §8). An increase is held if the account covers it; a decrease is
 * released. An advice is never declined.
 */
export function advise(
  row: CardTransactionRow,
  amount: bigint,
  facts: CardFacts,
): CardTransition | undefined {
  if (!isOpenRow(row)) return undefined;
  const draft = new CardDraft(row, facts.now);
  const settled = settledAmountOf(row);
  const extra = amount - row.authorized_amount;
  draft.set({ authorized_amount: amount });
  if (row.direction === 'DEBIT') {
    if (extra > 0n && canDraw(draft, extra, facts)) draft.holdExactly(row.hold + extra);
    if (extra < 0n) draft.holdExactly(smaller(row.hold, amount > settled ? amount - settled : 0n));
  }
  const isOver = amount <= settled;
  if (isOver) draft.set({ settled_amount: settled });
  draft.enter(isOver ? 'SETTLED' : row.status);
  return draft.transition();
}

/** Reverses a part of the open amount, which lowers the authorized total. */
export function reverse(
  row: CardTransactionRow,
  amount: bigint,
  facts: CardFacts,
): CardTransition | undefined {
  const open = row.authorized_amount - settledAmountOf(row);
  return amount >= open ? expire(row, facts.now) : advise(row, row.authorized_amount - amount, facts);
}

/**
 * The pull behind an authorization failed: the network is paid, and the row owes the amount (cards.md §8, suffix 006).
 */
export function failPull(row: CardTransactionRow, now: Date): CardTransition | undefined {
  if (!isOpenRow(row)) return undefined;
  const draft = new CardDraft(row, now);
  failDraft(draft);
  return draft.transition();
}

/** The same for a single message, which was never in the status `AUTHORIZED`. */
export function failAtOnce(fixed: FixedCardTransaction, amount: bigint): CardTransition {
  const draft = newCardTransaction(fixed, amount);
  failDraft(draft);
  return draft.transition();
}

function failDraft(draft: CardDraft): void {
  const { row } = draft;
  const open = row.authorized_amount - settledAmountOf(row);
  if (row.direction === 'DEBIT' && open > 0n) {
    draft.holdExactly(0n);
    draft.post('card.shortfall_owed', postings.shortfall(row, draft.units(open)));
    draft.set({ settled_amount: row.authorized_amount, receivable: row.receivable + open });
  }
  draft.enter('EXCEPTION');
}

/** A merchant returns money: a row of its own; the purchase only records the amount (cards.md §6.4). */
export function returnPurchase(
  fixed: FixedCardTransaction,
  amount: bigint,
  purchase: CardTransactionRow | undefined,
  facts: CardFacts,
): CardTransition[] {
  const draft = newCardTransaction(fixed, amount);
  postCredit(draft, amount, purchase, facts);
  draft.set({ settled_amount: amount });
  draft.enter('SETTLED');
  if (!purchase) return [draft.transition()];
  const repaid = smaller(purchase.receivable, amount);
  const noted = new CardDraft(purchase, facts.now);
  noted.note({ returned: purchase.returned + amount, receivable: purchase.receivable - repaid });
  return [draft.transition(), noted.transition()];
}

/** A return is reversed: a row of its own. The same amount of the purchase can be returned again (cards.md §8). */
export function reverseReturn(
  fixed: FixedCardTransaction,
  returned: CardTransactionRow,
  purchase: CardTransactionRow | undefined,
  facts: CardFacts,
): CardTransition[] {
  const amount = settledAmountOf(returned);
  const draft = newCardTransaction(fixed, amount);
  const isPulled = amount === 0n || canDraw(draft, amount, facts);
  if (isPulled) draft.post('card.credit_reversed', postings.takeBack(draft.row, draft.units(amount)));
  else draft.post('card.shortfall_owed', postings.shortfall(draft.row, draft.units(amount)));
  draft.set({ settled_amount: amount, receivable: isPulled ? 0n : amount });
  draft.enter(isPulled ? 'SETTLED' : 'EXCEPTION');
  const reversedReturn = new CardDraft(returned, facts.now);
  reversedReturn.note({ is_reversed: true });
  const noted = purchase && new CardDraft(purchase, facts.now);
  noted?.note({ returned: noted.row.returned - amount, receivable: noted.row.receivable });
  return [draft, reversedReturn, ...(noted ? [noted] : [])].map((each) => each.transition());
}

/** The operator collects the debt of a row, or writes it off (cards.md §6.1, §7.1). */
export function resolveException(
  row: CardTransactionRow,
  how: 'collect' | 'write off',
  now: Date,
): CardTransition {
  const draft = new CardDraft(row, now);
  const owed = draft.units(row.receivable);
  if (owed > 0n && how === 'collect') draft.post('card.shortfall_collected', postings.collect(row, owed));
  if (owed > 0n && how === 'write off') draft.post('debt.written_off', postings.writeOff(row, owed));
  draft.set({ receivable: 0n });
  draft.enter('SETTLED');
  return draft.transition();
}
