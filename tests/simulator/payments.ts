import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import type { PaymentDraft, PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { followKey, JOB, type Phase } from '#capabilities/payments/machine/jobs.ts';
import { noticeForMirror } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { deposit, receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { isForwarded, isSettling } from '#capabilities/payments/machine/uma.ts';
import { volumeUse } from '#capabilities/payments/machine/volume.ts';
import {
  awaitsAuthorization,
  externalReceiver,
  internalDestination,
  isCollecting,
  isFundedByCrypto,
  isOpenQuote,
  isPastAuthorization,
  isPastExpiry,
  isPaying,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { answerWith, sandboxHash } from '#edge/sandbox/rails/rails.ts';
import type { PayoutOutcome, PullOutcome, RailStage } from '#edge/sandbox/rails/rails-table.ts';
import type { IncomingStage } from '#edge/sandbox/rails/uma-table.ts';
import { isWithinLimit } from '#foundation/counters/count.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type GuardedAccount, stepName } from '#foundation/ledger/kinds.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
import type { RailAnswer, RailNotice } from '#foundation/ports/payments.ts';
import {
  type Disturbances,
  type Meanwhile,
  type Outcome,
  type Prepared,
  type Reading,
  requireCommitted,
} from '#tests/simulator/disturbances.ts';
import { KEYS, type Memory, MemoryChange, type MemoryJob } from '#tests/simulator/memory.ts';
import { newDeposit } from '#tests/simulator/payment-rows.ts';

export type PaymentsMachine = typeof PAYMENTS;

/** What the rails do with one payment. */
export interface RailOutcomes {
  readonly payout: PayoutOutcome;
  readonly pull?: PullOutcome | undefined;
  readonly incoming?: readonly IncomingStage[] | undefined;
}

/** What another area commits together with a payment. */
export interface Together {
  collect(change: MemoryChange, row: TransactionRow): void;
  readonly meanwhile?: readonly Meanwhile[];
}

export const TABLE = 'transactions';

/** Notices that may leave a debt (src/capabilities/payments/settlement/facts.ts). */
const CLAWING: readonly string[] = ['returned', 'collectionReversed'];

/** The use cases around the machine of payments, on tables in memory. */
export class SimulatedPayments {
  readonly #memory: Memory;
  readonly #disturbances: Disturbances;
  readonly #machine: PaymentsMachine;
  readonly #dailyLimitUsdCents: bigint;
  readonly #outcomes = new Map<string, RailOutcomes>();
  #keys = 0;

  constructor(
    memory: Memory,
    disturbances: Disturbances,
    {
      machine = PAYMENTS,
      dailyLimitUsdCents = 10n ** 15n,
    }: { machine?: PaymentsMachine; dailyLimitUsdCents?: bigint } = {},
  ) {
    this.#memory = memory;
    this.#disturbances = disturbances;
    this.#machine = machine;
    this.#dailyLimitUsdCents = dailyLimitUsdCents;
  }

  get rows(): ReadonlyMap<string, TransactionRow> {
    return this.#memory.table<TransactionRow>(TABLE);
  }

  row(id: string): TransactionRow | undefined {
    return this.rows.get(id);
  }

  newDraft(row: TransactionRow): PaymentDraft {
    return this.#machine.description.newDraft(row, this.#memory.date);
  }

  /** Money arrives for an account (money.md §7.1). */
  deposit(accountId: AccountId, amount: bigint, rail = 'SANDBOX'): TransactionRow {
    const made = this.#commitNew(() => {
      const draft = this.newDraft(newDeposit(this.#memory, accountId, { amount, rail }));
      const { row, now } = draft;
      draft.post(
        'deposit.received',
        deposit(accountId, rail, row.receiving_currency, amount, this.#debtOf(accountId)),
      );
      draft.requireActiveAccount(accountId);
      draft.set({ status: 'COMPLETED', executed_at: now, settled_at: now });
      draft.emit('COMPLETED');
      return draft;
    });
    return requireCommitted(made, 'a deposit');
  }

  /** Commits a new payment under a key of its own; `start` is what happens to it in the same commit. */
  create(
    newRow: () => TransactionRow,
    outcomes: RailOutcomes,
    start: (draft: PaymentDraft, facts: Facts) => void,
    together?: Together,
  ): Outcome<TransactionRow> {
    return this.#commitNew(() => {
      const draft = this.newDraft(newRow());
      this.#outcomes.set(draft.row.id, outcomes);
      start(draft, this.executionFacts(draft.row));
      return draft;
    }, together);
  }

  #commitNew(draftNew: () => PaymentDraft, together?: Together): Outcome<TransactionRow> {
    const key = `${++this.#keys}`;
    const prepare = (reading: Reading) => {
      if (reading === 'old') return undefined;
      const transition = draftNew().transition();
      const change = new MemoryChange(this.#memory);
      change.collect(KEYS, key);
      applyTransition(change, transition);
      together?.collect(change, transition.row);
      return { change, result: transition.row };
    };
    const sample = draftNew().row;
    return this.#disturbances.commit(prepare, [...this.#meanwhile(sample), ...(together?.meanwhile ?? [])]);
  }

  /** What must refuse the commit of a payment that begins (money.md §3.3, customers.md §2.4.26). */
  #meanwhile(row: TransactionRow): Meanwhile[] {
    const memory = this.#memory;
    const changed = (id: AccountId | null, status: 'FROZEN' | 'CLOSED', what: string): Meanwhile[] =>
      id === null || memory.accounts.get(id)?.status !== 'ACTIVE'
        ? []
        : [{ what, happens: () => memory.withStatus(id, status) }];
    const deleted = (id: CustomerId | null, what: string): Meanwhile[] =>
      id === null ? [] : [{ what, isRare: what.includes('receiver'), happens: () => memory.withDeleted(id) }];
    const isNew = row.version === 0n;
    const isPulledIn = row.type === 'INCOMING' && row.source.kind === 'EXTERNAL';
    const begins = row.executed_at !== null;
    const takes = row.source.kind === 'INTERNAL' && (begins || awaitsAuthorization(row));
    return [
      ...(isNew && row.status !== 'COMPLETED' ? deleted(row.customer_id, 'its owner is deleted') : []),
      ...(takes
        ? changed(
            row.source.kind === 'INTERNAL' ? row.source.account : null,
            'FROZEN',
            'its source is frozen',
          )
        : []),
      ...(begins ? deleted(externalReceiver(row), 'its receiver is deleted') : []),
      ...(begins ? changed(internalDestination(row), 'CLOSED', 'its destination is closed') : []),
      ...(begins && isPulledIn
        ? changed(internalDestination(row), 'FROZEN', 'its destination is frozen')
        : []),
    ];
  }

  apply(draft: PaymentDraft, notice: PaymentNotice, facts: Facts): void {
    this.#machine.apply(draft, notice, facts);
  }

  /** A caller's command, after its checks. */
  command(id: string, notice: PaymentNotice, together?: Together): Outcome<TransactionRow> {
    const key = `${++this.#keys}`;
    const prepare = (reading: Reading) => {
      const row = this.#read(id, reading);
      if (!row) return undefined;
      const { date } = this.#memory;
      const transition = this.#machine.require(row, notice, date, this.executionFacts(row));
      const prepared = this.#prepare(row, transition);
      prepared.change.collect(KEYS, key);
      together?.collect(prepared.change, prepared.result);
      return prepared;
    };
    const before = this.row(id);
    const after =
      before && this.#machine.advance(before, notice, this.#memory.date, this.executionFacts(before));
    const own = after && before?.status === 'PENDING' ? this.#meanwhile(after.row) : [];
    return this.#disturbances.commit(prepare, [...own, ...(together?.meanwhile ?? [])]);
  }

  /** Applies an outside party's notice; undefined: it did not apply. */
  notify(id: string, notice: PaymentNotice): TransactionRow | undefined {
    const done = this.#disturbances.commit((reading) => this.prepareNotice(id, notice, reading));
    return done && requireCommitted(done, `the notice "${notice.kind}"`);
  }

  prepareNotice(id: string, notice: PaymentNotice, reading: Reading): Prepared<TransactionRow> | undefined {
    const row = this.#read(id, reading);
    if (!row) return undefined;
    const facts = this.#facts(row, notice);
    const { date } = this.#memory;
    const transition = this.#machine.advance(row, this.#overLimit(row, notice), date, facts);
    return transition && this.#prepare(row, transition);
  }

  /** Whether a notice would change a payment now. */
  changes(row: TransactionRow, notice: PaymentNotice): boolean {
    try {
      return this.#machine.advance(row, notice, this.#memory.date, this.#facts(row)) !== undefined;
    } catch (error) {
      if (error instanceof NoticeRefused) return false;
      throw error;
    }
  }

  #read(id: string, reading: Reading): TransactionRow | undefined {
    return reading === 'present' ? this.row(id) : this.#memory.previous<TransactionRow>(TABLE, id);
  }

  /** The change of a payment, with that of its mirror. */
  #prepare(before: TransactionRow, transition: PaymentTransition): Prepared<TransactionRow> {
    const change = new MemoryChange(this.#memory);
    applyTransition(change, transition);
    const mirrored = noticeForMirror(before, transition.row);
    const mirror = mirrored && this.row(mirrored.id);
    const shown =
      mirror && this.#machine.advance(mirror, mirrored.notice, this.#memory.date, this.#facts(mirror));
    if (shown) applyTransition(change, shown);
    return { change, result: transition.row };
  }

  /** money.md §8.2: funds, or an authorized payment, that would exceed the daily volume. */
  #overLimit(row: TransactionRow, notice: PaymentNotice): PaymentNotice {
    const isCounted =
      (notice.kind === 'funded' && isOpenQuote(row) && notice.amount === row.sending_amount) ||
      (notice.kind === 'authorized' && notice.nextBy === undefined && row.source.kind !== 'REALTIME');
    if (!isCounted || this.hasVolume(row)) return notice;
    if (notice.kind === 'authorized') return { kind: 'authorizedOverLimit' };
    return notice.kind === 'funded' ? { ...notice, kind: 'fundedOverLimit' } : notice;
  }

  hasVolume(row: TransactionRow): boolean {
    const use = volumeUse(row, this.#memory.date, this.#dailyLimitUsdCents);
    const used = use && this.#memory.counters.get(`${use.name} ${use.period}`);
    return !use || isWithinLimit(used ?? [0n, 1n], use);
  }

  #debtOf(accountId: AccountId) {
    const account = this.#debtAccountOf(accountId);
    const balance = this.#memory.balanceOf(account, this.#memory.accounts.get(accountId)?.currency ?? '');
    return balance > 0n ? { account, balance } : undefined;
  }

  #debtAccountOf(accountId: AccountId): GuardedAccount {
    const { customerId, currency } = this.#memory.accounts.get(accountId) ?? {
      customerId: null,
      currency: '',
    };
    return receivableAccount(customerId ?? this.#memory.platformId, currency);
  }

  /** The in-memory implementation of `loadFacts` (src/capabilities/payments/settlement/facts.ts). */
  #facts(row: TransactionRow, notice?: PaymentNotice): Facts {
    const memory = this.#memory;
    if (notice && CLAWING.includes(notice.kind)) this.#openReceivables(row);
    const statusOf = (id: string | null) => (id === null ? undefined : memory.accounts.get(id)?.status);
    const isDeleted = (id: string | null) => id !== null && memory.customers.get(id)?.isDeleted === true;
    const held = (id: string, currency: string) =>
      ['AVAIL', 'HOLD', 'PENDING_IN'].reduce(
        (sum, kind) => sum + memory.balanceOf(`${kind}:${id}`, currency),
        0n,
      );
    return {
      debtOf: (id) => this.#debtOf(id),
      clawbackFrom: (id) => ({
        account: id,
        available: memory.balanceOf(availAccountOf(id), memory.accounts.get(id)?.currency ?? ''),
        receivable: this.#debtAccountOf(id),
      }),
      ownerReceivable: this.#ownerReceivable(row),
      canReceive: (id) => statusOf(id) === 'ACTIVE',
      isClosed: (id) => statusOf(id) === 'CLOSED',
      isReceiverGone: statusOf(internalDestination(row)) === 'CLOSED' || isDeleted(externalReceiver(row)),
      canHold: (id, amount) => held(id, memory.accounts.get(id)?.currency ?? '') + amount <= AMOUNT_MAX,
      cryptoRefundAccount: isFundedByCrypto(row) ? this.#openAccountOf(row) : undefined,
      isCollectionReversed: (memory.entriesOf.get(row.id) ?? []).some(
        ({ kind, ordinal }) => stepName(kind, ordinal) === stepName('collection.reversed'),
      ),
      isOwnerGone: isDeleted(row.customer_id),
      ...this.#predictFailures(row),
      referencePrefix: 'SIM',
      dailyLimitUsdCents: this.#dailyLimitUsdCents,
      sealMirror: () => null,
    };
  }

  /** As `executionFacts` has it: the parties have passed their checks, and no account is credited yet. */
  executionFacts(row: TransactionRow): Facts {
    return {
      ...this.#facts(row),
      debtOf: () => undefined,
      canHold: () => true,
      canReceive: () => true,
      isClosed: () => false,
      isReceiverGone: false,
      cryptoRefundAccount: undefined,
      isCollectionReversed: false,
      isOwnerGone: false,
      ...this.#knownAtExecution(row),
    };
  }

  #ownerReceivable({ customer_id, platform_id, sending_currency, details }: TransactionRow): GuardedAccount {
    const payer = details.isPlatformMoney === true ? platform_id : (customer_id ?? platform_id);
    return receivableAccount(payer, sending_currency);
  }

  #openReceivables(row: TransactionRow): void {
    const memory = this.#memory;
    memory.openLedgerAccount(this.#ownerReceivable(row), row.sending_currency);
    for (const id of [row.fee_account, internalDestination(row)]) {
      const currency = id === null ? undefined : memory.accounts.get(id)?.currency;
      if (id !== null && currency !== undefined) memory.openLedgerAccount(this.#debtAccountOf(id), currency);
    }
  }

  #openAccountOf({ customer_id, sending_currency }: TransactionRow): AccountId | undefined {
    for (const { id, customerId, currency, status } of this.#memory.accounts.values()) {
      if (customerId === customer_id && currency === sending_currency && status !== 'CLOSED') return id;
    }
    return undefined;
  }

  #predictFailures(row: TransactionRow): Pick<Facts, 'knownPayoutFailure' | 'knownCollectionFailure'> {
    if (awaitsAuthorization(row)) return this.#knownAtExecution(row);
    const isAboutToBeFunded = isCollecting(row) || (row.source.kind === 'REALTIME' && row.taken_at === null);
    const isAboutToPayOut =
      (isAboutToBeFunded && row.type === 'OUTGOING') ||
      (isSettling(row) && internalDestination(row) === null);
    return {
      knownPayoutFailure: isAboutToPayOut ? this.#outcomesOf(row).payout.knownFailure : undefined,
      knownCollectionFailure: isCollecting(row) ? this.#refusedPull(row) : undefined,
    };
  }

  #knownAtExecution(row: TransactionRow): Pick<Facts, 'knownPayoutFailure' | 'knownCollectionFailure'> {
    const isPull = row.source.kind === 'EXTERNAL';
    return {
      knownPayoutFailure: isPull ? undefined : this.#outcomesOf(row).payout.knownFailure,
      knownCollectionFailure: isPull ? this.#refusedPull(row) : undefined,
    };
  }

  #refusedPull(row: TransactionRow): 'COLLECTION_FAILED' | undefined {
    return this.#outcomesOf(row).pull?.isRefused ? 'COLLECTION_FAILED' : undefined;
  }

  #outcomesOf({ id }: TransactionRow): RailOutcomes {
    return this.#outcomes.get(id) ?? { payout: { stages: [] } };
  }

  /** Runs a job of payments; false: it belongs to another area. */
  run({ kind, payload }: MemoryJob): boolean {
    const { id } = payload as { id: string };
    const row = this.row(id);
    switch (kind) {
      case JOB.pay:
        if (row && (isPaying(row) || isForwarded(row))) this.#answered(id, 'pay', this.#pay(row));
        return true;
      case JOB.collect:
        if (row && isCollecting(row))
          this.#answered(id, 'collect', answerWith(this.#outcomesOf(row).pull?.stages ?? []));
        return true;
      case JOB.refund:
        if (row?.refund_status === 'PENDING')
          this.#answered(id, 'refund', answerWith(this.#refundStages(row)));
        return true;
      case JOB.receive:
        if (row && isSettling(row) && row.funding_hash === null && row.pending_reason === null) {
          this.#answered(id, 'receive', answerWith(this.#incomingStages(row)));
        }
        return true;
      case JOB.follow:
        this.#follow(payload as { id: string; phase: Phase; token: string });
        return true;
      case JOB.expire:
      case JOB.lapse:
        this.#endOverdue();
        return true;
      case JOB.decide:
        this.notify(id, { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' });
        return true;
      default:
        return false;
    }
  }

  #pay(row: TransactionRow): RailAnswer {
    const { isQueued, stages } = this.#outcomesOf(row).payout;
    const accepted: RailNotice[] = isQueued || row.kind !== 'TRANSFER' ? [] : [{ kind: 'accepted' }];
    return answerWith(stages, accepted);
  }

  #refundStages(row: TransactionRow): RailStage[] {
    const kind = this.#outcomesOf(row).payout.isRefundFailing ? 'refundFailed' : 'refunded';
    return [{ afterMs: 1_000, notices: [{ kind }] }];
  }

  #incomingStages(row: TransactionRow): RailStage[] {
    const transactionHash = sandboxHash(row.id, undefined);
    return (this.#outcomesOf(row).incoming ?? []).map(({ afterMs, notices }) => ({
      afterMs,
      notices: notices.map((kind) => ({ kind, transactionHash }) as RailNotice),
    }));
  }

  #follow({ id, phase, token }: { id: string; phase: Phase; token: string }): void {
    const [due, ...rest] = JSON.parse(token) as RailStage[];
    this.#answered(id, phase, answerWith(rest, due?.notices ?? []));
  }

  #answered(id: string, phase: Phase, { notices, again }: RailAnswer): void {
    for (const notice of notices) this.notify(id, notice);
    if (!again) return;
    const { afterMs, token } = again;
    const change = new MemoryChange(this.#memory);
    schedule(change, { kind: JOB.follow, key: followKey(id, phase), afterMs, payload: { id, phase, token } });
    this.#memory.commit(change);
  }

  /** money.md §3.1. */
  #endOverdue(): void {
    const { date } = this.#memory;
    for (const row of this.rows.values()) {
      if (isPastExpiry(row, date)) this.notify(row.id, { kind: 'expired' });
      else if (isPastAuthorization(row, date)) this.notify(row.id, { kind: 'authorizationLapsed' });
      else if (row.approve_by !== null && row.approve_by <= date)
        this.notify(row.id, { kind: 'approvalLapsed' });
    }
  }
}
