import type { Burning, Making, Minting, Owner, Step } from '#tests/model/coins-steps.ts';

/** The service's answer, and the creation time of a mint or burn. */
export interface Answered {
  readonly answer: string;
  readonly createdAt?: number | undefined;
}

export interface Operation {
  readonly wish: Making;
  readonly at: number;
  /** The provider's answer was lost, because the process died. */
  readonly isCutOff: boolean;
  /** The reply, which is repeated for the key. */
  readonly replied: string;
  status: string;
  reason?: string | undefined;
  /** When the provider is asked next. */
  dueAt?: number | undefined;
}

interface Payment {
  readonly units: bigint;
  readonly to: Owner | 'wallet';
  readonly fails: boolean;
  phase: 'sent' | 'failed' | 'over';
  dueAt?: number | undefined;
}

type Stage = readonly [status: string, afterSeconds: number, reason?: string];

const SECOND = 1_000;
const CENT = 10_000n;
const DAY = 86_400 * SECOND;
/** The real time after which the call of a dead process counts as over (stablecoins.md §6.2). */
export const CUT_OFF_MS = 91 * SECOND;
const RECONCILE = 60 * SECOND;
const GIVE_UP = 900 * SECOND;
const SET_UP = 5 * SECOND;
const STEP = SECOND;

const DEBITS: Readonly<Record<string, Stage>> = {
  '002': ['FAILED', 2, 'FUNDING_INSUFFICIENT_FUNDS'],
  '003': ['FAILED', 2, 'FUNDING_ACCOUNT_INVALID'],
  '004': ['FAILED', 2, 'FUNDING_REJECTED'],
  '005': ['FAILED', 30, 'FUNDING_REJECTED'],
};
const LINKS: Readonly<Record<string, string>> = {
  '201': 'LINK_FAILED',
  '202': 'PROVIDER_LINK_FAILED',
  '203': 'PROVIDER_LINK_REQUIRED',
  '204': 'LINK_METHOD_REQUIRED',
  '205': 'NOT_LINKED',
};

/** The expected behaviour of mints, burns and coin transfers; times are milliseconds. */
export class CoinsModel {
  readonly operations: Operation[] = [];
  readonly #payments: Payment[] = [];
  readonly avail = { USD: 0n, A: 0n, B: 0n };
  readonly hold = { USD: 0n, A: 0n, B: 0n };
  outside = 0n;
  issued = 0n;
  status: 'ENABLED' | 'DISABLED' | 'ENABLING' = 'ENABLED';
  now: number;
  #enabledAt: number | undefined;

  constructor(now: number) {
    this.now = now;
  }

  /** The operation of a repeated call; undefined: there is none with a live key. */
  named(which: number): number | undefined {
    const alive = [...this.operations.keys()].filter((n) => this.now - (this.operations[n]?.at ?? 0) < DAY);
    return alive[which % Math.max(1, alive.length)];
  }

  apply(step: Step, answered: Answered): string {
    switch (step.does) {
      case 'mint':
      case 'burn':
        return this.#make(step, false);
      case 'kill':
        return this.#makeCutOff(step.during, answered);
      case 'again': {
        const made = this.operations[this.named(step.which) ?? -1];
        if (!made) return 'nothing';
        return step.isChanged ? '409 CONFLICT' : `the same: ${made.replied}`;
      }
      case 'fund':
        this.avail.USD += BigInt(step.cents);
        return '200';
      case 'pay':
        return this.#send(BigInt(step.units), 'B', false);
      case 'payOut':
        return this.#send(BigInt(step.units), 'wallet', step.fails);
      case 'deposit':
        return this.#deposit(step.to, BigInt(step.units));
      case 'disable':
      case 'enable':
        return this.#turn(step.does);
      case 'advance':
        this.#pass(step.seconds * SECOND);
        return '200';
    }
  }

  /** The answer to a mint or burn at this moment, as far as checks before it decide; undefined: it is stored. */
  refusal(wish: Making): string | undefined {
    return this.#check(wish);
  }

  /** A moment passes. */
  tick(ms: number): void {
    this.#pass(ms);
  }

  #makeCutOff(wish: Making, { answer, createdAt }: Answered): string {
    const isMadeBefore = createdAt === this.now;
    const before = isMadeBefore ? this.#make(wish, answer === '201 CREATED') : undefined;
    this.#pass(CUT_OFF_MS);
    return before ?? this.#make(wish, false);
  }

  #make(wish: Making, isCutOff: boolean): string {
    const refused = this.#check(wish);
    if (refused) return refused;
    if (wish.ending === '004' && !isCutOff) return '400 STABLECOIN_PROVIDER_ERROR';
    if (wish.ending === '009' && !isCutOff) return '503 SERVICE_UNAVAILABLE';
    const isSilent = isCutOff || wish.ending === '006' || wish.ending === '007';
    const first = stagesOf(wish)[0]?.[0] ?? '';
    const replied = `201 ${isSilent ? 'CREATED' : first}`;
    const operation: Operation = { wish, at: this.now, isCutOff, replied, status: 'CREATED' };
    this.operations.push(operation);
    const [account, amount] = takenFrom(wish);
    if (account) this.#reserve(account, amount);
    if (isSilent) operation.dueAt = this.now + RECONCILE;
    else this.#report(operation);
    return replied;
  }

  #check(wish: Making): string | undefined {
    if (wish.amount === 0n) return '400 INVALID_AMOUNT';
    if (wish.amount % CENT !== 0n) return '400 STABLECOIN_AMOUNT_NOT_REPRESENTABLE';
    const isOff = this.status !== 'ENABLED';
    const off = '400 STABLECOIN_SVC_OPERATIONS_NOT_ENABLED';
    if (wish.source === 'SVC_INTERNAL_ACCOUNT' && isOff) return off;
    if (wish.does === 'burn') return linkProblem(wish.bank) ?? this.#checkFunds(wish);
    if (wish.source === 'PROVIDER_INTERNAL_BALANCE') return '400 STABLECOIN_OPERATION_NOT_SUPPORTED';
    const problem = isDebit(wish) ? linkProblem(wish.bank) : undefined;
    if (problem) return problem;
    if (wish.to !== 'wallet' && isOff) return off;
    if (wish.source === 'SVC_INTERNAL_ACCOUNT' && wish.to === 'B') return '400 INVALID_INPUT';
    return this.#checkFunds(wish);
  }

  #checkFunds(wish: Making): string | undefined {
    const [account, amount] = takenFrom(wish);
    const short = '400 INSUFFICIENT_FUNDS';
    if (account) return this.avail[account] < amount ? short : undefined;
    if (wish.does === 'mint') return undefined;
    return this.outside - this.#burning(isOpen) < wish.amount ? short : undefined;
  }

  /** The amount of external coins taken by the burns that this predicate selects. */
  #burning(counts: (operation: Operation) => boolean): bigint {
    return this.operations
      .filter((operation) => isFromOutside(operation.wish) && counts(operation))
      .reduce((sum, { wish }) => sum + wish.amount, 0n);
  }

  #reserve(account: keyof typeof this.avail, amount: bigint): void {
    this.avail[account] -= amount;
    this.hold[account] += amount;
  }

  /** The provider's present answer about it. */
  #report(operation: Operation): void {
    const { wish, at, isCutOff, status } = operation;
    const isLost = wish.ending === '007' || (isCutOff && (wish.ending === '004' || wish.ending === '009'));
    if (isLost) {
      if (this.now - at >= GIVE_UP) this.#end(operation, 'FAILED', 'PROVIDER_TRANSFER_FAILED');
      else operation.dueAt = this.now + RECONCILE;
      return;
    }
    const stages = stagesOf(wish);
    const passed = (this.now - at) / SECOND;
    const [next, , reason] = stages.findLast(([, seconds]) => seconds <= passed) as Stage;
    const following = stages.find(([, seconds]) => seconds > passed);
    operation.dueAt = following && at + following[1] * SECOND;
    const isFunded = (status === 'CREATED' || status === 'PENDING_FUNDING') && next !== 'PENDING_FUNDING';
    if (next === 'FAILED' || next === 'EXPIRED') this.#end(operation, next, reason);
    else if (isFunded && isFromOutside(wish) && !this.#isCovered(operation)) {
      this.#end(operation, 'FAILED', 'FUNDING_REJECTED');
    } else if (next === 'COMPLETED') this.#complete(operation);
    else operation.status = next;
  }

  #isCovered(operation: Operation): boolean {
    const given = this.#burning((other) => other !== operation && isGivenItsCoins(other));
    return this.outside - given >= operation.wish.amount;
  }

  #end(operation: Operation, status: string, reason?: string): void {
    const [account, amount] = takenFrom(operation.wish);
    if (account) this.#reserve(account, -amount);
    Object.assign(operation, { status, reason, dueAt: undefined });
  }

  #complete(operation: Operation): void {
    const { wish } = operation;
    const [account, amount] = takenFrom(wish);
    if (account) this.hold[account] -= amount;
    const isMint = wish.does === 'mint';
    this.issued += isMint ? wish.amount : -wish.amount;
    if (isMint && wish.to !== 'wallet') this.avail[wish.to] += wish.amount;
    if (isMint && wish.to === 'wallet') this.outside += wish.amount;
    if (isFromOutside(wish)) this.outside -= wish.amount;
    Object.assign(operation, { status: 'COMPLETED', dueAt: undefined });
  }

  #send(units: bigint, to: Payment['to'], fails: boolean): string {
    if (this.status !== 'ENABLED') return '400 INVALID_CURRENCY';
    if (this.avail.A < units) return '400 INSUFFICIENT_FUNDS';
    this.avail.A -= units;
    this.#payments.push({ units, to, fails, phase: 'sent', dueAt: this.now + STEP });
    return '201';
  }

  #settle(payment: Payment): void {
    const { units, to, fails, phase } = payment;
    payment.dueAt = undefined;
    if (phase === 'sent' && fails) {
      Object.assign(payment, { phase: 'failed', dueAt: this.now + STEP });
      return;
    }
    payment.phase = 'over';
    if (phase === 'failed') this.avail.A += units;
    else if (to === 'wallet') this.outside += units;
    else this.avail[to] += units;
  }

  #deposit(to: Owner, units: bigint): string {
    if (this.outside - this.#burning(isGivenItsCoins) < units) return 'CONFLICT';
    this.outside -= units;
    this.avail[to] += units;
    return 'OK';
  }

  #turn(how: 'disable' | 'enable'): string {
    if (this.status !== (how === 'disable' ? 'ENABLED' : 'DISABLED')) return 'CONFLICT';
    this.status = how === 'disable' ? 'DISABLED' : 'ENABLING';
    this.#enabledAt = how === 'enable' ? this.now + SET_UP : undefined;
    return 'OK';
  }

  /** Runs everything that falls due on the way, at its time. */
  #pass(ms: number): void {
    const until = this.now + ms;
    for (let next = this.#nextDue(); next !== undefined && next.dueAt <= until; next = this.#nextDue()) {
      this.now = next.dueAt;
      next.run();
    }
    this.now = until;
  }

  #nextDue(): { readonly dueAt: number; run(): void } | undefined {
    const due = [
      ...this.operations.map((each) => ({ dueAt: each.dueAt, run: () => this.#report(each) })),
      ...this.#payments.map((each) => ({ dueAt: each.dueAt, run: () => this.#settle(each) })),
      { dueAt: this.#enabledAt, run: () => this.#enable() },
    ].filter((each): each is { dueAt: number; run(): void } => each.dueAt !== undefined);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }

  #enable(): void {
    this.status = 'ENABLED';
    this.#enabledAt = undefined;
  }
}

function isOpen({ status }: Operation): boolean {
  return (
    status === 'CREATED' ||
    status === 'PENDING_FUNDING' ||
    status === 'PENDING_PROVIDER' ||
    status === 'PROCESSING'
  );
}

/** Coins that the provider already holds can be burned, even before its answer arrives. */
function isGivenItsCoins({ status, wish }: Operation): boolean {
  if (status === 'CREATED') return wish.source === 'PROVIDER_INTERNAL_BALANCE';
  return status === 'PENDING_PROVIDER' || status === 'PROCESSING';
}

function isFromOutside(wish: Making): boolean {
  return wish.does === 'burn' && wish.source !== 'SVC_INTERNAL_ACCOUNT';
}

/** The internal account that pays, and how much in its currency. */
function takenFrom(wish: Making): ['USD' | 'A', bigint] | [undefined, bigint] {
  if (wish.source !== 'SVC_INTERNAL_ACCOUNT') return [undefined, 0n];
  return wish.does === 'mint' ? ['USD', wish.amount / CENT] : ['A', wish.amount];
}

function isDebit({ source }: Pick<Minting | Burning, 'source'>): boolean {
  return source === 'ACH_DEBIT' || source === 'SAME_DAY_ACH_DEBIT';
}

function linkProblem(bank: string): string | undefined {
  return LINKS[bank] && `400 STABLECOIN_EXTERNAL_ACCOUNT_${LINKS[bank]}`;
}

/** stablecoins.md §5.9, §5.10: the provider's steps, in seconds from the beginning. */
function stagesOf(wish: Making): Stage[] {
  const waits = wish.source === 'WIRE' || wish.source === 'EXTERNAL_ACCOUNT';
  const first: Stage = [waits ? 'PENDING_FUNDING' : 'PENDING_PROVIDER', 0];
  if (wish.ending === '001') return waits ? [first, ['EXPIRED', 60]] : [first];
  const debit = isDebit(wish) ? DEBITS[wish.bank] : undefined;
  if (debit) return [first, debit];
  const slow = wish.ending === '005' ? 30 : 0;
  const funded = waits ? 10 + slow : 0;
  const started = funded + 2 + slow;
  const done = started + 3 + slow;
  return [
    first,
    ...(waits ? [['PENDING_PROVIDER', funded] as const] : []),
    ['PROCESSING', started],
    wish.ending === '002' ? ['FAILED', done, 'PROVIDER_TRANSFER_FAILED'] : ['COMPLETED', done],
  ];
}
