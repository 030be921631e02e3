import assert from 'node:assert/strict';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { RowChange } from '#foundation/database/rows.ts';
import { Memory } from '#tests/simulator/memory.ts';

/** A notice as `card_messages` has it. */
export interface KeptNotice {
  readonly notice: NetworkNotice;
  /** Undefined: it was applied. */
  readonly dueAt: number | undefined;
  readonly isEarly: boolean;
  readonly answer: NoticeAnswer | undefined;
  /** The order in which they were accepted. */
  readonly seq: number;
}

interface NoticeItem {
  readonly notice: NetworkNotice;
  readonly dueAt?: Date | undefined;
  readonly isEarly?: boolean;
  readonly answer?: NoticeAnswer | undefined;
}

const ROWS = 'card_transactions';
const CARDS = 'cards';

/** The tables of cards in memory, with their writers. */
export class CardTables {
  readonly memory: Memory;
  readonly notices = new Map<string, KeptNotice>();
  /** Cards that a delegated key signs for. */
  readonly keys = new Set<string>();
  readonly withoutEffect: string[] = [];
  readonly #tokens = new Map<string, string>();
  /** Those that are not applied yet. */
  readonly #waiting = new Map<string, KeptNotice>();
  #seq = 0;

  constructor(now: number) {
    this.memory = new Memory(now, {
      [ROWS]: (_, item: RowChange<CardTransactionRow>) => this.#putRow(item),
      card_messages: (_, item: NoticeItem) => this.#keep(item),
      'card_messages released': (_, item: { cardId: CardId; token: string; now: Date }) =>
        this.#release(item),
      'a card': (_, { id, version }: { id: string; version: bigint }) => this.#requireVersion(id, version),
      'card versions': (_, { id, version }: { id: string; version: bigint }) => this.#touch(id, version),
      'bounded accounts': (_, item: { accountId: AccountId; max: bigint }) => this.#bound(item),
      audit: (memory, { action }: { action: string }) => {
        if (action === 'card message without effect') memory.append(this.withoutEffect, action);
      },
    });
  }

  get rows(): ReadonlyMap<string, CardTransactionRow> {
    return this.memory.table<CardTransactionRow>(ROWS);
  }

  card(id: string): CardRow {
    return this.memory.table<CardRow>(CARDS).get(id) ?? assert.fail('a card of the model');
  }

  /** The card before its last change, if it has changed. */
  oldCard(id: string): CardRow | undefined {
    const old = this.memory.previous<CardRow>(CARDS, id);
    return old?.version === this.card(id).version ? undefined : old;
  }

  /** Creates a card, or changes one. */
  putCard(row: CardRow): void {
    const isNew = !this.memory.table(CARDS).has(row.id);
    this.memory.putRow(CARDS, {
      from: isNew ? undefined : row.version,
      row: { ...row, version: row.version + 1n },
    });
  }

  /** Changes a card until the returned function is called. */
  withTouched(card: CardRow): () => void {
    this.putCard(card);
    const rows = this.memory.table(CARDS) as Map<string, CardRow>;
    return () => void rows.set(card.id, card);
  }

  byToken(token: string): CardTransactionRow | undefined {
    return this.rows.get(this.#tokens.get(token) ?? '');
  }

  hasEarly(cardId: CardId, token: string): boolean {
    return [...this.#waiting.values()].some(
      ({ notice, isEarly }) => isEarly && notice.cardId === cardId && notice.token === token,
    );
  }

  nextDue(cardId: CardId): KeptNotice | undefined {
    return this.pending(cardId, true).find(({ dueAt }) => (dueAt ?? 0) <= this.memory.now);
  }

  /** Those that are not applied yet, in the order they were accepted. */
  pending(cardId: CardId, withEarly = false): KeptNotice[] {
    return [...this.#waiting.values()]
      .filter(({ notice, isEarly }) => notice.cardId === cardId && (withEarly || !isEarly))
      .sort((a, b) => a.seq - b.seq);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** cards.md §6.8, as `card_uncovered` computes it. */
  uncovered(accountId: AccountId): bigint {
    let sum = 0n;
    for (const row of this.rows.values()) {
      if (row.account_id !== accountId || row.direction !== 'DEBIT') continue;
      if (!isOpenRow(row) && row.status !== 'EXCEPTION') continue;
      const open = row.authorized_amount - settledAmountOf(row) - row.hold;
      sum += row.receivable + (row.status !== 'EXCEPTION' && open > 0n ? open : 0n);
    }
    return sum;
  }

  #putRow(item: RowChange<CardTransactionRow>): void {
    const { id, token } = item.row;
    const taken = this.#tokens.get(token);
    if (taken !== undefined && taken !== id) throw new CommitRefused({ name: 'stale' });
    this.memory.putRow(ROWS, item);
    this.memory.put(this.#tokens, token, id);
  }

  #keep({ notice, dueAt, isEarly = false, answer }: NoticeItem): void {
    const before = this.notices.get(notice.id);
    if (before && before.dueAt === undefined) throw new CommitRefused({ name: 'replayed' });
    const seq = before?.seq ?? ++this.#seq;
    this.#put({ notice, dueAt: dueAt?.getTime(), isEarly, answer, seq });
  }

  #put(kept: KeptNotice): void {
    const { id } = kept.notice;
    this.memory.put(this.notices, id, kept);
    this.memory.put(this.#waiting, id, kept.dueAt === undefined ? undefined : kept);
  }

  #release({ cardId, token, now }: { cardId: CardId; token: string; now: Date }): void {
    for (const kept of [...this.#waiting.values()]) {
      const { notice, isEarly } = kept;
      if (!isEarly || notice.cardId !== cardId || notice.token !== token) continue;
      this.#put({ ...kept, dueAt: now.getTime(), isEarly: false });
    }
  }

  #requireVersion(id: string, version: bigint): void {
    if (this.card(id).version !== version) throw new CommitRefused({ name: 'stale' });
  }

  #touch(id: string, version: bigint): void {
    this.#requireVersion(id, version);
    this.putCard(this.card(id));
  }

  #bound({ accountId, max }: { accountId: AccountId; max: bigint }): void {
    this.memory.requireAccount({ id: accountId, required: 'active' });
    if (this.uncovered(accountId) > max) throw new CommitRefused({ name: 'uncovered' });
  }
}
