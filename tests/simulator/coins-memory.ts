import assert from 'node:assert/strict';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { issuedAccountOf, outsideAccountOf, reserveAccountOf } from '#capabilities/stablecoins/coin-row.ts';
import { FOLLOW_OPERATION, scheduleFollow } from '#capabilities/stablecoins/follow.ts';
import { applyOperation } from '#capabilities/stablecoins/operations/apply.ts';
import type {
  MINTS_AND_BURNS,
  OperationFacts,
  OperationNotice,
} from '#capabilities/stablecoins/operations/machine.ts';
import { burnsFromOutside, isOpen, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { PAID } from '#edge/sandbox/rails/rails-table.ts';
import type { RowChange } from '#foundation/database/rows.ts';
import type { Making, Owner } from '#tests/model/coins-steps.ts';
import { Disturbances, type Outcome, type Reading, requireCommitted } from '#tests/simulator/disturbances.ts';
import { KEYS, Memory, MemoryChange, type MemoryJob } from '#tests/simulator/memory.ts';
import { type Asked, type Names, newRow, OUTSIDE } from '#tests/simulator/payment-rows.ts';
import { SimulatedPayments } from '#tests/simulator/payments.ts';
import { isLostAtProvider, providerNotice, submissionOf } from '#tests/simulator/provider.ts';

export type CoinsMachine = typeof MINTS_AND_BURNS;

const TABLE = 'stablecoin_operations';
const COIN = 'ACME';
const CENT = 10_000n;
const GIVE_UP_MS = 15 * 60_000;
const RECONCILE_MS = 60_000;

/** How far a call came before its process died. */
export type CutOff = 'before the commit' | 'after the commit' | 'after the answer';

/** Mints and burns of one coin and the payments in it, on tables in memory. */
export class CoinsMemory {
  readonly memory: Memory;
  readonly disturbances: Disturbances;
  readonly payments: SimulatedPayments;
  readonly coinId: CoinId;
  /** Operations that were made, in their order; one that the provider refused is none. */
  readonly made: string[] = [];
  readonly #machine: CoinsMachine;
  readonly #linkId: LinkId;
  readonly #wishes = new Map<string, { readonly wish: Making; readonly isCutOff: boolean }>();
  readonly #customers: Readonly<Record<Owner, CustomerId>>;
  readonly #accounts: Readonly<Record<'USD' | Owner, AccountId>>;
  #keys = 0;

  constructor(now: number, { seed, machine }: { seed: number; machine: CoinsMachine }) {
    this.memory = new Memory(now, {
      [TABLE]: (memory, item: RowChange<OperationRow>) => memory.putRow(TABLE, item),
    });
    this.disturbances = new Disturbances(this.memory, seed);
    this.payments = new SimulatedPayments(this.memory, this.disturbances);
    this.#machine = machine;
    this.coinId = this.memory.newId();
    this.#linkId = this.memory.newId();
    this.#customers = { A: this.memory.newId(), B: this.memory.newId() };
    for (const id of Object.values(this.#customers)) this.memory.customers.set(id, { isDeleted: false });
    const open = (currency: string, owner: Owner) =>
      this.memory.openAccount(currency, this.#customers[owner]).id;
    this.#accounts = { USD: open('USD', 'A'), A: open(COIN, 'A'), B: open(COIN, 'B') };
    this.memory.openLedgerAccount(issuedAccountOf(this.coinId), COIN);
    this.memory.openLedgerAccount(reserveAccountOf(this.coinId), 'USD');
  }

  get rows(): ReadonlyMap<string, OperationRow> {
    return this.memory.table<OperationRow>(TABLE);
  }

  /** Available and on hold. */
  balances(name: 'USD' | Owner): readonly [bigint, bigint] {
    const id = this.#accounts[name];
    const currency = name === 'USD' ? 'USD' : COIN;
    return [this.memory.balanceOf(`AVAIL:${id}`, currency), this.memory.balanceOf(`HOLD:${id}`, currency)];
  }

  get issued(): bigint {
    return this.memory.balanceOf(issuedAccountOf(this.coinId), COIN);
  }

  get reserve(): bigint {
    return this.memory.balanceOf(reserveAccountOf(this.coinId), 'USD');
  }

  /** The coins in external wallets: the sum of their account's lines. */
  get outside(): bigint {
    return this.memory.sumOf(outsideAccountOf({ symbol: COIN }));
  }

  advance(ms: number): void {
    const until = this.memory.now + ms;
    for (let job = this.memory.nextJob(until); job; job = this.memory.nextJob(until)) {
      this.memory.now = Math.max(this.memory.now, job.dueAt);
      this.memory.finishJob(job);
      assert.ok(this.#run(job) || this.payments.run(job), `nobody runs ${job.kind}`);
    }
    this.memory.now = until;
  }

  #run({ kind, payload }: MemoryJob): boolean {
    if (kind !== FOLLOW_OPERATION) return false;
    const row = this.rows.get((payload as { id: string }).id);
    if (!row || !isOpen(row)) return true;
    const { wish, isCutOff } = this.#wishes.get(row.id) ?? assert.fail('an operation was wished for');
    if (!isLostAtProvider(wish, isCutOff)) this.#notify(row.id, providerNotice(wish, row, this.memory.date));
    else if (this.memory.now - row.created_at.getTime() >= GIVE_UP_MS) this.#notify(row.id, { kind: 'lost' });
    else {
      const change = new MemoryChange(this.memory);
      scheduleFollow(change, row.id, RECONCILE_MS);
      this.memory.commit(change);
    }
    return true;
  }

  /** A mint or burn whose parties have passed their checks; the answer of the API. */
  make(wish: Making, cutOff: CutOff = 'after the answer'): string {
    if (cutOff === 'before the commit') return 'lost';
    if (isFromOutside(wish) && this.outside - this.#burning(() => true) < wish.amount) return SHORT;
    const made = this.#create(wish, cutOff === 'after the commit');
    if (!made || !('result' in made)) return SHORT;
    const { id } = made.result;
    if (cutOff === 'after the commit') return this.#keep(id, 'CREATED');
    const submission = submissionOf(wish);
    if (submission === 'REFUSED' || submission === 'UNAVAILABLE') {
      this.#notify(id, { kind: 'refused' });
      return submission === 'REFUSED' ? '400 STABLECOIN_PROVIDER_ERROR' : '503 SERVICE_UNAVAILABLE';
    }
    if (submission === undefined) this.#notify(id, providerNotice(wish, made.result, this.memory.date));
    return this.#keep(id, this.rows.get(id)?.status ?? '');
  }

  #keep(id: string, status: string): string {
    this.made.push(id);
    return `201 ${status}`;
  }

  #create(wish: Making, isCutOff: boolean): Outcome<OperationRow> {
    const key = `operation ${++this.#keys}`;
    return this.disturbances.commit((reading: Reading) => {
      if (reading === 'old') return undefined;
      const row = this.#newOperation(wish);
      this.#wishes.set(row.id, { wish, isCutOff });
      const facts = { isCovered: true, receiver: undefined };
      const transition = this.#machine.require(row, { kind: 'created' }, this.memory.date, facts);
      const change = new MemoryChange(this.memory);
      change.collect(KEYS, key);
      applyOperation(change, transition);
      return { change, result: transition.row };
    });
  }

  #newOperation(wish: Making): OperationRow {
    const { date } = this.memory;
    const isMint = wish.does === 'mint';
    const isInternal = wish.source === 'SVC_INTERNAL_ACCOUNT';
    return {
      platform_id: this.memory.platformId,
      id: this.memory.newId(),
      version: 0n,
      stablecoin_id: this.coinId,
      operation_type: isMint ? 'MINT' : 'BURN',
      amount: wish.amount,
      cents: wish.amount / CENT,
      currency: COIN,
      customer_id: null,
      provider: 'BRALE',
      provider_account: this.#linkId,
      source_type: wish.source,
      source_internal: isInternal ? this.#accounts[isMint ? 'USD' : 'A'] : null,
      source_external: null,
      destination_internal: isMint && wish.to !== 'wallet' ? this.#accounts[wish.to] : null,
      destination_external: null,
      rail: isMint ? null : 'WIRE',
      description: null,
      created_at: date,
      status: 'CREATED',
      instruments: null,
      funding_instructions: null,
      expires_at: null,
      provider_status: null,
      failure_reason: null,
      steps: {},
      updated_at: date,
    };
  }

  #notify(id: string, notice: OperationNotice): void {
    const done = this.disturbances.commit((reading) => {
      const row = reading === 'present' ? this.rows.get(id) : this.memory.previous<OperationRow>(TABLE, id);
      const transition =
        row && this.#machine.advance(row, notice, this.memory.date, this.#facts(row, notice));
      if (!transition) return undefined;
      const change = new MemoryChange(this.memory);
      applyOperation(change, transition);
      return { change, result: true };
    });
    if (done) requireCommitted(done, `the notice "${notice.kind}"`);
  }

  /** A report that comes again, late or out of order. */
  reportAgain(id: string, notice: OperationNotice): void {
    this.#notify(id, notice);
  }

  #facts(row: OperationRow, { kind }: OperationNotice): OperationFacts {
    const given = this.#burning((other) => other.id !== row.id && isGivenItsCoins(other));
    const { destination_internal: account } = row;
    const customerId = account === null ? null : (this.memory.accounts.get(account)?.customerId ?? null);
    const debtAccount = receivableAccount(customerId ?? this.memory.platformId, COIN);
    const debt = this.memory.balanceOf(debtAccount, COIN);
    return {
      isCovered: !burnsFromOutside(row) || this.outside - given >= row.amount,
      receiver:
        kind === 'completed' && account !== null
          ? { canHold: true, debt: debt > 0n ? { account: debtAccount, balance: debt } : undefined }
          : undefined,
    };
  }

  /** The coins outside that open burns take, as far as this predicate selects them. */
  #burning(counts: (row: OperationRow) => boolean): bigint {
    let sum = 0n;
    for (const row of this.rows.values()) {
      if (isOpen(row) && burnsFromOutside(row) && counts(row)) sum += row.amount;
    }
    return sum;
  }

  fund(cents: bigint): void {
    this.payments.deposit(this.#accounts.USD, cents);
  }

  /** Coins that arrive from an external wallet, as far as there are any (stablecoins.md §7.1). */
  deposit(to: Owner, units: bigint): string {
    if (this.outside - this.#burning(isGivenItsCoins) < units) return 'CONFLICT';
    this.payments.deposit(this.#accounts[to], units, 'SPARK');
    return 'OK';
  }

  /** A quote from A to B that is executed at once. */
  pay(units: bigint): string {
    const to = { kind: 'INSIDE', who: 'B', currency: 'USDB' } as const;
    return this.#pay(units, { kind: 'QUOTE', to }, PAID);
  }

  /** A transfer to an external wallet. */
  payOut(units: bigint, fails: boolean): string {
    const to = { kind: 'OUTSIDE', who: 'A', currency: 'USD', suffix: '115' } as const;
    const failed = { kind: 'payoutFailed', reason: 'ACCOUNT_CANNOT_RECEIVE' } as const;
    return this.#pay(
      units,
      { kind: 'TRANSFER', to },
      fails ? { stages: [{ afterMs: 1_000, notices: [failed] }] } : PAID,
    );
  }

  /** The model of money has no coins, so its names stand for them here. */
  #pay(units: bigint, { kind, to }: Pick<Asked, 'kind' | 'to'>, payout: typeof PAID): string {
    const from = { kind: 'INSIDE', who: 'A', currency: 'USDB' } as const;
    const price = { sent: units, received: units, serviceFee: 0n, platformFee: 0n };
    const asked: Asked = {
      ...{ kind, type: 'OUTGOING', owner: 'A', from, to, price },
      ...{ currencies: ['USDB', 'USDB'], addressed: undefined },
    };
    const names: Names = {
      customerId: (who) => this.#customers[who === 'B' ? 'B' : 'A'],
      accountId: ({ who }) => this.#accounts[who === 'B' ? 'B' : 'A'],
      externalId: () => OUTSIDE,
    };
    const build = () => {
      const row = newRow(this.memory, names, asked, this.memory.date);
      const { usdValue: _, payoutRail, ...details } = row.details;
      const rail = payoutRail === undefined ? {} : { payoutRail: 'SPARK' };
      const currencies = { sending_currency: COIN, receiving_currency: COIN };
      return { ...row, ...currencies, details: { ...details, ...rail } };
    };
    const done = this.payments.create(build, { payout }, (draft, facts) => {
      draft.emit('PENDING');
      this.payments.apply(draft, { kind: 'executed' }, facts);
    });
    return done && 'reason' in done ? SHORT : '201';
  }
}

const SHORT = '400 INSUFFICIENT_FUNDS';

function isFromOutside(wish: Making): boolean {
  return wish.does === 'burn' && wish.source !== 'SVC_INTERNAL_ACCOUNT';
}

/** Whether the provider already has the coins of a burn (stablecoins.md §7.1). */
function isGivenItsCoins({ status, source_type: source }: OperationRow): boolean {
  if (status === 'CREATED') return source === 'PROVIDER_INTERNAL_BALANCE';
  return status === 'PENDING_PROVIDER' || status === 'PROCESSING';
}
