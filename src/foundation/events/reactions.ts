import type { Tx } from '#foundation/database/tx.ts';

/** A fact that a folder announces to the folders below it, inside the same transaction. */
export interface Announcement<Payload> {
  readonly name: string;
  /** Never set: it only carries the type. */
  readonly payload?: Payload;
}

export type Reaction<Payload> = (tx: Tx, payload: Payload) => Promise<void>;

export interface Subscription {
  readonly name: string;
  readonly react: Reaction<never>;
}

export function announcement<Payload>(name: string): Announcement<Payload> {
  return { name };
}

/** Declares one reaction for a manifest (src/foundation/manifest.ts). */
export function on<Payload>(to: Announcement<Payload>, react: Reaction<Payload>): Subscription {
  return { name: to.name, react: react as Reaction<never> };
}

/** The reactions by announcement; they run in the order of the list. */
export function reactionTable(subscriptions: readonly Subscription[]): Map<string, Reaction<never>[]> {
  const table = new Map<string, Reaction<never>[]>();
  for (const { name, react } of subscriptions) table.set(name, [...(table.get(name) ?? []), react]);
  return table;
}

/** Runs every reaction, in order, in this transaction. A reaction may refuse, which rolls everything back. */
export async function announce<Payload>(
  tx: Tx,
  what: Announcement<Payload>,
  payload: Payload,
): Promise<void> {
  for (const react of tx.runtime.reactions.get(what.name) ?? []) {
    await (react as Reaction<Payload>)(tx, payload);
  }
}
