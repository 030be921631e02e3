import type { Tx } from '#database/tx.ts';

/** What came of asking a platform (money.md §7.2). */
export type QuestionResult =
  /** The receiver answered in time. `body` is its parsed JSON, or undefined when it is none. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** No answer within the time a question has, or it is not known whether the question went out. */
  | { readonly kind: 'none' }
  /** No connection, no endpoint, a broken answer. */
  | { readonly kind: 'error'; readonly reason: string };

export interface Question {
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string;
}

/** Runs in the transaction that records the delivery; the first decision wins, so it may find one made. */
export type Decide = (tx: Tx, question: Question, outcome: QuestionResult) => Promise<void>;

/** By the name that the event carries. parts.ts fills it. */
export type Decisions = Readonly<Record<string, Decide>>;
