import assert from 'node:assert/strict';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { scheduleExpiry } from '#capabilities/payments/machine/outgoing.ts';
import { awaitsDecision } from '#capabilities/payments/machine/uma.ts';
import {
  externalReceiver,
  internalDestination,
  isCollecting,
  isPaying,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { PAID, PULLS, QUOTE_PAYOUTS, TRANSFER_PAYOUTS } from '#edge/sandbox/rails/rails-table.ts';
import { umaReceiver, umaSender } from '#edge/sandbox/rails/uma-table.ts';
import { rowFor } from '#edge/sandbox/table.ts';
import type { Payment } from '#tests/model/money-model.ts';
import {
  type Currency,
  EVERYBODY,
  type Inside,
  type NoticeKind,
  type ProviderChecks,
  type Who,
} from '#tests/model/steps.ts';
import { Disturbances, type Outcome } from '#tests/simulator/disturbances.ts';
import { Memory } from '#tests/simulator/memory.ts';
import { type Asked, type Names, newRow } from '#tests/simulator/payment-rows.ts';
import { type PaymentsMachine, type RailOutcomes, SimulatedPayments } from '#tests/simulator/payments.ts';

export const CURRENCIES = ['USD', 'EUR', 'USDC', 'USDB'] as const;

/** Midnight of the model's first day. */
const MIDNIGHT = Date.UTC(2026, 0, 5);

const DECISION_MS = 5_000;

type BalanceNames = [avail: string, hold: string, pendingIn: string, events: string];

/** Payments of a few customers and their platform, on tables in memory. */
export class MoneyMemory implements Names {
  readonly memory: Memory;
  readonly disturbances: Disturbances;
  readonly payments: SimulatedPayments;
  /** Row ids by the model's number of the payment. */
  readonly ids = new Map<number, string>();
  readonly #customers = new Map<Who, CustomerId | null>();
  /** Deleted ones, too. */
  readonly #everybody = new Map<string, Who>();
  readonly #inside = new Map<string, AccountId>();
  /** The names of an account's balances and events: they are read after every step. */
  readonly #balanceNames = new Map<AccountId, BalanceNames>();
  readonly #external = new Map<string, ExternalAccountId>();

  constructor(
    now: number,
    {
      seed,
      machine,
      dailyLimitUsdCents,
    }: { seed: number; machine: PaymentsMachine; dailyLimitUsdCents: bigint },
  ) {
    this.memory = new Memory(MIDNIGHT + now * 1_000);
    this.disturbances = new Disturbances(this.memory, seed);
    this.payments = new SimulatedPayments(this.memory, this.disturbances, { machine, dailyLimitUsdCents });
    for (const who of EVERYBODY) this.#settleIn(who);
  }

  #settleIn(who: Who): void {
    const id = who === 'P' ? null : this.memory.newId();
    this.#customers.set(who, id);
    if (id !== null) {
      this.memory.customers.set(id, { isDeleted: false });
      this.#everybody.set(id, who);
    }
    for (const currency of CURRENCIES) {
      const account = this.memory.openAccount(currency, id).id;
      this.#inside.set(`${who}:${currency}`, account);
      const names = ['AVAIL', 'HOLD', 'PENDING_IN'].map((kind) => `${kind}:${account} ${currency}`);
      this.#balanceNames.set(account, [...names, `InternalAccount:${account}`] as BalanceNames);
    }
  }

  customerId(who: Who): CustomerId | null {
    return this.#customers.get(who) ?? null;
  }

  accountId({ who, currency }: Pick<Inside, 'who' | 'currency'>): AccountId {
    return this.#inside.get(`${who}:${currency}`) ?? assert.fail('an account of the model');
  }

  externalId({ who, currency, suffix }: ProviderChecks): ExternalAccountId {
    const key = `${this.customerId(who)} ${currency} ${suffix}`;
    const id = this.#external.get(key) ?? this.memory.newId();
    this.#external.set(key, id);
    return id;
  }

  /** Seconds since midnight of the first day. */
  get now(): number {
    return (this.memory.now - MIDNIGHT) / 1_000;
  }

  whoIs(customerId: CustomerId | null): Who {
    return customerId === null
      ? 'P'
      : (this.#everybody.get(customerId) ?? assert.fail('a customer of the model'));
  }

  row(n: number): TransactionRow {
    return this.payments.row(this.ids.get(n) ?? '') ?? assert.fail(`payment ${n} is there`);
  }

  eventsOf({ id }: TransactionRow): readonly string[] {
    return this.memory.events.get(`Transaction:${id}`) ?? [];
  }

  /** Available, on hold, pending, and how often the platform was told. */
  balances(who: Who, currency: Currency): readonly [bigint, bigint, bigint, number] {
    const id = this.accountId({ who, currency });
    const [avail, hold, pendingIn, events] = this.#balanceNames.get(id) ?? assert.fail('its names');
    const { balances } = this.memory;
    return [
      balances.get(avail)?.balance ?? 0n,
      balances.get(hold)?.balance ?? 0n,
      balances.get(pendingIn)?.balance ?? 0n,
      this.memory.events.get(events)?.length ?? 0,
    ];
  }

  /** Moves the clock, and runs what is due on the way. */
  advance(seconds: number): void {
    const until = this.memory.now + seconds * 1_000;
    for (let job = this.memory.nextJob(until); job; job = this.memory.nextJob(until)) {
      this.memory.now = Math.max(this.memory.now, job.dueAt);
      this.memory.finishJob(job);
      assert.ok(this.payments.run(job), `nobody runs ${job.kind}`);
    }
    this.memory.now = until;
  }

  fund(to: Inside, amount: bigint): void {
    this.payments.deposit(this.accountId(to), amount);
  }

  /** A quote whose parties and price have passed their checks. `asksUntil`: its customer is asked first. */
  quote(
    n: number,
    asked: Asked,
    { atOnce, asksUntil }: { atOnce: boolean; asksUntil: number | undefined },
  ): string {
    const by = asksUntil === undefined ? undefined : this.#at(asksUntil);
    const build = () => newRow(this.memory, this, asked, this.memory.date);
    if (by && atOnce && !this.payments.hasVolume(build())) return 'DAILY_VOLUME_LIMIT_EXCEEDED';
    const made = this.payments.create(build, outcomesOf(asked), (draft, facts) => {
      if (draft.row.fee_account !== null) draft.requireOpenAccount(draft.row.fee_account);
      if (draft.row.type === 'OUTGOING') draft.emit('PENDING');
      if (by) this.payments.apply(draft, { kind: 'authorizationRequired', by }, facts);
      else if (atOnce) this.payments.apply(draft, { kind: 'executed' }, facts);
      else scheduleExpiry(draft);
    });
    return this.#keep(n, made, build);
  }

  transfer(n: number, asked: Asked): string {
    const build = () => newRow(this.memory, this, asked, this.memory.date);
    const made = this.payments.create(build, outcomesOf(asked), (draft, facts) => {
      draft.emit('PENDING');
      this.payments.apply(draft, { kind: 'executed' }, facts);
    });
    return this.#keep(n, made, build);
  }

  #keep(n: number, made: Outcome<TransactionRow>, build: () => TransactionRow): string {
    if (made && 'result' in made) this.ids.set(n, made.result.id);
    return codeOf(made, () => this.payments.hasVolume(build()));
  }

  /** Executes a quote whose owner, parties and stamp have passed their checks. */
  execute(n: number, asksUntil: number | undefined): string {
    const row = this.row(n);
    if (row.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (row.kind !== 'QUOTE' || row.status !== 'PENDING' || row.executed_at !== null) return 'CONFLICT';
    const gone = this.#checkReceiver(row);
    if (gone) return gone;
    const hasVolume = this.payments.hasVolume(row);
    const notice: PaymentNotice =
      asksUntil === undefined
        ? { kind: 'executed' }
        : { kind: 'authorizationRequired', by: this.#at(asksUntil) };
    if (!hasVolume && asksUntil !== undefined) return 'DAILY_VOLUME_LIMIT_EXCEEDED';
    return codeOf(this.payments.command(row.id, notice), () => hasVolume);
  }

  #checkReceiver(row: TransactionRow): string | undefined {
    const [account, customer] = [internalDestination(row), externalReceiver(row)];
    if (account !== null && this.memory.accounts.get(account)?.status === 'CLOSED') return 'USER_NOT_READY';
    const isDeleted = customer !== null && this.memory.customers.get(customer)?.isDeleted === true;
    return isDeleted ? 'ACCOUNT_NOT_FOUND' : undefined;
  }

  /** The customer's right answer was accepted; another question follows, or the payment goes on. */
  authorized(n: number, nextUntil: number | undefined): void {
    const nextBy = nextUntil === undefined ? undefined : this.#at(nextUntil);
    const id = this.row(n).id;
    if (nextBy === undefined) this.payments.notify(id, { kind: 'authorized' });
    else this.#askAgain(id, nextBy);
  }

  /** The challenge counts an answer once, so a repeated call does not ask again. */
  #askAgain(id: string, nextBy: Date): void {
    const done = this.payments.command(id, { kind: 'authorized', nextBy });
    assert.ok(done && 'result' in done, 'the next question is asked');
  }

  /** The customer's question was voided. */
  lapse(n: number): void {
    this.payments.notify(this.row(n).id, { kind: 'authorizationLapsed' });
  }

  /** The sandbox funds a real-time quote. */
  send(n: number, amount: bigint): string {
    const row = this.row(n);
    if (row.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (row.status !== 'PENDING') return 'INVALID_INPUT';
    this.payments.notify(row.id, { kind: 'funded', amount });
    return 'OK';
  }

  cancel(n: number): string {
    const row = this.row(n);
    const isBankPayout =
      row.type === 'OUTGOING' &&
      row.destination.kind === 'EXTERNAL' &&
      (row.details.paymentRail ?? null) !== null;
    if (row.source.kind !== 'EXTERNAL' && !isBankPayout) return 'INVALID_INPUT';
    if (!isCollecting(row) && !(isPaying(row) && isBankPayout)) return 'TRANSACTION_NOT_CANCELLABLE';
    this.payments.notify(row.id, { kind: 'cancelled' });
    return 'OK';
  }

  /** Another provider's user offers money; the platform's webhook gives this answer. */
  receive(n: number, asked: Asked, answer: number): void {
    const build = () => newRow(this.memory, this, asked, this.memory.date);
    const made = this.payments.create(build, outcomesOf(asked), (draft) => {
      draft.emit('PENDING');
      draft.schedule(JOB.decide, draft.row.id, { afterMs: DECISION_MS });
    });
    assert.equal(this.#keep(n, made, build), 'OK');
    const notice = ANSWERS[answer] ?? { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' };
    if (answer !== 202) this.payments.notify(this.row(n).id, notice);
    this.advance(0);
  }

  decide(n: number, decision: 'approve' | 'reject'): string {
    const row = this.row(n);
    if (!awaitsDecision(row)) return 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
    this.payments.notify(row.id, { kind: decision === 'approve' ? 'approved' : 'rejected' });
    return 'OK';
  }

  /** Customer C is deleted, if nothing stands in the way, and another one takes its place (customers.md §2.4.26). */
  remove(): string {
    const id = this.customerId('C') ?? '';
    const isInTheWay = [...this.payments.rows.values()].some((row) => {
      const isOpen = ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'].includes(row.status);
      const isPaid = row.details.receiver?.customerId === id || row.details.holder === id;
      const isOnItsWay =
        row.executed_at !== null && (row.status === 'PENDING' || row.status === 'PROCESSING');
      if (row.customer_id === id) return isOpen || row.refund_status === 'PENDING';
      return isPaid && isOnItsWay;
    });
    const holds = CURRENCIES.some((currency) => {
      const [avail, hold, pending] = this.balances('C', currency);
      return avail + hold + pending + this.memory.balanceOf(`RECEIVABLE:${id}:${currency}`, currency) > 0n;
    });
    if (isInTheWay || holds) return 'CONFLICT';
    this.memory.customers.set(id, { isDeleted: true });
    for (const account of this.memory.accounts.values())
      if (account.customerId === id) account.status = 'CLOSED';
    this.#settleIn('C');
    return 'OK';
  }

  report(n: number, kinds: readonly NoticeKind[], isTwice: boolean): void {
    const { id } = this.row(n);
    for (const kind of kinds) {
      const notice: PaymentNotice = kind === 'payoutFailed' ? { kind, reason: 'ACCOUNT_INVALID' } : { kind };
      this.payments.notify(id, notice);
      if (isTwice) this.payments.notify(id, notice);
    }
  }

  #at(seconds: number): Date {
    return new Date(MIDNIGHT + seconds * 1_000);
  }
}

const ANSWERS: Readonly<Record<number, PaymentNotice>> = {
  200: { kind: 'approved' },
  403: { kind: 'rejected' },
  422: { kind: 'approvalFailed', reason: 'PAY_REQUEST_FAILED' },
};

/** The refusal that a caller gets for a reason that only the commit detects (money.md §3.3): the limit comes first. */
function codeOf(outcome: Outcome<TransactionRow>, hasVolume: () => boolean): string {
  if (!outcome || 'result' in outcome) return 'OK';
  const { name } = outcome.reason;
  if (name === 'limit' || (name === 'insufficient' && !hasVolume())) return 'DAILY_VOLUME_LIMIT_EXCEEDED';
  return name === 'insufficient' ? 'INSUFFICIENT_FUNDS' : name;
}

/** What the sandbox's rails do, by the suffixes and scenarios of money.md §9. */
function outcomesOf({ from, to, currencies }: Pick<Payment, 'from' | 'to' | 'currencies'>): RailOutcomes {
  const table = currencies[0] === currencies[1] ? TRANSFER_PAYOUTS : QUOTE_PAYOUTS;
  const paid = to.kind === 'OUTSIDE' ? rowFor(table, to.suffix).does : PAID;
  return {
    payout: to.kind === 'UMA' ? umaReceiver(`$${to.scenario}@`).payout : paid,
    pull: from.kind === 'OUTSIDE' ? rowFor(PULLS, from.suffix).does : undefined,
    incoming: from.kind === 'UMA' ? umaSender(`$${from.scenario}@`).incoming : undefined,
  };
}
