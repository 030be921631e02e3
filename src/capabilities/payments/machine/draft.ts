import { freshState } from '#capabilities/payments/columns.ts';
import { inflightAccountOf, refundPayableAccountOf } from '#capabilities/payments/machine/postings.ts';
import { type Fixed, isCrossCurrency, type State, type TransactionRow } from '#capabilities/payments/row.ts';
import type { TransactionType } from '#capabilities/payments/statuses.ts';
import type { CounterUse } from '#foundation/counters/count.ts';
import type { EventType } from '#foundation/events/types.ts';
import { type Entry, type Line, reversed } from '#foundation/ledger/entries.ts';
import { type AccountState, stepName } from '#foundation/ledger/kinds.ts';
import { derivedId } from '#foundation/lib/ids.ts';

/** Everything that belongs to one change of a transaction, committed as a whole (decision 0018). */
export interface Transition {
  /** The version of the row that it starts from; undefined if the row is new. */
  readonly from: bigint | undefined;
  /** The row after the change. */
  readonly row: TransactionRow;
  readonly now: Date;
  readonly postings: readonly Entry[];
  readonly events: readonly TransitionEvent[];
  readonly jobs: readonly TransitionJob[];
  /** Rows that are created with the change: the receiver's view of a delivery (mirror.ts). */
  readonly mirrors: readonly TransactionRow[];
  /** Internal accounts that must be active at the commit. */
  readonly activeAccounts: readonly string[];
  /** Internal accounts that must not be closed at the commit, but may be frozen: money will arrive there later. */
  readonly openAccounts: readonly string[];
  /** Customers that must not be deleted at the commit, because they will be paid. */
  readonly liveCustomers: readonly string[];
  /** Amounts that count against the daily volume. */
  readonly counts: readonly CounterUse[];
}

export interface TransitionEvent {
  readonly type: EventType;
  /** The row at that moment: one transition may emit several events. */
  readonly row: TransactionRow;
  /** The question that the webhook's answer decides (src/foundation/events/handlers.ts). */
  readonly decision?: string;
  /** Fields that the event carries in addition to the transaction's. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type TransitionJob =
  | {
      readonly does: 'schedule';
      readonly kind: string;
      readonly key: string;
      readonly dueAt: Date;
      readonly payload: Readonly<Record<string, unknown>>;
    }
  | { readonly does: 'cancel'; readonly kind: string; readonly key: string };

/** The part of an event's type after the dot: `COMPLETED`, `REFUND_PENDING` and so on. */
type EventName<Type = EventType> = Type extends `${TransactionType}_PAYMENT.${infer What}` ? What : never;

/** A transition that the machine's functions build. Nothing is written until it is applied. */
export class Draft {
  readonly now: Date;
  readonly #from: bigint | undefined;
  readonly #carriedBefore: readonly AccountState[];
  readonly #postings: Entry[] = [];
  readonly #events: TransitionEvent[] = [];
  readonly #jobs: TransitionJob[] = [];
  readonly #mirrors: TransactionRow[] = [];
  readonly #active: string[] = [];
  readonly #open: string[] = [];
  readonly #live: string[] = [];
  readonly #counts: CounterUse[] = [];
  #row: TransactionRow;
  #isTouched = false;

  /** `isNew`: the transition creates the row. */
  constructor(row: TransactionRow, now: Date, isNew = false) {
    this.#row = row;
    this.#from = isNew ? undefined : row.version;
    this.#carriedBefore = carriedOf(row);
    this.now = now;
  }

  get row(): TransactionRow {
    return this.#row;
  }

  set(changes: Partial<State>): void {
    this.#row = { ...this.#row, ...changes, updated_at: this.now };
    this.#isTouched = true;
  }

  /** Adds a ledger entry, unless it has no lines. */
  post(kind: string, lines: readonly Line[], reverses?: string): void {
    if (lines.length === 0) return;
    // A payment posts each kind at most once, so its id and the kind identify the entry, which cannot be posted twice.
    const id = derivedId(this.#row.id, kind);
    const entry = { id, kind, transactionId: this.#row.id, lines, carried: this.#carriedBefore };
    this.#postings.push(reverses === undefined ? entry : { ...entry, reverses: stepName(reverses) });
    this.set(carriedAfter(this.#row, lines));
  }

  /** Adds the reversal of an earlier entry of this transaction: the same lines, sides swapped. */
  reverse(kind: string, of: string, lines: readonly Line[]): void {
    this.post(kind, reversed(lines), of);
  }

  emit(name: EventName, more: Pick<TransitionEvent, 'decision' | 'extra'> = {}): void {
    const type = `${this.#row.type}_PAYMENT.${name}` as EventType;
    this.#events.push({ type, row: this.#row, ...more });
  }

  schedule(kind: string, key: string, when: { afterMs: number } | { dueAt: Date }, payload = {}): void {
    const dueAt = 'dueAt' in when ? when.dueAt : new Date(this.now.getTime() + when.afterMs);
    this.#jobs.push({ does: 'schedule', kind, key, dueAt, payload: { id: this.#row.id, ...payload } });
  }

  /** Drops a job that this transition scheduled, or cancels one that an earlier transition scheduled. */
  cancel(kind: string, key: string): void {
    const own = this.#jobs.findIndex(
      (job) => job.does === 'schedule' && job.kind === kind && job.key === key,
    );
    if (own >= 0) this.#jobs.splice(own, 1);
    if (this.#from !== undefined) this.#jobs.push({ does: 'cancel', kind, key });
  }

  mirror(row: TransactionRow): void {
    this.#mirrors.push(row);
    this.#events.push({ type: 'INCOMING_PAYMENT.COMPLETED', row });
  }

  requireActiveAccount(accountId: string): void {
    this.#active.push(accountId);
  }

  requireOpenAccount(accountId: string): void {
    this.#open.push(accountId);
  }

  requireLiveCustomer(customerId: string): void {
    this.#live.push(customerId);
  }

  count(use: CounterUse): void {
    this.#counts.push(use);
  }

  /** Whether there is a change to commit. */
  get hasChanged(): boolean {
    return this.#from === undefined || this.#isTouched || this.#jobs.length > 0;
  }

  transition(): Transition {
    const version = (this.#from ?? 0n) + 1n;
    return {
      from: this.#from,
      row: { ...this.#row, version },
      now: this.now,
      postings: this.#postings,
      events: this.#events,
      jobs: this.#jobs,
      mirrors: this.#mirrors,
      activeAccounts: this.#active,
      openAccounts: this.#open,
      liveCustomers: this.#live,
      counts: this.#counts,
    };
  }
}

/** The transition that creates a transaction; a quote has an expiry. */
export function newTransaction(fixed: Fixed, now: Date, expiresAt: Date | null = null): Draft {
  const state = { ...freshState('PENDING', now), expires_at: expiresAt };
  return new Draft({ ...fixed, ...state, version: 1n }, now, true);
}

/** The ledger accounts whose balances are stored in the row itself (src/foundation/ledger/kinds.ts). */
function carriedOf(row: TransactionRow): AccountState[] {
  const { sending_currency: sent, receiving_currency: received } = row;
  return [
    { account: inflightAccountOf(row), currency: sent, no: row.inflight_sent_no, balance: row.inflight_sent },
    ...(isCrossCurrency(row)
      ? [
          {
            account: inflightAccountOf(row),
            currency: received,
            no: row.inflight_received_no,
            balance: row.inflight_received,
          },
        ]
      : []),
    {
      account: refundPayableAccountOf(row),
      currency: sent,
      no: row.refund_payable_no,
      balance: row.refund_payable,
    },
  ];
}

function carriedAfter(row: TransactionRow, lines: readonly Line[]): Partial<State> {
  const after = {
    inflight_sent: row.inflight_sent,
    inflight_sent_no: row.inflight_sent_no,
    inflight_received: row.inflight_received,
    inflight_received_no: row.inflight_received_no,
    refund_payable: row.refund_payable,
    refund_payable_no: row.refund_payable_no,
  };
  for (const { account, currency, side, amount } of lines) {
    const effect = side === 'CREDIT' ? amount : -amount;
    if (account === refundPayableAccountOf(row)) {
      after.refund_payable += effect;
      after.refund_payable_no += 1n;
    } else if (account === inflightAccountOf(row) && currency === row.sending_currency) {
      after.inflight_sent += effect;
      after.inflight_sent_no += 1n;
    } else if (account === inflightAccountOf(row)) {
      after.inflight_received += effect;
      after.inflight_received_no += 1n;
    }
  }
  return after;
}
