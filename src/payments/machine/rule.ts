import type { Draft } from '#payments/machine/draft.ts';
import type { Facts, Notice, NoticeOf } from '#payments/machine/notice.ts';
import type { TransactionRow } from '#payments/row.ts';
import type { Status } from '#payments/statuses.ts';

/** One row of money.md §4: what a notice does to a transaction that it fits. */
export interface Rule<K extends Notice['kind']> {
  /** What happens, for people: docs/state-machines.md shows it. */
  readonly label: string;
  /** Every change of a status that `does` can make; none of them is a must. */
  readonly moves: Moves;
  when(row: TransactionRow, notice: NoticeOf<K>, now: Date): boolean;
  does(draft: Draft, notice: NoticeOf<K>, facts: Facts): void;
}

/** By machine: outgoing and incoming transactions, and the refund object that either may have. */
export interface Moves {
  readonly OUTGOING?: readonly `${Status} → ${Status}`[];
  readonly INCOMING?: readonly `${Status} → ${Status}`[];
  readonly REFUND?: readonly `${'none' | 'PENDING'} → ${'PENDING' | 'COMPLETED' | 'FAILED'}`[];
}

export type Rules = { readonly [K in Notice['kind']]: readonly Rule<K>[] };
