import type { State, TransactionRow } from '#payments/row.ts';

/**
 * What an event keeps of its moment: the part of the state that is shown. Everything else of a transaction never
 * changes and is taken from its row when the event is first sent (architecture.md §10).
 */
export interface EventFacts {
  readonly id: string;
  readonly state: Readonly<Record<(typeof SHOWN)[number], string | null>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

const TEXTS = [
  'status',
  'failure_reason',
  'pending_reason',
  'funding_hash',
  'payout_hash',
  'refund_status',
  'refund_reason',
  'refund_reference',
] as const satisfies readonly (keyof State)[];

const TIMES = [
  'executed_at',
  'settled_at',
  'confirmed_at',
  'refund_initiated_at',
  'refund_settled_at',
  'updated_at',
] as const satisfies readonly (keyof State)[];

const SHOWN = [...TEXTS, ...TIMES] as const;

export function eventFacts(row: TransactionRow, extra?: Readonly<Record<string, unknown>>): EventFacts {
  const state: Record<string, string | null> = {};
  for (const name of TEXTS) if (row[name] !== null) state[name] = row[name];
  for (const name of TIMES) if (row[name] !== null) state[name] = row[name].toISOString();
  return { id: row.id, state: state as EventFacts['state'], ...(extra && { extra }) };
}

/** The transaction as it was at the moment of the event. */
export function rowAt(row: TransactionRow, facts: EventFacts): TransactionRow {
  const at: Record<string, unknown> = { ...row };
  for (const name of TEXTS) at[name] = facts.state[name] ?? null;
  for (const name of TIMES) at[name] = facts.state[name] == null ? null : new Date(facts.state[name]);
  return at as unknown as TransactionRow;
}
