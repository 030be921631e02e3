import type { CardTransactionStatus } from '#capabilities/card-transactions/schemas.ts';
import { hold as holdLines, type PostedRow } from '#capabilities/cards/machine/postings.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import { LEDGER_KINDS, type LedgerKind } from '#foundation/ledger/kinds.ts';
import { derivedId } from '#foundation/lib/ids.ts';
import { Draft, type Transition } from '#foundation/machine/draft.ts';

export type CardTransition = Transition<CardTransactionRow>;

/** Scheduled work: ends an authorization that was never cleared (cards.md §6.9.8). */
export const EXPIRE_ROW = 'cards.expire';

export class CardDraft extends Draft<CardTransactionRow> {
  /** Adds a ledger entry, unless it has no lines; a row may post several of each kind. */
  post(kind: LedgerKind, lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const { id, entries: ordinal } = this.row;
    this.addEntry({
      id: derivedId(id, `${LEDGER_KINDS[kind]}:${ordinal}`),
      kind,
      transactionId: id,
      ordinal,
      lines,
    });
    this.note({ entries: ordinal + 1 });
  }

  /** Raises or lowers the hold to this many card cents (L16). */
  holdExactly(cents: bigint): void {
    const change = cents - this.row.hold;
    if (change > 0n) this.post('card.hold_adjusted', holdLines(this.row, this.units(change)));
    if (change < 0n) this.post('card.hold_adjusted', reversed(holdLines(this.row, this.units(-change))));
    this.set({ hold: cents });
  }

  /** Card cents in the account's smallest unit: a USDB has six decimals (cards.md §1.3). */
  units(cents: bigint): bigint {
    return centsToUnits(this.row, cents);
  }

  /** Moves to a status and records its event. Leaving the open statuses releases the hold and cancels its expiry. */
  enter(status: CardTransactionStatus): void {
    const isOver = !isOpenRow({ status });
    if (isOver) this.holdExactly(0n);
    if (isOver && isOpenRow(this.before)) this.cancel(EXPIRE_ROW, this.row.id);
    this.set({ status, ...(isOver && { hold_expires_at: null }) });
    this.addEvent(`CARD_TRANSACTION.${status}`);
  }
}

export function centsToUnits(
  { account_currency }: Pick<PostedRow, 'account_currency'>,
  cents: bigint,
): bigint {
  return account_currency === 'USDB' ? cents * 10_000n : cents;
}
