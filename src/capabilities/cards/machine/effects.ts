import { CardDraft, centsToUnits, EXPIRE_ROW } from '#capabilities/cards/machine/draft.ts';
import type { RowTraits } from '#capabilities/cards/machine/new-row.ts';
import type { CardFacts, CardNotice } from '#capabilities/cards/machine/notice.ts';
import * as postings from '#capabilities/cards/machine/postings.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';
import { smaller } from '#foundation/lib/money.ts';
import type { NoticeOf } from '#foundation/machine/machine.ts';

/** How notices change a card transaction (cards.md §6.1, §6.9, §8). Amounts are card cents. */

/** Holds the amount, if the account covers it (cards.md §6.8). */
export function authorize(
  draft: CardDraft,
  { isHeld, holdExpiresAt }: NoticeOf<CardNotice, 'approved'>,
): void {
  const { id, authorized_amount: amount } = draft.row;
  if (isHeld) draft.holdExactly(amount);
  draft.set({ hold_expires_at: holdExpiresAt });
  draft.schedule(EXPIRE_ROW, id, { dueAt: holdExpiresAt });
  draft.enter('AUTHORIZED');
}

export function clear(draft: CardDraft, amount: bigint, facts: CardFacts): void {
  if (draft.row.direction === 'DEBIT') clearDebit(draft, amount, facts);
  else clearCredit(draft, amount, facts);
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

/** Whether the whole amount can be drawn; a part is never drawn (cards.md §6.9). */
function canDraw(draft: CardDraft, cents: bigint, { available, mayDraw }: CardFacts): boolean {
  return mayDraw && available >= draft.units(cents);
}

function clearCredit(draft: CardDraft, amount: bigint, facts: CardFacts): void {
  const before = draft.row;
  postCredit(draft, amount, facts);
  const settled = settledAmountOf(before) + amount;
  draft.set({ settled_amount: settled });
  draft.enter(statusAfterClearing(before, settled));
}

function postCredit(draft: CardDraft, amount: bigint, { isClosed, debt, purchase }: CardFacts): void {
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

/** Ends the row with the amount cleared so far, and releases the hold. */
export function end(draft: CardDraft): void {
  draft.set({ settled_amount: settledAmountOf(draft.row) });
  draft.enter('SETTLED');
}

/** An increase is held if the account covers it; a decrease is released. It is never declined (cards.md §8). */
export function setTotal(draft: CardDraft, amount: bigint, facts: CardFacts): void {
  const { row } = draft;
  const settled = settledAmountOf(row);
  const extra = amount - row.authorized_amount;
  draft.set({ authorized_amount: amount });
  if (row.direction === 'DEBIT') {
    if (extra > 0n && canDraw(draft, extra, facts)) draft.holdExactly(row.hold + extra);
    if (extra < 0n) draft.holdExactly(smaller(row.hold, amount > settled ? amount - settled : 0n));
  }
  if (amount <= settled) end(draft);
  else draft.enter(row.status);
}

/** The network is paid, and the row owes the amount (cards.md §8, suffix 006). */
export function failPull(draft: CardDraft): void {
  const { row } = draft;
  const open = row.authorized_amount - settledAmountOf(row);
  if (row.direction === 'DEBIT' && open > 0n) {
    draft.holdExactly(0n);
    draft.post('card.shortfall_owed', postings.shortfall(row, draft.units(open)));
    draft.set({ settled_amount: row.authorized_amount, receivable: row.receivable + open });
  }
  draft.enter('EXCEPTION');
}

/** Returns money in a row of its own; the purchase only records the amount (cards.md §6.4). */
export function returnPurchase(
  draft: CardDraft,
  { amount }: NoticeOf<CardNotice, 'return'>,
  facts: CardFacts,
): void {
  const { returned, receivable } = draft.row;
  const own = addOwn(draft, { direction: 'CREDIT', kind: 'RETURN', amount }, facts);
  clearCredit(own, amount, { ...facts, purchase: draft.row });
  draft.note({ returned: returned + amount, receivable: receivable - smaller(receivable, amount) });
}

/** Takes a return back in a row of its own. The same amount of the purchase can be returned again (cards.md §8). */
export function reverseReturn(
  draft: CardDraft,
  { amount }: NoticeOf<CardNotice, 'return_reversal'>,
  facts: CardFacts,
): void {
  const own = addOwn(draft, { direction: 'DEBIT', kind: 'RETURN_REVERSAL', amount }, facts);
  const isPulled = canDraw(own, amount, facts);
  if (isPulled) own.post('card.credit_reversed', postings.takeBack(own.row, own.units(amount)));
  else own.post('card.shortfall_owed', postings.shortfall(own.row, own.units(amount)));
  own.set({ settled_amount: amount, receivable: isPulled ? 0n : amount });
  own.enter(isPulled ? 'SETTLED' : 'EXCEPTION');
  draft.note({ is_reversed: true });
  if (!facts.purchase) return;
  const purchase = new CardDraft(facts.purchase, draft.now);
  purchase.note({ returned: facts.purchase.returned - amount });
  draft.addOther(purchase);
}

/** Adds a new row, which names the row of the draft as its original. */
function addOwn(
  draft: CardDraft,
  traits: Pick<RowTraits, 'direction' | 'kind' | 'amount'>,
  { newRow }: CardFacts,
): CardDraft {
  const { id: originalId, merchant } = draft.row;
  const own = new CardDraft(newRow({ ...traits, merchant, originalId }), draft.now);
  draft.addOther(own);
  return own;
}

/** Ends an exception by an entry for its whole debt (cards.md §7.1). */
export function settleDebt(draft: CardDraft, kind: LedgerKind, linesFor: typeof postings.collect): void {
  const owed = draft.units(draft.row.receivable);
  if (owed > 0n) draft.post(kind, linesFor(draft.row, owed));
  draft.set({ receivable: 0n });
  draft.enter('SETTLED');
}
