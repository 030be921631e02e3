import type { Tx } from '#database/tx.ts';

/** Something a folder makes known to the folders below it, inside the same transaction. */
export interface Announcement<News> {
  readonly name: string;
  /** Never set: it only ties the type of the news to the announcement. */
  readonly news?: News;
}

export type Reaction<News> = (tx: Tx, news: News) => Promise<void>;

export interface Subscription {
  readonly name: string;
  readonly react: Reaction<never>;
}

export function announcement<News>(name: string): Announcement<News> {
  return { name };
}

/** One row of the list in parts.ts that says who reacts to what. */
export function on<News>(to: Announcement<News>, react: Reaction<News>): Subscription {
  return { name: to.name, react: react as Reaction<never> };
}

/** The list as `Tx` carries it; the order of the list is the order of the reactions. */
export function reactionTable(subscriptions: readonly Subscription[]): Map<string, Reaction<never>[]> {
  const table = new Map<string, Reaction<never>[]>();
  for (const { name, react } of subscriptions) table.set(name, [...(table.get(name) ?? []), react]);
  return table;
}

/** Runs every reaction, in order, in this transaction. A reaction may refuse, and then all is undone. */
export async function announce<News>(tx: Tx, what: Announcement<News>, news: News): Promise<void> {
  for (const react of tx.runtime.reactions.get(what.name) ?? []) {
    await (react as Reaction<News>)(tx, news);
  }
}
