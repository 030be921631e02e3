import assert from 'node:assert/strict';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { Authorization, NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { queueNotice } from '#capabilities/cards/notices/queue.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { requireOpen, requireReturn, requireReturnable } from '#edge/sandbox/cards/parents.ts';
import { PAID } from '#edge/sandbox/rails/rails-table.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { type Message, SIMULATED, type Simulation, type Terms } from '#tests/model/cards-model.ts';
import type { Change, Currency } from '#tests/model/cards-steps.ts';
import { type CardsMachine, SimulatedCards } from '#tests/simulator/card-notices.ts';
import { CardTables } from '#tests/simulator/card-tables.ts';
import { Disturbances } from '#tests/simulator/disturbances.ts';
import { type Memory, MemoryChange } from '#tests/simulator/memory.ts';
import { type Names, newRow, OUTSIDE } from '#tests/simulator/payment-rows.ts';
import { SimulatedPayments } from '#tests/simulator/payments.ts';

/** The answer, with the token of a simulator's reply. */
export interface Answered {
  readonly answer: string;
  readonly token?: string | undefined;
}

/** Cards of one customer with two accounts, on tables in memory. */
export class CardsMemory {
  readonly memory: Memory;
  readonly disturbances: Disturbances;
  readonly cards: SimulatedCards;
  readonly payments: SimulatedPayments;
  readonly #tables: CardTables;
  readonly #customerId: CustomerId;
  readonly #accounts: Readonly<Record<Currency, AccountId>>;
  readonly #ids: CardId[] = [];
  readonly #pulls: string[] = [];
  #tokens = 0;

  constructor(now: number, { seed, machine, terms }: { seed: number; machine: CardsMachine; terms: Terms }) {
    this.#tables = new CardTables(now);
    this.memory = this.#tables.memory;
    this.disturbances = new Disturbances(this.memory, seed);
    this.cards = new SimulatedCards(this.#tables, this.disturbances, { machine, terms });
    this.payments = new SimulatedPayments(this.memory, this.disturbances);
    this.#customerId = this.memory.newId();
    this.memory.customers.set(this.#customerId, { isDeleted: false });
    const open = (currency: Currency) => this.memory.openAccount(currency, this.#customerId).id;
    this.#accounts = { USD: open('USD'), USDB: open('USDB') };
  }

  #cardId(card: number): CardId {
    return this.#ids[card] ?? assert.fail(`there is no card ${card}`);
  }

  accountId(currency: Currency): AccountId {
    return this.#accounts[currency];
  }

  cardNumber(id: CardId): number {
    return this.#ids.indexOf(id);
  }

  get rows(): ReadonlyMap<string, CardTransactionRow> {
    return this.#tables.rows;
  }

  get waiting(): number {
    return this.#tables.waiting;
  }

  get withoutEffect(): number {
    return this.#tables.withoutEffect.length;
  }

  byToken(token: string): CardTransactionRow | undefined {
    return this.#tables.byToken(token);
  }

  /** Moves the clock, and runs what is due on the way. */
  advance(ms: number): void {
    const until = this.memory.now + ms;
    for (let job = this.memory.nextJob(until); job; job = this.memory.nextJob(until)) {
      this.memory.now = Math.max(this.memory.now, job.dueAt);
      this.memory.finishJob(job);
      assert.ok(this.cards.run(job) || this.payments.run(job), `nobody runs ${job.kind}`);
    }
    this.memory.now = until;
  }

  /** `isUndecided`: the process dies before it decides, and the network takes that for a decline. */
  receive({ card, type: kind, ...message }: Message, isUndecided = false): Answered {
    const notice = { ...message, kind, cardId: this.#ids[card] } as unknown as NetworkNotice;
    const isAsked = notice.kind === 'authorization' && this.byToken(notice.token) === undefined;
    const answer =
      isUndecided && isAsked ? this.cards.declineUndecided(notice) : this.cards.receive(notice, false);
    return { answer: answerText(answer) };
  }

  /** The sandbox's simulators: the notice is accepted, and applied after all that were accepted before. */
  simulate({ kind, card, amount = 0n, merchant, parent }: Simulation): Answered {
    const cardId = this.#cardId(card);
    const named = { id: `simulated-${++this.#tokens}`, cardId };
    const asked = SIMULATED[kind];
    if (asked && merchant) {
      const notice: Authorization = {
        kind: 'authorization',
        ...asked,
        amount,
        merchant,
        ...named,
        token: named.id,
      };
      return this.#queue(notice);
    }
    const row = this.cards.parent(cardId, parent ?? '');
    if (!row) return { answer: 'TRANSACTION_NOT_FOUND' };
    try {
      return this.#queue(this.#about(kind, row, amount, named));
    } catch (error) {
      if (error instanceof Refusal) return { answer: error.code };
      throw error;
    }
  }

  #about(
    kind: string,
    row: CardTransactionRow,
    amount: bigint,
    named: { id: string; cardId: CardId },
  ): NetworkNotice {
    const { token, direction, merchant } = row;
    switch (kind) {
      case 'clearing':
        requireOpen(row);
        return { kind, ...named, token, direction, merchant, amount };
      case 'authorization_advice':
        requireOpen(row);
        return { kind: 'advice', ...named, token, amount };
      case 'return':
        requireReturnable(row, amount);
        return { kind, ...named, token: named.id, purchaseToken: token, merchant, amount };
      default: {
        requireReturn(row);
        const purchaseToken = this.#tables.rows.get(row.original_id ?? '')?.token;
        const whole = row.settled_amount ?? 0n;
        return {
          ...{ kind: 'return_reversal', ...named, token: named.id, returnToken: token, purchaseToken },
          ...{ merchant, amount: whole },
        };
      }
    }
  }

  #queue(notice: NetworkNotice): Answered {
    const change = new MemoryChange(this.memory);
    const card = this.#tables.card(notice.cardId);
    queueNotice(change, card, notice, this.#heldUntil(notice) ?? this.memory.date);
    this.memory.commit(change);
    return { answer: 'OK', token: notice.token };
  }

  /** Until the pull behind a row is confirmed, notices about the row wait (cards.md §8). */
  #heldUntil(notice: NetworkNotice): Date | undefined {
    const subject =
      notice.kind === 'return'
        ? notice.purchaseToken
        : notice.kind === 'return_reversal'
          ? notice.returnToken
          : notice.token;
    const until = this.#tables.byToken(subject)?.confirmed_at;
    return until && until.getTime() > this.memory.now ? until : undefined;
  }

  issue(account: Currency, months: number): void {
    const today = new Date(this.memory.now + 1_000);
    const ends = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
    const id = this.memory.newId();
    this.#ids.push(id);
    this.#tables.putCard({
      platform_id: this.memory.platformId,
      id,
      version: 0n,
      customer_id: this.#customerId,
      currency: 'USD',
      status: 'ACTIVE',
      funding_source: this.accountId(account),
      brand: 'VISA',
      exp_month: ends.getUTCMonth() + 1,
      exp_year: ends.getUTCFullYear(),
      max_spend_per_transaction: null,
      max_spend_per_day: null,
      max_transactions_per_day: null,
    } as Partial<CardRow> as CardRow);
    this.advance(1_000);
  }

  /** A change of a card that has passed its checks. */
  patch(card: number, change: Change): void {
    const row = this.#tables.card(this.#cardId(card));
    const { status, fundingSource, maxSpendPerTransaction, maxSpendPerDay, maxTransactionsPerDay } = change;
    const source = fundingSource === undefined ? row.funding_source : this.accountId(fundingSource);
    const cents = (limit: number | null) => (limit === null ? null : BigInt(limit));
    this.#tables.putCard({
      ...row,
      status: status ?? row.status,
      funding_source: source,
      ...(maxSpendPerTransaction !== undefined && {
        max_spend_per_transaction: cents(maxSpendPerTransaction),
      }),
      ...(maxSpendPerDay !== undefined && { max_spend_per_day: cents(maxSpendPerDay) }),
      ...(maxTransactionsPerDay !== undefined && { max_transactions_per_day: cents(maxTransactionsPerDay) }),
    });
    if (status === 'CLOSED' || source !== row.funding_source) this.#tables.keys.delete(row.id);
  }

  changeKey(card: number, change: 'grant' | 'revoke'): void {
    const id = this.#cardId(card);
    if (change === 'grant') this.#tables.keys.add(id);
    else this.#tables.keys.delete(id);
  }

  setFrozen(currency: Currency, isFrozen: boolean): void {
    this.memory.withStatus(this.accountId(currency), isFrozen ? 'FROZEN' : 'ACTIVE');
  }

  fund(currency: Currency, units: bigint): void {
    this.payments.deposit(this.accountId(currency), units);
  }

  withdraw(cents: bigint): string {
    if (this.memory.accounts.get(this.accountId('USD'))?.status !== 'ACTIVE') return 'USER_NOT_READY';
    const done = this.#transfer('OUTGOING', cents);
    return done && 'reason' in done ? 'INSUFFICIENT_FUNDS' : 'OK';
  }

  /** Money that a bank sends, and may take back. */
  pull(cents: bigint): void {
    const done = this.#transfer('INCOMING', cents);
    assert.ok(done && 'result' in done);
    this.#pulls.push(done.result.id);
    this.advance(2_000);
  }

  claw(n: number): void {
    this.payments.notify(this.#pulls[n] ?? '', { kind: 'collectionReversed' });
  }

  #transfer(type: 'OUTGOING' | 'INCOMING', amount: bigint) {
    const inside = { kind: 'INSIDE', who: 'A', currency: 'USD' } as const;
    const outside = { kind: 'OUTSIDE', who: 'A', currency: 'USD', suffix: '115' } as const;
    const asked = {
      ...({ kind: 'TRANSFER', type, owner: 'A', currencies: ['USD', 'USD'], addressed: undefined } as const),
      ...{ from: type === 'OUTGOING' ? inside : outside, to: type === 'OUTGOING' ? outside : inside },
      price: { sent: amount, received: amount, serviceFee: 0n, platformFee: 0n },
    };
    const names: Names = {
      customerId: () => this.#customerId,
      accountId: () => this.accountId('USD'),
      externalId: () => OUTSIDE,
    };
    const pull = { stages: [{ afterMs: 1_000, notices: [{ kind: 'collected' }] }] } as const;
    return this.payments.create(
      () => newRow(this.memory, names, asked, this.memory.date),
      { payout: PAID, pull },
      (draft, facts) => {
        draft.emit('PENDING');
        this.payments.apply(draft, { kind: 'executed' }, facts);
      },
    );
  }
}

function answerText(answer: NoticeAnswer): string {
  if ('isApplied' in answer) return answer.isApplied ? 'APPLIED' : 'NOTHING';
  return answer.isApproved ? 'APPROVED' : `DECLINED ${answer.reason}`;
}
