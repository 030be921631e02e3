import type { Draft } from '#payments/machine/draft.ts';
import type { Facts, Notice, NoticeOf } from '#payments/machine/notice.ts';
import type { TransactionRow } from '#payments/row.ts';

/** One row of money.md §4: what a notice does to a transaction that it fits. */
export interface Rule<K extends Notice['kind']> {
  when(row: TransactionRow, notice: NoticeOf<K>, now: Date): boolean;
  does(draft: Draft, notice: NoticeOf<K>, facts: Facts): void;
}

export type Rules = { readonly [K in Notice['kind']]: readonly Rule<K>[] };
