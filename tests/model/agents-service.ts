import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from '#foundation/database/sql.ts';
import { type CallingAgent, executeAs, givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import type { Answered, TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { choosePlace, FIRST_POLICY } from '#tests/model/agents-model.ts';
import {
  type Account,
  type Change,
  type Decision,
  type PolicyChange,
  type Step,
  SUFFIXES,
  type Submission,
  secondsUntil,
  type Who,
} from '#tests/model/agents-steps.ts';
import { killDuring } from '#tests/model/killable.ts';

type Reply = Answered<{ readonly id?: string }>;
/** A call that can be repeated under its key. */
type Keyed = (key: string) => Promise<Reply>;

interface Made {
  readonly agent: CallingAgent;
  readonly id: string;
  readonly key: string;
  readonly raw: string;
  readonly call: Keyed;
  readonly at: number;
}

const DAY_MS = 86_400_000;

/** The service, driven by the same steps as its model. */
export class AgentsService {
  readonly platform: TestPlatform;
  readonly #world: World;
  readonly #payer: Payer;
  readonly #banks: ReadonlyMap<string, string>;
  readonly #agents: Record<Who, CallingAgent>;
  readonly #quotes: { readonly agent: CallingAgent; readonly id: string }[] = [];
  /** Actions that a reply named. */
  readonly #made: Made[] = [];

  private constructor(
    world: World,
    platform: TestPlatform,
    payer: Payer,
    banks: ReadonlyMap<string, string>,
    agents: Record<Who, CallingAgent>,
  ) {
    this.#world = world;
    this.platform = platform;
    this.#payer = payer;
    this.#banks = banks;
    this.#agents = agents;
  }

  /** A new platform with one customer without money, and two agents. */
  static async open(world: World): Promise<AgentsService> {
    const platform = await givenPlatform(world, { currencies: ['USD', 'EUR'] });
    const payer = await givenPayer(platform, 0);
    const banks = new Map<string, string>();
    for (const suffix of SUFFIXES) {
      for (const currency of ['USD', 'EUR'] as const) {
        banks.set(currency + suffix, await givenOutside(platform, payer.id, suffix, `${currency}_ACCOUNT`));
      }
    }
    const agents = { A: await newAgent(platform, payer), B: await newAgent(platform, payer) };
    return new AgentsService(world, platform, payer, banks, agents);
  }

  async now(): Promise<number> {
    return Date.parse((await this.platform.call('getSandboxClock')).body.now);
  }

  /** `now` is the platform's time. */
  async apply(step: Step, now: number): Promise<string> {
    switch (step.does) {
      case 'pay':
      case 'transferOut':
      case 'transferIn':
        return this.#submit(step, now, (call) => call());
      case 'payAtOnce':
        return this.#payAtOnce(step, now);
      case 'kill': {
        const { during, turns } = step;
        const dying = (call: () => Promise<Reply>) => killDuring(this.#world, turns, call);
        return 'who' in during ? this.#submit(during, now, dying) : this.#decide(during, dying);
      }
      case 'again':
      case 'own': {
        const quote = this.#quotes[choosePlace(this.#quotes.length, step.which)];
        if (!quote) return 'nothing';
        if (step.does === 'own') return shown(await execute(this.platform, quote.id));
        return this.#note(quote.agent, now, this.#executing(quote));
      }
      case 'repeat':
        return this.#repeat(this.#made[choosePlace(this.#made.length, step.which)], now);
      case 'approve':
      case 'reject':
        return this.#decide(step, (call) => call());
      case 'fund':
        await givenFunds(this.platform, this.#payer.account(step.account).id, step.cents);
        return '200';
      case 'advance':
        await advance(this.platform, secondsUntil(step.by, now));
        return '200';
      default:
        return this.#manage(step);
    }
  }

  async #manage(step: Change | Extract<Step, { does: 'replace' }>): Promise<string> {
    const params = { agentId: this.#agents[step.who].id };
    switch (step.does) {
      case 'replace': {
        const { status } = await this.platform.send('deleteAgent', { params });
        this.#agents[step.who] = await newAgent(this.platform, this.#payer);
        return String(status);
      }
      case 'policy': {
        const body = policyBody(step.change, (account) => this.#payer.account(account).id);
        return String((await this.platform.send('updateAgentPolicy', { params, body })).status);
      }
      case 'currency': {
        const body = { spendingLimits: { currency: step.to } };
        return String((await this.platform.send('updateAgentPolicy', { params, body })).status);
      }
      default: {
        const body = { isPaused: step.does === 'pause' };
        return String((await this.platform.send('updateAgent', { params, body })).status);
      }
    }
  }

  async #submit(
    wish: Submission,
    now: number,
    how: (call: () => Promise<Reply>) => Promise<Reply>,
  ): Promise<string> {
    const agent = this.#agents[wish.who];
    if (wish.does !== 'pay') return this.#note(agent, now, this.#transferring(wish), how);
    const quote = await this.#quote(wish);
    if (typeof quote === 'string') return quote;
    this.#quotes.push(quote);
    return this.#note(agent, now, this.#executing(quote), how);
  }

  async #payAtOnce(step: Extract<Step, { does: 'payAtOnce' }>, now: number): Promise<string> {
    const quotes = [];
    for (let i = 0; i < step.times; i++) {
      const quote = await this.#quote({ ...step, does: 'pay' });
      if (typeof quote === 'string') return quote;
      quotes.push(quote);
    }
    const answers = await Promise.all(
      quotes.map((quote) => this.#note(quote.agent, now, this.#executing(quote))),
    );
    return answers.sort().join(', ');
  }

  /** Or the answer to a paused agent. */
  async #quote({ who, from, to, amount }: Submission) {
    const agent = this.#agents[who];
    if ((await readAgent(this.platform, agent)).isPaused) {
      const body = { source: {}, destination: {} };
      return shown(await sendAs(this.platform, agent, 'agentCreateQuote', { body }));
    }
    const wish = { from: this.#payer.account(from).id, to: this.#banks.get(from + to) ?? '', send: amount };
    return { agent, id: (await givenAgentQuote(this.platform, agent, wish)).id };
  }

  #executing({ agent, id }: { readonly agent: CallingAgent; readonly id: string }): Keyed {
    return (key) => executeAs(this.platform, agent, id, { key });
  }

  #transferring({ does, who, from, to, amount }: Submission): Keyed {
    const agent = this.#agents[who];
    const internal = { accountId: this.#payer.account(from).id };
    const outside = { accountId: this.#banks.get(from + to) };
    const isOut = does === 'transferOut';
    const body = {
      source: isOut ? internal : outside,
      destination: isOut ? outside : internal,
      amount,
    };
    const operation = isOut ? 'agentCreateTransferOut' : 'agentCreateTransferIn';
    return (key) => sendAs(this.platform, agent, operation, { body, key });
  }

  async #note(
    agent: CallingAgent,
    at: number,
    call: Keyed,
    how: (call: () => Promise<Reply>) => Promise<Reply> = (once) => once(),
  ): Promise<string> {
    const key = randomUUID();
    const reply = await how(() => call(key));
    if (reply.status < 300)
      this.#made.push({ agent, id: reply.body.id ?? '', key, raw: reply.raw, call, at });
    return shown(reply);
  }

  async #repeat(made: Made | undefined, now: number): Promise<string> {
    if (!made || now >= made.at + DAY_MS) return 'nothing';
    const reply = await made.call(made.key);
    if (reply.status >= 300) return shown(reply);
    assert.equal(reply.raw, made.raw, 'the first reply again');
    return 'the same';
  }

  async #decide(
    { does, which, by }: Decision,
    how: (call: () => Promise<Reply>) => Promise<Reply>,
  ): Promise<string> {
    const made = this.#made[choosePlace(this.#made.length, which)];
    if (!made) return 'nothing';
    const key = randomUUID();
    if (by === 'action') {
      const operation = does === 'approve' ? 'approveAgentAction' : 'rejectAgentAction';
      const params = { agentId: made.agent.id, actionId: made.id };
      return shown(await how(() => this.platform.call(operation, { params, key })));
    }
    const [row] = await this.#world.database.query<{ transaction_id: string }>(sql`
      select transaction_id from agent_actions where id = ${uuidOf(made.id)}`);
    const operation = does === 'approve' ? 'approvePendingPayment' : 'rejectPendingPayment';
    const params = { transactionId: `Transaction:${row?.transaction_id}` };
    return shown(await how(() => this.platform.call(operation, { params, key })));
  }

  async usage(who: Who): Promise<readonly number[]> {
    const { usage } = await readAgent(this.platform, this.#agents[who]);
    return [usage.dailyTransactionCount, usage.dailySpend, usage.monthlySpend];
  }

  /** All actions of an agent, as the API lists them. */
  async statuses(who: Who): Promise<string[]> {
    const all: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      const { body } = await sendAs(this.platform, this.#agents[who], 'agentListActions', { query });
      all.push(...body.data.map((one) => `${one.type} ${one.status} ${one.failure?.code ?? ''}`.trim()));
      cursor = body.nextCursor;
      if (cursor === undefined) return all.sort();
    }
  }

  async failures(): Promise<number> {
    const [row] = await this.#world.database.query<{ count: bigint }>(sql`
      select count(*) from agent_actions where platform_id = ${this.platform.id} and status = 'FAILED'`);
    return Number(row?.count);
  }

  async open(): Promise<number> {
    const { body } = await this.platform.call('listAgentApprovals', { query: { limit: 100 } });
    return body.data.length;
  }

  async balances(): Promise<Record<Account, number>> {
    const { body } = await this.platform.call('listCustomerInternalAccounts', {
      query: { customerId: this.#payer.id },
    });
    const of = (code: Account) =>
      body.data.find(({ balance }) => balance.currency.code === code)?.balance.amount ?? 0;
    return { USD: of('USD'), EUR: of('EUR') };
  }
}

function newAgent(platform: TestPlatform, payer: Payer): Promise<CallingAgent> {
  const { currency, perTransaction, count, permissions, threshold } = FIRST_POLICY;
  return givenConnectedAgent(platform, payer, {
    permissions: ['CREATE_QUOTES', ...permissions],
    spendingLimits: { currency, perTransactionLimit: perTransaction, dailyTransactionLimit: count },
    approvalThresholds: threshold,
  });
}

/** The violation or code of an error, otherwise the status of the answer. */
function shown({ status, body }: { readonly status: number; readonly body: object }): string {
  const seen = body as { code?: string; details?: { violation?: string }; status?: unknown };
  return `${status} ${seen.details?.violation ?? seen.code ?? seen.status}`;
}

function policyBody(change: PolicyChange, idOf: (account: Account) => string): object {
  const { mode, perTransaction, count, daily, monthly, threshold, allowed, rules, permissions } = change;
  return {
    permissions: permissions && ['CREATE_QUOTES', ...permissions],
    defaultExecutionMode: mode,
    spendingLimits: {
      perTransactionLimit: perTransaction,
      dailyTransactionLimit: count,
      dailyLimit: daily,
      monthlyLimit: monthly,
    },
    ...(threshold !== undefined && { approvalThresholds: threshold ?? { amount: null } }),
    accountRestrictions: {
      allowedAccountIds: allowed?.map(idOf) ?? allowed,
      accountRules: rules?.map(({ account, mode: executionMode, perTransaction: perTransactionLimit }) => ({
        accountId: idOf(account),
        executionMode,
        perTransactionLimit,
      })),
    },
  };
}
