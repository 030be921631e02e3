import type { About, Aim, Asking, Change, Currency, Merchant, Step } from '#tests/model/cards-steps.ts';

/** A message of the network, about a card by its number. */
export type Message = {
  readonly id: string;
  readonly card: number;
  readonly token: string;
} & (
  | {
      readonly type: 'authorization';
      readonly asks: Asking['asks'];
      readonly isFinal: boolean;
      readonly amount: bigint;
      readonly merchant: Merchant;
      readonly network?: string | undefined;
    }
  | { readonly type: 'increment'; readonly amount: bigint; readonly merchant: Merchant }
  | {
      readonly type: 'clearing';
      readonly amount: bigint;
      readonly direction: Direction;
      readonly merchant: Merchant;
    }
  | { readonly type: 'advice'; readonly amount: bigint }
  | { readonly type: 'reversal'; readonly amount?: bigint | undefined }
  | { readonly type: 'expiry' | 'pull_failure' }
  | {
      readonly type: 'return';
      readonly purchaseToken: string;
      readonly amount: bigint;
      readonly merchant: Merchant;
    }
  | {
      readonly type: 'return_reversal';
      readonly returnToken: string;
      readonly purchaseToken?: string | undefined;
      readonly amount: bigint;
      readonly merchant: Merchant;
    }
);
type MessageOf<Type extends Message['type']> = Extract<Message, { type: Type }>;
type Direction = 'DEBIT' | 'CREDIT';

/** A call of a simulator: `parent` is a token. */
export interface Simulation {
  readonly kind: string;
  readonly card: number;
  readonly amount?: bigint | undefined;
  readonly merchant?: Merchant | undefined;
  readonly parent?: string | undefined;
}

/** A step with its resolved subject. */
export type Act =
  | { readonly does: 'message'; readonly message: Message; readonly again?: boolean }
  | { readonly does: 'simulate'; readonly call: Simulation; readonly settles: boolean }
  | { readonly does: 'kill'; readonly turns: number; readonly during: Act }
  | { readonly does: 'claw'; readonly pull: number }
  | { readonly does: 'patch'; readonly card: number; readonly change: Change }
  | { readonly does: 'key'; readonly card: number; readonly change: 'grant' | 'revoke' }
  | Extract<
      Step,
      { does: 'fund' | 'withdraw' | 'pull' | 'freeze' | 'unfreeze' | 'issue' | 'advance' | 'settle' }
    >;

/** A card transaction as cards.md §6 has it. */
export interface Row {
  readonly token: string;
  readonly card: number;
  readonly account: Currency;
  readonly direction: Direction;
  readonly kind: 'PURCHASE' | 'CREDIT' | 'RETURN' | 'RETURN_REVERSAL' | 'INQUIRY';
  readonly merchant: Merchant;
  readonly original?: string | undefined;
  readonly reason?: string | undefined;
  readonly at: number;
  readonly confirmedAt?: number | undefined;
  status: string;
  authorized: bigint;
  settled?: bigint | undefined;
  hold: bigint;
  receivable: bigint;
  returned: bigint;
  isReversed: boolean;
  expiresAt?: number | undefined;
  readonly events: string[];
}

interface Card {
  status: 'ACTIVE' | 'FROZEN' | 'CLOSED';
  account: Currency;
  /** A delegated key signs for it out of its present account. */
  hasKey: boolean;
  perTransaction: bigint | null;
  perDay: bigint | null;
  countPerDay: number | null;
  /** When its printed month ends. */
  readonly endsAt: number;
  readonly spent: Map<number, { amount: bigint; count: number }>;
}

interface Account {
  avail: bigint;
  hold: bigint;
  /** Its owner's other debt. */
  debt: bigint;
  isFrozen: boolean;
  /** How many events of its balance were sent. */
  told: number;
  /** The net amount paid to the network from it or for it. */
  network: bigint;
}

/** Money that was pulled in from a bank, and whether the bank took it back. */
interface Pull {
  readonly amount: bigint;
  isBack: boolean;
}

interface PendingMessage {
  readonly message: Message;
  dueAt: number;
  isEarly: boolean;
}

export interface Terms {
  /** The issuer approves uncovered purchases. */
  readonly approvesUncovered: boolean;
  readonly uncoveredMax: bigint | null;
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const EARLY = DAY;
const CONFIRMED = 30 * SECOND;
const FAILED = SECOND;
const FORCED: Readonly<Record<string, string>> = {
  '002': 'INSUFFICIENT_FUNDS',
  '003': 'CARD_NOT_ACTIVE',
  '008': 'UNSUPPORTED_NETWORK',
  '009': 'OTHER',
};
const BLOCKED = ['7995', 'KP'];
export const SIMULATED: Readonly<Record<string, Pick<Asking, 'asks' | 'isFinal'>>> = {
  authorization: { asks: 'DEBIT', isFinal: false },
  financial_authorization: { asks: 'DEBIT', isFinal: true },
  credit_authorization: { asks: 'CREDIT', isFinal: false },
  credit_authorization_advice: { asks: 'CREDIT', isFinal: false },
  financial_credit_authorization: { asks: 'CREDIT', isFinal: true },
  balance_inquiry: { asks: 'INQUIRY', isFinal: false },
};

/** The expected behaviour of cards and their messages; times are milliseconds. */
export class CardsModel {
  readonly rows: Row[] = [];
  readonly cards: Card[] = [];
  readonly accounts: Readonly<Record<Currency, Account>> = { USD: newAccount(), USDB: newAccount() };
  readonly waiting: PendingMessage[] = [];
  /** Messages that changed nothing. */
  withoutEffect = 0;
  now: number;
  readonly #terms: Terms;
  /** The answers, by the id of the message; undefined: it waits. */
  readonly #answers = new Map<string, string | undefined>();
  readonly #sent: Message[] = [];
  readonly #named: { card: number; token: string }[] = [];
  readonly #pulls: Pull[] = [];
  #made = 0;

  constructor(terms: Terms, now: number) {
    this.#terms = terms;
    this.now = now;
  }

  /** Resolves a step; undefined: its outcome would be uncertain, or it would change nothing. */
  resolve(step: Step): Act | undefined {
    switch (step.does) {
      case 'ask':
        return this.#ask(step);
      case 'increase': {
        const row = this.#aimed(step.aim, step.which, (each) => isOpen(each) && each.direction === 'DEBIT');
        const { merchant } = step;
        return this.#message({ type: 'increment', amount: BigInt(step.amount), merchant, ...row });
      }
      case 'again': {
        const sent = this.#sent.at(-1 - (step.which % Math.max(1, Math.min(this.#sent.length, 40))));
        if (!sent) return undefined;
        const isChanged = step.isChanged && 'amount' in sent && sent.amount !== undefined;
        const message = isChanged ? ({ ...sent, amount: 1n + (sent.amount ?? 0n) } as Message) : sent;
        return { does: 'message', message, again: true };
      }
      case 'patch':
        return { ...step, card: step.card % this.cards.length };
      case 'key': {
        const card = step.card % this.cards.length;
        const { account, hasKey, status } = this.#card(card);
        const isWallet = account === 'USDB' && status !== 'CLOSED' && !this.accounts.USDB.isFrozen;
        const isPossible = isWallet && hasKey === (step.change === 'revoke');
        return isPossible ? { ...step, card } : undefined;
      }
      case 'pull':
        return this.#isQuiet(2 * SECOND) && !this.accounts.USD.isFrozen ? step : undefined;
      case 'claw': {
        const open = this.#pulls.flatMap(({ isBack }, i) => (isBack ? [] : [i]));
        const pull = open[step.which % Math.max(1, open.length)];
        return pull === undefined ? undefined : { does: 'claw', pull };
      }
      case 'issue':
        return this.#isQuiet(2 * SECOND) ? step : undefined;
      case 'kill': {
        const during = this.resolve(step.during);
        return during && { does: 'kill', turns: step.turns, during };
      }
      case 'fund':
      case 'withdraw':
      case 'freeze':
      case 'unfreeze':
      case 'advance':
      case 'settle':
        return step;
      default:
        return this.#about(step);
    }
  }

  /** Whether nothing falls due within this many milliseconds. */
  #isQuiet(ms: number): boolean {
    const isSoon = (at: number | undefined) => at !== undefined && at <= this.now + ms;
    return (
      !this.waiting.some(({ dueAt }) => isSoon(dueAt)) && !this.rows.some((row) => isSoon(row.expiresAt))
    );
  }

  /** Most are asked of cards that could pay; the others have to decline. */
  #askedCard(drawn: number): number {
    const working = this.cards.flatMap((card, n) => (this.#works(card) ? [n] : []));
    return (
      (drawn % 4 === 0 ? undefined : working[drawn % Math.max(1, working.length)]) ??
      drawn % this.cards.length
    );
  }

  #works({ status, endsAt, account, hasKey }: Card): boolean {
    const canFund = !this.accounts[account].isFrozen && (account === 'USD' || hasKey);
    return status === 'ACTIVE' && this.now < endsAt && canFund;
  }

  #ask(step: Asking): Act | undefined {
    const card = this.#askedCard(step.card);
    const { asks, merchant } = step;
    // A confirmation at the same moment as an expiry could come before or after it.
    if (
      merchant.descriptor.endsWith('005') &&
      this.rows.some(({ expiresAt }) => expiresAt === this.now + CONFIRMED)
    ) {
      return undefined;
    }
    const isFinal = step.isFinal && asks !== 'INQUIRY';
    if (step.via === 'simulator') {
      // There the sandbox decides, which never approves uncovered purchases.
      if (this.#terms.approvesUncovered) return undefined;
      const kinds = Object.entries(SIMULATED).filter(
        ([, each]) => each.asks === asks && each.isFinal === isFinal,
      );
      const [kind = ''] = kinds[step.amount % kinds.length] ?? [];
      const amount = asks === 'INQUIRY' ? undefined : BigInt(Math.max(1, step.amount));
      return { does: 'simulate', call: { kind, card, amount, merchant }, settles: step.settles };
    }
    const amount = asks === 'INQUIRY' ? 0n : BigInt(step.amount);
    const named = step.token === 'named' ? this.#named.at(-1 - (step.amount % 4)) : undefined;
    const taken = step.token === 'taken' ? this.rows.at(-1 - (step.amount % 9)) : undefined;
    return this.#message({
      ...{ type: 'authorization', asks, isFinal, amount, merchant },
      ...(step.network && { network: step.network }),
      card: named?.card ?? (taken && step.amount % 3 > 0 ? taken.card : card),
      token: named?.token ?? taken?.token ?? this.#newToken(),
    });
  }

  #message(message: DistributiveOmit<Message, 'id'>): Act {
    return { does: 'message', message: { ...message, id: `m-${++this.#made}` } as Message };
  }

  #newToken(): string {
    return `t-${++this.#made}`;
  }

  /** The card and the token that a message names. */
  #aimed(aim: Aim, which: number, fits: (row: Row) => boolean): { card: number; token: string } {
    const fitting = this.rows.filter(aim === 'fitting' || aim === 'foreign' ? fits : () => true);
    const row = fitting.at(-1 - (which % Math.max(1, Math.min(fitting.length, 6))));
    if (!row || aim === 'stray') return this.#stray(which);
    return { token: row.token, card: aim === 'foreign' ? (row.card + 1) % this.cards.length : row.card };
  }

  /** The token of a future authorization. */
  #stray(which: number): { card: number; token: string } {
    const known = which % 2 === 0 ? this.#named.at(-1) : undefined;
    if (known) return known;
    const named = { card: which % this.cards.length, token: this.#newToken() };
    this.#named.push(named);
    return named;
  }

  #about(step: About): Act | undefined {
    const { which, aim, merchant, settles } = step;
    const isReturning = step.does === 'return' || step.does === 'reverseReturn';
    const fits = (row: Row) => {
      if (step.does === 'return') return row.kind === 'PURCHASE' && settledOf(row) > row.returned;
      if (step.does === 'reverseReturn') return row.kind === 'RETURN' && !row.isReversed;
      return which % 5 === 0 ? row.kind === 'PURCHASE' : isOpen(row);
    };
    const named = this.#aimed(aim, which, fits);
    const row = this.#row(named.token);
    const amount = this.#sized(step, row);
    if (step.via === 'simulator') {
      const kind = SIMULATED_KINDS[step.does];
      if (!kind) return undefined;
      const parent = row && aim !== 'stray' ? named.token : 'unknown';
      const least = kind === 'clearing' ? 0n : 1n;
      const sent = kind === 'return_reversal' ? undefined : amount < least ? least : amount;
      return { does: 'simulate', call: { kind, card: named.card, amount: sent, parent }, settles };
    }
    const own = isReturning && aim === 'taken' ? { ...named } : { ...named, token: this.#newToken() };
    switch (step.does) {
      case 'clear': {
        const direction = which % 9 === 0 ? 'CREDIT' : (row?.direction ?? 'DEBIT');
        return this.#message({ type: 'clearing', amount, direction, merchant, ...named });
      }
      case 'advise':
        return this.#message({ type: 'advice', amount, ...named });
      case 'reverse':
        return this.#message({ type: 'reversal', ...(step.size !== 'all' && { amount }), ...named });
      case 'expire':
        return this.#message({ type: 'expiry', ...named });
      case 'failPull':
        return this.#message({ type: 'pull_failure', ...named });
      case 'return':
        return this.#message({ type: 'return', purchaseToken: named.token, amount, merchant, ...own });
      case 'reverseReturn':
        return this.#message({ type: 'return_reversal', returnToken: named.token, amount, merchant, ...own });
    }
  }

  #sized({ does, size, amount }: About, row: Row | undefined): bigint {
    const drawn = BigInt(amount);
    if (!row || size === 'drawn') return drawn;
    const whole =
      does === 'return'
        ? settledOf(row) - row.returned
        : does === 'reverseReturn'
          ? settledOf(row)
          : leftOf(row);
    if (size === 'nothing') return 0n;
    if (whole <= 0n || size === 'all') return whole > 0n ? whole : drawn;
    return size === 'part' ? whole / 2n : whole + (drawn % 500n) + (does === 'advise' ? settledOf(row) : 1n);
  }

  /** Applies an act and returns its answer. `answered` has a new token, or the outcome of a kill. */
  apply(act: Act, answered: { readonly answer: string; readonly token?: string | undefined }): string {
    switch (act.does) {
      case 'message':
        if (!act.again) this.#sent.push(act.message);
        return this.#receive(act.message, false);
      case 'simulate':
        return this.#simulate(act.call, answered.token);
      case 'kill':
        return this.#kill(act.during, answered);
      case 'patch':
        return this.#patch(this.#card(act.card), act.change);
      case 'fund':
        return this.#fund(act);
      case 'withdraw':
        return this.#withdraw(BigInt(act.cents));
      case 'pull':
        this.#pulls.push({ amount: BigInt(act.cents), isBack: false });
        this.#credit(this.accounts.USD, BigInt(act.cents));
        this.#advance(2 * SECOND);
        return 'OK';
      case 'claw':
        return this.#claw(act.pull);
      case 'freeze':
      case 'unfreeze': {
        const account = this.accounts[act.account];
        const isDone = account.isFrozen === (act.does === 'freeze');
        account.isFrozen = act.does === 'freeze';
        return isDone ? 'CONFLICT' : 'OK';
      }
      case 'key':
        this.#card(act.card).hasKey = act.change === 'grant';
        return 'OK';
      case 'issue':
        return this.#issue(act.account, act.months);
      case 'advance':
        this.#advance(act.seconds * SECOND);
        return 'OK';
      case 'settle':
        this.#runDue();
        return 'OK';
    }
  }

  /** Whether a message of another card is due now: the two could be applied in any order. */
  isDueElsewhere(card: number): boolean {
    return this.waiting.some(({ message, dueAt }) => dueAt <= this.now && message.card !== card);
  }

  get isDue(): boolean {
    return this.waiting.some(({ dueAt }) => dueAt <= this.now);
  }

  get network(): Readonly<Record<Currency, bigint>> {
    return { USD: this.accounts.USD.network, USDB: this.accounts.USDB.network };
  }

  /**
   * The dying process may still have declined an undecided message (cards.md §6.6.8); otherwise nothing has changed.
   */
  #kill(during: Act, answered: { readonly answer: string; readonly token?: string | undefined }): string {
    const isUndecided = answered.answer === 'DECLINED OTHER' && during.does === 'message';
    if (isUndecided && during.message.type === 'authorization' && !this.#row(during.message.token)) {
      const { message } = during;
      this.#sent.push(message);
      this.#answers.set(message.id, 'DECLINED OTHER');
      this.#release(message);
      this.#open(message, { ...traitsOf(message), reason: 'OTHER' }, message.amount, 'DECLINED');
      return 'DECLINED OTHER';
    }
    return this.apply(during, answered);
  }

  #card(n: number): Card {
    return this.cards[n] as Card;
  }

  #row(token: string): Row | undefined {
    return this.rows.find((row) => row.token === token);
  }

  #issue(account: Currency, months: number): string {
    if (this.accounts[account].isFrozen) return 'INVALID_INPUT';
    const today = new Date(this.now + SECOND);
    this.cards.push({
      status: 'ACTIVE',
      account,
      hasKey: false,
      perTransaction: null,
      perDay: null,
      countPerDay: null,
      endsAt: Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months + 1, 1),
      spent: new Map(),
    });
    this.#advance(SECOND);
    return 'OK';
  }

  /** cards.md §3. */
  #patch(card: Card, change: Change): string {
    const { status, fundingSource, maxSpendPerTransaction, maxSpendPerDay, maxTransactionsPerDay } = change;
    if (card.status === 'CLOSED') {
      if (status === 'CLOSED') return 'CARD_ALREADY_CLOSED';
      return status ? 'INVALID_STATE_TRANSITION' : 'CARD_NOT_MUTABLE';
    }
    if (status === card.status) return 'INVALID_STATE_TRANSITION';
    const isNew = fundingSource !== undefined && fundingSource !== card.account;
    if (isNew && this.accounts[fundingSource].isFrozen) return 'INVALID_INPUT';
    card.status = status ?? card.status;
    // What a wallet's owner delegated ends with the card (wallets.md §6.8.43).
    if (status === 'CLOSED') card.hasKey = false;
    if (isNew) {
      card.account = fundingSource;
      card.hasKey = false;
    }
    const cents = (limit: number | null) => (limit === null ? null : BigInt(limit));
    if (maxSpendPerTransaction !== undefined) card.perTransaction = cents(maxSpendPerTransaction);
    if (maxSpendPerDay !== undefined) card.perDay = cents(maxSpendPerDay);
    if (maxTransactionsPerDay !== undefined) card.countPerDay = maxTransactionsPerDay;
    return 'OK';
  }

  #fund({ account: currency, cents, odd }: Extract<Step, { does: 'fund' }>): string {
    const account = this.accounts[currency];
    if (account.isFrozen) return 'INVALID_INPUT';
    this.#credit(account, fundedUnits(currency, cents, odd));
    return 'OK';
  }

  #withdraw(amount: bigint): string {
    const { USD } = this.accounts;
    if (USD.isFrozen) return 'USER_NOT_READY';
    if (USD.avail < amount) return 'INSUFFICIENT_FUNDS';
    this.#move(USD, -amount, 0n);
    return 'OK';
  }

  /** money.md §11.b: the available money is taken, the rest becomes a debt. */
  #claw(n: number): string {
    const pull = this.#pulls[n] as Pull;
    const { USD } = this.accounts;
    const taken = least(USD.avail, pull.amount);
    pull.isBack = true;
    USD.debt += pull.amount - taken;
    this.#move(USD, -taken, 0n);
    return 'OK';
  }

  /** Credits repay the owner's debt first. */
  #credit(account: Account, units: bigint): void {
    const repaid = least(account.debt, units);
    account.debt -= repaid;
    this.#move(account, units - repaid, 0n);
  }

  /** One entry. */
  #move(account: Account, avail: bigint, hold: bigint): void {
    account.avail += avail;
    account.hold += hold;
    if (avail !== 0n || hold !== 0n) account.told += 1;
  }

  #advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      this.#runDue();
      const times = [
        ...this.waiting.map(({ dueAt }) => dueAt),
        ...this.rows.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt])),
      ].filter((at) => at <= until);
      if (times.length === 0) break;
      this.now = Math.max(this.now, Math.min(...times));
    }
    this.now = until;
  }

  #runDue(): void {
    for (const row of this.rows) if ((row.expiresAt ?? Infinity) <= this.now) this.#expire(row);
    for (let due = this.#nextDue(); due; due = this.#nextDue()) this.#receive(due.message, true);
  }

  #nextDue(): PendingMessage | undefined {
    return this.waiting.find(({ dueAt }) => dueAt <= this.now);
  }

  /** cards.md §8: the parent is judged by its state after all messages that were accepted earlier. */
  #simulate({ kind, card, amount = 0n, merchant, parent }: Simulation, token: string | undefined): string {
    const id = `s-${++this.#made}`;
    const asked = SIMULATED[kind];
    if (asked && merchant) {
      if (token === undefined) return 'OK';
      this.#wait({ id, card, token, type: 'authorization', ...asked, amount, merchant }, this.now);
      return 'OK';
    }
    const row = this.#row(parent ?? '');
    if (row?.card !== card) return 'TRANSACTION_NOT_FOUND';
    const seen = this.#foreseen(row);
    const refusal = refusedParent(kind, seen, amount);
    if (refusal || token === undefined) return refusal ?? 'OK';
    const dueAt = Math.max(this.now, row.confirmedAt ?? 0);
    this.#wait(simulatedMessage(kind, { id, card, token, row, amount, purchase: row.original }), dueAt);
    return 'OK';
  }

  /** The row after accepted messages that are not applied yet. */
  #foreseen(row: Row): Row {
    const seen = { ...row };
    for (const { message, isEarly } of this.waiting) {
      if (isEarly || message.card !== row.card) continue;
      if (message.type === 'return') {
        const isItsReturn =
          message.purchaseToken === row.token && message.amount <= settledOf(seen) - seen.returned;
        if (isItsReturn) seen.returned += message.amount;
      } else if (message.type === 'return_reversal') {
        if (message.returnToken === row.token) seen.isReversed = true;
        if (message.purchaseToken === row.token) seen.returned -= message.amount;
      } else if (message.token === row.token) foresee(seen, message);
    }
    return seen;
  }

  #wait(message: Message, dueAt: number, isEarly = false): void {
    this.#answers.set(message.id, undefined);
    const known = this.waiting.find((each) => each.message.id === message.id);
    if (known) {
      known.dueAt = dueAt;
      known.isEarly = isEarly;
    } else this.waiting.push({ message, dueAt, isEarly });
  }

  #done(message: Message, answer: string): string {
    this.#answers.set(message.id, answer);
    const i = this.waiting.findIndex((each) => each.message.id === message.id);
    if (i >= 0) this.waiting.splice(i, 1);
    return answer;
  }

  /** Messages that arrived before their authorization are applied now (cards.md §6.11). */
  #release({ card, token }: Message): void {
    for (const each of this.waiting) {
      const { message } = each;
      if (!each.isEarly || message.card !== card || message.token !== token) continue;
      each.isEarly = false;
      each.dueAt = this.now;
    }
  }

  #receive(message: Message, isQueued: boolean): string {
    if (this.#answers.has(message.id) && !isQueued) return this.#answers.get(message.id) ?? 'APPLIED';
    if (message.type === 'authorization') return this.#authorize(message);
    if (message.type === 'increment') return this.#increase(message);
    const subject = this.#row(subjectOf(message));
    const row = subject?.card === message.card ? subject : undefined;
    if (row?.confirmedAt !== undefined && row.confirmedAt > this.now) {
      this.#wait(message, row.confirmedAt);
      return 'APPLIED';
    }
    if (!row && isAboutAuthorization(message)) {
      if (!isQueued) {
        this.#wait(message, this.now + EARLY, true);
        return 'APPLIED';
      }
      this.withoutEffect += 1;
      return this.#done(message, 'NOTHING');
    }
    const isApplied = this.#change(row, message);
    if (!isApplied) this.withoutEffect += 1;
    return this.#done(message, isApplied ? 'APPLIED' : 'NOTHING');
  }

  #authorize(message: MessageOf<'authorization'>): string {
    const { amount, asks, isFinal, merchant } = message;
    const before = this.#row(message.token);
    this.#release(message);
    // cards.md §6.11: it places no hold and changes nothing.
    if (before) {
      const isSame = before.card === message.card && before.direction === traitsOf(message).direction;
      const isCovered = isSame && before.status !== 'DECLINED' && amount <= before.authorized;
      return this.#done(message, isCovered ? 'APPROVED' : 'DECLINED OTHER');
    }
    const reason = this.#decide(message);
    const traits = traitsOf(message);
    if (reason) {
      this.#open(message, { ...traits, reason }, amount, 'DECLINED');
      return this.#done(message, `DECLINED ${reason}`);
    }
    if (asks === 'DEBIT') this.#count(message.card, amount, 1);
    const fails = merchant.descriptor.endsWith('006');
    if (asks === 'INQUIRY') this.#open(message, traits, 0n, 'SETTLED').settled = 0n;
    else if (isFinal && fails) this.#fail(this.#new(message, traits, amount));
    else if (isFinal) this.#clear(this.#new(message, traits, amount), amount);
    else {
      const waits = fails ? FAILED : merchant.descriptor.endsWith('005') ? CONFIRMED : undefined;
      const confirmedAt = waits === undefined ? undefined : this.now + waits;
      const row = this.#new(message, { ...traits, confirmedAt }, amount);
      row.expiresAt = this.now + (merchant.mcc === '7011' ? 30 : 7) * DAY;
      if (asks === 'DEBIT' && this.#covered(message.card) >= amount) this.#hold(row, amount);
      this.#enter(row, 'AUTHORIZED');
      if (fails && confirmedAt !== undefined) {
        const { card, token, id } = message;
        this.#wait({ id: `${id}:pull`, card, token, type: 'pull_failure' }, confirmedAt);
      }
    }
    return this.#done(message, 'APPROVED');
  }

  /** In whole card cents. */
  #covered(n: number): bigint {
    const { account } = this.#card(n);
    return this.accounts[account].avail / scaleOf(account);
  }

  /** cards.md §6.6. */
  #decide(
    {
      card: n,
      asks,
      amount,
      merchant,
      network,
    }: Omit<MessageOf<'authorization'>, 'isFinal' | 'type' | 'id' | 'token'>,
    increased?: Row,
  ): string | undefined {
    const card = this.#card(n);
    if (card.status !== 'ACTIVE' || this.now >= card.endsAt) return 'CARD_NOT_ACTIVE';
    const forced =
      asks === 'INQUIRY' || increased ? undefined : FORCED[merchant.descriptor.trimEnd().slice(-3)];
    if (forced) return forced;
    if (network !== undefined && network !== 'VISA') return 'UNSUPPORTED_NETWORK';
    if (BLOCKED.includes(merchant.mcc ?? '') || BLOCKED.includes(merchant.country ?? '')) return 'BLOCKED';
    if (asks === 'DEBIT' && this.#exceeds(card, amount, increased)) return 'SPEND_LIMIT_EXCEEDED';
    const { isFrozen } = this.accounts[card.account];
    if (isFrozen || (card.account === 'USDB' && !card.hasKey)) return 'NO_ELIGIBLE_FUNDING_SOURCE';
    if (asks !== 'DEBIT' || amount <= this.#covered(n)) return undefined;
    if (!this.#terms.approvesUncovered) return 'INSUFFICIENT_FUNDS';
    const { uncoveredMax } = this.#terms;
    return uncoveredMax !== null && this.#uncovered(card.account) + amount > uncoveredMax
      ? 'BLOCKED'
      : undefined;
  }

  #exceeds(card: Card, amount: bigint, increased: Row | undefined): boolean {
    const today = card.spent.get(Math.floor(this.now / DAY)) ?? { amount: 0n, count: 0 };
    return (
      (card.perTransaction !== null && (increased?.authorized ?? 0n) + amount > card.perTransaction) ||
      (card.perDay !== null && today.amount + amount > card.perDay) ||
      (card.countPerDay !== null && !increased && today.count + 1 > card.countPerDay)
    );
  }

  #count(n: number, amount: bigint, count: number): void {
    const { spent } = this.#card(n);
    const day = Math.floor(this.now / DAY);
    const before = spent.get(day) ?? { amount: 0n, count: 0 };
    spent.set(day, { amount: before.amount + amount, count: before.count + count });
  }

  /** cards.md §6.8: an account's liabilities without a hold. */
  #uncovered(account: Currency): bigint {
    return this.rows
      .filter((row) => row.account === account && row.direction === 'DEBIT')
      .reduce((sum, row) => sum + row.receivable + (isOpen(row) ? most(leftOf(row) - row.hold, 0n) : 0n), 0n);
  }

  /** cards.md §6.9.4. */
  #increase(message: MessageOf<'increment'>): string {
    const { card, amount, merchant, token } = message;
    const row = this.#row(token);
    if (row?.card !== card) {
      return this.#authorize({ ...message, type: 'authorization', asks: 'DEBIT', isFinal: false });
    }
    const reason = this.#increaseRefused(message, row);
    if (reason) {
      const own = { ...message, token: message.id };
      const traits = {
        direction: 'DEBIT',
        kind: 'PURCHASE',
        merchant: row.merchant,
        account: row.account,
        reason,
      } as const;
      this.#open(own, traits, amount, 'DECLINED');
      return this.#done(message, `DECLINED ${reason}`);
    }
    const isHeld = this.#covered(card) >= amount;
    this.#count(card, amount, 0);
    row.authorized += amount;
    if (isHeld) this.#hold(row, row.hold + amount);
    this.#enter(row, row.status);
    void merchant;
    return this.#done(message, 'APPROVED');
  }

  #increaseRefused({ card, amount, merchant }: MessageOf<'increment'>, row: Row): string | undefined {
    if (!isOpen(row) || row.direction !== 'DEBIT') return 'OTHER';
    if (row.account !== this.#card(card).account) return 'NO_ELIGIBLE_FUNDING_SOURCE';
    return this.#decide({ card, asks: 'DEBIT', amount, merchant }, row);
  }

  /** Whether it changed anything. */
  #change(row: Row | undefined, message: Exclude<Message, { type: 'authorization' | 'increment' }>): boolean {
    switch (message.type) {
      case 'clearing':
        return this.#cleared(row, message);
      case 'advice':
        return row ? this.#advise(row, message.amount) : false;
      case 'reversal': {
        if (!row) return false;
        const isWhole = message.amount === undefined || message.amount >= leftOf(row);
        return isWhole ? this.#expire(row) : this.#advise(row, row.authorized - (message.amount ?? 0n));
      }
      case 'expiry':
        return row ? this.#expire(row) : false;
      case 'pull_failure':
        if (!row || !isOpen(row)) return false;
        this.#fail(row);
        return true;
      case 'return':
        return this.#return(row, message);
      case 'return_reversal':
        return this.#reverseReturn(row, message);
    }
  }

  /** cards.md §6.9, §6.11. */
  #cleared(row: Row | undefined, message: MessageOf<'clearing'>): boolean {
    const { amount, direction, merchant } = message;
    if (amount === 0n) return row ? this.#expire(row) : false;
    if (row && isClearable(row, message)) this.#clear(row, amount);
    else {
      const kind = direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT';
      this.#clear(this.#newAbout(row, message, { direction, kind, merchant }, amount), amount);
    }
    return true;
  }

  #clear(row: Row, amount: bigint): void {
    const account = this.accounts[row.account];
    const units = amount * scaleOf(row.account);
    if (row.direction === 'CREDIT') {
      account.network -= units;
      this.#credit(account, units);
    } else {
      const captured = least(amount, row.hold);
      const excess = amount - captured;
      const isPulled = excess === 0n || this.#canDraw(row, excess);
      account.network += units;
      const scale = scaleOf(row.account);
      this.#move(account, isPulled ? -excess * scale : 0n, -captured * scale);
      row.hold -= captured;
      if (!isPulled) {
        row.receivable += excess;
        row.settled = settledOf(row) + amount;
        this.#enter(row, 'EXCEPTION');
        return;
      }
    }
    const wasOpen = isOpen(row);
    row.settled = settledOf(row) + amount;
    const isPart = wasOpen && row.settled < row.authorized;
    this.#enter(row, row.status === 'EXCEPTION' ? 'EXCEPTION' : isPart ? 'PARTIALLY_SETTLED' : 'SETTLED');
  }

  #canDraw(row: Row, cents: bigint): boolean {
    const { avail, isFrozen } = this.accounts[row.account];
    const card = this.#card(row.card);
    const hasKey = row.account === 'USD' || (card.account === row.account && card.hasKey);
    return !isFrozen && hasKey && avail >= cents * scaleOf(row.account);
  }

  #expire(row: Row): boolean {
    if (!isOpen(row)) return false;
    row.settled = settledOf(row);
    this.#enter(row, 'SETTLED');
    return true;
  }

  #advise(row: Row, amount: bigint): boolean {
    if (!isOpen(row)) return false;
    const extra = amount - row.authorized;
    const canHold = row.direction === 'DEBIT' && extra > 0n && this.#canDraw(row, extra);
    row.authorized = amount;
    // cards.md §1.6: no limit refuses what an advice adds, but it counts for the rest of the day.
    if (row.direction === 'DEBIT' && extra > 0n) this.#count(row.card, extra, 0);
    if (canHold) this.#hold(row, row.hold + extra);
    if (row.direction === 'DEBIT' && extra < 0n) this.#hold(row, least(row.hold, most(leftOf(row), 0n)));
    const isOver = amount <= settledOf(row);
    if (isOver) row.settled = settledOf(row);
    this.#enter(row, isOver ? 'SETTLED' : row.status);
    return true;
  }

  /** cards.md §8, suffix 006. */
  #fail(row: Row): void {
    const left = leftOf(row);
    if (row.direction === 'DEBIT' && left > 0n) {
      this.#hold(row, 0n);
      row.receivable += left;
      row.settled = row.authorized;
      this.accounts[row.account].network += left * scaleOf(row.account);
    }
    this.#enter(row, 'EXCEPTION');
  }

  #return(row: Row | undefined, message: MessageOf<'return'>): boolean {
    const { amount, merchant } = message;
    if (amount === 0n) return false;
    const isItsReturn = row?.kind === 'PURCHASE' && amount <= settledOf(row) - row.returned;
    const purchase = isItsReturn ? row : undefined;
    const kind = purchase ? 'RETURN' : 'CREDIT';
    const traits = {
      direction: 'CREDIT',
      kind,
      merchant: purchase?.merchant ?? merchant,
      original: purchase?.token,
    } as const;
    const made = this.#newAbout(row, message, traits, amount);
    const account = this.accounts[made.account];
    const scale = scaleOf(made.account);
    const repaid = least(purchase?.receivable ?? 0n, amount);
    account.network -= amount * scale;
    this.#credit(account, (amount - repaid) * scale);
    if (purchase) {
      purchase.returned += amount;
      purchase.receivable -= repaid;
    }
    made.settled = amount;
    this.#enter(made, 'SETTLED');
    return true;
  }

  #reverseReturn(row: Row | undefined, message: MessageOf<'return_reversal'>): boolean {
    const { amount, merchant } = message;
    if (amount === 0n) return false;
    if (row?.kind !== 'RETURN' || row.isReversed || amount !== settledOf(row)) {
      this.#clear(
        this.#newAbout(row, message, { direction: 'DEBIT', kind: 'PURCHASE', merchant }, amount),
        amount,
      );
      return true;
    }
    const traits = {
      direction: 'DEBIT',
      kind: 'RETURN_REVERSAL',
      merchant: row.merchant,
      original: row.token,
    } as const;
    const made = this.#newAbout(row, message, traits, amount);
    const account = this.accounts[made.account];
    const units = amount * scaleOf(made.account);
    const isPulled = this.#canDraw(made, amount);
    account.network += units;
    if (isPulled) this.#move(account, -units, 0n);
    else made.receivable = amount;
    made.settled = amount;
    this.#enter(made, isPulled ? 'SETTLED' : 'EXCEPTION');
    row.isReversed = true;
    const purchase = this.#row(row.original ?? '');
    if (purchase) purchase.returned -= amount;
    return true;
  }

  /** A separate row for a message about another row; if the token is taken, it uses the message's id. */
  #newAbout(row: Row | undefined, message: Message, traits: Traits, amount: bigint): Row {
    const token = this.#row(message.token) ? message.id : message.token;
    return this.#new({ ...message, token }, { account: row?.account, ...traits }, amount);
  }

  #new({ card, token }: Pick<Message, 'card' | 'token'>, traits: Traits, amount: bigint): Row {
    const row: Row = {
      ...traits,
      token,
      card,
      account: traits.account ?? this.#card(card).account,
      at: this.now,
      status: 'new',
      authorized: amount,
      hold: 0n,
      receivable: 0n,
      returned: 0n,
      isReversed: false,
      events: [],
    };
    this.rows.push(row);
    return row;
  }

  #open(message: Pick<Message, 'card' | 'token'>, traits: Traits, amount: bigint, status: string): Row {
    const row = this.#new(message, traits, amount);
    this.#enter(row, status);
    return row;
  }

  #hold(row: Row, cents: bigint): void {
    const change = (cents - row.hold) * scaleOf(row.account);
    row.hold = cents;
    this.#move(this.accounts[row.account], -change, change);
  }

  #enter(row: Row, status: string): void {
    row.status = status;
    row.events.push(status);
    if (isOpen(row)) return;
    if (row.hold > 0n) this.#hold(row, 0n);
    row.expiresAt = undefined;
  }
}

type Traits = Pick<Row, 'direction' | 'kind' | 'merchant'> &
  Partial<Pick<Row, 'original' | 'reason' | 'confirmedAt'>> & { readonly account?: Currency | undefined };
type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;

const SIMULATED_KINDS: Partial<Record<About['does'], string>> = {
  clear: 'clearing',
  advise: 'authorization_advice',
  return: 'return',
  reverseReturn: 'return_reversal',
};

/** cards.md §8.2. */
function refusedParent(kind: string, seen: Row, amount: bigint): string | undefined {
  if (kind === 'clearing' || kind === 'authorization_advice')
    return isOpen(seen) ? undefined : 'INVALID_INPUT';
  if (kind === 'return') {
    if (seen.kind !== 'PURCHASE' || settledOf(seen) === 0n) return 'INVALID_INPUT';
    return amount > settledOf(seen) - seen.returned ? 'INVALID_AMOUNT' : undefined;
  }
  return seen.kind !== 'RETURN' || seen.isReversed ? 'INVALID_INPUT' : undefined;
}

interface Parented {
  readonly id: string;
  readonly card: number;
  readonly token: string;
  readonly row: Row;
  readonly amount: bigint;
  readonly purchase: string | undefined;
}

function simulatedMessage(kind: string, { row, purchase, amount, ...named }: Parented): Message {
  const { merchant, direction } = row;
  if (kind === 'clearing') return { ...named, type: 'clearing', amount, direction, merchant };
  if (kind === 'authorization_advice') return { ...named, type: 'advice', amount };
  if (kind === 'return') return { ...named, type: 'return', purchaseToken: row.token, amount, merchant };
  const returned = { returnToken: row.token, purchaseToken: purchase };
  return { ...named, type: 'return_reversal', ...returned, amount: settledOf(row), merchant };
}

/** The effect of a message on a row, as far as later messages depend on it. */
function foresee(row: Row, message: Message): void {
  const isEnding = message.type === 'expiry' || (message.type === 'clearing' && message.amount === 0n);
  const left = leftOf(row);
  if (message.type === 'clearing' && message.amount > 0n) {
    if (!isClearable(row, message)) return;
    row.settled = settledOf(row) + message.amount;
    if (isOpen(row)) row.status = row.settled < row.authorized ? 'PARTIALLY_SETTLED' : 'SETTLED';
  } else if (!isOpen(row)) return;
  else if (isEnding) row.status = 'SETTLED';
  else if (message.type === 'pull_failure') {
    if (row.direction === 'DEBIT') row.settled = row.authorized;
    row.status = 'EXCEPTION';
  } else if (message.type === 'advice') adviseForeseen(row, message.amount);
  else if (message.type === 'reversal') {
    if (message.amount === undefined || message.amount >= left) row.status = 'SETTLED';
    else adviseForeseen(row, row.authorized - message.amount);
  }
}

/** Whether a clearing takes from this row; otherwise it is a row of its own. */
function isClearable(
  { direction, status, kind }: Row,
  clearing: Pick<MessageOf<'clearing'>, 'direction'>,
): boolean {
  const isPurchaseOrCredit = kind === 'PURCHASE' || kind === 'CREDIT';
  return direction === clearing.direction && status !== 'DECLINED' && isPurchaseOrCredit;
}

function adviseForeseen(row: Row, amount: bigint): void {
  row.authorized = amount;
  if (amount <= settledOf(row)) row.status = 'SETTLED';
}

function traitsOf({ asks, merchant }: MessageOf<'authorization'>): Traits {
  const kinds = { DEBIT: 'PURCHASE', CREDIT: 'CREDIT', INQUIRY: 'INQUIRY' } as const;
  return { direction: asks === 'CREDIT' ? 'CREDIT' : 'DEBIT', kind: kinds[asks], merchant };
}

function subjectOf(message: Message): string {
  if (message.type === 'return') return message.purchaseToken;
  return message.type === 'return_reversal' ? message.returnToken : message.token;
}

/** cards.md §6.11: it waits for its authorization. A clearing of 0 is an expiry. */
function isAboutAuthorization(message: Message): boolean {
  if (message.type === 'clearing') return message.amount === 0n;
  return ['reversal', 'advice', 'expiry', 'pull_failure'].includes(message.type);
}

export function isOpen({ status }: Pick<Row, 'status'>): boolean {
  return status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED' || status === 'new';
}

function settledOf({ settled }: Pick<Row, 'settled'>): bigint {
  return settled ?? 0n;
}

function leftOf(row: Row): bigint {
  return row.authorized - settledOf(row);
}

/** Units of an account in one card cent. */
export function scaleOf(currency: Currency): bigint {
  return currency === 'USDB' ? 10_000n : 1n;
}

/** A wallet may have more than whole cents. */
export function fundedUnits(currency: Currency, cents: number, odd: number): bigint {
  return BigInt(cents) * scaleOf(currency) + (currency === 'USDB' ? BigInt(odd) : 0n);
}

function newAccount(): Account {
  return { avail: 0n, hold: 0n, debt: 0n, isFrozen: false, told: 0, network: 0n };
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);
