import { STATE_COLUMNS } from '#capabilities/payments/columns.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import type { Renderer } from '#foundation/events/handlers.ts';

/**
 * The part of a transaction that its event stores: the texts and times of its state. All other presented values never
 * change and are read from the row when the event is first sent (decision 0004).
 */
interface EventFacts {
  readonly id: string;
  readonly state: Readonly<Record<Exclude<Typed<'text' | 'timestamptz'>, 'expires_at'>, string | null>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

type Typed<Type extends string> = {
  [Name in keyof typeof STATE_COLUMNS]: (typeof STATE_COLUMNS)[Name] extends Type ? Name : never;
}[keyof typeof STATE_COLUMNS];

const NAMES = Object.keys(STATE_COLUMNS) as (keyof typeof STATE_COLUMNS)[];

const TEXTS = NAMES.filter((name): name is Typed<'text'> => STATE_COLUMNS[name] === 'text');

/** A transaction does not present its quote's expiry. */
const TIMES = NAMES.filter(
  (name): name is Exclude<Typed<'timestamptz'>, 'expires_at'> =>
    STATE_COLUMNS[name] === 'timestamptz' && name !== 'expires_at',
);

export function eventFacts(row: TransactionRow, extra?: Readonly<Record<string, unknown>>): EventFacts {
  const state: Record<string, string | null> = {};
  for (const name of TEXTS) if (row[name] !== null) state[name] = row[name];
  for (const name of TIMES) if (row[name] !== null) state[name] = row[name].toISOString();
  return { id: row.id, state: state as EventFacts['state'], ...(extra && { extra }) };
}

/** The row as it was when the event was emitted. */
function rowAt(row: TransactionRow, facts: EventFacts): TransactionRow {
  const at: Record<string, unknown> = { ...row };
  for (const name of TEXTS) at[name] = facts.state[name] ?? null;
  for (const name of TIMES) at[name] = facts.state[name] == null ? null : new Date(facts.state[name]);
  return at as unknown as TransactionRow;
}

/**
 * `data` of OUTGOING_PAYMENT and INCOMING_PAYMENT events: the transaction as it was when the event was emitted
 * (money.md §10.2).
 */
export const renderPaymentEvents: Renderer = async (tx, events) => {
  const facts = events.map((event) => event.facts as EventFacts);
  const rows = await findTransactions(tx, [...new Set(facts.map(({ id }) => id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return events.map((event, i) => {
    const { id, extra } = facts[i] as EventFacts;
    const row = byId.get(id);
    if (!row) throw new Error(`event ${event.id} is about a transaction that does not exist`);
    // At the time of the event: a quote that has expired since was not EXPIRED then.
    const at = presentTransaction(tx, rowAt(row, facts[i] as EventFacts), event.createdAt);
    return extra ? { ...at, ...extra } : at;
  });
};
