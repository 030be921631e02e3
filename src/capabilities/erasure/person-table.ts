import type { ResourceType } from '#foundation/lib/ids.ts';

/** The grounds on which data stays after its customer was erased. */
export const GROUNDS = {
  BOOKS: 'law on bookkeeping: amounts, entries and their dates stay, so that the books add up',
  LAUNDERING: 'law on money laundering: that a customer was checked, and what was decided when, can be shown',
  SECURITY: 'security: who did what and when can be found out',
  DELIVERY: 'delivery: that a message was sent and answered can be shown',
  OTHERS: 'another party: it belongs to the party that asked for it, and is deleted within an hour',
} as const;

export type Ground = keyof typeof GROUNDS;

/**
 * How a column leads to the customer. `cards.id`: it holds values of this other column, which leads to the customer in
 * turn. `@id`, `@ids` and `@resource`: it holds bare or public ids of resources that belong to the customer. `@ledger`:
 * it holds names of accounts in the ledger. The key is a column, or an expression over the row `t`. An expression in
 * parentheses, here or after the name of the other table, names `t` itself.
 */
export type Ways = Readonly<Record<string, string>>;

/**
 * How rows are found that no column assigns to a customer: by their opened content, or by the platform's reference
 * in it.
 */
export type Search = 'content' | 'reference';

/** Declares which data about a customer a table has, and which of it an erasure leaves. */
export interface PersonTable {
  /** The name of its part of the preview and of the export. */
  readonly part: string;
  /** The type of the rows' public ids. */
  readonly type?: ResourceType;
  readonly ways: Ways | Search;
  /** Whether the erasure deletes the rows, removes the personal values from them, or leaves them. */
  readonly erasure: 'deleted' | 'emptied' | 'kept';
  /** The values that stay in the rows, and the reason. */
  readonly stays?: readonly [what: string, ground: Ground];
  /** Personal columns that stay readable. */
  readonly keeps?: readonly string[];
  /** Whether its rows name no platform, because banks and connectors serve all of them. */
  readonly isOfInstallation?: boolean;
  /** Columns with a whole file or list, which may describe anybody: they are not exported. */
  readonly withholds?: readonly string[];
  /** Whether a row may describe other customers as well. Then the export has only the content about this customer. */
  readonly isShared?: boolean;
}
