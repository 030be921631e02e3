import type { ReadTx } from '#database/tx.ts';

/** An event that a SQL function wrote: the facts of its moment instead of finished `data`. */
export interface FactualEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly createdAt: Date;
  readonly facts: unknown;
}

/**
 * Makes `data` of the facts when an event is first sent (decision 0004): one value per event, in
 * order. Events of one platform come together, so what must be read is read in one statement. The same facts always
 * give the same data: after a crash they are rendered again. So beside them only what never changes is read.
 */
export type Renderer = (tx: ReadTx, events: readonly FactualEvent[]) => Promise<unknown[]>;

/** By the part of the type before the dot: `OUTGOING_PAYMENT`. parts.ts fills it. */
export type Renderers = Readonly<Record<string, Renderer>>;

export function rendererOf(renderers: Renderers, type: string): Renderer {
  const [prefix = type] = type.split('.');
  const renderer = Object.hasOwn(renderers, prefix) ? renderers[prefix] : undefined;
  if (!renderer) throw new Error(`no renderer for events of type ${type}`);
  return renderer;
}
