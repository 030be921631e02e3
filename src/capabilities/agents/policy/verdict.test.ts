import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Usage } from '#capabilities/agents/policy/usage.ts';
import { checkAgent, judgeMovement, type Movement } from '#capabilities/agents/policy/verdict.ts';
import type { AgentPolicy } from '#capabilities/agents/schemas.ts';

const [USD, EUR] = ['InternalAccount:usd', 'InternalAccount:eur'] as const;
const UNUSED: Usage = { count: 0n, day: 0n, month: 0n };

const POLICY: AgentPolicy = {
  permissions: ['EXECUTE_QUOTES'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 1_000 },
};

/** An amount in dollars, by default from an account. A euro is two dollars here. */
function moving(
  amount: bigint,
  accounts: Pick<Movement, 'source' | 'destination'> = { source: USD },
): Movement {
  return { ...accounts, measuredIn: (currency) => (currency === 'EUR' ? (amount + 1n) / 2n : amount) };
}

function limited(limits: object): AgentPolicy {
  return { ...POLICY, spendingLimits: { ...POLICY.spendingLimits, ...limits } };
}

function restricted(accountRestrictions: object, more: object = {}): AgentPolicy {
  return { ...POLICY, ...more, accountRestrictions };
}

/** The mode, or the violation. */
function judge(policy: AgentPolicy, movement: Movement, usage: Partial<Usage> = {}): unknown {
  const verdict = judgeMovement(policy, { ...UNUSED, ...usage }, movement);
  if (!('refusal' in verdict)) return verdict.mode;
  assert.equal(verdict.refusal.code, 'FORBIDDEN');
  return verdict.refusal.details?.violation;
}

describe('the policy’s verdicts', () => {
  it('agents.md §3.3: a paused agent can only read, whatever its permissions', () => {
    const paused = { isPaused: true, permissions: POLICY.permissions };
    assert.equal(checkAgent(paused, ['EXECUTE_QUOTES'], true), undefined);
    assert.equal(checkAgent(paused, ['EXECUTE_QUOTES'], false)?.details?.violation, 'PAUSED');
    assert.equal(checkAgent(paused, ['CREATE_QUOTES'], false)?.details?.violation, 'PAUSED');
    assert.equal(checkAgent(paused, ['CREATE_QUOTES'], true)?.details?.violation, 'PERMISSION');
  });

  it('agents.md §3.3, §3.11, §3.12: a call needs its permission, one of several, or none', () => {
    const agent = { isPaused: false, permissions: POLICY.permissions };
    assert.equal(checkAgent(agent, [], true), undefined);
    assert.equal(checkAgent(agent, ['EXECUTE_QUOTES'], false), undefined);
    assert.equal(checkAgent(agent, ['CREATE_QUOTES', 'EXECUTE_QUOTES'], false), undefined);
    const refusal = checkAgent(agent, ['VIEW_TRANSACTIONS'], true);
    assert.deepEqual([refusal?.code, refusal?.details?.violation], ['FORBIDDEN', 'PERMISSION']);
    assert.match(refusal?.message ?? '', /VIEW_TRANSACTIONS/);
  });

  it('agents.md §4.1: exactly the limit is allowed, and one unit more is not', () => {
    assert.equal(judge(POLICY, moving(1_000n)), 'AUTO');
    assert.equal(judge(POLICY, moving(1_001n)), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(limited({ perTransactionLimit: 0 }), moving(1n)), 'PER_TRANSACTION_LIMIT');
  });

  it('agents.md §4.1: the limit of an account replaces the general one, whether it is lower or higher', () => {
    const rule = (perTransactionLimit: number | undefined) =>
      restricted({ accountRules: [{ accountId: USD, perTransactionLimit }] });
    assert.equal(judge(rule(10), moving(10n)), 'AUTO');
    assert.equal(judge(rule(10), moving(11n)), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(rule(5_000), moving(5_000n)), 'AUTO');
    assert.equal(judge(rule(5_000), moving(5_001n)), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(rule(undefined), moving(1_001n)), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(rule(0), moving(1n)), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(rule(10), moving(11n, { source: EUR })), 'AUTO');
  });

  it('agents.md §4.1: the number per day, up to the last one', () => {
    const policy = limited({ dailyTransactionLimit: 3 });
    assert.equal(judge(policy, moving(1n), { count: 2n }), 'AUTO');
    assert.equal(judge(policy, moving(1n), { count: 3n }), 'DAILY_TRANSACTION_LIMIT');
    assert.equal(judge(POLICY, moving(1n), { count: 1_000_000n }), 'AUTO', 'absent: none');
    assert.equal(judge(limited({ dailyTransactionLimit: 0 }), moving(1n)), 'DAILY_TRANSACTION_LIMIT');
  });

  it('agents.md §4.1: the sums of the day and of the month include the usage', () => {
    for (const [name, period, violation] of [
      ['dailyLimit', 'day', 'DAILY_LIMIT'],
      ['monthlyLimit', 'month', 'MONTHLY_LIMIT'],
    ] as const) {
      const policy = limited({ [name]: 500 });
      assert.equal(judge(policy, moving(100n), { [period]: 400n }), 'AUTO');
      assert.equal(judge(policy, moving(101n), { [period]: 400n }), violation);
      assert.equal(judge(policy, moving(1n), { [period]: 900n }), violation, 'lowered below what was used');
      assert.equal(judge(limited({ [name]: null }), moving(1n), { [period]: 900n }), 'AUTO');
    }
  });

  it('agents.md §4.1: the first exceeded limit in the order answers, with its usage', () => {
    const policy = limited({ dailyTransactionLimit: 1, dailyLimit: 10, monthlyLimit: 10 });
    const used = { count: 1n, day: 10n, month: 10n };
    assert.equal(judge(policy, moving(1_001n), used), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(policy, moving(1n), used), 'DAILY_TRANSACTION_LIMIT');
    assert.equal(judge(policy, moving(1n), { ...used, count: 0n }), 'DAILY_LIMIT');
    assert.equal(judge(policy, moving(1n), { month: 10n }), 'MONTHLY_LIMIT');
    const verdict = judgeMovement(policy, { ...UNUSED, month: 9n }, moving(2n));
    assert.ok('refusal' in verdict);
    assert.deepEqual(verdict.refusal.details, {
      violation: 'MONTHLY_LIMIT',
      currency: 'USD',
      limit: 10,
      used: 9,
      requested: 2,
    });
  });

  it('agents.md §4.2: the counted amount is in the currency of the limits; the threshold has its own', () => {
    const policy = { ...limited({ currency: 'EUR', perTransactionLimit: 500 }) };
    const verdict = judgeMovement(policy, UNUSED, moving(999n));
    assert.deepEqual(verdict, { mode: 'AUTO', measured: 500n });
    assert.equal(judge(policy, moving(1_001n)), 'PER_TRANSACTION_LIMIT');
    const asking = { ...policy, approvalThresholds: { currency: 'USD', amount: 998 } };
    assert.equal(judge(asking, moving(998n)), 'AUTO');
    assert.equal(judge(asking, moving(999n)), 'APPROVAL_REQUIRED');
  });

  it('agents.md §4.3: above the threshold it waits, whatever the mode; exactly the threshold is not above it', () => {
    const asking = { approvalThresholds: { currency: 'USD', amount: 100 } };
    const policy = restricted({ accountRules: [{ accountId: USD, executionMode: 'AUTO' }] }, asking);
    assert.equal(judge(policy, moving(100n)), 'AUTO');
    assert.equal(judge(policy, moving(101n)), 'APPROVAL_REQUIRED');
    const none = { ...POLICY, approvalThresholds: { currency: 'USD' } };
    assert.equal(judge(none, moving(1_000n)), 'AUTO');
    const always = { ...POLICY, approvalThresholds: { currency: 'USD', amount: 0 } };
    assert.equal(judge(always, moving(1n)), 'APPROVAL_REQUIRED');
  });

  it('agents.md §4.3: below it the rule of the account decides, then the default', () => {
    const rules = {
      accountRules: [{ accountId: USD, executionMode: 'APPROVAL_REQUIRED' }, { accountId: EUR }],
    };
    assert.equal(judge(restricted(rules), moving(1n)), 'APPROVAL_REQUIRED');
    assert.equal(judge(restricted(rules), moving(1n, { source: EUR })), 'AUTO');
    const asks = restricted(
      { accountRules: [{ accountId: USD, executionMode: 'AUTO' }] },
      { defaultExecutionMode: 'APPROVAL_REQUIRED' },
    );
    assert.equal(judge(asks, moving(1n)), 'AUTO');
    assert.equal(judge(asks, moving(1n, { source: EUR })), 'APPROVAL_REQUIRED');
  });

  it('agents.md §4.3: rule and limit are those of the source, else of the destination', () => {
    const policy = restricted({
      accountRules: [
        { accountId: USD, executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 10 },
        { accountId: EUR, perTransactionLimit: 20 },
      ],
    });
    assert.equal(judge(policy, moving(10n, { source: USD, destination: EUR })), 'APPROVAL_REQUIRED');
    assert.equal(judge(policy, moving(11n, { source: USD, destination: EUR })), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(policy, moving(20n, { source: EUR, destination: USD })), 'AUTO');
    assert.equal(judge(policy, moving(10n, { destination: USD })), 'APPROVAL_REQUIRED');
    assert.equal(judge(policy, moving(11n, { destination: USD })), 'PER_TRANSACTION_LIMIT');
  });

  it('agents.md §4.3, §1.17: every internal account of the movement must be allowed', () => {
    const only = (...ids: string[]) => restricted({ allowedAccountIds: ids });
    assert.equal(judge(only(USD), moving(1n)), 'AUTO');
    assert.equal(judge(only(EUR), moving(1n)), 'ACCOUNT_RESTRICTION');
    assert.equal(judge(only(), moving(1n)), 'ACCOUNT_RESTRICTION');
    const both = { source: USD, destination: EUR };
    assert.equal(judge(only(USD), moving(1n, both)), 'ACCOUNT_RESTRICTION');
    assert.equal(judge(only(USD, EUR), moving(1n, both)), 'AUTO');
    assert.equal(judge(only(EUR), moving(1n, { destination: EUR })), 'AUTO');
    assert.equal(judge(only(EUR), moving(1_001n)), 'ACCOUNT_RESTRICTION', 'before the limits');
  });

  it('agents.md §4.3: a movement without an internal account takes the default, unless accounts are restricted', () => {
    assert.equal(judge(POLICY, moving(1n, {})), 'AUTO');
    assert.equal(judge(POLICY, moving(1_001n, {})), 'PER_TRANSACTION_LIMIT');
    assert.equal(judge(restricted({ allowedAccountIds: [USD] }), moving(1n, {})), 'ACCOUNT_RESTRICTION');
    const ruled = restricted({ accountRules: [{ accountId: USD, executionMode: 'APPROVAL_REQUIRED' }] });
    assert.equal(judge(ruled, moving(1n, {})), 'AUTO');
  });
});
