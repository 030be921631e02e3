import type { CardTransactionStatus } from '#capabilities/card-transactions/schemas.ts';
import { hold as holdLines, type PostedRow } from '#capabilities/cards/machine/postings.ts';
import {
  type CardTransactionRow,
  type CardTransactionState,
  type FixedCardTransaction,
  isOpenRow,
} from '#capabilities/cards/transaction-row.ts';
import { type Entry, type Line, reversed } from '#foundation/ledger/entries.ts';
import { LEDGER_KINDS, type LedgerKind } from '#foundation/ledger/kinds.ts';
import { derivedId } from '#foundation/lib/ids.ts';

/** All changes that one message makes to one row, committed together. */
export interface CardTransition {
  /** The version of the row that it starts from; undefined: the row is new. */
  readonly from: bigint | undefined;
  readonly row: CardTransactionRow;
  readonly entries: readonly Entry[];
  /** The row at the moment of each event. */
  readonly events: readonly CardTransactionRow[];
}

/** A change of a card transaction in the making. It has no effect until it is applied. */
export class CardDraft {
  readonly now: Date;
  readonly #from: bigint | undefined;
  readonly #entries: Entry[] = [];
  readonly #events: CardTransactionRow[] = [];
  #row: CardTransactionRow;

  constructor(row: CardTransactionRow, now: Date, isNew = false) {
    this.#row = row;
    this.#from = isNew ? undefined : row.version;
    this.now = now;
  }

  get row(): CardTransactionRow {
    return this.#row;
  }

  set(changes: Partial<CardTransactionState>): void {
    this.#row = { ...this.#row, ...changes, updated_at: this.now };
  }

  /** Changes fields that the API does not show, so `updatedAt` stays (cards.md §6.4). */
  note(changes: Pick<CardTransactionState, 'returned' | 'receivable'> | { is_reversed: boolean }): void {
    this.#row = { ...this.#row, ...changes };
  }

  /** Adds a ledger entry; a row may post several of each kind. */
  post(kind: LedgerKind, lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const { id, entries: ordinal } = this.#row;
    this.#entries.push({
      id: derivedId(id, `${LEDGER_KINDS[kind]}:${ordinal}`),
      kind,
      transactionId: id,
      ordinal,
      lines,
    });
    this.#row = { ...this.#row, entries: ordinal + 1 };
  }

  /** Raises or lowers the hold to this many card cents (L16). */
  holdExactly(cents: bigint): void {
    const change = cents - this.#row.hold;
    if (change > 0n) this.post('card.hold_adjusted', holdLines(this.#row, this.units(change)));
    if (change < 0n) this.post('card.hold_adjusted', reversed(holdLines(this.#row, this.units(-change))));
    this.set({ hold: cents });
  }

  /** Card cents in the account's smallest unit: a USDB has six decimals (cards.md §1.3). */
  units(cents: bigint): bigint {
    return centsToUnits(this.#row, cents);
  }

  /** Moves to a status and records its event. A status that is not open releases the hold. */
  enter(status: CardTransactionStatus): void {
    if (!isOpenRow({ status })) this.holdExactly(0n);
    this.set({ status, ...(!isOpenRow({ status }) && { hold_expires_at: null }) });
    this.#events.push(this.#row);
  }

  transition(): CardTransition {
    const version = (this.#from ?? 0n) + 1n;
    return { from: this.#from, row: { ...this.#row, version }, entries: this.#entries, events: this.#events };
  }
}

export function centsToUnits(
  { account_currency }: Pick<PostedRow, 'account_currency'>,
  cents: bigint,
): bigint {
  return account_currency === 'USDB' ? cents * 10_000n : cents;
}

/** A new row for this amount, not decided yet. */
export function newCardTransaction(fixed: FixedCardTransaction, amount: bigint): CardDraft {
  const row: CardTransactionRow = {
    ...fixed,
    status: 'AUTHORIZED',
    authorized_amount: amount,
    settled_amount: null,
    hold: 0n,
    receivable: 0n,
    returned: 0n,
    is_reversed: false,
    hold_expires_at: null,
    entries: 0,
    updated_at: fixed.created_at,
    version: 1n,
  };
  return new CardDraft(row, fixed.created_at, true);
}
