import assert from 'node:assert/strict';
import type { ActionNotice, AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import { checkStanding, countMovement } from '#capabilities/agents/actions/movement.ts';
import { shownAction } from '#capabilities/agents/actions/present.ts';
import {
  ACTIONS,
  type ActionRow,
  type ActionType,
  type WaitingActionRow,
} from '#capabilities/agents/actions/row.ts';
import { type JoinedActionRow, requireAgent } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { ROUTES_BY_ACTION } from '#capabilities/agents/permissions.ts';
import { agentCounters, carryUsage, type Usage } from '#capabilities/agents/policy/usage.ts';
import { judgeMovement, type Verdict } from '#capabilities/agents/policy/verdict.ts';
import type { AgentPolicy } from '#capabilities/agents/schemas.ts';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import { scheduleExpiry } from '#capabilities/payments/machine/outgoing.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { awaitsApproval, type TransactionRow } from '#capabilities/payments/row.ts';
import { PULLS, TRANSFER_PAYOUTS } from '#edge/sandbox/rails/rails-table.ts';
import { rowFor } from '#edge/sandbox/table.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { RowChange } from '#foundation/database/rows.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';
import { choosePlace } from '#tests/model/agents-model.ts';
import type { Account, Decision, Submission, Who } from '#tests/model/agents-steps.ts';
import { converted } from '#tests/model/plain-prices.ts';
import { Disturbances, type Outcome, requireCommitted } from '#tests/simulator/disturbances.ts';
import { KEYS, Memory, MemoryChange } from '#tests/simulator/memory.ts';
import { type Asked, type Names, newRow, OUTSIDE } from '#tests/simulator/payment-rows.ts';
import { type RailOutcomes, SimulatedPayments, type Together } from '#tests/simulator/payments.ts';

export type ActionsMachine = typeof AGENT_ACTIONS;

const ACTION_TABLE = 'agent_actions';
const AGENT_TABLE = 'agents';
const QUOTE_MS = 15 * 60_000;
const NOT_WAITING = '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';

/** Two agents of one customer, on tables in memory. */
export class AgentsMemory {
  readonly memory: Memory;
  readonly disturbances: Disturbances;
  readonly payments: SimulatedPayments;
  /** Actions that a reply named, in order. */
  readonly made: string[] = [];
  readonly #machine: ActionsMachine;
  readonly #agents = new Map<Who, string>();
  readonly #quotes: { readonly agentId: AgentId; readonly id: TransactionId }[] = [];
  readonly #customerId: CustomerId;
  readonly #accounts: Readonly<Record<Account, AccountId>>;
  #keys = 0;

  constructor(
    now: number,
    { seed, machine, policy }: { seed: number; machine: ActionsMachine; policy: AgentPolicy },
  ) {
    this.memory = new Memory(now, {
      [ACTION_TABLE]: (memory, item: RowChange<ActionRow>) => memory.putRow(ACTION_TABLE, item),
      'agent versions': (_, { id, version }: { id: string; version: bigint }) =>
        this.#requireVersion(id, version),
    });
    this.disturbances = new Disturbances(this.memory, seed);
    this.payments = new SimulatedPayments(this.memory, this.disturbances);
    this.#machine = machine;
    this.#customerId = this.memory.newId();
    this.memory.customers.set(this.#customerId, { isDeleted: false });
    const open = (currency: Account) => this.memory.openAccount(currency, this.#customerId).id;
    this.#accounts = { USD: open('USD'), EUR: open('EUR') };
    for (const who of ['A', 'B'] as const) this.#connect(who, policy);
  }

  accountId(account: Account): AccountId {
    return this.#accounts[account];
  }

  balance(account: Account): bigint {
    return this.memory.balanceOf(`AVAIL:${this.accountId(account)}`, account);
  }

  #connect(who: Who, policy: AgentPolicy): void {
    const id = this.memory.newId();
    this.#agents.set(who, id);
    const row = {
      platform_id: this.memory.platformId,
      ...{ id, version: 1n, customer_id: this.#customerId, name: who, policy, is_paused: false, usage_no: 0 },
      deleted_at: null,
    };
    this.memory.putRow(AGENT_TABLE, { from: undefined, row: row as unknown as AgentRow });
  }

  agent(who: Who): AgentRow {
    return this.#agentRow(this.#agents.get(who) ?? '');
  }

  #agentRow(id: string): AgentRow {
    return this.memory.table<AgentRow>(AGENT_TABLE).get(id) ?? assert.fail('an agent of the model');
  }

  #requireVersion(id: string, version: bigint): void {
    if (this.#agentRow(id).version !== version) throw new CommitRefused({ name: 'stale' });
  }

  #changeAgent(row: AgentRow, changes: Partial<AgentRow>): AgentRow {
    const after = { ...row, ...changes, version: row.version + 1n };
    this.memory.putRow(AGENT_TABLE, { from: row.version, row: after });
    return after;
  }

  change(who: Who, changes: Pick<Partial<AgentRow>, 'policy' | 'is_paused'>): void {
    this.#changeAgent(this.agent(who), changes);
  }

  /** agents.md §1.4a: the usage so far goes on in the new currency. */
  changeCurrency(who: Who, policy: AgentPolicy): void {
    const before = this.agent(who);
    const { day, month } = this.usage(before);
    const [from, to] = [before.policy.spendingLimits.currency, policy.spendingLimits.currency];
    const inNew = (amount: bigint) => converted(amount, from, to, 'up');
    const after = this.#changeAgent(before, { policy, usage_no: before.usage_no + 1 });
    const change = new MemoryChange(this.memory);
    carryUsage(change as unknown as Tx, after, { day: inNew(day), month: inNew(month) });
    this.memory.commit(change);
  }

  usage(agent: AgentRow): Usage {
    const { count, day, month } = agentCounters(agent, this.memory.date);
    const used = ({ name, period }: typeof count) => this.memory.counters.get(`${name} ${period}`)?.[0] ?? 0n;
    return { count: used(count), day: used(day), month: used(month) };
  }

  /** As the agent sees them: one whose transaction no longer waits has failed. */
  statuses(who: Who): string[] {
    const id = this.#agents.get(who);
    return [...this.memory.table<ActionRow>(ACTION_TABLE).values()]
      .filter((row) => row.agent_id === id)
      .map((row) => {
        const { status, failure } = shownAction(this.#joined(row), this.memory.date);
        return `${row.type} ${status} ${failure?.code ?? ''}`.trim();
      })
      .sort();
  }

  #joined(row: ActionRow): JoinedActionRow {
    const approve_by = this.payments.row(row.transaction_id ?? '')?.approve_by ?? null;
    return { ...row, approve_by, platform_customer_id: 'simulated' };
  }

  advance(ms: number): void {
    const until = this.memory.now + ms;
    for (let job = this.memory.nextJob(until); job; job = this.memory.nextJob(until)) {
      this.memory.now = Math.max(this.memory.now, job.dueAt);
      this.memory.finishJob(job);
      assert.ok(this.payments.run(job), `nobody runs ${job.kind}`);
    }
    this.memory.now = until;
  }

  fund(account: Account, cents: bigint): void {
    this.payments.deposit(this.accountId(account), cents);
  }

  /** An agent pays with a quote, or transfers. */
  submit(wish: Submission, isNamed = true): string {
    const agent = this.agent(wish.who);
    if (agent.is_paused) return '403 PAUSED';
    if (wish.does !== 'pay') return this.#transfer(agent, wish);
    const id = this.#quote(agent, wish);
    if (isNamed) this.#quotes.push({ agentId: agent.id, id });
    return this.#execute(agent, id);
  }

  again(which: number): string {
    const quote = this.#quotes[choosePlace(this.#quotes.length, which)];
    if (!quote) return 'nothing';
    const agent = this.#agentRow(quote.agentId);
    return agent.deleted_at ? '401 UNAUTHORIZED' : this.#execute(agent, quote.id);
  }

  /** The platform executes an agent's quote itself. */
  own(which: number): string {
    const quote = this.#quotes[choosePlace(this.#quotes.length, which)];
    const row = quote && this.payments.row(quote.id);
    if (!row) return 'nothing';
    const refused = this.#checkQuote(row);
    if (refused) return refused;
    const done = this.payments.command(row.id, { kind: 'executed' });
    if (!done || 'reason' in done) return '400 INSUFFICIENT_FUNDS';
    return `200 ${done.result.status}`;
  }

  #checkQuote(row: TransactionRow): string | undefined {
    if (awaitsApproval(row, this.memory.date) || row.executed_at !== null) return '409 CONFLICT';
    return row.status === 'EXPIRED' ? '400 QUOTE_EXPIRED' : undefined;
  }

  #execute(agent: AgentRow, id: TransactionId): string {
    const row = this.payments.row(id) ?? assert.fail('a quote of the model');
    const standing = checkStanding(agent, ROUTES_BY_ACTION.EXECUTE_QUOTE);
    if (standing) return `403 ${violationOf(standing)}`;
    const actions = [...this.memory.table<ActionRow>(ACTION_TABLE).values()];
    const wasRejected = actions.some((each) => each.transaction_id === id && each.status === 'REJECTED');
    if (wasRejected) return '409 CONFLICT';
    const refused = this.#checkQuote(row);
    if (refused) return refused;
    const moved = { account: row.sending_currency as Account, amount: row.sending_amount, isIn: false };
    const verdict = this.#judge(agent, moved);
    if ('refusal' in verdict) return `403 ${violationOf(verdict.refusal)}`;
    const action = this.#newAction(agent, 'EXECUTE_QUOTE', id);
    if (verdict.mode !== 'AUTO') {
      const together = this.#together(agent, action, (transaction) => ({ kind: 'submitted', transaction }));
      return this.#named(200, action, this.payments.command(id, { kind: 'submitted' }, together));
    }
    if (this.#isShort(moved)) return this.#fail(action);
    const together = this.#together(
      agent,
      action,
      (transaction) => ({ kind: 'started', transaction }),
      verdict.measured,
    );
    return this.#named(200, action, this.payments.command(id, { kind: 'executed' }, together));
  }

  #transfer(agent: AgentRow, wish: Submission): string {
    const isIn = wish.does === 'transferIn';
    const type = isIn ? 'TRANSFER_IN' : 'TRANSFER_OUT';
    const standing = checkStanding(agent, ROUTES_BY_ACTION[type]);
    if (standing) return `403 ${violationOf(standing)}`;
    const moved = { account: wish.from, amount: BigInt(wish.amount), isIn };
    const verdict = this.#judge(agent, moved);
    if ('refusal' in verdict) return `403 ${violationOf(verdict.refusal)}`;
    const action = this.#newAction(agent, type, null);
    const isAuto = verdict.mode === 'AUTO';
    if (isAuto && this.#isShort(moved)) return this.#fail(action);
    const together = this.#together(
      agent,
      action,
      (transaction) => (isAuto ? { kind: 'started', transaction } : { kind: 'submitted', transaction }),
      isAuto ? verdict.measured : undefined,
    );
    const done = this.payments.create(
      () => this.#newRow(agent, wish, isIn ? 'INCOMING' : 'OUTGOING', 'TRANSFER'),
      outcomesOf(wish),
      (draft, facts) => {
        draft.emit('PENDING');
        this.payments.apply(draft, { kind: isAuto ? 'executed' : 'submitted' }, facts);
      },
      together,
    );
    return this.#named(201, action, done);
  }

  #named(status: number, { id }: ActionRow, done: Outcome<TransactionRow>): string {
    requireCommitted(done, 'an action');
    this.made.push(id);
    return `${status} ${this.#action(id).status}`;
  }

  /** What commits with the payment of an action: its row, its agent's version, and what counts against its limits. */
  #together(
    agent: AgentRow,
    action: WaitingActionRow,
    noticeOf: (row: TransactionRow) => ActionNotice,
    measured?: bigint,
  ): Together {
    return {
      collect: (change, row) => {
        this.#collect(change, action, noticeOf(row));
        if (measured === undefined) requireAgent(change, agent);
        else countMovement(change, agent, measured);
      },
      meanwhile: [{ what: 'the agent changes', happens: () => this.#withChanged(agent) }],
    };
  }

  #withChanged(agent: AgentRow): () => void {
    const rows = this.memory.table(AGENT_TABLE) as Map<string, AgentRow>;
    rows.set(agent.id, { ...agent, version: agent.version + 1n });
    return () => void rows.set(agent.id, agent);
  }

  /** As `changeAction`, by this machine. */
  #collect(change: MemoryChange, action: WaitingActionRow, notice: ActionNotice): void {
    const { from, row, events } = this.#machine.require(action, notice, this.memory.date, undefined);
    change.collect(ACTIONS.writer, { from, row: { ...row, reason_sealed: null } });
    for (const { type } of events)
      emit(change, { type, resourceId: publicId('AgentAction', row.id), data: {} });
  }

  #newAction(
    { id: agentId }: AgentRow,
    type: ActionType,
    transactionId: TransactionId | null,
  ): WaitingActionRow {
    const { date } = this.memory;
    return {
      platform_id: this.memory.platformId,
      id: this.memory.newId(),
      version: 0n,
      agent_id: agentId,
      customer_id: this.#customerId,
      ...{
        type,
        transaction_id: transactionId,
        transfer: null,
        signer_key: null,
        limits: null,
        status: 'PENDING_APPROVAL' as const,
      },
      ...{ rejection_reason: null, failure: null, created_at: date, updated_at: date, approve_by: null },
    };
  }

  /** agents.md §4.4: an action that cannot start is stored all the same. */
  #fail(action: WaitingActionRow): string {
    const key = `failed ${++this.#keys}`;
    const done = this.disturbances.commit((reading) => {
      if (reading === 'old') return undefined;
      const change = new MemoryChange(this.memory);
      change.collect(KEYS, key);
      this.#collect(change, action, { kind: 'failed', failure: SHORT });
      return { change, result: true };
    });
    requireCommitted(done, 'a failed action');
    return `400 ${SHORT.code}`;
  }

  #isShort({ account, amount, isIn }: Moved): boolean {
    return !isIn && this.balance(account) < amount;
  }

  #judge(agent: AgentRow, { account, amount, isIn }: Moved): Verdict {
    const id = publicId('InternalAccount', this.accountId(account));
    return judgeMovement(agent.policy, this.usage(agent), {
      ...(isIn ? { destination: id } : { source: id }),
      measuredIn: (currency) => converted(amount, account, currency, 'up'),
    });
  }

  #quote(agent: AgentRow, wish: Submission): TransactionId {
    const expires_at = new Date(this.memory.now + QUOTE_MS);
    const made = this.payments.create(
      () => ({ ...this.#newRow(agent, wish, 'OUTGOING', 'QUOTE'), expires_at }),
      outcomesOf(wish),
      (draft) => {
        draft.emit('PENDING');
        scheduleExpiry(draft);
      },
    );
    return requireCommitted(made, 'a quote').id;
  }

  #newRow(
    agent: AgentRow,
    { from: currency, to: suffix, amount }: Submission,
    type: 'OUTGOING' | 'INCOMING',
    kind: 'QUOTE' | 'TRANSFER',
  ): TransactionRow {
    const inside = { kind: 'INSIDE', who: 'A', currency } as const;
    const outside = { kind: 'OUTSIDE', who: 'A', currency, suffix } as const;
    const sent = BigInt(amount);
    const asked: Asked = {
      ...{ kind, type, owner: 'A', currencies: [currency, currency], addressed: undefined },
      ...{ from: type === 'OUTGOING' ? inside : outside, to: type === 'OUTGOING' ? outside : inside },
      price: { sent, received: sent, serviceFee: 0n, platformFee: 0n },
    };
    const names: Names = {
      customerId: () => this.#customerId,
      accountId: () => this.accountId(currency),
      externalId: () => OUTSIDE,
    };
    return { ...newRow(this.memory, names, asked, this.memory.date), agent_id: agent.id };
  }

  #action(id: string): JoinedActionRow {
    const row = this.memory.table<ActionRow>(ACTION_TABLE).get(id) ?? assert.fail('an action of the model');
    return this.#joined(row);
  }

  decide({ does, which, by }: Decision): string {
    const id = this.made[choosePlace(this.made.length, which)];
    if (id === undefined) return 'nothing';
    const named = this.#action(id);
    if (by === 'transaction') return this.#decideTransaction(named, does);
    if (this.#agentRow(named.agent_id).deleted_at) return '404 NOT_FOUND';
    if (!this.#isOpen(named)) {
      return named.status === 'PENDING_APPROVAL' && does === 'approve' ? '200 FAILED' : '409 CONFLICT';
    }
    this.#end(named, does);
    return `200 ${this.#action(id).status}`;
  }

  /** The transaction of a quote stands for the action that waits with it. */
  #decideTransaction(named: JoinedActionRow, does: Decision['does']): string {
    const actions = [...this.memory.table<ActionRow>(ACTION_TABLE).values()].map((row) => this.#joined(row));
    const open = actions.find((each) => each.transaction_id === named.transaction_id && this.#isOpen(each));
    if (!open || this.#agentRow(open.agent_id).deleted_at) return NOT_WAITING;
    this.#end(open, does);
    return `200 ${this.payments.row(open.transaction_id ?? '')?.status}`;
  }

  #isOpen(action: JoinedActionRow): boolean {
    return action.status === 'PENDING_APPROVAL' && awaitsApproval(action, this.memory.date);
  }

  #end(action: JoinedActionRow, does: Decision['does']): void {
    const row =
      this.payments.row(action.transaction_id ?? '') ?? assert.fail('an open action has a transaction');
    const agent = this.#agentRow(action.agent_id);
    if (does === 'reject') {
      this.#conclude(row, 'rejected', action, { kind: 'rejected', reason: null });
      return;
    }
    const isIn = row.type === 'INCOMING';
    const moved = { account: row.sending_currency as Account, amount: row.sending_amount, isIn };
    const standing = checkStanding(agent, ROUTES_BY_ACTION[action.type]);
    const verdict = standing ? { refusal: standing } : this.#judge(agent, moved);
    const refused = 'refusal' in verdict ? { code: verdict.refusal.code, reason: '' } : undefined;
    const failure = refused ?? (this.#isShort(moved) ? SHORT : undefined);
    if (failure || 'refusal' in verdict) {
      this.#conclude(row, 'approvalLapsed', action, { kind: 'approvalFailed', failure: failure ?? SHORT });
      return;
    }
    const together = this.#together(agent, action, () => ({ kind: 'approved' }), verdict.measured);
    const done = this.payments.command(row.id, { kind: 'executed' }, together);
    requireCommitted(done, 'the start of an approved action');
  }

  /** No money has moved: the action ends, and its transaction stops waiting. */
  #conclude(
    { id }: TransactionRow,
    kind: 'rejected' | 'approvalLapsed',
    action: WaitingActionRow,
    notice: ActionNotice,
  ): void {
    const together: Together = { collect: (change) => this.#collect(change, action, notice) };
    const done = this.payments.command(id, { kind }, together);
    requireCommitted(done, 'a decision');
  }

  /** An agent is deleted with its open actions, in one commit, and another one takes its place. */
  replace(who: Who, policy: AgentPolicy): void {
    const agent = this.agent(who);
    const change = new MemoryChange(this.memory);
    for (const row of this.memory.table<ActionRow>(ACTION_TABLE).values()) {
      const action = this.#joined(row);
      if (row.agent_id !== agent.id || !this.#isOpen(action)) continue;
      this.#collect(change, action, { kind: 'ownerDeleted', reason: 'agent deleted' });
      const transaction = this.payments.row(row.transaction_id ?? '') ?? assert.fail('it waits');
      const facts = this.payments.executionFacts(transaction);
      const ended = PAYMENTS.advance(transaction, { kind: 'rejected' }, this.memory.date, facts);
      if (ended) applyTransition(change, ended);
    }
    this.memory.commit(change);
    this.#changeAgent(agent, { deleted_at: this.memory.date });
    this.#connect(who, policy);
  }

  eventsOf(actionId: Id<'AgentAction'>): readonly string[] {
    return this.memory.events.get(`AgentAction:${actionId}`) ?? [];
  }

  actions(): ActionRow[] {
    return [...this.memory.table<ActionRow>(ACTION_TABLE).values()];
  }
}

interface Moved {
  readonly account: Account;
  readonly amount: bigint;
  readonly isIn: boolean;
}

const SHORT = { code: 'INSUFFICIENT_FUNDS', reason: '' };

function violationOf({ details }: Refusal): string {
  return String((details as { violation?: string }).violation);
}

function outcomesOf({ to }: Submission): RailOutcomes {
  return { payout: rowFor(TRANSFER_PAYOUTS, to).does, pull: rowFor(PULLS, to).does };
}
