import {
  exceeds,
  type PlatformFee,
  type Price,
  plainPrice,
  type Terms,
  usdCents,
} from '#tests/model/plain-prices.ts';
import type {
  Addressed,
  Currency,
  Customer,
  DepositAccount,
  Inside,
  NoticeKind,
  ProviderChecks,
  Race,
  Realtime,
  StampKind,
  Step,
  Uma,
  Who,
} from '#tests/model/steps.ts';

/** A payment as money.md §4 has it, without anything of how the service keeps it. */
export interface Payment {
  readonly n: number;
  readonly kind: 'QUOTE' | 'TRANSFER' | 'UMA';
  readonly type: 'OUTGOING' | 'INCOMING';
  readonly owner: Who;
  readonly from: Inside | ProviderChecks | Realtime | Uma;
  readonly to: Inside | ProviderChecks | Uma;
  /** Which of those who were C one after the other it is about, by the number of deletions before. */
  readonly life: number;
  readonly currencies: readonly [from: Currency, to: Currency | 'MXN'];
  readonly price: Price;
  /** Whom its UMA address was, where that is a customer. */
  readonly addressed?: Customer | undefined;
  readonly expiresAt: number;
  status: string;
  reason?: string | undefined;
  pendingReason?: string | undefined;
  refund?: Refund | undefined;
  events: string[];
  isExecuted: boolean;
  /** It was `COMPLETED` once. */
  isSettled: boolean;
  isTaken: boolean;
  awaitsDecision: boolean;
  /** The pull that fed it was taken back. */
  isReversed: boolean;
  /** When it was executed under a key, for replays. */
  keyedAt?: number;
  due?: { readonly at: number; run(): void } | undefined;
}

interface Refund {
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly reason: string;
  readonly amount: bigint;
}

/** So many seconds after the one before: a report, the reason of a failure and that of its refund. */
type Stage = readonly [
  seconds: number,
  kind: NoticeKind | 'cancelled',
  reason?: string | undefined,
  refundReason?: string,
];

interface Account {
  avail: bigint;
  /** What its owner owes us in this currency: credits repay it first (money.md §11.b). */
  owed: bigint;
  pendingIn: bigint;
  told: number;
  /** Payments of one second may repay a debt in any order, and only some of them then change the balance. */
  wasOwed: boolean;
}

const OK = 'OK';
const DAY = 86_400;
const START = 10 * 3_600;
/** money.md §8.1. */
const DEFAULT_MAX_USD_CENTS = 10_000_000n;
/** From a second before a quote's expiry: longer than anything takes. */
export const AFTER_RACE = 1_000;

/** What the service is meant to do, in seconds since midnight of its first day. */
export class MoneyModel {
  readonly payments: Payment[] = [];
  /** Incoming transactions that others or the sandbox make, with what was sent: `A 100 USD of 105`. */
  readonly arrivals: string[] = [];
  readonly #terms: Terms;
  readonly #accounts = new Map<string, Account>();
  readonly #volumes = new Map<string, bigint>();
  /** Where UMA money of a customer lands outside; each is an account of its own. */
  readonly #deposits = new Map<Who, ProviderChecks>();
  readonly #deleted = new Set<ProviderChecks>();
  /** When the owners of wallets asked for codes, and until when their last session may sign. */
  readonly #challenges = new Map<Customer, number[]>();
  readonly #sessions = new Map<Customer, number>();
  /** How many C have gone. */
  #life = 0;
  #now = START;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  get now(): number {
    return this.#now;
  }

  account(who: Who, currency: string): Readonly<Account> {
    return this.#account(`${who}:${currency}`, this.#life);
  }

  spendable(who: Who, currency: string): bigint {
    return this.account(who, currency).avail;
  }

  /** Which payment a step means; undefined: none that fits, the step is skipped. */
  target(step: Step): Payment | undefined {
    if (!('which' in step)) return undefined;
    const fits = this.payments.filter((payment) => this.#fits(payment, step));
    // The last ones are the most interesting.
    return fits.at(-1 - (step.which % Math.max(1, Math.min(fits.length, 5))));
  }

  #fits(payment: Payment, step: Step): boolean {
    const { kind, from, price } = payment;
    if (step.does === 'kill') return this.#fits(payment, step.during);
    // Most calls are about payments that they are meant for; the others have to be refused.
    const isMisled = 'which' in step && step.which % 4 === 0;
    if (step.does === 'execute') return kind === 'QUOTE' && (isMisled || from.kind !== 'REALTIME');
    if (step.does === 'send') return kind === 'QUOTE' && (isMisled || from.kind === 'REALTIME');
    if (step.does === 'decide') return isMisled || payment.awaitsDecision;
    if (step.does === 'replay') return this.#now - (payment.keyedAt ?? -DAY) < DAY / 2;
    // Most notices are about payments that such a thing can happen to; whether it still can is another matter.
    if (step.does === 'notice') return step.which % 3 === 0 || isApt(payment, step.kinds[0]);
    if (step.does !== 'race') return true;
    if (step.between === 'cancellation and delivery') return payment.isExecuted;
    if (step.between === 'payment and deletion of its receiver' && !this.#isForC(payment)) return false;
    if (step.between === 'payment and deletion of its receiver' && from.kind === 'REALTIME') return false;
    // Only where nothing but the time decides.
    const isOpen = kind === 'QUOTE' && payment.status === 'PENDING' && !payment.isExecuted;
    const isCovered =
      from.kind === 'INSIDE' && from.who !== 'P' && this.spendable(from.who, from.currency) >= price.sent;
    return isOpen && this.#now < payment.expiresAt && (from.kind === 'REALTIME' || isCovered);
  }

  /**
   * Does the step; what the calls are answered with, as codes in alphabetical order. Where two things raced,
   * the service's answer tells which came first.
   */
  apply(step: Step, target: Payment | undefined, answered: readonly string[] = []): string[] {
    switch (step.does) {
      case 'fund':
        this.#post([[step.to, BigInt(step.amount)]]);
        this.arrivals.push(`${step.to.who} ${step.amount} ${step.to.currency} of ${step.amount}`);
        return [OK];
      case 'quote':
        return [this.#quote(step)];
      case 'execute':
        return this.#executeStep(step, target as Payment);
      case 'logIn':
        return [this.#logIn(step.who)];
      case 'logOut':
        return [this.#logOut(step.who)];
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
        return [this.#decide(target as Payment, step.decision)];
      case 'deposit':
        return [this.#deposit(step.who, step.at)];
      case 'remove':
        return [this.#remove()];
      case 'confirm':
        return [(target as Payment).isSettled ? OK : 'INVALID_INPUT'];
      case 'advance':
        this.advance(step.seconds);
        return [OK];
      case 'notice':
        for (const kind of step.kinds) this.#take(target as Payment, kind);
        return [OK];
      case 'stray':
        return [OK];
      case 'kill':
        return this.apply(step.during, target, answered);
      case 'race':
        return step.between === 'payment and deletion of its receiver'
          ? this.#raceDeletion(target as Payment, answered)
          : [this.#race(target as Payment, step.between, answered)];
    }
  }

  /** wallets.md §1, W30. */
  #logIn(who: Customer): string {
    const recent = (this.#challenges.get(who) ?? []).filter((at) => at > this.#now - 60);
    if (recent.length >= 10) return 'RATE_LIMITED';
    this.#challenges.set(who, [...recent, this.#now]);
    this.#sessions.set(who, this.#now + 900);
    return OK;
  }

  #logOut(who: Customer): string {
    if (!this.#isLoggedIn(who)) return 'SESSION_NOT_FOUND';
    this.#sessions.delete(who);
    return OK;
  }

  #isLoggedIn(who: Customer): boolean {
    return this.#now < (this.#sessions.get(who) ?? 0);
  }

  /** Whether the second may have come first is for the answer to say; all else must follow from that. */
  #race(payment: Payment, between: Race, [answered]: readonly string[]): string {
    if (between === 'cancellation and delivery') {
      if (answered !== OK) this.#take(payment, 'delivered');
      const code = this.#cancel(payment);
      this.#take(payment, 'delivered');
      return code;
    }
    this.advance(payment.expiresAt - 1 - this.#now);
    const isLate = answered === 'QUOTE_EXPIRED';
    if (isLate) this.advance(1);
    const code =
      payment.from.kind === 'REALTIME' ? this.#send(payment, payment.price.sent) : this.#execute(payment);
    // The service's own clock may have moved on before the payment did; a while later both have settled.
    this.advance(AFTER_RACE - (isLate ? 1 : 0));
    return code;
  }

  /** Either the payment finds nobody to pay, or the deletion a payment under way. */
  #raceDeletion(payment: Payment, answered: readonly string[]): string[] {
    const isGone = answered.includes('USER_NOT_READY') || answered.includes('ACCOUNT_NOT_FOUND');
    const codes = isGone
      ? [this.#remove(), this.#execute(payment)]
      : [this.#execute(payment), this.#remove()];
    return codes.sort();
  }

  /** customers.md §2.4.26. */
  #remove(): string {
    const isMine = ({ owner, life }: Payment) => owner === 'C' && life === this.#life;
    const isOpen = ({ status, refund }: Payment) =>
      status === 'PENDING' || status === 'PROCESSING' || refund?.status === 'PENDING';
    const isOnItsWay = (payment: Payment) =>
      payment.isExecuted && (payment.status === 'PENDING' || payment.status === 'PROCESSING');
    const stands = this.payments.some(
      (payment) => (isMine(payment) && isOpen(payment)) || (this.#isForC(payment) && isOnItsWay(payment)),
    );
    const holds = ['USD', 'EUR', 'USDC', 'USDB'].some((currency) => {
      const { avail, pendingIn, owed } = this.account('C', currency);
      return avail + pendingIn + owed > 0n;
    });
    if (stands || holds) return 'CONFLICT';
    this.#deposit('C', null);
    this.#life += 1;
    return OK;
  }

  /** Whether somebody else pays who is C now. */
  #isForC({ to, addressed, owner, life }: Payment): boolean {
    const isTo = addressed === 'C' || (to.kind !== 'UMA' && to.who === 'C');
    return isTo && owner !== 'C' && life === this.#life;
  }

  /** Whether who it was for is gone. */
  #isReceiverGone({ to, addressed, life }: Payment): boolean {
    const isTo = addressed === 'C' || (to.kind !== 'UMA' && to.who === 'C');
    return isTo && life !== this.#life;
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

  /** Does now what is still to come of a payment, for somebody who has seen that it happened. */
  finish(payment: Payment): void {
    for (let due = payment.due; due; due = payment.due) {
      payment.due = undefined;
      due.run();
    }
  }

  #deposit(who: Customer, at: DepositAccount | null): string {
    const before = this.#deposits.get(who);
    if (at) this.#deposits.set(who, { kind: 'OUTSIDE', who, ...at });
    else if (before) {
      this.#deleted.add(before);
      this.#deposits.delete(who);
    }
    return OK;
  }

  /** money.md §7.4. */
  #landing({ who, currency }: Pick<Addressed, 'who' | 'currency'>): Inside | ProviderChecks {
    const outside = this.#deposits.get(who);
    return outside?.currency === currency ? outside : { kind: 'INSIDE', who, currency };
  }

  #quote(step: Extract<Step, { does: 'quote' }>): string {
    const { from, side } = step;
    const addressed = step.to.kind === 'ADDRESSED' ? step.to.who : undefined;
    const to = step.to.kind === 'ADDRESSED' ? this.#landing(step.to) : step.to;
    const refusal = this.#refusedParties(step, addressed);
    if (refusal) return refusal;
    const currencies = [from.currency, currencyOf(to)] as const;
    const asked = { from: currencies[0], to: currencies[1], side, amount: BigInt(step.amount) };
    const price = plainPrice({ ...asked, fee: feeOf(step.fee) }, this.#terms);
    if (!price || price.sent > 1_000_000_000n) return 'AMOUNT_OUT_OF_RANGE';
    const isUma = to.kind === 'UMA' || addressed !== undefined;
    if (isUma && this.#isTooMuchFor(price.received, currencies[1], addressed !== undefined)) {
      return 'AMOUNT_OUT_OF_RANGE';
    }
    if (exceeds(usdCents(price.sent, currencies[0]), this.#terms.maxUsdCents)) {
      return 'TRANSACTION_SIZE_LIMIT_EXCEEDED';
    }
    if (isWallet(from) && this.spendable(from.who, from.currency) < price.sent) return 'INSUFFICIENT_FUNDS';
    const isPullIn =
      !isUma && from.kind === 'OUTSIDE' && to.kind === 'INSIDE' && currencies[0] === currencies[1];
    const payment = this.#open({
      kind: 'QUOTE',
      type: isPullIn ? 'INCOMING' : 'OUTGOING',
      owner: from.who,
      addressed,
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

  /** The rows of money.md §2's table before amounts, as far as steps come to them. */
  #refusedParties({ from, to, fee, atOnce }: Extract<Step, { does: 'quote' }>, addressed: Who | undefined) {
    if (isForeign(from, to) || (fee && from.currency !== 'USD')) return 'INVALID_INPUT';
    if (atOnce && isWallet(from)) return 'INVALID_INPUT';
    if (addressed ? from.who === addressed : keyOf(from) === keyOf(to)) return 'SELF_PAYMENT';
    if (to.kind !== 'UMA') return undefined;
    if (to.scenario === 'needinfo.usd') return 'MISSING_MANDATORY_USER_INFO';
    return to.scenario === 'fail.payreq.usd' ? 'PAYREQ_REQUEST_FAILED' : undefined;
  }

  /**
   * What a look-up of a UMA address says can be received (accounts.md RL-4): a limit that the operator set stands in
   * the place of the usual one, and another provider's own narrows it.
   */
  #isTooMuchFor(received: bigint, currency: string, isOurs: boolean): boolean {
    const { maxUsdCents } = this.#terms;
    const isSet = maxUsdCents !== DEFAULT_MAX_USD_CENTS;
    if (isSet && exceeds(usdCents(received, currency), maxUsdCents)) return true;
    return received > 10_000_000n && !(isSet && isOurs);
  }

  #executeStep({ how, stamp }: Extract<Step, { does: 'execute' }>, payment: Payment): string[] {
    if (stamp === 'of a new session' && isWallet(payment.from)) this.#logIn(payment.from.who);
    const first = this.#execute(payment, stamp);
    if (first === OK && how === 'with a key') payment.keyedAt = this.#now;
    return how === 'twice at once' ? [first, this.#execute(payment, stamp)].sort() : [first];
  }

  /** money.md §3.3. */
  #execute(payment: Payment, stamp: StampKind = 'sandbox'): string {
    const { from, price } = payment;
    const unsigned = isWallet(from) ? this.#checkStamp(from.who, stamp) : undefined;
    if (unsigned) return unsigned;
    if (from.kind === 'REALTIME') return 'INVALID_INPUT';
    if (payment.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (payment.status !== 'PENDING' || payment.isExecuted) return 'CONFLICT';
    const isOutside = payment.to.kind === 'OUTSIDE';
    if (payment.addressed && payment.to.kind === 'OUTSIDE' && this.#deleted.has(payment.to)) {
      return 'ACCOUNT_NOT_FOUND';
    }
    if (this.#isReceiverGone(payment)) return isOutside ? 'ACCOUNT_NOT_FOUND' : 'USER_NOT_READY';
    const refused = this.#count(payment);
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

  /** wallets.md W51. */
  #checkStamp(owner: Customer, stamp: StampKind): string | undefined {
    if (stamp === 'missing') return 'WALLET_SIGNATURE_MISSING';
    if (stamp === 'malformed') return 'WALLET_SIGNATURE_MALFORMED';
    const isOwn = stamp === 'of a new session' || stamp === 'of the last session';
    const isAccepted = stamp === 'sandbox' || (isOwn && this.#isLoggedIn(owner));
    return isAccepted ? undefined : 'WALLET_SIGNATURE_INVALID';
  }

  /** The last two checks: the day's volume, then the balance. Counts what passes both. */
  #count({ from, price, currencies, kind }: Payment): string | undefined {
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
    const isGone = isExact && this.#isReceiverGone(payment);
    const refused = isExact && !isGone ? this.#count(payment) : undefined;
    if (isExact && !refused && !isGone) {
      this.#process(payment);
      this.#payOut(payment);
    } else {
      payment.status = 'FAILED';
      payment.reason = refused ? 'LIMIT_EXCEEDED' : 'FUNDING_AMOUNT_MISMATCH';
      if (isGone) payment.reason = 'ACCOUNT_CANNOT_RECEIVE';
      payment.events.push('FAILED');
      this.#refund(payment, 'TRANSACTION_FAILED', amount);
    }
    return OK;
  }

  /** money.md §5. */
  #transferOut({ from, to, amount }: Extract<Step, { does: 'transferOut' }>): string {
    if (isForeign(from, to) || isWallet(from)) return 'INVALID_INPUT';
    if (from.currency !== to.currency) return 'INVALID_CURRENCY';
    const sent = amount === null ? this.spendable(from.who, from.currency) : BigInt(amount);
    if (sent === 0n) return 'INSUFFICIENT_FUNDS';
    if (exceeds(usdCents(sent, from.currency), this.#terms.maxUsdCents)) {
      return 'TRANSACTION_SIZE_LIMIT_EXCEEDED';
    }
    const payment = this.#openTransfer('OUTGOING', from, to, sent);
    const refused = this.#count(payment);
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
    if (isForeign(from, to)) return 'INVALID_INPUT';
    if (from.currency !== to.currency) return 'INVALID_CURRENCY';
    this.#collect(this.#openTransfer('INCOMING', from, to, BigInt(amount)));
    return OK;
  }

  #openTransfer(
    type: Payment['type'],
    from: Inside | ProviderChecks,
    to: Inside | ProviderChecks,
    amount: bigint,
  ): Payment {
    const price = { sent: amount, received: amount, serviceFee: 0n, platformFee: 0n };
    const currencies = [from.currency, from.currency] as const;
    const payment = this.#open({
      kind: 'TRANSFER',
      type,
      owner: from.who,
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
    const isBankPayout = payment.type === 'OUTGOING' && payment.to.kind === 'OUTSIDE' && !payment.addressed;
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
      to: this.#landing({ who, currency }),
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

  #decide(payment: Payment, decision: 'approve' | 'reject'): string {
    if (!payment.awaitsDecision) return 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
    payment.due = undefined;
    if (decision === 'approve') this.#approve(payment);
    else this.#end(payment, 'REJECTED');
    return OK;
  }

  #approve(payment: Payment): void {
    payment.awaitsDecision = false;
    payment.isExecuted = true;
    payment.isTaken = true;
    const { to, price, from } = payment;
    const scenario = from.kind === 'UMA' ? from.scenario : '';
    if (scenario === 'pending.long.usd') {
      this.#in(payment, 0, () => {
        if (payment.status !== 'PENDING') return;
        payment.pendingReason = 'COMPLIANCE_REVIEW';
        const account = to.kind === 'INSIDE' ? this.#account(keyOf(to), payment.life) : undefined;
        if (account) {
          account.pendingIn += price.received;
          account.told += 1;
        }
        this.#in(payment, 360, () => this.#forward(payment, account ? price.received : 0n));
      });
    } else if (scenario === 'fail.compliance.usd') {
      this.#in(payment, 1, () => {
        if (payment.status === 'PENDING') this.#fail(payment, 'COMPLIANCE_REJECTED');
      });
    } else this.#in(payment, 1, () => this.#forward(payment));
  }

  /** What has arrived is credited, or paid on to the receiver's account outside. */
  #forward(payment: Payment, held = 0n): void {
    const { to, price } = payment;
    if (payment.status !== 'PENDING') return;
    payment.pendingReason = undefined;
    if (to.kind === 'INSIDE') {
      this.#settle(payment);
      this.#post([[to, price.received]], payment.life, held);
      return;
    }
    const suffix = to.kind === 'OUTSIDE' ? to.suffix : '';
    if (suffix === '002' || suffix === '003') this.#fail(payment, 'OFFRAMP_FAILED');
    else this.#in(payment, 0, () => this.#plan(payment, payoutPlan(to, false)));
  }

  #collect(payment: Payment): void {
    const suffix = payment.from.kind === 'OUTSIDE' ? payment.from.suffix : '';
    if (suffix === '002' || suffix === '003') this.#collectionFailed(payment);
    else {
      this.#in(payment, 0, () => {
        if (!isCollecting(payment)) return;
        if (suffix === '004') this.#plan(payment, [[1, 'collectionFailed']]);
        else if (suffix === '005') this.#plan(payment, [[30, 'collectionFailed']]);
        else this.#plan(payment, [[1, 'collected']]);
      });
    }
  }

  /** What a rail will report, each so long after the one before. */
  #plan(payment: Payment, [first, ...rest]: readonly Stage[]): void {
    if (!first) return;
    const [seconds, kind, reason, refundReason] = first;
    this.#in(payment, seconds, () => {
      this.#take(payment, kind, reason, refundReason);
      this.#plan(payment, rest);
    });
  }

  /** money.md §4: what a report does to a payment that it fits. One that fits nothing changes nothing. */
  #take(payment: Payment, kind: NoticeKind | 'cancelled', reason?: string, refundReason?: string): void {
    const isInside = payment.to.kind === 'INSIDE';
    const isPaid = payment.type === 'OUTGOING' && payment.status === 'COMPLETED' && !payment.refund;
    if (payment.kind === 'UMA' && this.#takePaidOn(payment, kind)) return;
    switch (kind) {
      case 'delivered':
        if (!isPaying(payment)) return;
        if (payment.status === 'PENDING') this.#process(payment);
        this.#deliver(payment);
        return;
      case 'payoutFailed':
        if (isPaying(payment)) this.#fail(payment, reason ?? 'ACCOUNT_INVALID', refundReason);
        return;
      case 'returned':
        if (!isInside && isPaid) this.#return(payment);
        else if (!isInside && isPaying(payment)) this.#fail(payment, 'PAYOUT_RETURNED');
        return;
      case 'cancelled':
        if (isPaying(payment)) this.#refund(payment, 'USER_CANCELLATION', payment.price.sent);
        return;
      case 'collected':
        if (!isCollecting(payment)) return;
        payment.isTaken = true;
        if (payment.type === 'INCOMING') this.#deliver(payment);
        else this.#payOut(payment);
        return;
      case 'collectionFailed':
        if (isCollecting(payment)) this.#collectionFailed(payment);
        return;
      case 'collectionReversed':
        this.#reverse(payment);
        return;
      case 'refunded':
        if (payment.refund?.status === 'PENDING') this.#refunded(payment, payment.refund);
        return;
      case 'refundFailed':
        if (payment.refund?.status === 'PENDING') this.#refundFailed(payment, payment.refund);
    }
  }

  /** money.md §7.4: reports about what is, or was, on its way to a receiver's account outside. */
  #takePaidOn(payment: Payment, kind: NoticeKind | 'cancelled'): boolean {
    const { to, status, isTaken, pendingReason, isSettled } = payment;
    if (to.kind !== 'OUTSIDE') return false;
    const isOn = status === 'PENDING' && isTaken && !pendingReason;
    if (kind === 'delivered' && isOn) this.#settle(payment);
    else if (kind === 'payoutFailed' && isOn) this.#fail(payment, 'OFFRAMP_FAILED');
    else if (kind === 'returned' && (isOn || (status === 'COMPLETED' && isSettled))) {
      this.#fail(payment, 'OFFRAMP_FAILED');
    } else return false;
    return true;
  }

  #settle(payment: Payment): void {
    payment.status = 'COMPLETED';
    payment.isSettled = true;
    payment.pendingReason = undefined;
    payment.events.push('COMPLETED');
  }

  /** money.md §11.b, L19. */
  #reverse(payment: Payment): void {
    const { from, to, type, status, isTaken, price, owner, currencies } = payment;
    if (isCollecting(payment)) this.#collectionFailed(payment);
    else if (from.kind === 'OUTSIDE' && isTaken && !payment.isReversed) {
      if (type === 'INCOMING' && status === 'COMPLETED') {
        const fee: [Inside, bigint][] = [[feeAccount(currencies[0]), -price.platformFee]];
        this.#post([[to, -price.received], ...fee], payment.life);
        this.#end(payment, 'FAILED', 'COLLECTION_FAILED');
        if (to.kind === 'INSIDE' && to.who !== owner) this.#takeBack(payment, 'COLLECTION_FAILED');
      } else if (type === 'OUTGOING') {
        this.#owe(this.#account(`${owner}:${from.currency}`, payment.life), price.sent);
      }
      payment.isReversed = true;
    }
  }

  #collectionFailed(payment: Payment): void {
    const reason = payment.type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED';
    this.#end(payment, 'FAILED', reason);
  }

  #payOut(payment: Payment): void {
    const { to, currencies, kind } = payment;
    const isCrossCurrency = currencies[0] !== currencies[1];
    const suffix = to.kind === 'OUTSIDE' ? to.suffix : '';
    if (!isCrossCurrency && (suffix === '002' || suffix === '003')) {
      if (kind === 'TRANSFER') this.#process(payment);
      this.#fail(payment, suffix === '002' ? 'QUOTE_EXECUTION_FAILED' : 'ACCOUNT_INVALID');
      return;
    }
    this.#in(payment, 0, () => {
      if (!isPaying(payment)) return;
      const isQueued = !isCrossCurrency && suffix === '005';
      if (payment.status === 'PENDING' && !isQueued) this.#process(payment);
      if (to.kind === 'UMA' && to.scenario === 'pending.long.usd')
        payment.pendingReason = 'COMPLIANCE_REVIEW';
      this.#plan(payment, payoutPlan(to, isCrossCurrency));
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
    this.#post([...receiver, ...fee], payment.life);
    this.#settle(payment);
    if (isShown(payment, owner)) this.arrivals.push(arrivalOf(payment));
  }

  /** What the receiver had been shown was not to last. */
  #takeBack(payment: Payment, reason: string): void {
    const shownAs = this.arrivals.indexOf(arrivalOf(payment));
    this.arrivals[shownAs] = takenBack(arrivalOf(payment), reason);
  }

  #return(payment: Payment): void {
    const { platformFee } = payment.price;
    if (platformFee > 0n) this.#post([[feeAccount(payment.currencies[0]), -platformFee]]);
    if (payment.addressed) this.#takeBack(payment, 'OFFRAMP_FAILED');
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
    const { to, currencies } = payment;
    payment.refund = { status: 'PENDING', reason, amount };
    payment.pendingReason = undefined;
    payment.events.push('REFUND_PENDING');
    const isStuck = currencies[0] !== currencies[1] && to.kind === 'OUTSIDE' && to.suffix === '007';
    this.#in(payment, 0, () => {
      if (payment.refund?.status === 'PENDING')
        this.#plan(payment, [[1, isStuck ? 'refundFailed' : 'refunded']]);
    });
  }

  #refunded(payment: Payment, refund: Refund): void {
    const { from, owner, life } = payment;
    const isInside = from.kind === 'INSIDE' || (from.kind === 'REALTIME' && from.currency === 'USDC');
    // money.md §11.c: its account is closed.
    if (isInside && owner === 'C' && life !== this.#life) {
      this.#refundFailed(payment, refund);
      return;
    }
    refund.status = 'COMPLETED';
    payment.events.push('REFUND_COMPLETED');
    if (from.kind === 'INSIDE') this.#post([[from, refund.amount]]);
    if (from.kind === 'REALTIME' && from.currency === 'USDC') {
      this.#post([[{ kind: 'INSIDE', who: owner, currency: 'USDC' }, refund.amount]]);
    }
    if (payment.status === 'PROCESSING') this.#settle(payment);
  }

  #refundFailed(payment: Payment, refund: Refund): void {
    refund.status = 'FAILED';
    if (payment.status === 'PROCESSING') {
      payment.status = 'FAILED';
      payment.reason = 'QUOTE_EXECUTION_FAILED';
      payment.events.push('FAILED');
    }
    payment.events.push('REFUND_FAILED');
  }

  #expire(payment: Payment): void {
    payment.status = 'EXPIRED';
    if (payment.type === 'OUTGOING') payment.events.push('EXPIRED');
  }

  #open(
    made: Pick<Payment, 'kind' | 'type' | 'owner' | 'from' | 'to' | 'currencies' | 'price' | 'addressed'>,
  ): Payment {
    const payment: Payment = {
      ...made,
      life: this.#life,
      n: this.payments.length,
      expiresAt: this.#now + 300,
      status: 'PENDING',
      events: [],
      isExecuted: false,
      isSettled: false,
      isTaken: false,
      awaitsDecision: false,
      isReversed: false,
    };
    this.payments.push(payment);
    return payment;
  }

  #in(payment: Payment, seconds: number, run: () => void): void {
    payment.due = { at: this.#now + seconds, run };
  }

  /**
   * One ledger entry: credits repay what is owed first, and what is taken and not there is owed. Every account
   * whose balance or total balance it changes tells so once (money.md §10.4).
   */
  #post(
    effects: readonly (readonly [Inside | ProviderChecks | Uma, bigint])[],
    life = this.#life,
    released = 0n,
  ): void {
    const before = new Map<Account, string>();
    for (const [to, amount] of effects) {
      const account = this.#account(keyOf(to), life);
      if (!before.has(account)) before.set(account, shown(account));
      account.pendingIn -= released;
      if (amount >= 0n) {
        const repaid = least(account.owed, amount);
        account.owed -= repaid;
        account.avail += amount - repaid;
      } else {
        const taken = least(account.avail, -amount);
        account.avail -= taken;
        this.#owe(account, -amount - taken);
      }
    }
    for (const [account, was] of before) if (shown(account) !== was) account.told += 1;
  }

  #owe(account: Account, amount: bigint): void {
    account.owed += amount;
    account.wasOwed ||= amount > 0n;
  }

  #account(name: string, life: number): Account {
    const key = name.startsWith('C:') ? `${name} ${life}` : name;
    const account = this.#accounts.get(key) ?? {
      avail: 0n,
      owed: 0n,
      pendingIn: 0n,
      told: 0,
      wasOwed: false,
    };
    this.#accounts.set(key, account);
    return account;
  }
}

/** What is paid in for a real-time quote; never zero. */
export function sentAmount({ price }: Payment, off: number): bigint {
  const amount = price.sent + BigInt(off);
  return amount < 1n ? price.sent + 1n : amount;
}

export function currencyOf(party: Inside | ProviderChecks | Realtime | Uma): Currency | 'MXN' {
  if (party.kind !== 'UMA') return party.currency;
  if (party.scenario === 'success.mxn') return 'MXN';
  return party.scenario === 'success.eur' ? 'EUR' : 'USD';
}

export function feeOf(fee: { bps: number; fixed: number } | null): PlatformFee | undefined {
  return fee ? { bps: BigInt(fee.bps), fixed: BigInt(fee.fixed) } : undefined;
}

/** The name of an account; one that is not kept anywhere is a name of its own. */
export function keyOf(party: Inside | ProviderChecks | Realtime | Uma | Addressed): string {
  if (party.kind === 'INSIDE') return `${party.who}:${party.currency}`;
  if (party.kind === 'OUTSIDE') return `${party.who}:${party.currency}:${party.suffix}`;
  return party.kind;
}

/** Both suffix tables and the UMA scenarios of money.md §9. */
function payoutPlan(to: Payment['to'], isCrossCurrency: boolean): Stage[] {
  if (to.kind === 'UMA') {
    if (to.scenario === 'pending.long.usd') return [[360, 'delivered']];
    if (to.scenario === 'fail.compliance.usd') return [[1, 'payoutFailed', 'COMPLIANCE_REJECTED']];
  }
  const suffix = to.kind === 'OUTSIDE' ? to.suffix : '';
  if (suffix === '004' || (suffix === '007' && isCrossCurrency))
    return [[1, 'payoutFailed', 'ACCOUNT_CANNOT_RECEIVE']];
  if (!isCrossCurrency) {
    return suffix === '005'
      ? [[30, 'payoutFailed', 'QUOTE_EXECUTION_FAILED', 'TIMEOUT']]
      : [[1, 'delivered']];
  }
  if (suffix === '002') return [[1, 'payoutFailed', 'QUOTE_EXECUTION_FAILED']];
  if (suffix === '003') return [[360, 'delivered']];
  if (suffix === '006') return [[1, 'cancelled']];
  if (suffix === '005') {
    return [
      [1, 'delivered'],
      [5, 'returned'],
    ];
  }
  return [[1, 'delivered']];
}

/** Only its owner's signature moves money out of it. */
export function isWallet(from: Payment['from']): from is Inside & { who: Customer; currency: 'USDB' } {
  return from.kind === 'INSIDE' && from.currency === 'USDB' && from.who !== 'P';
}

const feeAccount = (currency: Currency): Inside => ({ kind: 'INSIDE', who: 'P', currency });

/** money.md §2.4: a customer's account outside meets that customer's money, or the platform's. */
function isForeign(
  from: Inside | ProviderChecks | Realtime,
  to: Inside | ProviderChecks | Uma | Addressed,
): boolean {
  if (to.kind === 'UMA' || to.kind === 'ADDRESSED') return false;
  const isOutside = from.kind === 'OUTSIDE' || to.kind === 'OUTSIDE';
  return isOutside && to.who !== 'P' && from.who !== 'P' && from.who !== to.who;
}

/** An arrival that did not last. */
export function takenBack(arrival: string, reason: string): string {
  return `${arrival}, taken back: ${reason}`;
}

/** Whether somebody else on the platform sees it as money that came. */
function isShown({ to, addressed }: Payment, owner: Who): boolean {
  return addressed !== undefined || (to.kind === 'INSIDE' && to.who !== owner);
}

/** What the receiver is shown of a payment by somebody else. */
function arrivalOf({ to, price, addressed, currencies }: Payment): string {
  const receiver = addressed ?? (to.kind === 'INSIDE' ? to.who : '');
  return `${receiver} ${price.received} ${currencies[1]} of ${price.sent}`;
}

function shown({ avail, pendingIn }: Account): string {
  return `${avail} ${avail + pendingIn}`;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The payer's money is with us and on its way to the receiver. */
function isPaying({ type, kind, status, isTaken, refund }: Payment): boolean {
  const isOpen = status === 'PROCESSING' || (status === 'PENDING' && kind === 'TRANSFER');
  return isOpen && type === 'OUTGOING' && isTaken && !refund;
}

function isApt({ from, to, isExecuted, refund }: Payment, kind: NoticeKind | undefined): boolean {
  if (kind?.startsWith('collect')) return from.kind === 'OUTSIDE' && isExecuted;
  if (kind?.startsWith('refund')) return refund !== undefined;
  return isExecuted && (kind !== 'returned' || to.kind !== 'INSIDE');
}

/** A bank outside has been asked for the payer's money, or is about to be. */
function isCollecting({ from, status, isExecuted, isTaken }: Payment): boolean {
  const isOpen = status === 'PROCESSING' || (status === 'PENDING' && isExecuted);
  return isOpen && from.kind === 'OUTSIDE' && !isTaken;
}
