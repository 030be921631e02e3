import { AUDIT } from '#foundation/audit/audit.ts';
import type { ChangedValue } from '#foundation/audit/changed-values.ts';
import type { AuditRow } from '#foundation/audit/store.ts';
import type { Collected, CollectedItems, Writer } from '#foundation/database/changes.ts';
import type { RowChange, Versioned } from '#foundation/database/rows.ts';
import { EVENTS } from '#foundation/events/emit.ts';
import type { EventRow } from '#foundation/events/store.ts';
import { presentEntries } from '#foundation/explanation/entries-trail.ts';
import { JOBS, type JobChange } from '#foundation/jobs/schedule.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { LEDGER } from '#foundation/ledger/post.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/** What an operation would do, in words and numbers. Ids that it would make up are `new 1`, `new 2` and so on. */
export interface Preview {
  /** What the audit log would say: the action, its resource and the details. */
  readonly changes: readonly unknown[];
  /** The settings that would change, each with its value before and after; absent if there are none. */
  readonly values?: readonly ChangedValue[];
  /** The rows that would change, with their statuses. */
  readonly rows: readonly unknown[];
  /** Each ledger entry as a sentence, with its lines. */
  readonly entries: readonly unknown[];
  /** The events that the platform would receive. */
  readonly events: readonly unknown[];
  /** The kinds of work that would be scheduled. */
  readonly jobs: readonly unknown[];
  /** The money that would move, by currency, in its smallest unit. */
  readonly amounts: Readonly<Record<string, string>>;
  /** The reply to the caller; absent if it contains a secret. */
  readonly reply?: unknown;
}

export interface Recorded {
  readonly collected: CollectedItems;
  /** The ids that were made up meanwhile. */
  readonly newIds: ReadonlySet<string>;
  readonly reply: unknown;
  readonly ownCurrencies: OwnCurrencies;
}

/** Describes everything that a transaction has collected. */
export function describeChanges({ collected, newIds, reply, ownCurrencies }: Recorded): Preview {
  const all = collected.list();
  const of = <Item>(writer: Writer<Item>) =>
    all.flatMap((each) => (each.writer.name === writer.name ? (each.items as readonly Item[]) : []));
  const entries = of<CompleteEntry>(LEDGER);
  const jobs = of<JobChange>(JOBS).filter(({ does }) => does === 'schedule');
  const facts = of<AuditRow>(AUDIT);
  const values = facts.flatMap(({ details }) => (details?.changed ?? []) as readonly ChangedValue[]);
  return withoutNewIds(newIds, {
    changes: facts.map(describeFact),
    ...(values.length > 0 && { values }),
    rows: all.flatMap(describeRows),
    entries: entries.map((entry) => describeEntry(ownCurrencies, entry)),
    events: of<EventRow>(EVENTS).map(({ type, resourceId }) => ({ type, resource: resourceId })),
    jobs: jobs.map(({ kind }) => ({ kind })),
    amounts: movedAmounts(entries),
    ...(reply !== undefined && { reply }),
  });
}

/** The reason and who acts are left out: the proposal has them, and they change nothing. Changed values stand by themselves. */
function describeFact({ action, resource, actor, details = {} }: AuditRow) {
  const shown = Object.entries(details).filter(
    ([name]) => name !== 'reason' && name !== 'changed' && !(name in (actor.details ?? {})),
  );
  return { action, ...(resource !== undefined && { resource }), details: Object.fromEntries(shown) };
}

/** The rows of writers that change rows by version. Only statuses are shown: other columns may be personal. */
function describeRows({ writer, items }: Collected): unknown[] {
  return items.filter(isRowChange).map(({ from, row }) => ({
    table: writer.name,
    id: row.id,
    isNew: from === undefined,
    statuses: Object.fromEntries(
      Object.entries(row).filter(([name, value]) => /(^|_)status$/.test(name) && value !== null),
    ),
  }));
}

function isRowChange(item: unknown): item is RowChange<Versioned> {
  return isObject(item) && 'from' in item && isObject(item.row) && 'version' in item.row;
}

function describeEntry(own: OwnCurrencies, entry: CompleteEntry): unknown {
  const { kind, transactionId, lines, createdAt, recordedAt } = entry;
  const posted = {
    ...{ kind, created_at: createdAt, recorded_at: recordedAt },
    accounts: lines.map(({ account }) => account),
    currencies: lines.map(({ currency }) => currency),
    amounts: lines.map(({ side, amount }) => (side === 'DEBIT' ? amount : -amount)),
  };
  const [item] = presentEntries(own, [posted], 'OPERATOR');
  return {
    says: item?.title,
    ...item?.details,
    ...(transactionId !== undefined && { about: transactionId }),
  };
}

/**
 * The money that moves: of all entries of one transaction the largest counts, because the others pass the same money on.
 */
function movedAmounts(entries: readonly CompleteEntry[]): Record<string, string> {
  const largest = new Map<string, bigint>();
  for (const { id, transactionId, lines } of entries) {
    for (const [currency, amount] of debitsOf(lines)) {
      const name = `${currency} ${transactionId ?? id}`;
      if (amount > (largest.get(name) ?? 0n)) largest.set(name, amount);
    }
  }
  const sums = new Map<string, bigint>();
  for (const [name, amount] of largest) {
    const [currency = ''] = name.split(' ');
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  }
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum.toString()]));
}

function debitsOf(lines: CompleteEntry['lines']): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, side, amount } of lines)
    if (side === 'DEBIT') sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return sums;
}

/** Replaces made-up ids by their order, so that two previews of the same change are equal. */
function withoutNewIds(newIds: ReadonlySet<string>, described: Preview): Preview {
  const names = new Map<string, string>();
  const text = JSON.stringify(described).replace(UUID, (id) => {
    if (!newIds.has(id)) return id;
    if (!names.has(id)) names.set(id, `new ${names.size + 1}`);
    return names.get(id) ?? id;
  });
  return JSON.parse(text) as Preview;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Whether two previews stand for the same effect: the same amounts, accounts, statuses and parties. Times differ between
 * two runs and do not count, nor does the order in which items were collected.
 */
export function hasSameEffect(one: Preview, other: Preview): boolean {
  return comparable(one) === comparable(other);
}

function comparable({ reply, amounts, values = [], ...lists }: Preview): string {
  const sorted = Object.values(lists).map((list) => list.map(canonicalJson).sort());
  const replaced = values.map(({ field, before, after, moves }) => [field, moves ? null : before, after]);
  const settings = replaced.map(canonicalJson).sort();
  return canonicalJson([...sorted, settings, amounts, reply ?? null]).replace(TIME, 'time');
}

const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
