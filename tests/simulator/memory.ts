import assert from 'node:assert/strict';
import type { BalanceChange, LockedAccountStatus } from '#capabilities/accounts/commit-store.ts';
import { parseTransaction, type TransactionColumns } from '#capabilities/payments/columns.ts';
import { addRatios, isWithinLimit, type Ratio } from '#foundation/counters/count.ts';
import { STAGES, type Writer } from '#foundation/database/changes.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { RowChange, Versioned } from '#foundation/database/rows.ts';
import type { Changes, Runtime } from '#foundation/database/tx.ts';
import type { EventRow } from '#foundation/events/store.ts';
import { type CompleteEntry, carriedState, inPostingOrder, type Line } from '#foundation/ledger/entries.ts';
import { isCarried, isGuarded, type SummedAccount, stepName } from '#foundation/ledger/kinds.ts';
import { effectOf } from '#foundation/ledger/post.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';

/** A process died in the middle of a commit. */
export class Crashed extends Error {}

export interface MemoryAccount {
  readonly id: AccountId;
  readonly currency: string;
  /** Null: the platform's own. */
  readonly customerId: CustomerId | null;
  status: 'ACTIVE' | 'FROZEN' | 'CLOSED';
}

export interface MemoryJob {
  readonly kind: string;
  readonly key: string | undefined;
  readonly dueAt: number;
  readonly payload: unknown;
  /** The order of scheduling, for jobs of the same time. */
  readonly no: number;
}

export interface MemoryBalance {
  readonly balance: bigint;
  readonly no: number;
}

type AnyRow = Versioned;
type Table = Map<string, AnyRow>;

interface CounterItem {
  readonly name: string;
  readonly period: string;
  readonly value: Ratio;
  readonly limit: bigint;
}

type JobItem =
  | {
      readonly does: 'schedule';
      readonly kind: string;
      readonly key: string | undefined;
      readonly dueAt: Date;
      readonly payload: string;
    }
  | { readonly does: 'cancel'; readonly kind: string; readonly key: string };

type Apply = (memory: Memory, item: never) => void;

/** One writer's items, like those that a `Tx` or `Change` collects. */
interface Collected {
  readonly writer: Writer<never>;
  readonly item: unknown;
}

/** The changes of one commit. The code that fills it is the service's own. */
export class MemoryChange implements Changes {
  readonly platformId: PlatformId;
  readonly environment = 'SANDBOX' as const;
  readonly now: Date;
  readonly actor = { kind: 'worker', id: 'simulator' } as const;
  readonly runtime: Runtime;
  readonly collected: Collected[] = [];
  readonly #newId: () => Id<never>;

  constructor(memory: Memory) {
    this.platformId = memory.platformId;
    this.now = memory.date;
    this.runtime = memory.runtime;
    this.#newId = () => memory.newId();
  }

  newId(): Id<never> {
    return this.#newId();
  }

  collect<Item>(writer: Writer<Item>, item: Item): void {
    this.collected.push({ writer: writer as Writer<never>, item });
  }
}

/** An idempotency key, taken by the commit of the request that carries it. */
export const KEYS: Writer<string> = { name: 'simulated keys', stage: 'keys', write: () => [] };

/**
 * The tables that the writers of commits write, in memory, with the database's guards: a version must match, an account
 * that is kept never goes below zero, a step is posted once, accounts and customers have the required status, a counter
 * stays within its limit, a key is taken once. A refused or interrupted commit leaves nothing behind.
 */
export class Memory {
  readonly platformId = '00000000-0000-7000-8000-000000000000' as PlatformId;
  /** Milliseconds since the epoch. */
  now: number;
  readonly tables = new Map<string, Table>();
  readonly accounts = new Map<string, MemoryAccount>();
  /** Deleted ones stay. */
  readonly customers = new Map<string, { isDeleted: boolean }>();
  /** Kept balances by account and currency, and what the lines of carried accounts add up to. */
  readonly balances = new Map<string, MemoryBalance>();
  /** Sums of the accounts that many payments share, by their names, credits positive. */
  readonly sums = new Map<string, bigint>();
  readonly journal: CompleteEntry[] = [];
  readonly entriesOf = new Map<string, CompleteEntry[]>();
  readonly events = new Map<string, string[]>();
  readonly counters = new Map<string, Ratio>();
  readonly jobs = new Map<string, MemoryJob>();
  /** Items that the simulated area understands beside those of `WRITERS`. */
  readonly runtime: Runtime;
  readonly #writers: Readonly<Record<string, Apply>>;
  /** The last version but one of each row, by table and id. */
  readonly #previous = new Map<string, AnyRow>();
  readonly #keys = new Map<string, true>();
  readonly #steps = new Map<string, true>();
  readonly #undo: (() => void)[] = [];
  /** Rows that the last commits changed, by table and id, until somebody takes them. */
  #touched = new Map<string, AnyRow>();
  #ids = 0;
  #jobNo = 0;

  constructor(now: number, more: Readonly<Record<string, Apply>> = {}, runtime: Partial<Runtime> = {}) {
    this.now = now;
    this.#writers = { ...WRITERS, ...more };
    this.runtime = {
      clock: { now: () => this.now },
      newId: () => this.newId(),
      vault: {
        seal: (text: string) => Buffer.from(text),
        sealFor: (_people: readonly string[], text: string) => Buffer.from(text),
        sealNaming: (_people: readonly string[], text: string) => Buffer.from(text),
      },
      ...runtime,
    } as unknown as Runtime;
  }

  get date(): Date {
    return new Date(this.now);
  }

  /** The same ids for the same sequence, in the order of creation. */
  newId(): Id<never> {
    return `00000000-0000-7000-8000-${(++this.#ids).toString(16).padStart(12, '0')}` as Id<never>;
  }

  table<Row extends AnyRow>(name: string): ReadonlyMap<string, Row> {
    return this.#table(name) as Map<string, never>;
  }

  /** The version of a row before its last change, as a slow reader has it. */
  previous<Row extends AnyRow>(table: string, id: string): Row | undefined {
    return this.#previous.get(`${table} ${id}`) as Row | undefined;
  }

  openAccount(currency: string, customerId: CustomerId | null): MemoryAccount {
    const account: MemoryAccount = { id: this.newId(), currency, customerId, status: 'ACTIVE' };
    this.accounts.set(account.id, account);
    for (const kind of ['AVAIL', 'HOLD', 'PENDING_IN'])
      this.openLedgerAccount(`${kind}:${account.id}`, currency);
    return account;
  }

  /** Changes an account's status until the returned function is called. */
  withStatus(accountId: AccountId, status: MemoryAccount['status']): () => void {
    const account = this.accounts.get(accountId);
    assert.ok(account);
    const before = account.status;
    account.status = status;
    return () => {
      account.status = before;
    };
  }

  /** Deletes a customer until the returned function is called. */
  withDeleted(customerId: CustomerId): () => void {
    const customer = this.customers.get(customerId);
    assert.ok(customer);
    const before = customer.isDeleted;
    customer.isDeleted = true;
    return () => {
      customer.isDeleted = before;
    };
  }

  openLedgerAccount(account: string, currency: string): void {
    const name = `${account} ${currency}`;
    if (!this.balances.has(name)) this.balances.set(name, { balance: 0n, no: 0 });
  }

  sumOf(account: SummedAccount): bigint {
    return this.sums.get(account) ?? 0n;
  }

  balanceOf(account: string, currency: string): bigint {
    return this.balances.get(`${account} ${currency}`)?.balance ?? 0n;
  }

  /** The rows that have changed since the last call. */
  takeTouched(): Map<string, AnyRow> {
    const touched = this.#touched;
    this.#touched = new Map();
    return touched;
  }

  /** The next job that is due by then. */
  nextJob(until: number): MemoryJob | undefined {
    let next: MemoryJob | undefined;
    for (const job of this.jobs.values()) {
      if (job.dueAt > until) continue;
      if (!next || job.dueAt < next.dueAt || (job.dueAt === next.dueAt && job.no < next.no)) next = job;
    }
    return next;
  }

  /** A worker claims a job; it takes effect with the commit of its work. */
  finishJob({ kind, key, no }: MemoryJob): void {
    this.jobs.delete(jobName(kind, key, no));
  }

  /**
   * Commits everything that was collected, in the order of the stages, or nothing. Throws `CommitRefused` with the reason
   * that the database would give. With `crashAfter`, the process dies after this many items.
   */
  commit({ collected }: MemoryChange, crashAfter = Number.POSITIVE_INFINITY): void {
    const before = this.#touched;
    this.#touched = new Map(before);
    this.#undo.length = 0;
    try {
      this.#applyAll(collected, crashAfter);
    } catch (error) {
      for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) undo();
      this.#touched = before;
      throw error;
    }
  }

  #applyAll(collected: readonly Collected[], crashAfter: number): void {
    let left = crashAfter;
    for (const { writer, item } of inOrder(collected)) {
      if (left-- === 0) throw new Crashed('in the middle of a commit');
      const apply = this.#writers[writer.name];
      assert.ok(apply, `the simulator has no writer "${writer.name}"`);
      apply(this, item as never);
    }
    if (left === 0) throw new Crashed('just before the end of a commit');
  }

  /** Changes a table; an interrupted commit changes it back. */
  put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
    const before = map.get(key);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  append<Value>(list: Value[], value: Value): void {
    list.push(value);
    this.#undo.push(() => list.pop());
  }

  putRow(table: string, { from, row }: RowChange<AnyRow>): void {
    const rows = this.#table(table);
    const before = rows.get(row.id);
    if (from === undefined) assert.equal(before, undefined, `${table} ${row.id} is created twice`);
    else if (before?.version !== from) throw new CommitRefused({ name: 'stale' });
    assert.equal(row.version, (from ?? 0n) + 1n, `${table} ${row.id} skips a version`);
    if (before) this.put(this.#previous, `${table} ${row.id}`, before);
    this.put(rows, row.id, row);
    this.#touched.set(`${table} ${row.id}`, row);
  }

  takeKey(key: string): void {
    if (this.#keys.has(key)) throw new CommitRefused({ name: 'key' });
    this.put(this.#keys, key, true);
  }

  post(entry: CompleteEntry): void {
    const { transactionId = '', kind, ordinal, reverses } = entry;
    const step = stepName(kind, ordinal);
    this.#takeStep(`${transactionId} ${step}`);
    if (reverses !== undefined) {
      const isPosted = this.#steps.has(`${transactionId} ${reverses}`);
      assert.ok(isPosted, `transaction ${transactionId} has not posted step ${reverses}`);
      this.#takeStep(`${transactionId} ${reverses} reversed`);
    }
    for (const line of inPostingOrder(entry.lines)) this.#move(entry, line);
    this.append(this.journal, entry);
    const own = this.entriesOf.get(transactionId) ?? [];
    this.entriesOf.set(transactionId, own);
    this.append(own, entry);
  }

  #takeStep(name: string): void {
    if (this.#steps.has(name)) throw new CommitRefused({ name: 'replayed' });
    this.put(this.#steps, name, true);
  }

  #move(entry: CompleteEntry, line: Line): void {
    const { account, currency } = line;
    if (isGuarded(account)) this.#moveKept(line);
    else if (isCarried(account)) {
      const name = `${account} ${currency}`;
      const before = this.balances.get(name) ?? { balance: 0n, no: 0 };
      const after = { balance: before.balance + effectOf(line), no: before.no + 1 };
      assert.ok(carriedState(entry, account, currency), `${entry.kind}: ${account} is not carried`);
      assert.ok(after.balance >= 0n, `money.md §12.2: ${entry.kind} leaves ${after.balance} in ${account}`);
      this.put(this.balances, name, after);
    } else {
      assert.ok(account.endsWith(`:${currency}`), `${entry.kind}: ${account} has another currency`);
      this.put(this.sums, account, (this.sums.get(account) ?? 0n) + effectOf(line));
    }
  }

  #moveKept(line: Line): void {
    const { account, currency } = line;
    const name = `${account} ${currency}`;
    const before = this.balances.get(name);
    if (!before) throw new CommitRefused({ name: 'unknown_account', subject: name, account });
    const balance = before.balance + effectOf(line);
    if (balance < 0n) throw new CommitRefused({ name: 'insufficient', subject: name, account });
    if (balance > AMOUNT_MAX) throw new CommitRefused({ name: 'out_of_range', subject: name, account });
    this.put(this.balances, name, { balance, no: before.no + 1 });
  }

  count({ name, period, value, limit }: CounterItem): void {
    const counter = `${name} ${period}`;
    const used = this.counters.get(counter) ?? [0n, value[1]];
    if (!isWithinLimit(used, { name, period, value, limit })) {
      throw new CommitRefused({ name: 'limit', subject: name });
    }
    this.put(
      this.counters,
      counter,
      used[1] === value[1] ? [used[0] + value[0], used[1]] : addRatios(used, value),
    );
  }

  changeJob(item: JobItem): void {
    if (item.does === 'cancel') {
      this.put(this.jobs, jobName(item.kind, item.key), undefined);
      return;
    }
    const { kind, key, dueAt, payload } = item;
    const no = ++this.#jobNo;
    const name = jobName(kind, key, no);
    if (this.jobs.has(name)) return;
    this.put(this.jobs, name, { kind, key, dueAt: dueAt.getTime(), payload: JSON.parse(payload), no });
  }

  emit(resourceId: string, type: string): void {
    const told = this.events.get(resourceId) ?? [];
    this.events.set(resourceId, told);
    this.append(told, type.slice(type.indexOf('.') + 1));
  }

  requireAccount({ id, required }: Pick<LockedAccountStatus, 'id' | 'required'>): void {
    const status = this.accounts.get(id)?.status;
    if (status === undefined) return;
    if (status === 'CLOSED' || (required === 'active' && status !== 'ACTIVE')) {
      throw new CommitRefused({ name: 'stale' });
    }
  }

  changeBalance({ id, available, total, mustBeActive }: BalanceChange): void {
    if (mustBeActive) this.requireAccount({ id, required: 'active' });
    if (available !== 0n || total !== 0n) this.emit(`InternalAccount:${id}`, '.BALANCE_UPDATED');
  }

  #table(name: string): Table {
    const known = this.tables.get(name);
    if (known) return known;
    const fresh: Table = new Map();
    this.tables.set(name, fresh);
    return fresh;
  }
}

function jobName(kind: string, key: string | undefined, no?: number): string {
  return key === undefined ? `${kind} #${no}` : `${kind} ${key}`;
}

/** The order in which a commit writes; items of one writer stay in their order. */
function inOrder(collected: readonly Collected[]): Collected[] {
  const rank = ({ writer }: Collected) => STAGES.indexOf(writer.stage);
  return collected.toSorted((a, b) => rank(a) - rank(b) || compare(a.writer.name, b.writer.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How the writers of the service write in memory, by their names. */
const WRITERS: Readonly<Record<string, Apply>> = {
  [KEYS.name]: (memory, key: string) => memory.takeKey(key),
  transactions: (memory, { from, row }: RowChange<TransactionColumns>) =>
    memory.putRow('transactions', { from, row: parseTransaction(row) }),
  'locked customers': (memory, { id, mustBeLive }: { id: string; mustBeLive: boolean }) => {
    if (mustBeLive && memory.customers.get(id)?.isDeleted) throw new CommitRefused({ name: 'stale' });
  },
  'locked accounts': (memory, item: LockedAccountStatus) => memory.requireAccount(item),
  ledger: (memory, entry: CompleteEntry) => memory.post(entry),
  events: (memory, { resourceId, type }: EventRow) => memory.emit(resourceId, type),
  'balance events': (memory, item: BalanceChange) => memory.changeBalance(item),
  jobs: (memory, item: JobItem) => memory.changeJob(item),
  counters: (memory, item: CounterItem) => memory.count(item),
  audit: () => undefined,
};
