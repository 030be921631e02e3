import { freshState } from '#capabilities/payments/columns.ts';
import { inflightAccountOf, refundPayableAccountOf } from '#capabilities/payments/machine/postings.ts';
import { type Fixed, isCrossCurrency, type State, type TransactionRow } from '#capabilities/payments/row.ts';
import type { TransactionType } from '#capabilities/payments/statuses.ts';
import type { CounterUse } from '#foundation/counters/count.ts';
import type { EventType } from '#foundation/events/types.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import { type AccountState, LEDGER_KINDS, type LedgerKind, stepName } from '#foundation/ledger/kinds.ts';
import { derivedId } from '#foundation/lib/ids.ts';
import { Draft, type DraftEvent, type Transition } from '#foundation/machine/draft.ts';

/** A change of a transaction, with what must hold when it is committed. */
export interface PaymentTransition extends Transition<TransactionRow> {
  /** Mirrors of a delivery (mirror.ts). */
  readonly others: readonly PaymentTransition[];
  /** Internal accounts that must be active at the commit. */
  readonly activeAccounts: readonly AccountId[];
  /** Internal accounts that must not be closed at the commit, but may be frozen: money will arrive there later. */
  readonly openAccounts: readonly AccountId[];
  /** Customers that must not be deleted at the commit, because they will be paid. */
  readonly liveCustomers: readonly CustomerId[];
  /** Amounts that count against the daily volume. */
  readonly counts: readonly CounterUse[];
}

/** The part of an event's type after the dot: `COMPLETED`, `REFUND_PENDING` and so on. */
type EventName<Type = EventType> = Type extends `${TransactionType}_PAYMENT.${infer What}` ? What : never;

export class PaymentDraft extends Draft<TransactionRow> {
  readonly #carriedBefore: readonly AccountState[];
  readonly #active: AccountId[] = [];
  readonly #open: AccountId[] = [];
  readonly #live: CustomerId[] = [];
  readonly #counts: CounterUse[] = [];

  constructor(row: TransactionRow, now: Date) {
    super(row, now);
    this.#carriedBefore = carriedOf(row);
  }

  /** Adds a ledger entry, unless it has no lines. */
  post(kind: LedgerKind, lines: readonly Line[], reverses?: LedgerKind): void {
    if (lines.length === 0) return;
    const { row } = this;
    // A payment posts each kind at most once, so its id and the kind identify the entry, which cannot be posted twice.
    const id = derivedId<'JournalEntry'>(row.id, LEDGER_KINDS[kind]);
    const entry = { id, kind, transactionId: row.id, lines, carried: this.#carriedBefore };
    this.addEntry(reverses === undefined ? entry : { ...entry, reverses: stepName(reverses) });
    this.set(carriedAfter(row, lines));
  }

  /** Adds the reversal of an earlier entry of this transaction: the same lines, sides swapped. */
  reverse(kind: LedgerKind, of: LedgerKind, lines: readonly Line[]): void {
    this.post(kind, reversed(lines), of);
  }

  emit(name: EventName, more: Pick<DraftEvent<TransactionRow>, 'decision' | 'extra'> = {}): void {
    this.addEvent(`${this.row.type}_PAYMENT.${name}` as EventType, more);
  }

  override addOther(other: PaymentDraft): void {
    super.addOther(other);
  }

  requireActiveAccount(accountId: AccountId): void {
    this.#active.push(accountId);
  }

  requireOpenAccount(accountId: AccountId): void {
    this.#open.push(accountId);
  }

  requireLiveCustomer(customerId: CustomerId): void {
    this.#live.push(customerId);
  }

  count(use: CounterUse): void {
    this.#counts.push(use);
  }

  override transition(): PaymentTransition {
    const transition = super.transition();
    return {
      ...transition,
      others: transition.others as readonly PaymentTransition[],
      activeAccounts: this.#active,
      openAccounts: this.#open,
      liveCustomers: this.#live,
      counts: this.#counts,
    };
  }
}

/** A transaction that is still to be executed, or one that is recorded when its money has been credited. */
export const FIRST_PAYMENT_STATUSES = {
  created: { types: ['OUTGOING', 'INCOMING'], to: 'PENDING' },
  credited: { types: ['INCOMING'], to: 'COMPLETED' },
} as const;

/** The transition that creates a transaction; a quote has an expiry. */
export function newTransaction(fixed: Fixed, now: Date, expiresAt: Date | null = null): PaymentDraft {
  const state = { ...freshState(FIRST_PAYMENT_STATUSES.created.to, now), expires_at: expiresAt };
  return new PaymentDraft({ ...fixed, ...state, version: 0n }, now);
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
