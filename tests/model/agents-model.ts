import {
  type Account,
  ALL_PERMISSIONS,
  type Change,
  type Decision,
  type Mode,
  type Permission,
  type Rule,
  type Step,
  type Submission,
  type Suffix,
  secondsUntil,
  type Threshold,
  type Who,
} from '#tests/model/agents-steps.ts';
import { converted } from '#tests/model/plain-prices.ts';

interface Policy {
  readonly currency: Account;
  readonly mode: Mode;
  readonly perTransaction: number;
  readonly count: number;
  readonly daily: number | null;
  readonly monthly: number | null;
  readonly threshold: Threshold | null;
  readonly allowed: readonly Account[] | null;
  readonly rules: readonly Rule[];
  readonly permissions: readonly Permission[];
}

export interface Agent {
  policy: Policy;
  isPaused: boolean;
  isDeleted: boolean;
  used: { day: string; month: string; count: number; ofDay: number; ofMonth: number };
}

interface Moved {
  readonly type: 'EXECUTE_QUOTE' | 'TRANSFER_OUT' | 'TRANSFER_IN';
  readonly account: Account;
  readonly suffix: Suffix;
  readonly amount: number;
}

interface Quote extends Moved {
  readonly agent: Agent;
  readonly expiresAt: number;
  isExecuted: boolean;
}

interface Action extends Moved {
  readonly agent: Agent;
  readonly quote?: Quote;
  readonly waitsUntil: number;
  readonly madeAt: number;
  status: 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
  failure?: string;
}

const SECOND = 1_000;
const QUOTE_MS = 900 * SECOND;
const DAY_MS = 86_400 * SECOND;
const TRANSFER_MS = 7 * DAY_MS;
/** The policy that every agent of the model begins with. */
export const FIRST_POLICY: Policy = {
  currency: 'USD',
  mode: 'AUTO',
  perTransaction: 3_000,
  count: 50,
  daily: null,
  monthly: null,
  threshold: { amount: 1_500, currency: 'USD' },
  allowed: null,
  rules: [],
  permissions: ALL_PERMISSIONS,
};
const NOT_WAITING = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
/** After how many seconds money that left comes back (money.md §9.2); absent: it does not. */
const COMES_BACK: Readonly<Partial<Record<Suffix, number>>> = { '002': 1, '004': 2, '005': 31 };

/**
 * The model of what two agents of one customer may do with its accounts (agents.md §1.4, §4, §5); times are
 * milliseconds.
 */
export class AgentsModel {
  now: number;
  readonly balance: Record<Account, number> = { USD: 0, EUR: 0 };
  readonly agents: Record<Who, Agent> = { A: newAgent(), B: newAgent() };
  readonly quotes: Quote[] = [];
  /** The actions that a reply named, in order; others failed at once. */
  readonly actions: Action[] = [];
  readonly #failedAtOnce: { readonly agent: Agent; readonly type: string }[] = [];
  #coming: { readonly at: number; readonly account: Account; readonly amount: number }[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** `failures`: how many actions were added that failed at once; a process that died may add one twice. */
  apply(step: Step, failures: number): string {
    switch (step.does) {
      case 'pay':
      case 'transferOut':
      case 'transferIn':
        return this.#ask(step, 1);
      case 'payAtOnce':
        return this.#ask({ ...step, does: 'pay' }, step.times);
      case 'kill': {
        const answer = this.apply(step.during, failures);
        if (answer === '400 INSUFFICIENT_FUNDS' && failures === 2) {
          this.#failedAtOnce.push(...this.#failedAtOnce.slice(-1));
        }
        return answer;
      }
      case 'again':
        return this.#again(pickFrom(this.quotes, step.which));
      case 'own':
        return this.#own(pickFrom(this.quotes, step.which));
      case 'repeat':
        return this.#repeat(pickFrom(this.actions, step.which));
      case 'approve':
      case 'reject':
        return this.#decide(step);
      case 'replace':
        return this.#replace(step.who);
      case 'advance':
        this.#pass(secondsUntil(step.by, this.now));
        return '200';
      case 'fund':
        this.balance[step.account] += step.cents;
        return '200';
      default:
        this.#change(this.agents[step.who], step);
        return '200';
    }
  }

  /** As the API shows it. */
  usage(who: Who): readonly [count: number, day: number, month: number] {
    const { used } = this.#renewed(this.agents[who]);
    return [used.count, used.ofDay, used.ofMonth];
  }

  statuses(who: Who): string[] {
    const agent = this.agents[who];
    const known = this.actions
      .filter((action) => action.agent === agent)
      .map((action) => {
        this.#lapse(action);
        return `${action.type} ${action.status} ${action.failure ?? ''}`.trim();
      });
    const failed = this.#failedAtOnce.filter((one) => one.agent === agent);
    return [...known, ...failed.map(({ type }) => `${type} FAILED INSUFFICIENT_FUNDS`)].sort();
  }

  /** How many actions wait now. */
  open(): number {
    return this.actions.filter((action) => !this.#lapse(action) && action.status === 'PENDING_APPROVAL')
      .length;
  }

  /** With counters that restart with the day and the month. */
  #renewed(agent: Agent): Agent {
    const iso = new Date(this.now).toISOString();
    const [day, month] = [iso.slice(0, 10), iso.slice(0, 7)];
    if (agent.used.day !== day) agent.used = { ...agent.used, day, count: 0, ofDay: 0 };
    if (agent.used.month !== month) agent.used = { ...agent.used, month, ofMonth: 0 };
    return agent;
  }

  #pass(seconds: number): void {
    this.now += seconds * SECOND;
    for (const { account, amount } of this.#coming.filter(({ at }) => at <= this.now)) {
      this.balance[account] += amount;
    }
    this.#coming = this.#coming.filter(({ at }) => at > this.now);
  }

  #change(agent: Agent, step: Change): void {
    switch (step.does) {
      case 'policy': {
        const sent = Object.entries(step.change).filter(([, value]) => value !== undefined);
        agent.policy = { ...agent.policy, ...Object.fromEntries(sent) };
        return;
      }
      case 'currency':
        this.#changeCurrency(this.#renewed(agent), step.to);
        return;
      default:
        agent.isPaused = step.does === 'pause';
    }
  }

  #changeCurrency(agent: Agent, to: Account): void {
    const { policy, used } = agent;
    const down = (limit: number) => exchanged(limit, policy.currency, to, 'down');
    const up = (amount: number) => exchanged(amount, policy.currency, to, 'up');
    agent.policy = {
      ...policy,
      currency: to,
      perTransaction: down(policy.perTransaction),
      daily: policy.daily === null ? null : down(policy.daily),
      monthly: policy.monthly === null ? null : down(policy.monthly),
      rules: policy.rules.map((rule) => ({
        ...rule,
        perTransaction: rule.perTransaction === undefined ? undefined : down(rule.perTransaction),
      })),
    };
    agent.used = { ...used, ofDay: up(used.ofDay), ofMonth: up(used.ofMonth) };
  }

  #replace(who: Who): string {
    const deleted = this.agents[who];
    deleted.isDeleted = true;
    for (const action of this.actions) {
      if (action.agent !== deleted || this.#lapse(action)) continue;
      if (action.status === 'PENDING_APPROVAL') action.status = 'REJECTED';
    }
    this.agents[who] = newAgent();
    return '204';
  }

  #ask({ does, who, from: account, to: suffix, amount }: Submission, times: number): string {
    const agent = this.agents[who];
    if (agent.isPaused) return '403 PAUSED';
    if (does !== 'pay') {
      const type = does === 'transferOut' ? 'TRANSFER_OUT' : 'TRANSFER_IN';
      return this.#submit(agent, { type, account, suffix, amount });
    }
    const quotes = Array.from({ length: times }, () => {
      const moved = { type: 'EXECUTE_QUOTE', account, suffix, amount } as const;
      const quote: Quote = { ...moved, agent, expiresAt: this.now + QUOTE_MS, isExecuted: false };
      // It is unknown which of several concurrent actions started.
      if (times === 1) this.quotes.push(quote);
      return quote;
    });
    const answers = quotes.map((quote) => this.#submit(agent, quote, quote));
    return answers.sort().join(', ');
  }

  #submit(agent: Agent, moved: Moved, quote?: Quote): string {
    const { type, account, suffix, amount } = moved;
    const refused = this.#standing(agent, type) ?? this.#violation(agent, moved);
    if (refused) return `403 ${refused}`;
    const action = {
      ...{ type, account, suffix, amount, agent, madeAt: this.now },
      waitsUntil: quote?.expiresAt ?? this.now + TRANSFER_MS,
      ...(quote && { quote }),
    };
    const ok = quote ? 200 : 201;
    if (this.#mode(agent, moved) === 'APPROVAL_REQUIRED') {
      this.actions.push({ ...action, status: 'PENDING_APPROVAL' });
      return `${ok} PENDING_APPROVAL`;
    }
    if (!this.#isCovered(moved)) {
      this.#failedAtOnce.push({ agent, type });
      return '400 INSUFFICIENT_FUNDS';
    }
    const started: Action = { ...action, status: 'APPROVED' };
    this.actions.push(started);
    this.#start(started);
    return `${ok} APPROVED`;
  }

  #standing({ isPaused, policy }: Agent, type: Moved['type']): string | undefined {
    if (isPaused) return 'PAUSED';
    const needed = type === 'EXECUTE_QUOTE' ? 'EXECUTE_QUOTES' : 'CREATE_TRANSFERS';
    return policy.permissions.includes(needed) ? undefined : 'PERMISSION';
  }

  #violation(agent: Agent, { account, amount }: Moved): string | undefined {
    const { policy, used } = this.#renewed(agent);
    if (policy.allowed && !policy.allowed.includes(account)) return 'ACCOUNT_RESTRICTION';
    const measured = exchanged(amount, account, policy.currency, 'up');
    if (measured > (ruleFor(policy, account)?.perTransaction ?? policy.perTransaction)) {
      return 'PER_TRANSACTION_LIMIT';
    }
    if (used.count + 1 > policy.count) return 'DAILY_TRANSACTION_LIMIT';
    if (policy.daily !== null && used.ofDay + measured > policy.daily) return 'DAILY_LIMIT';
    if (policy.monthly !== null && used.ofMonth + measured > policy.monthly) return 'MONTHLY_LIMIT';
    return undefined;
  }

  #mode({ policy }: Agent, { account, amount }: Moved): Mode {
    const { threshold } = policy;
    const isAbove = threshold && exchanged(amount, account, threshold.currency, 'up') > threshold.amount;
    return isAbove ? 'APPROVAL_REQUIRED' : (ruleFor(policy, account)?.mode ?? policy.mode);
  }

  #isCovered({ type, account, amount }: Moved): boolean {
    return type === 'TRANSFER_IN' || this.balance[account] >= amount;
  }

  #start({ agent, quote, ...moved }: Action): void {
    const { used, policy } = this.#renewed(agent);
    const measured = exchanged(moved.amount, moved.account, policy.currency, 'up');
    used.count += 1;
    used.ofDay += measured;
    used.ofMonth += measured;
    if (quote) quote.isExecuted = true;
    this.#move(moved);
  }

  /** Outgoing money may come back; pulled money arrives or does not. */
  #move({ type, account, suffix, amount }: Moved): void {
    if (type !== 'TRANSFER_IN') this.balance[account] -= amount;
    const seconds = type === 'TRANSFER_IN' ? (suffix === '999' ? 1 : undefined) : COMES_BACK[suffix];
    if (seconds !== undefined) this.#coming.push({ at: this.now + seconds * SECOND, account, amount });
  }

  #again(quote: Quote | undefined): string {
    if (!quote) return 'nothing';
    if (quote.agent.isDeleted) return '401 UNAUTHORIZED';
    const refused = this.#standing(quote.agent, 'EXECUTE_QUOTE');
    if (refused) return `403 ${refused}`;
    const of = this.actions.filter((action) => action.quote === quote);
    for (const action of of) this.#lapse(action);
    const isTaken = of.some(({ status }) => status === 'PENDING_APPROVAL' || status === 'REJECTED');
    if (quote.isExecuted || isTaken) return '409 CONFLICT';
    if (this.now >= quote.expiresAt) return '400 QUOTE_EXPIRED';
    return this.#submit(quote.agent, quote, quote);
  }

  #own(quote: Quote | undefined): string {
    if (!quote) return 'nothing';
    if (quote.isExecuted || this.#openFor(quote)) return '409 CONFLICT';
    if (this.now >= quote.expiresAt) return '400 QUOTE_EXPIRED';
    if (!this.#isCovered(quote)) return '400 INSUFFICIENT_FUNDS';
    quote.isExecuted = true;
    this.#move(quote);
    return quote.suffix === '002' ? '200 FAILED' : '200 PROCESSING';
  }

  #repeat(action: Action | undefined): string {
    if (!action || this.now >= action.madeAt + DAY_MS) return 'nothing';
    return action.agent.isDeleted ? '401 UNAUTHORIZED' : 'the same';
  }

  #openFor(quote: Quote): Action | undefined {
    return this.actions.find(
      (action) => action.quote === quote && !this.#lapse(action) && action.status === 'PENDING_APPROVAL',
    );
  }

  #decide({ does, which, by }: Decision): string {
    const named = pickFrom(this.actions, which);
    if (!named) return 'nothing';
    if (by === 'action') {
      if (named.agent.isDeleted) return '404 NOT_FOUND';
      if (this.#lapse(named) && does === 'approve') return '200 FAILED';
      if (named.status !== 'PENDING_APPROVAL') return '409 CONFLICT';
      this.#end(named, does);
      return `200 ${named.status}`;
    }
    // The transaction of a quote stands for its currently pending action.
    const action = named.quote ? this.#openFor(named.quote) : named;
    if (!action || this.#lapse(action) || action.status !== 'PENDING_APPROVAL') return `409 ${NOT_WAITING}`;
    this.#end(action, does);
    return `200 ${transactionAfter(action)}`;
  }

  #end(action: Action, how: 'approve' | 'reject'): void {
    const { agent, type } = action;
    if (how === 'reject') action.status = 'REJECTED';
    else if (this.#standing(agent, type) ?? this.#violation(agent, action)) fail(action, 'FORBIDDEN');
    else if (!this.#isCovered(action)) fail(action, 'INSUFFICIENT_FUNDS');
    else {
      action.status = 'APPROVED';
      this.#start(action);
    }
  }

  /** Whether the deadline of the decision has passed. */
  #lapse(action: Action): boolean {
    const code = action.quote ? 'QUOTE_EXPIRED' : NOT_WAITING;
    if (action.status === 'PENDING_APPROVAL' && this.now >= action.waitsUntil) fail(action, code);
    return action.failure === code;
  }
}

function newAgent(): Agent {
  const used = { day: '', month: '', count: 0, ofDay: 0, ofMonth: 0 };
  return { policy: FIRST_POLICY, isPaused: false, isDeleted: false, used };
}

function ruleFor({ rules }: Policy, account: Account): Rule | undefined {
  return rules.find((rule) => rule.account === account);
}

/** The state of the transaction of a newly decided action (agents.md §5.3, money.md §9.2). */
function transactionAfter({ type, status, suffix }: Action): string {
  if (status === 'APPROVED') {
    if (suffix === '002') return 'FAILED';
    return type === 'EXECUTE_QUOTE' ? 'PROCESSING' : 'PENDING';
  }
  if (type === 'EXECUTE_QUOTE') return 'PENDING';
  if (status === 'FAILED') return 'FAILED';
  return type === 'TRANSFER_IN' ? 'REJECTED' : 'EXPIRED';
}

function exchanged(amount: number, from: Account, to: Account, rounding: 'up' | 'down'): number {
  return Number(converted(BigInt(amount), from, to, rounding));
}

function fail(action: Action, code: string): void {
  action.status = 'FAILED';
  action.failure = code;
}

/** Chooses one of this many: mostly one of the newest, because those are still undecided. */
export function choosePlace(length: number, which: number): number {
  const first = which % 4 === 0 ? 0 : Math.max(0, length - 6);
  return first + (which % Math.max(1, length - first));
}

function pickFrom<T>(all: readonly T[], which: number): T | undefined {
  return all[choosePlace(all.length, which)];
}
