import {
  exceeds,
  type PlatformFee,
  type Price,
  plainPrice,
  type Terms,
  usdCents,
} from '#tests/model/plain-prices.ts';
import type { Currency, Inside, Outside, Realtime, Step, Uma, Who } from '#tests/model/steps.ts';

/** A payment as money.md §4 has it, without anything of how the service keeps it. */
export interface Payment {
  readonly n: number;
  readonly kind: 'QUOTE' | 'TRANSFER' | 'UMA';
  readonly type: 'OUTGOING' | 'INCOMING';
  readonly owner: Who;
  readonly from: Inside | Outside | Realtime | Uma;
  readonly to: Inside | Outside | Uma;
  readonly currencies: readonly [from: Currency, to: Currency];
  readonly price: Price;
  readonly expiresAt: number;
  status: string;
  reason?: string | undefined;
  pendingReason?: string | undefined;
  refund?: { status: string; reason: string; amount: bigint } | undefined;
  events: string[];
  isExecuted: boolean;
  isTaken: boolean;
  awaitsDecision: boolean;
  /** When it was executed under a key, for replays. */
  keyedAt?: number;
  due?: { readonly at: number; run(): void } | undefined;
}

interface Account {
  /** Spendable less what is owed to us: below zero nothing can be spent (money.md §11 rule b). */
  net: bigint;
  pendingIn: bigint;
  told: number;
}

const OK = 'OK';
const DAY = 86_400;
const START = 10 * 3_600;

/** What the service is meant to do, in seconds since midnight of its first day. */
export class MoneyModel {
  readonly payments: Payment[] = [];
  /** Incoming transactions that others or the sandbox make: `A 100 USD`. */
  readonly arrivals: string[] = [];
  readonly #terms: Terms;
  readonly #accounts = new Map<string, Account>();
  readonly #volumes = new Map<string, bigint>();
  #now = START;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  get now(): number {
    return this.#now;
  }

  account(who: Who, currency: string): Readonly<Account> {
    return this.#account(`${who}:${currency}`);
  }

  spendable(who: Who, currency: string): bigint {
    return positive(this.account(who, currency).net);
  }

  /** Which payment a step means; undefined: none yet, the step is skipped. */
  target(step: Step): Payment | undefined {
    if (!('which' in step)) return undefined;
    const fits = this.payments.filter((payment) => {
      if (step.does === 'execute' || step.does === 'send') return payment.kind === 'QUOTE';
      if (step.does === 'replay') return this.#now - (payment.keyedAt ?? -DAY) < DAY / 2;
      return true;
    });
    // The last ones are the most interesting.
    return fits.at(-1 - (step.which % Math.max(1, Math.min(fits.length, 5))));
  }

  /** Does the step; what the calls are answered with, as codes in alphabetical order. */
  apply(step: Step, target: Payment | undefined): string[] {
    switch (step.does) {
      case 'fund':
        this.#post([[step.to, BigInt(step.amount)]]);
        this.arrivals.push(`${step.to.who} ${step.amount} ${step.to.currency}`);
        return [OK];
      case 'quote':
        return [this.#quote(step)];
      case 'execute':
        return this.#executeStep(step, target as Payment);
      case 'replay':
        return [OK];
      case 'send':
        return [this.#send(target as Payment, sentAmount(target as Payment, step.off))];
      case 'transferOut':
        return [this.#transferOut(step)];
      case 'transferIn':
        return [this.#transferIn(step)];
      case 'cancel':
        return [this.#cancel(target as Payment)];
      case 'receive':
        return [this.#receive(step)];
      case 'decide':
        return [this.#decide(target as Payment, step.verdict)];
      case 'advance':
        this.advance(step.seconds);
        return [OK];
    }
  }

  /** Moves the clock and does what falls due on the way, each at its time. */
  advance(seconds: number): void {
    const until = this.#now + seconds;
    for (;;) {
      const next = this.payments
        .flatMap((payment) => (payment.due ? [{ payment, due: payment.due }] : []))
        .sort((a, b) => a.due.at - b.due.at)[0];
      if (!next || next.due.at > until) break;
      this.#now = next.due.at;
      next.payment.due = undefined;
      next.due.run();
    }
    this.#now = until;
  }

  #quote(step: Extract<Step, { does: 'quote' }>): string {
    const { from, to, side } = step;
    if (isAnothers(from, to) || (step.fee && from.currency !== 'USD')) return 'INVALID_INPUT';
    if (keyOf(from) === keyOf(to)) return 'SELF_PAYMENT';
    const currencies = [from.currency, currencyOf(to)] as const;
    const asked = { from: currencies[0], to: currencies[1], side, amount: BigInt(step.amount) };
    const price = plainPrice({ ...asked, fee: feeOf(step.fee) }, this.#terms);
    if (!price || price.sent > 1_000_000_000n) return 'AMOUNT_OUT_OF_RANGE';
    if (to.kind === 'UMA' && price.received > 10_000_000n) return 'AMOUNT_OUT_OF_RANGE';
    if (exceeds(usdCents(price.sent, currencies[0]), this.#terms.maxUsdCents)) {
      return 'TRANSACTION_SIZE_LIMIT_EXCEEDED';
    }
    const isPullIn = from.kind === 'OUTSIDE' && to.kind === 'INSIDE' && currencies[0] === currencies[1];
    const payment = this.#open({
      kind: 'QUOTE',
      type: isPullIn ? 'INCOMING' : 'OUTGOING',
      owner: ownerOf(from, to),
      from,
      to,
      currencies,
      price,
    });
    if (!isPullIn) payment.events.push('PENDING');
    this.#in(payment, 300, () => this.#expire(payment));
    if (!step.atOnce || from.kind === 'REALTIME') return OK;
    const code = this.#execute(payment);
    if (code !== OK) this.payments.pop();
    return code;
  }

  #executeStep({ how }: Extract<Step, { does: 'execute' }>, payment: Payment): string[] {
    const first = this.#execute(payment);
    if (first === OK && how === 'with a key') payment.keyedAt = this.#now;
    return how === 'twice at once' ? [first, this.#execute(payment)].sort() : [first];
  }

  /** money.md §3.3. */
  #execute(payment: Payment): string {
    const { from, price } = payment;
    if (from.kind === 'REALTIME') return 'INVALID_INPUT';
    if (payment.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (payment.status !== 'PENDING' || payment.isExecuted) return 'CONFLICT';
    const refused = this.#take(payment);
    if (refused) return refused;
    payment.isExecuted = true;
    payment.due = undefined;
    if (from.kind === 'INSIDE') {
      this.#post([[from, -price.sent]]);
      payment.isTaken = true;
      this.#process(payment);
      this.#payOut(payment);
    } else {
      if (payment.type === 'INCOMING') payment.events.push('PENDING');
      else this.#process(payment);
      this.#collect(payment);
    }
    return OK;
  }

  /** The last two checks: the day's volume, then the balance. Counts what passes both. */
  #take({ from, price, currencies, kind }: Payment): string | undefined {
    const corridor = currencies[0] === currencies[1] ? currencies[0] : currencies.join('-');
    const counter = `${Math.floor(this.#now / DAY)} ${corridor}`;
    const used = (this.#volumes.get(counter) ?? 0n) + price.sent;
    const isCounted = kind === 'QUOTE' || from.kind === 'INSIDE';
    if (isCounted && exceeds(usdCents(used, currencies[0]), this.#terms.dailyUsdCents)) {
      return 'DAILY_VOLUME_LIMIT_EXCEEDED';
    }
    if (from.kind === 'INSIDE' && this.spendable(from.who, from.currency) < price.sent) {
      return 'INSUFFICIENT_FUNDS';
    }
    if (isCounted) this.#volumes.set(counter, used);
    return undefined;
  }

  /** money.md §9.4. */
  #send(payment: Payment, amount: bigint): string {
    if (payment.from.kind !== 'REALTIME') return 'INVALID_INPUT';
    if (payment.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (payment.status !== 'PENDING') return 'INVALID_INPUT';
    payment.isExecuted = true;
    payment.isTaken = true;
    payment.due = undefined;
    const isExact = amount === payment.price.sent;
    const refused = isExact ? this.#take(payment) : undefined;
    if (isExact && !refused) {
      this.#process(payment);
      this.#payOut(payment);
    } else {
      payment.status = 'FAILED';
      payment.reason = refused ? 'LIMIT_EXCEEDED' : 'FUNDING_AMOUNT_MISMATCH';
      payment.events.push('FAILED');
      this.#refund(payment, 'TRANSACTION_FAILED', amount);
    }
    return OK;
  }

  /** money.md §5. */
  #transferOut({ from, to, amount }: Extract<Step, { does: 'transferOut' }>): string {
    if (isAnothers(from, to)) return 'INVALID_INPUT';
    if (from.currency !== to.currency) return 'INVALID_CURRENCY';
    const sent = amount === null ? this.spendable(from.who, from.currency) : BigInt(amount);
    if (sent === 0n) return 'INSUFFICIENT_FUNDS';
    if (exceeds(usdCents(sent, from.currency), this.#terms.maxUsdCents)) {
      return 'TRANSACTION_SIZE_LIMIT_EXCEEDED';
    }
    const payment = this.#openTransfer('OUTGOING', from, to, sent);
    const refused = this.#take(payment);
    if (refused) {
      this.payments.pop();
      return refused;
    }
    this.#post([[from, -sent]]);
    payment.isTaken = true;
    this.#payOut(payment);
    return OK;
  }

  #transferIn({ from, to, amount }: Extract<Step, { does: 'transferIn' }>): string {
    if (from.currency !== to.currency) return 'INVALID_CURRENCY';
    this.#collect(this.#openTransfer('INCOMING', from, to, BigInt(amount)));
    return OK;
  }

  #openTransfer(
    type: Payment['type'],
    from: Inside | Outside,
    to: Inside | Outside,
    amount: bigint,
  ): Payment {
    const price = { sent: amount, received: amount, serviceFee: 0n, platformFee: 0n };
    const currencies = [from.currency, from.currency] as const;
    const payment = this.#open({
      kind: 'TRANSFER',
      type,
      owner: ownerOf(from, to),
      from,
      to,
      currencies,
      price,
    });
    payment.isExecuted = true;
    payment.events.push('PENDING');
    return payment;
  }

  /** money.md §6.9. */
  #cancel(payment: Payment): string {
    const isPull = payment.from.kind === 'OUTSIDE';
    const isBankPayout = payment.type === 'OUTGOING' && payment.to.kind === 'OUTSIDE';
    if (!isPull && !isBankPayout) return 'INVALID_INPUT';
    const isOpen = payment.isExecuted && (payment.status === 'PENDING' || payment.status === 'PROCESSING');
    if (!isOpen || payment.refund || (payment.isTaken && !isBankPayout)) return 'TRANSACTION_NOT_CANCELLABLE';
    payment.due = undefined;
    if (!payment.isTaken) this.#collectionFailed(payment);
    else {
      if (payment.status === 'PENDING') this.#process(payment);
      this.#refund(payment, 'USER_CANCELLATION', payment.price.sent);
    }
    return OK;
  }

  /** money.md §7.2, §9.6. The platform is asked at once. */
  #receive({ who, currency, scenario, amount, answer }: Extract<Step, { does: 'receive' }>): string {
    const sent = BigInt(amount);
    const payment = this.#open({
      kind: 'UMA',
      type: 'INCOMING',
      owner: who,
      from: { kind: 'UMA', scenario },
      to: { kind: 'INSIDE', who, currency },
      currencies: [currency, currency],
      price: { sent, received: sent, serviceFee: 0n, platformFee: 0n },
    });
    payment.events.push('PENDING');
    payment.awaitsDecision = true;
    this.#in(payment, 0, () => this.#answer(payment, answer));
    this.advance(0);
    return OK;
  }

  #answer(payment: Payment, answer: number): void {
    if (answer === 200) this.#approve(payment);
    else if (answer === 202) {
      this.#in(payment, 5, () => this.#end(payment, 'FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'));
    } else if (answer === 403) this.#end(payment, 'REJECTED');
    else
      this.#end(payment, 'FAILED', answer === 422 ? 'PAY_REQUEST_FAILED' : 'PAYMENT_APPROVAL_WEBHOOK_ERROR');
  }

  #decide(payment: Payment, verdict: 'approve' | 'reject'): string {
    if (!payment.awaitsDecision) return 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
    payment.due = undefined;
    if (verdict === 'approve') this.#approve(payment);
    else this.#end(payment, 'REJECTED');
    return OK;
  }

  #approve(payment: Payment): void {
    payment.awaitsDecision = false;
    payment.isTaken = true;
    const { to, price, from } = payment;
    const account = this.#account(keyOf(to));
    const complete = () => {
      payment.pendingReason = undefined;
      payment.status = 'COMPLETED';
      payment.events.push('COMPLETED');
      this.#post([[to, price.received]]);
    };
    const scenario = from.kind === 'UMA' ? from.scenario : '';
    if (scenario === 'pending.long.usd') {
      this.#in(payment, 0, () => {
        payment.pendingReason = 'COMPLIANCE_REVIEW';
        account.pendingIn += price.received;
        account.told += 1;
        this.#in(payment, 360, () => {
          account.pendingIn -= price.received;
          complete();
        });
      });
    } else if (scenario === 'fail.compliance.usd') {
      this.#in(payment, 1, () => this.#fail(payment, 'COMPLIANCE_REJECTED'));
    } else this.#in(payment, 1, complete);
  }

  #collect(payment: Payment): void {
    const suffix = payment.from.kind === 'OUTSIDE' ? payment.from.suffix : '';
    if (suffix === '002' || suffix === '003') this.#collectionFailed(payment);
    else if (suffix === '004') this.#in(payment, 1, () => this.#collectionFailed(payment));
    else if (suffix === '005') this.#in(payment, 30, () => this.#collectionFailed(payment));
    else
      this.#in(payment, 1, () => {
        payment.isTaken = true;
        if (payment.type === 'INCOMING') this.#deliver(payment);
        else this.#payOut(payment);
      });
  }

  #collectionFailed(payment: Payment): void {
    const reason = payment.type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED';
    this.#end(payment, 'FAILED', reason);
  }

  /** Both suffix tables and the UMA scenarios of money.md §9. */
  #payOut(payment: Payment): void {
    const { to, currencies, kind } = payment;
    const crosses = currencies[0] !== currencies[1];
    const suffix = to.kind === 'OUTSIDE' ? to.suffix : '';
    const scenario = to.kind === 'UMA' ? to.scenario : '';
    const later = (seconds: number, run: () => void) => () => this.#in(payment, seconds, run);
    const failing = (reason: string) => () => this.#fail(payment, reason);
    const deliver = () => this.#deliver(payment);
    let outcome = later(1, deliver);
    if (scenario === 'pending.long.usd') {
      outcome = () => {
        payment.pendingReason = 'COMPLIANCE_REVIEW';
        this.#in(payment, 360, deliver);
      };
    } else if (scenario === 'fail.compliance.usd') outcome = later(1, failing('COMPLIANCE_REJECTED'));
    else if (suffix === '004' || (suffix === '007' && crosses)) {
      outcome = later(1, failing('ACCOUNT_CANNOT_RECEIVE'));
    } else if (crosses && suffix === '002') outcome = later(1, failing('QUOTE_EXECUTION_FAILED'));
    else if (crosses && suffix === '003') outcome = later(360, deliver);
    else if (crosses && suffix === '005') {
      outcome = later(1, () => {
        deliver();
        this.#in(payment, 5, () => this.#return(payment));
      });
    } else if (crosses && suffix === '006') {
      outcome = later(1, () => this.#refund(payment, 'USER_CANCELLATION', payment.price.sent));
    } else if (suffix === '002' || suffix === '003') {
      if (kind === 'TRANSFER') this.#process(payment);
      failing(suffix === '002' ? 'QUOTE_EXECUTION_FAILED' : 'ACCOUNT_INVALID')();
      return;
    } else if (suffix === '005') {
      this.#in(payment, 30, () => this.#fail(payment, 'QUOTE_EXECUTION_FAILED', 'TIMEOUT'));
      return;
    }
    this.#in(payment, 0, () => {
      if (payment.status === 'PENDING') this.#process(payment);
      outcome();
    });
  }

  #process(payment: Payment): void {
    payment.status = 'PROCESSING';
    payment.events.push('PROCESSING');
  }

  #deliver(payment: Payment): void {
    const { to, price, owner, currencies } = payment;
    const fee: [Inside, bigint][] =
      price.platformFee > 0n ? [[feeAccount(currencies[0]), price.platformFee]] : [];
    const receiver: [Inside, bigint][] = to.kind === 'INSIDE' ? [[to, price.received]] : [];
    this.#post([...receiver, ...fee]);
    payment.status = 'COMPLETED';
    payment.pendingReason = undefined;
    payment.events.push('COMPLETED');
    if (to.kind === 'INSIDE' && to.who !== owner) {
      this.arrivals.push(`${to.who} ${price.received} ${to.currency}`);
    }
  }

  #return(payment: Payment): void {
    const { platformFee } = payment.price;
    if (platformFee > 0n) this.#post([[feeAccount(payment.currencies[0]), -platformFee]]);
    this.#fail(payment, 'PAYOUT_RETURNED');
  }

  #fail(payment: Payment, reason: string, refundReason = 'TRANSACTION_FAILED'): void {
    this.#end(payment, 'FAILED', reason);
    this.#refund(payment, refundReason, payment.price.sent);
  }

  #end(payment: Payment, status: string, reason?: string): void {
    payment.due = undefined;
    payment.awaitsDecision = false;
    payment.status = status;
    payment.reason = reason;
    payment.pendingReason = undefined;
    payment.events.push('FAILED');
  }

  #refund(payment: Payment, reason: string, amount: bigint): void {
    const { from, to, currencies, owner, kind } = payment;
    const refund = { status: 'PENDING', reason, amount };
    payment.refund = refund;
    payment.pendingReason = undefined;
    payment.events.push('REFUND_PENDING');
    const isStuck = currencies[0] !== currencies[1] && to.kind === 'OUTSIDE' && to.suffix === '007';
    this.#in(payment, 1, () => {
      refund.status = isStuck ? 'FAILED' : 'COMPLETED';
      if (isStuck && payment.status === 'PROCESSING') {
        payment.status = 'FAILED';
        payment.reason = 'QUOTE_EXECUTION_FAILED';
        payment.events.push('FAILED');
      }
      payment.events.push(`REFUND_${refund.status}`);
      if (isStuck) return;
      if (from.kind === 'INSIDE') this.#post([[from, amount]]);
      if (from.kind === 'REALTIME' && from.currency === 'USDC') {
        this.#post([[{ kind: 'INSIDE', who: owner, currency: 'USDC' }, amount]]);
      }
      if (payment.status !== 'PROCESSING' || kind === 'UMA') return;
      payment.status = 'COMPLETED';
      payment.events.push('COMPLETED');
    });
  }

  #expire(payment: Payment): void {
    payment.status = 'EXPIRED';
    if (payment.type === 'OUTGOING') payment.events.push('EXPIRED');
  }

  #open(made: Pick<Payment, 'kind' | 'type' | 'owner' | 'from' | 'to' | 'currencies' | 'price'>): Payment {
    const payment: Payment = {
      ...made,
      n: this.payments.length,
      expiresAt: this.#now + 300,
      status: 'PENDING',
      events: [],
      isExecuted: false,
      isTaken: false,
      awaitsDecision: false,
    };
    this.payments.push(payment);
    return payment;
  }

  #in(payment: Payment, seconds: number, run: () => void): void {
    payment.due = { at: this.#now + seconds, run };
  }

  /** One ledger entry: every account whose spendable balance it changes tells so once (money.md §10.4). */
  #post(effects: readonly (readonly [Inside | Outside | Uma, bigint])[]): void {
    const before = new Map<Account, bigint>();
    for (const [to, amount] of effects) {
      const account = this.#account(keyOf(to));
      if (!before.has(account)) before.set(account, positive(account.net));
      account.net += amount;
    }
    for (const [account, spendable] of before) if (positive(account.net) !== spendable) account.told += 1;
  }

  #account(key: string): Account {
    const account = this.#accounts.get(key) ?? { net: 0n, pendingIn: 0n, told: 0 };
    this.#accounts.set(key, account);
    return account;
  }
}

/** What is paid in for a real-time quote; never zero. */
export function sentAmount({ price }: Payment, off: number): bigint {
  const amount = price.sent + BigInt(off);
  return amount < 1n ? price.sent + 1n : amount;
}

export function currencyOf(party: Inside | Outside | Realtime | Uma): Currency {
  if (party.kind !== 'UMA') return party.currency;
  return party.scenario === 'success.eur' ? 'EUR' : 'USD';
}

export function feeOf(fee: { bps: number; fixed: number } | null): PlatformFee | undefined {
  return fee ? { bps: BigInt(fee.bps), fixed: BigInt(fee.fixed) } : undefined;
}

/** The name of an account; one that is not kept anywhere is a name of its own. */
export function keyOf(party: Inside | Outside | Realtime | Uma): string {
  if (party.kind === 'INSIDE') return `${party.who}:${party.currency}`;
  if (party.kind === 'OUTSIDE') return `${party.who}:${party.currency}:${party.suffix}`;
  return party.kind;
}

const feeAccount = (currency: Currency): Inside => ({ kind: 'INSIDE', who: 'P', currency });

/** money.md §2.4: a customer's external account takes that customer's money, or the platform's. */
function isAnothers(from: Inside | Outside | Realtime, to: Inside | Outside | Uma): boolean {
  return to.kind === 'OUTSIDE' && to.who !== 'P' && from.who !== 'P' && from.who !== to.who;
}

function ownerOf(from: Inside | Outside | Realtime, to: Inside | Outside | Uma): Who {
  if (from.who !== 'P') return from.who;
  return to.kind === 'UMA' ? 'P' : to.who;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
