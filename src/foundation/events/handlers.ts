import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** An event that was stored with the facts of its moment instead of finished `data`. */
export interface FactsEvent {
  readonly id: EventId;
  readonly type: string;
  readonly resourceId: string;
  readonly createdAt: Date;
  readonly facts: unknown;
}

/**
 * Renders `data` from the facts when events are first sent (decision 0004): one value per event, in order. It gets the
 * events of one platform together, so that it can read all rows in one statement. The same facts must always give the same
 * data, because they are rendered again after a crash: it may read the facts and data that never changes, nothing else.
 */
export type Renderer = (tx: ReadTx, events: readonly FactsEvent[]) => Promise<unknown[]>;

/** Keyed by the part of the type before the dot: `OUTGOING_PAYMENT`. Named in manifests (src/foundation/manifest.ts). */
export type Renderers = Readonly<Record<string, Renderer>>;

export function requireRenderer(renderers: Renderers, type: string): Renderer {
  const [prefix = type] = type.split('.');
  const renderer = Object.hasOwn(renderers, prefix) ? renderers[prefix] : undefined;
  if (!renderer) throw new Error(`no renderer for events of type ${type}`);
  return renderer;
}

/** How a question to a platform ended (money.md §7.2). */
export type QuestionResult =
  /** The receiver answered in time. `body` is the parsed JSON, or undefined if it is not JSON. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** No answer in time, or it is unknown whether the question was sent. */
  | { readonly kind: 'none' }
  /** No connection, no endpoint, a malformed response. */
  | { readonly kind: 'error'; readonly reason: string };

export interface Question {
  readonly eventId: EventId;
  readonly type: string;
  readonly resourceId: string;
}

/** Runs in the transaction that records the delivery. The first decision wins, so it may find an earlier one. */
export type Decide = (tx: Tx, question: Question, outcome: QuestionResult) => Promise<void>;

/** Keyed by the name that is stored with the event. Named in manifests (src/foundation/manifest.ts). */
export type Decisions = Readonly<Record<string, Decide>>;
