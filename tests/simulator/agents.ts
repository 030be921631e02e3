import assert from 'node:assert/strict';
import { AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import type { AgentPolicy } from '#capabilities/agents/schemas.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type Agent, AgentsModel, FIRST_POLICY } from '#tests/model/agents-model.ts';
import { type Account, type Step, secondsUntil } from '#tests/model/agents-steps.ts';
import { type ActionsMachine, AgentsMemory } from '#tests/simulator/agents-memory.ts';
import { assertLedger } from '#tests/simulator/ledger-checks.ts';
import type { SimulatedRun } from '#tests/simulator/money.ts';
import { assertPayment } from '#tests/simulator/payment-checks.ts';

const START = Date.UTC(2026, 0, 5, 10);
const WHOLE_EVERY = 40;

/**
 * Runs the steps of the model of agents on the machine of their actions, in memory, and compares both after each. Returns
 * the journal.
 */
export function simulateAgents(
  steps: readonly Step[],
  options: SimulatedRun & { readonly machine?: ActionsMachine },
): CompleteEntry[] {
  const { count = () => undefined } = options;
  const run = new AgentsRun(options);
  for (const [i, step] of steps.entries()) {
    const answer = run.take(step);
    for (const what of ['steps', step.does, answer]) count(what);
    run.agree();
    if (i % WHOLE_EVERY === 0) assertLedger(run.memory.memory);
  }
  for (const [what, times] of run.memory.disturbances.seen) for (let n = 0; n < times; n++) count(what);
  const journal = [...run.memory.memory.journal];
  run.take({ does: 'advance', by: 604_800 });
  run.agree();
  assertLedger(run.memory.memory);
  return journal;
}

class AgentsRun {
  readonly model: AgentsModel;
  readonly memory: AgentsMemory;

  constructor({
    seed,
    start = START,
    machine = AGENT_ACTIONS,
  }: SimulatedRun & { readonly machine?: ActionsMachine }) {
    const policy = policyOf(FIRST_POLICY, () => '');
    this.model = new AgentsModel(start);
    this.memory = new AgentsMemory(start, { seed, machine, policy });
  }

  /** Both execute a step and must give the same answer. */
  take(step: Step): string {
    const inner = step.does === 'kill' ? step.during : step;
    const seconds = inner.does === 'advance' ? secondsUntil(inner.by, this.model.now) : 0;
    const expected = this.model.apply(inner, 0);
    const answer = this.#mirror(inner, seconds);
    if (answer !== undefined) assert.equal(answer, expected, `answer to ${JSON.stringify(step)}`);
    return expected;
  }

  /** The answer in memory; undefined: it is not simulated. */
  #mirror(step: Step, seconds: number): string | undefined {
    const { memory, model } = this;
    const policy = (agent: Agent) => policyOf(agent.policy, (account) => memory.accountId(account));
    switch (step.does) {
      case 'pay':
      case 'transferOut':
      case 'transferIn':
        return memory.submit(step);
      case 'payAtOnce':
        return this.#payAtOnce(step);
      case 'again':
        return memory.again(step.which);
      case 'own':
        return memory.own(step.which);
      case 'approve':
      case 'reject':
        return memory.decide(step);
      case 'fund':
        memory.fund(step.account, BigInt(step.cents));
        return '200';
      case 'advance':
        memory.advance(seconds * 1_000);
        return '200';
      case 'replace':
        memory.replace(step.who, policy(model.agents[step.who]));
        return '204';
      case 'policy':
        memory.change(step.who, { policy: policy(model.agents[step.who]) });
        return '200';
      case 'currency':
        memory.changeCurrency(step.who, policy(model.agents[step.who]));
        return '200';
      case 'pause':
      case 'resume':
        memory.change(step.who, { is_paused: step.does === 'pause' });
        return '200';
      default:
        return undefined;
    }
  }

  #payAtOnce({ times, ...wish }: Extract<Step, { does: 'payAtOnce' }>): string {
    const answers = Array.from({ length: times }, () => this.memory.submit({ ...wish, does: 'pay' }, false));
    return answers[0] === '403 PAUSED' ? '403 PAUSED' : answers.sort().join(', ');
  }

  agree(): void {
    const { model, memory } = this;
    assert.equal(memory.memory.now, model.now, 'clocks');
    for (const [name, row] of memory.memory.takeTouched()) {
      if (name.startsWith('transactions ')) assertPayment(memory.memory, row as TransactionRow);
    }
    for (const account of ['USD', 'EUR'] as const) {
      assert.equal(memory.balance(account), BigInt(model.balance[account]), `balance in ${account}`);
    }
    for (const who of ['A', 'B'] as const) {
      const { count, day, month } = memory.usage(memory.agent(who));
      const [expectedCount, ofDay, ofMonth] = model.usage(who);
      assert.ok(
        count === BigInt(expectedCount) && day === BigInt(ofDay) && month === BigInt(ofMonth),
        `agents.md §4.7: ${who} has used ${count}, ${day}, ${month}, and should ${model.usage(who)}`,
      );
      const [stands, should] = [memory.statuses(who), model.statuses(who)];
      if (stands.join() !== should.join()) assert.deepEqual(stands, should, `actions of ${who}`);
    }
    for (const { id, status, transaction_id: transaction } of memory.actions()) {
      const asked = memory.eventsOf(id).length;
      const isAsked = status === 'PENDING_APPROVAL' || asked > 0;
      assert.equal(asked, isAsked ? 1 : 0, `agents.md §4.5: the platform hears of ${id} once`);
      assert.ok(
        status !== 'APPROVED' || transaction !== null,
        'agents.md §5: an approved action has a transaction',
      );
    }
  }
}

/** The service's form of the model's policy. */
function policyOf(policy: Agent['policy'], idOf: (account: Account) => string): AgentPolicy {
  const publicIdOf = (account: Account) => publicId('InternalAccount', idOf(account));
  return {
    permissions: ['CREATE_QUOTES', ...policy.permissions],
    defaultExecutionMode: policy.mode,
    spendingLimits: {
      currency: policy.currency,
      perTransactionLimit: policy.perTransaction,
      dailyTransactionLimit: policy.count,
      dailyLimit: policy.daily,
      monthlyLimit: policy.monthly,
    },
    ...(policy.threshold && { approvalThresholds: policy.threshold }),
    accountRestrictions: {
      ...(policy.allowed && { allowedAccountIds: policy.allowed.map(publicIdOf) }),
      accountRules: policy.rules.map(({ account, mode, perTransaction }) => ({
        accountId: publicIdOf(account),
        ...(mode !== undefined && { executionMode: mode }),
        ...(perTransaction !== undefined && { perTransactionLimit: perTransaction }),
      })),
    },
  } as unknown as AgentPolicy;
}
