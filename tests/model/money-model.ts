import {
  exceeds,
  type PlatformFee,
  type Price,
  plainPrice,
  type Terms,
  usdCents,
} from '#tests/model/plain-prices.ts';
import {
  type PaymentQuestion,
  ProofsModel,
  paymentQuestion,
  QUESTION_SECONDS,
} from '#tests/model/proofs-model.ts';
import type {
  Addressed,
  Answer,
  Currency,
  Customer,
  DepositAccount,
  DrawnTerms,
  Inside,
  NoticeKind,
  ProviderChecks,
  Race,
  Realtime,
  RequestedFactor,
  ScaCustomer,
  StampKind,
  Step,
  Uma,
  Who,
} from '#tests/model/steps.ts';

/** A payment as defined by money.md §4, independent of the service's storage. */
export interface Payment {
  readonly n: number;
  readonly kind: 'QUOTE' | 'TRANSFER' | 'UMA';
  readonly type: 'OUTGOING' | 'INCOMING';
  readonly owner: Who;
  readonly from: Inside | ProviderChecks | Realtime | Uma;
  readonly to: Inside | ProviderChecks | Uma;
  /** Which of the successive customers C it belongs to, by the number of earlier deletions. */
  readonly life: number;
  readonly currencies: readonly [from: Currency, to: Currency | 'MXN'];
  readonly price: Price;
  /** The customer behind its UMA address, if there is one. */
  readonly addressed?: Customer | undefined;
  /** How often its external accounts were recreated before. */
  readonly made: readonly [from: number, to: number];
  /** The factor that the quote named. */
  readonly factor: RequestedFactor;
  expiresAt: number;
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
  /** The pull that funded it was reversed. */
  isReversed: boolean;
  /** The last question to its customer; undefined: none, or it was answered or voided. */
  asked?: PaymentQuestion | undefined;
  /** When it was executed under a key, for replays. */
  keyedAt?: number;
  due?: { readonly at: number; run(): void } | undefined;
}

interface Refund {
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly reason: string;
  readonly amount: bigint;
}

/** This many seconds after the previous one: a report, the reason of a failure and that of its refund. */
type Stage = readonly [
  seconds: number,
  kind: NoticeKind | 'cancelled',
  reason?: string | undefined,
  refundReason?: string,
];

interface Account {
  avail: bigint;
  /** Its owner's debt in this currency, which credits repay first (money.md §11.b). */
  owed: bigint;
  /** The amount that waits for authorization. */
  hold: bigint;
  pendingIn: bigint;
  told: number;
  /** Payments of one second may repay a debt in any order, and only some of them then change the balance. */
  wasOwed: boolean;
}

const OK = 'OK';
const WAITING = 'PENDING_AUTHORIZATION';
const DAY = 86_400;
const START = 10 * 3_600;
/** money.md §8.1. */
const DEFAULT_MAX_USD_CENTS = 10_000_000n;
/** From a second before a quote's expiry: longer than anything takes. */
export const AFTER_RACE = 1_000;

/** The expected behaviour of the service, in seconds since midnight of its first day. */
export class MoneyModel {
  readonly payments: Payment[] = [];
  /** Incoming transactions by others or the sandbox, with the sent amount: `A 100 USD of 105`. */
  readonly arrivals: string[] = [];
  readonly #terms: Terms;
  readonly #accounts = new Map<string, Account>();
  readonly #volumes = new Map<string, bigint>();
  /** The external accounts that receive a customer's UMA money. */
  readonly #deposits = new Map<Who, ProviderChecks>();
  readonly #deleted = new Set<ProviderChecks>();
  /** When the owners of wallets asked for codes, and until when their last session may sign. */
  readonly #challenges = new Map<Customer, number[]>();
  readonly #sessions = new Map<Customer, number>();
  readonly #proofs: Readonly<Record<ScaCustomer, ProofsModel>> = {
    D: new ProofsModel(),
    E: new ProofsModel(),
  };
  /** How often an external account was deleted, by its key. */
  readonly #dropped = new Map<string, number>();
  /** How many customers C were deleted. */
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

  proofs(who: ScaCustomer): ProofsModel {
    return this.#proofs[who];
  }

  /** The payment of a step; undefined: none matches, and the step is skipped. */
  target(step: Step): Payment | undefined {
    if (!('which' in step)) return undefined;
    const fits = this.payments.filter((payment) => this.#fits(payment, step));
    // The last ones are the most interesting.
    return fits.at(-1 - (step.which % Math.max(1, Math.min(fits.length, 5))));
  }

  #fits(payment: Payment, step: Step): boolean {
    const { kind, from, price } = payment;
    if (step.does === 'kill')
      return this.#fits(payment, step.during) && this.#isRepeatable(payment, step.during);
    // Most calls name suitable payments; the others have to be refused.
    const isMisled = 'which' in step && step.which % 4 === 0;
    if (step.does === 'execute') return kind === 'QUOTE' && (isMisled || from.kind !== 'REALTIME');
    if (step.does === 'send') {
      const isAwaited = from.kind === 'REALTIME' && (step.which % 4 === 1 || payment.status === 'PENDING');
      return kind === 'QUOTE' && (isMisled || isAwaited);
    }
    if (step.does === 'authorize' || step.does === 'resend') {
      if (step.which % 8 !== 0) return payment.status === WAITING;
      // A question is deleted a day after its end.
      return kind === 'QUOTE' && this.#now < (payment.asked?.until ?? this.#now) + DAY / 2;
    }
    if (step.does === 'decide') return isMisled || payment.awaitsDecision;
    if (step.does === 'replay') return this.#now - (payment.keyedAt ?? -DAY) < DAY / 2;
    // Most notices name payments of a suitable kind, whether or not their state still allows it.
    if (step.does === 'notice') return step.which % 3 === 0 || isApt(payment, step.kinds[0]);
    if (step.does !== 'race') return true;
    if (step.between === 'cancellation and delivery') return payment.isExecuted;
    if (step.between === 'expiry and authorization') return payment.status === WAITING;
    if (step.between === 'payment and deletion of its receiver' && !this.#isForC(payment)) return false;
    if (step.between === 'payment and deletion of its receiver' && from.kind === 'REALTIME') return false;
    // Only where nothing but the time decides.
    const isOpen = kind === 'QUOTE' && payment.status === 'PENDING' && !payment.isExecuted;
    const isCovered =
      from.kind === 'INSIDE' && from.who !== 'P' && this.spendable(from.who, from.currency) >= price.sent;
    return isOpen && this.#now < payment.expiresAt && (from.kind === 'REALTIME' || isCovered);
  }

  /**
   * Executes the step and returns the answers, as codes in alphabetical order. If two things raced, the service's answer
   * tells which came first.
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
      case 'authorize':
        return this.#authorizeStep(step, target as Payment);
      case 'resend':
        return times(step.times, () => this.#resend(target as Payment));
      case 'scaLogIn':
        return this.#scaLogIn(step);
      case 'passkey':
        return [this.#changePasskey(step)];
      case 'record':
        return times(step.times, () => this.#record(step));
      case 'trust':
        return this.#changeTrust(step);
      case 'drop':
        return [this.#drop(step.account)];
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

  /** wallets.md §1, §6.3.30. */
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

  /** The answer tells whether the second came first; everything else must follow from that. */
  #race(payment: Payment, between: Race, [answered]: readonly string[]): string {
    if (between === 'cancellation and delivery') {
      if (answered !== OK) this.#take(payment, 'delivered');
      const code = this.#cancel(payment);
      this.#take(payment, 'delivered');
      return code;
    }
    const isAuthorized = between === 'expiry and authorization';
    this.advance(((isAuthorized && payment.asked?.until) || payment.expiresAt) - 1 - this.#now);
    const isLate = answered === 'QUOTE_EXPIRED';
    if (isLate) this.advance(1);
    const pay = () =>
      payment.from.kind === 'REALTIME' ? this.#send(payment, payment.price.sent) : this.#execute(payment);
    const code = isAuthorized ? this.#authorize(payment, 'right') : pay();
    // The service's clock may have moved before the payment did; a while later both have settled.
    this.advance(AFTER_RACE - (isLate ? 1 : 0));
    return code;
  }

  /** Either the payment finds no receiver, or the deletion finds a payment in progress. */
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
      ['PENDING', WAITING, 'PROCESSING'].includes(status) || refund?.status === 'PENDING';
    const isOnItsWay = (payment: Payment) =>
      payment.isExecuted && (payment.status === 'PENDING' || payment.status === 'PROCESSING');
    const stands = this.payments.some(
      (payment) => (isMine(payment) && isOpen(payment)) || (this.#isForC(payment) && isOnItsWay(payment)),
    );
    const holds = ['USD', 'EUR', 'USDC', 'USDB'].some((currency) => {
      const { avail, hold, pendingIn, owed } = this.account('C', currency);
      return avail + hold + pendingIn + owed > 0n;
    });
    if (stands || holds) return 'CONFLICT';
    this.#deposit('C', null);
    this.#life += 1;
    return OK;
  }

  /** Whether another customer pays the present C. */
  #isForC({ to, addressed, owner, life }: Payment): boolean {
    const isTo = addressed === 'C' || (to.kind !== 'UMA' && to.who === 'C');
    return isTo && owner !== 'C' && life === this.#life;
  }

  /** Whether its receiver was deleted. */
  #isReceiverGone({ to, addressed, life }: Payment): boolean {
    const isTo = addressed === 'C' || (to.kind !== 'UMA' && to.who === 'C');
    return isTo && life !== this.#life;
  }

  /** Moves the clock and runs everything that falls due on the way, each at its time. */
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

  /** Applies the pending steps of a payment now, for a caller that has seen them happen. */
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
    const isPullIn =
      !isUma && from.kind === 'OUTSIDE' && to.kind === 'INSIDE' && currencies[0] === currencies[1];
    const payment = this.#open({
      kind: 'QUOTE',
      type: isPullIn ? 'INCOMING' : 'OUTGOING',
      owner: from.who,
      addressed,
      factor: step.factor ?? null,
      from,
      to,
      currencies,
      price,
    });
    if (!isPullIn) payment.events.push('PENDING');
    this.#in(payment, 300, () => this.#expire(payment));
    const code = this.#checkQuote(payment, step.atOnce);
    if (code !== OK) this.payments.pop();
    return code;
  }

  /** The last rows of money.md §2's table, and the steps that follow without another call. */
  #checkQuote(payment: Payment, atOnce: boolean): string {
    const { from, factor, price } = payment;
    if (from.kind === 'REALTIME') {
      const asked = this.#ask(payment, factor);
      if (typeof asked === 'object') this.#wait(payment, asked);
      return typeof asked === 'string' ? asked : OK;
    }
    if (
      factor !== null &&
      payment.type === 'OUTGOING' &&
      this.#payer(payment)?.isEnrolled(factor) === false
    ) {
      return 'INVALID_INPUT';
    }
    if (isWallet(from) && this.spendable(from.who, from.currency) < price.sent) return 'INSUFFICIENT_FUNDS';
    return atOnce ? this.#execute(payment) : OK;
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
   * The receivable range in a look-up of a UMA address (accounts.md §6.4): a limit set by the operator replaces the
   * default one, and another provider's own limit narrows it.
   */
  #isTooMuchFor(received: bigint, currency: string, isOurs: boolean): boolean {
    const { maxUsdCents } = this.#terms;
    const isSet = maxUsdCents !== DEFAULT_MAX_USD_CENTS;
    if (isSet && exceeds(usdCents(received, currency), maxUsdCents)) return true;
    return received > 10_000_000n && !(isSet && isOurs);
  }

  #executeStep(
    { how, stamp, factor = null }: Extract<Step, { does: 'execute' }>,
    payment: Payment,
  ): string[] {
    if (stamp === 'of a new session' && isWallet(payment.from)) this.#logIn(payment.from.who);
    const first = this.#execute(payment, stamp, factor);
    if (first === OK && how === 'with a key') payment.keyedAt = this.#now;
    return how === 'twice at once' ? [first, this.#execute(payment, stamp, factor)].sort() : [first];
  }

  /** money.md §3.3. */
  #execute(payment: Payment, stamp: StampKind = 'sandbox', factor: RequestedFactor = null): string {
    const { from, price } = payment;
    const unsigned = isWallet(from) ? this.#checkStamp(from.who, stamp) : undefined;
    if (unsigned) return unsigned;
    if (from.kind === 'REALTIME') return 'INVALID_INPUT';
    if (payment.status === 'EXPIRED') return 'QUOTE_EXPIRED';
    if (payment.status !== 'PENDING' || payment.isExecuted) return 'CONFLICT';
    const gone = this.#checkParties(payment);
    if (gone) return gone;
    const asked = this.#ask(payment, factor ?? payment.factor);
    if (typeof asked === 'string') return asked;
    const refused = asked ? this.#checkRoom(payment) : this.#count(payment);
    if (refused) return refused;
    if (asked) {
      this.#wait(payment, asked);
      return OK;
    }
    if (from.kind === 'INSIDE') this.#post([[from, -price.sent]]);
    this.#start(payment);
    return OK;
  }

  /** Executed: the account was debited, or a pull begins. */
  #start(payment: Payment): void {
    payment.isExecuted = true;
    payment.due = undefined;
    if (payment.from.kind === 'INSIDE') {
      payment.isTaken = true;
      this.#process(payment);
      this.#payOut(payment);
    } else {
      if (payment.type === 'INCOMING') payment.events.push('PENDING');
      else this.#process(payment);
      this.#collect(payment);
    }
  }

  /** Whether its receiver and the accounts that it names still exist. */
  #checkParties(payment: Payment): string | undefined {
    const { from, to, addressed, made } = payment;
    const isGone = this.#isReceiverGone(payment);
    if (isGone && to.kind !== 'OUTSIDE') return 'USER_NOT_READY';
    const isDropped =
      this.#madeBefore(from) !== made[0] ||
      (addressed ? to.kind === 'OUTSIDE' && this.#deleted.has(to) : this.#madeBefore(to) !== made[1]);
    return isGone || isDropped ? 'ACCOUNT_NOT_FOUND' : undefined;
  }

  #madeBefore(party: Payment['from']): number {
    return party.kind === 'OUTSIDE' ? (this.#dropped.get(keyOf(party)) ?? 0) : 0;
  }

  /** The customer whose own money leaves, where it authenticates strongly (customers.md §7.10a). */
  #payer({ type, from }: Payment): ProofsModel | undefined {
    return type === 'OUTGOING' && 'who' in from ? this.#proofsOf(from.who) : undefined;
  }

  #proofsOf(who: Who): ProofsModel | undefined {
    return who === 'D' || who === 'E' ? this.#proofs[who] : undefined;
  }

  /** The question before the money leaves, a refusal, or nothing (customers.md §7.10, §7.10a, §7.10e). */
  #ask(payment: Payment, wanted: RequestedFactor): PaymentQuestion | string | undefined {
    const payer = this.#payer(payment);
    if (!payer) return undefined;
    const factor = wanted ?? 'SMS_OTP';
    if (!payer.isEnrolled(factor)) return 'INVALID_INPUT';
    if (this.#isTrusted(payment, payer))
      return payer.isLoggedIn(this.#now) ? undefined : 'SCA_SESSION_REQUIRED';
    const { currencies, from } = payment;
    const isConverted = currencies[0] !== currencies[1];
    const purpose = isConverted ? (from.kind === 'REALTIME' ? 'CURRENCY_CONVERSION' : 'PAYOUT') : 'TRANSFER';
    return paymentQuestion({ factor, purpose, until: this.#now + QUESTION_SECONDS });
  }

  #isTrusted({ to, owner, addressed }: Payment, payer: ProofsModel): boolean {
    if (addressed) return false;
    return to.kind === 'OUTSIDE' ? payer.trusted.has(keyOf(to)) : to.kind === 'INSIDE' && to.who === owner;
  }

  /** customers.md §7.41, §7.42, §7.45. */
  #wait(payment: Payment, asked: PaymentQuestion): void {
    const { from, price } = payment;
    if (from.kind === 'INSIDE' && payment.status !== WAITING) this.#hold(payment, price.sent);
    payment.status = WAITING;
    payment.asked = asked;
    payment.events.push(WAITING);
    payment.due = { at: asked.until, run: () => this.#lapse(payment) };
  }

  /** Holds or releases this much of the payer's balance; a release repays no debt (money.md §11.b). */
  #hold({ from, life }: Payment, amount: bigint): void {
    if (from.kind !== 'INSIDE') return;
    const account = this.#account(keyOf(from), life);
    account.avail -= amount;
    account.hold += amount;
    account.told += 1;
  }

  /** customers.md §7.49: it was not answered in time, or cannot be any more. */
  #lapse(payment: Payment, reason = 'SCA_NOT_COMPLETED'): void {
    this.#hold(payment, -payment.price.sent);
    this.#end(payment, 'FAILED', reason);
  }

  /** The questions to one customer, by this factor or by any (customers.md §7.10d). */
  #voidPayments(who: Who, factor?: string): void {
    for (const payment of this.payments) {
      const { owner, status, asked } = payment;
      if (owner !== who || status !== WAITING || (factor !== undefined && asked?.factor !== factor)) continue;
      payment.asked = undefined;
      this.#lapse(payment);
    }
  }

  #wrong(who: Who): string {
    if (this.#proofsOf(who)?.fail(this.#now)) this.#voidPayments(who);
    return 'INVALID_INPUT';
  }

  /** A passkey answers only its own question; a code of the sandbox answers the next one, too. */
  #authorizeStep(
    { times: count, answer, logsIn }: Extract<Step, { does: 'authorize' }>,
    payment: Payment,
  ): string[] {
    const { asked, owner } = payment;
    if (logsIn && owner !== 'P') this.#scaLogIn(loginOf(owner));
    return times(count, () => {
      const isStale = asked?.factor === 'PASSKEY' && payment.asked !== asked;
      return this.#authorize(payment, isStale && answer === 'right' ? 'wrong' : answer);
    });
  }

  /** customers.md §7.11. */
  #authorize(payment: Payment, answer: Answer): string {
    const { asked, owner } = payment;
    if (answer === 'nothing') return 'INVALID_INPUT';
    const payer = this.#proofsOf(owner);
    if (!asked || !payer) return 'CONFLICT';
    const recent = asked.calls.filter((at) => at > this.#now - 60);
    if (recent.length >= 5) return 'RATE_LIMITED';
    if (payer.isLoggedIn(this.#now)) asked.calls = [...recent, this.#now];
    if (payer.isLocked(this.#now)) return 'ACCOUNT_LOCKED';
    if (!payer.isLoggedIn(this.#now)) return 'SCA_SESSION_REQUIRED';
    if (asked.until <= this.#now) return 'QUOTE_EXPIRED';
    if (answer === 'right') return this.#authorized(payment, asked);
    asked.wrongAnswers += 1;
    if (asked.wrongAnswers === 5) {
      payment.asked = undefined;
      this.#lapse(payment);
    }
    return this.#wrong(owner);
  }

  /** customers.md §7.45–7.48. */
  #authorized(payment: Payment, { factor, purpose }: PaymentQuestion): string {
    if (purpose === 'CURRENCY_CONVERSION') {
      const until = Math.min(this.#now + QUESTION_SECONDS, payment.expiresAt);
      this.#wait(payment, paymentQuestion({ factor, until, purpose: 'PAYOUT' }));
      return OK;
    }
    const gone = this.#checkParties(payment);
    if (gone) return gone;
    payment.asked = undefined;
    if (payment.from.kind === 'REALTIME') {
      payment.status = 'PENDING';
      payment.expiresAt = this.#now + 300;
      this.#in(payment, 300, () => this.#expire(payment));
      return OK;
    }
    if (!this.#hasVolume(payment)) {
      this.#lapse(payment, 'LIMIT_EXCEEDED');
      return OK;
    }
    this.#countVolume(payment);
    this.#capture(payment);
    this.#start(payment);
    return OK;
  }

  #capture({ from, price, life }: Payment): void {
    if (from.kind !== 'INSIDE') return;
    const account = this.#account(keyOf(from), life);
    account.hold -= price.sent;
    account.told += 1;
  }

  /** customers.md §7.12. */
  #resend({ asked, status }: Payment): string {
    if (status !== WAITING || asked?.factor !== 'SMS_OTP') return 'CONFLICT';
    if (asked.resends >= 5 || this.#now - asked.resentAt < 30) return 'RATE_LIMITED';
    asked.resends += 1;
    asked.resentAt = this.#now;
    return OK;
  }

  /** A call that a kill interrupted may have been counted before: only an answer stored under its key is repeated. */
  #isRepeatable(payment: Payment, step: Step): boolean {
    if (step.does === 'resend') return step.times === 1;
    if (step.does !== 'authorize') return true;
    const { asked, owner } = payment;
    const payer = this.#proofsOf(owner);
    if (!asked || !payer || step.answer !== 'right' || step.times > 1) return false;
    const isAdmitted = !payer.isLocked(this.#now) && payer.isLoggedIn(this.#now) && asked.until > this.#now;
    return isAdmitted && asked.calls.length < 4 && this.#checkParties(payment) === undefined;
  }

  /** customers.md §7.7, §7.8. */
  #scaLogIn({ who, factor, starts, answer }: Extract<Step, { does: 'scaLogIn' }>): string[] {
    const proofs = this.#proofsOf(who);
    if (!proofs) return ['CONFLICT'];
    if (starts && !proofs.isEnrolled(factor)) return ['INVALID_INPUT'];
    if (starts) proofs.startLogin(factor, this.#now);
    const started = starts ? [OK] : [];
    if (proofs.isLocked(this.#now)) return ['ACCOUNT_LOCKED', ...started];
    const isRight = proofs.completeLogin(factor, answer === 'right', this.#now);
    return [isRight ? OK : this.#wrong(who), ...started];
  }

  /** customers.md §7.4, §7.6, §7.6a. */
  #changePasskey({ who, change }: Extract<Step, { does: 'passkey' }>): string {
    const proofs = this.#proofs[who];
    const refused = proofs.checkFactorChange(this.#now);
    if (refused) return refused;
    if (change === 'enrol' && proofs.hasPasskey) return 'PASSKEY_ALREADY_ENROLLED';
    if (change === 'remove' && !proofs.hasPasskey) return 'NOT_FOUND';
    proofs.hasPasskey = change === 'enrol';
    if (change === 'enrol') return OK;
    proofs.void('PASSKEY');
    this.#voidPayments(who, 'PASSKEY');
    return OK;
  }

  /** customers.md §7.9. */
  #record({ who, event }: Extract<Step, { does: 'record' }>): string {
    const proofs = this.#proofsOf(who);
    if (!proofs) return 'CONFLICT';
    if (event === 'FAILED_LOGIN_ATTEMPT') this.#wrong(who);
    else {
      proofs.reset();
      this.#voidPayments(who);
    }
    return OK;
  }

  /** customers.md §7.14. */
  #changeTrust({ change, in: account, starts, answer }: Extract<Step, { does: 'trust' }>): string[] {
    const proofs = this.#proofsOf(account.who);
    if (account.who === 'P') return ['ACCOUNT_NOT_FOUND'];
    const key = keyOf(account);
    if (!proofs || proofs.trusted.has(key) === (change === 'TRUST')) return ['CONFLICT'];
    const subject = `${change} ${key} ${this.#madeBefore(account)}`;
    if (starts) proofs.startTrust(subject, this.#now);
    const started = starts ? [OK] : [];
    if (answer === null) return started;
    if (proofs.isLocked(this.#now)) return ['ACCOUNT_LOCKED', ...started];
    if (!proofs.confirmTrust(subject, answer === 'right', this.#now)) {
      return [this.#wrong(account.who), ...started];
    }
    if (change === 'TRUST') proofs.trusted.add(key);
    else proofs.trusted.delete(key);
    return [OK, ...started];
  }

  /** accounts.md §3.4. */
  #drop(account: ProviderChecks): string {
    const key = keyOf(account);
    if (this.#proofsOf(account.who)?.trusted.has(key)) return 'BENEFICIARY_TRUSTED';
    this.#dropped.set(key, this.#madeBefore(account) + 1);
    return OK;
  }

  /** wallets.md §6.12.51. */
  #checkStamp(owner: Customer, stamp: StampKind): string | undefined {
    if (stamp === 'missing') return 'WALLET_SIGNATURE_MISSING';
    if (stamp === 'malformed') return 'WALLET_SIGNATURE_MALFORMED';
    const isOwn = stamp === 'of a new session' || stamp === 'of the last session';
    const isAccepted = stamp === 'sandbox' || (isOwn && this.#isLoggedIn(owner));
    return isAccepted ? undefined : 'WALLET_SIGNATURE_INVALID';
  }

  /** The last two checks: the day's volume, then the balance. Counts a payment that passes both. */
  #count(payment: Payment): string | undefined {
    const refused = this.#checkRoom(payment);
    if (!refused) this.#countVolume(payment);
    return refused;
  }

  #checkRoom(payment: Payment): string | undefined {
    const { from, price } = payment;
    if (!this.#hasVolume(payment)) return 'DAILY_VOLUME_LIMIT_EXCEEDED';
    const isCovered = from.kind !== 'INSIDE' || this.spendable(from.who, from.currency) >= price.sent;
    return isCovered ? undefined : 'INSUFFICIENT_FUNDS';
  }

  #hasVolume(payment: Payment): boolean {
    const { currencies, price } = payment;
    const used = (this.#volumes.get(this.#counterOf(payment)) ?? 0n) + price.sent;
    return !isCounted(payment) || !exceeds(usdCents(used, currencies[0]), this.#terms.dailyUsdCents);
  }

  #countVolume(payment: Payment): void {
    const counter = this.#counterOf(payment);
    const used = (this.#volumes.get(counter) ?? 0n) + payment.price.sent;
    if (isCounted(payment)) this.#volumes.set(counter, used);
  }

  /** The volume of the day and the corridor. */
  #counterOf({ currencies }: Payment): string {
    const corridor = currencies[0] === currencies[1] ? currencies[0] : currencies.join('-');
    return `${Math.floor(this.#now / DAY)} ${corridor}`;
  }

  /** money.md §9.4. */
  #send(payment: Payment, amount: bigint): string {
    if (payment.from.kind === 'OUTSIDE') {
      return amount === payment.price.sent ? this.#execute(payment) : 'INVALID_AMOUNT';
    }
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
    const refused = this.#checkTransfer(payment) ?? this.#count(payment);
    if (refused) {
      this.payments.pop();
      return refused;
    }
    this.#post([[from, -sent]]);
    payment.isTaken = true;
    this.#payOut(payment);
    return OK;
  }

  /** customers.md §7.13. */
  #checkTransfer(payment: Payment): string | undefined {
    const payer = this.#payer(payment);
    if (!payer) return undefined;
    if (!this.#isTrusted(payment, payer)) return 'CONFLICT';
    return payer.isLoggedIn(this.#now) ? undefined : 'SCA_SESSION_REQUIRED';
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

  /** Arrived money is credited, or forwarded to the receiver's external account. */
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

  /** The future reports of a rail, each this long after the previous one. */
  #plan(payment: Payment, [first, ...rest]: readonly Stage[]): void {
    if (!first) return;
    const [seconds, kind, reason, refundReason] = first;
    this.#in(payment, seconds, () => {
      this.#take(payment, kind, reason, refundReason);
      this.#plan(payment, rest);
    });
  }

  /** money.md §4: the effect of a report on a matching payment. A report without a match changes nothing. */
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

  /** money.md §7.4: reports about money that is, or was, on its way to a receiver's external account. */
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

  /** money.md §11.b, §11.L19. */
  #reverse(payment: Payment): void {
    const { from, to, type, status, isTaken, price, owner, currencies } = payment;
    if (isCollecting(payment)) this.#collectionFailed(payment);
    else if ((from.kind === 'OUTSIDE' || from.kind === 'REALTIME') && isTaken && !payment.isReversed) {
      if (type === 'INCOMING' && status === 'COMPLETED') {
        const fee: [Inside, bigint][] = [[feeAccount(currencies[0]), -price.platformFee]];
        this.#post([[to, -price.received], ...fee], payment.life);
        this.#end(payment, 'FAILED', 'COLLECTION_FAILED');
        if (to.kind === 'INSIDE' && to.who !== owner) this.#takeBack(payment, 'COLLECTION_FAILED');
      } else if (type === 'OUTGOING') {
        const isOther = payment.reason === 'FUNDING_AMOUNT_MISMATCH';
        const owed = isOther ? (payment.refund?.amount ?? 0n) : price.sent;
        this.#owe(this.#account(`${owner}:${from.currency}`, payment.life), owed);
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

  /** The receiver's transaction was reversed. */
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
    made: Pick<Payment, 'kind' | 'type' | 'owner' | 'from' | 'to' | 'currencies' | 'price' | 'addressed'> &
      Partial<Pick<Payment, 'factor'>>,
  ): Payment {
    const payment: Payment = {
      factor: null,
      ...made,
      made: [this.#madeBefore(made.from), made.addressed ? 0 : this.#madeBefore(made.to)],
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
   * One ledger entry: credits repay debts first, and a debit above the balance becomes a debt. Every account whose balance
   * or total balance it changes sends one event (money.md §10.4).
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
      hold: 0n,
      pendingIn: 0n,
      told: 0,
      wasOwed: false,
    };
    this.#accounts.set(key, account);
    return account;
  }
}

/** The usual way to log in. */
export function loginOf(who: Customer): Extract<Step, { does: 'scaLogIn' }> {
  return { does: 'scaLogIn', who, factor: 'SMS_OTP', starts: true, answer: 'right' };
}

/** The initial state, so that not everything is refused for lack of money. */
export const OPENING: readonly Step[] = [
  ...(['A', 'B', 'P'] as const).map((who) => funded(who, 'USD', 150_000)),
  ...(['A', 'B'] as const).flatMap((who): Step[] => [
    funded(who, 'USDB', 300_000_000),
    { does: 'logIn', who },
  ]),
  ...(['D', 'E'] as const).flatMap((who): Step[] => [funded(who, 'USD', 150_000), loginOf(who)]),
  { does: 'passkey', who: 'D', change: 'enrol' },
  funded('D', 'USDB', 300_000_000),
];

function funded(who: Who, currency: Currency, amount: number): Step {
  return { does: 'fund', to: { kind: 'INSIDE', who, currency }, amount };
}

/** The terms of a sequence, as the model has them. */
export function inBigInts({ fixed, counterpartyFixed, configured, ...numbers }: DrawnTerms): Terms {
  const each = (amounts: Record<string, number>) =>
    Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, BigInt(amount)]));
  return {
    crossCurrencyBps: BigInt(numbers.crossCurrencyBps),
    sameCurrencyBps: BigInt(numbers.sameCurrencyBps),
    maxUsdCents: BigInt(numbers.maxUsdCents),
    dailyUsdCents: BigInt(numbers.dailyUsdCents),
    fixed: each(fixed),
    counterpartyFixed: each(counterpartyFixed),
    configured: { bps: BigInt(configured.bps), fixed: BigInt(configured.fixed) },
  };
}

/** The amount paid in for a real-time quote; never zero. */
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

/** The name of an account; an account that is not stored has its own name. */
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

/** money.md §2.4: a customer's external account pairs with that customer's money, or the platform's. */
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

/** Whether another customer of the platform sees it as incoming money. */
function isShown({ to, addressed }: Payment, owner: Who): boolean {
  return addressed !== undefined || (to.kind === 'INSIDE' && to.who !== owner);
}

/** The receiver's view of another customer's payment. */
function arrivalOf({ to, price, addressed, currencies }: Payment): string {
  const receiver = addressed ?? (to.kind === 'INSIDE' ? to.who : '');
  return `${receiver} ${price.received} ${currencies[1]} of ${price.sent}`;
}

function shown({ avail, hold, pendingIn }: Account): string {
  return `${avail} ${avail + hold + pendingIn}`;
}

/** Whether it uses up the day's volume (money.md §8.2). */
function isCounted({ kind, from }: Payment): boolean {
  return kind === 'QUOTE' || from.kind === 'INSIDE';
}

/** The answers to this many equal calls, in alphabetical order. */
function times(count: number, once: () => string): string[] {
  return Array.from({ length: count }, once).sort();
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
