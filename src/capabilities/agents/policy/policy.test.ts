import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  convertLimits,
  mergePolicy,
  normalisePolicy,
  policyProblems,
  thresholdProblems,
} from '#capabilities/agents/policy/policy.ts';
import type { AgentPolicy, AgentPolicyUpdateRequest } from '#capabilities/agents/schemas.ts';
import { NO_OWN_CURRENCIES } from '#foundation/lib/currencies.ts';

const [USD, EUR] = ['InternalAccount:usd', 'InternalAccount:eur'] as const;

const POLICY: AgentPolicy = {
  permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: {
    currency: 'USD',
    perTransactionLimit: 1_000,
    dailyLimit: 2_000,
    dailyTransactionLimit: 5,
    monthlyLimit: 3_000,
  },
  accountRestrictions: {
    allowedAccountIds: [USD],
    accountRules: [{ accountId: USD, executionMode: 'AUTO', perTransactionLimit: 500 }, { accountId: EUR }],
  },
  approvalThresholds: { currency: 'EUR', amount: 300 },
};

const merged = (update: object) => mergePolicy(POLICY, update as AgentPolicyUpdateRequest);
const without = ({ ...rest }: object, name: string) => {
  Reflect.deleteProperty(rest, name);
  return rest;
};

describe('policies of agents', () => {
  it('agents.md §1.4: an empty update changes nothing', () => {
    assert.deepEqual(merged({}), POLICY);
    assert.deepEqual(merged({ spendingLimits: {}, accountRestrictions: {}, approvalThresholds: {} }), POLICY);
  });

  it('agents.md §1.4: permissions and other lists are replaced as a whole', () => {
    assert.deepEqual(merged({ permissions: [] }).permissions, []);
    assert.deepEqual(merged({ permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'] }).permissions, [
      'CREATE_QUOTES',
    ]);
    assert.deepEqual(merged({ accountRestrictions: { allowedAccountIds: [] } }).accountRestrictions, {
      ...POLICY.accountRestrictions,
      allowedAccountIds: [],
    });
    assert.deepEqual(
      merged({ accountRestrictions: { accountRules: [{ accountId: EUR }] } }).accountRestrictions,
      {
        allowedAccountIds: [USD],
        accountRules: [{ accountId: EUR }],
      },
    );
  });

  it('agents.md §1.4: groups are merged one level deep', () => {
    assert.deepEqual(merged({ spendingLimits: { perTransactionLimit: 1 } }).spendingLimits, {
      ...POLICY.spendingLimits,
      perTransactionLimit: 1,
    });
    assert.deepEqual(merged({ approvalThresholds: { amount: 1 } }).approvalThresholds, {
      currency: 'EUR',
      amount: 1,
    });
  });

  it('agents.md §1.4, §1.16, §1.17, §1.19: null clears optional members', () => {
    assert.deepEqual(
      merged({ spendingLimits: { dailyLimit: null, monthlyLimit: null } }).spendingLimits,
      without(without(POLICY.spendingLimits, 'dailyLimit'), 'monthlyLimit'),
    );
    assert.deepEqual(
      merged({ accountRestrictions: { allowedAccountIds: null, accountRules: [] } }).accountRestrictions,
      { accountRules: [] },
    );
    assert.deepEqual(merged({ approvalThresholds: { amount: null } }).approvalThresholds, {
      currency: 'EUR',
    });
  });

  it('agents.md §1.11, §1.17, §1.18: duplicates and empty members are dropped', () => {
    const stored = normalisePolicy({
      ...POLICY,
      permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_QUOTES'],
      spendingLimits: { currency: 'USD', perTransactionLimit: 0, dailyLimit: null },
      accountRestrictions: {
        allowedAccountIds: [USD, EUR, USD],
        accountRules: [{ accountId: USD, perTransactionLimit: null }],
      },
      approvalThresholds: {},
    });
    assert.deepEqual(stored, {
      permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'USD', perTransactionLimit: 0 },
      accountRestrictions: { allowedAccountIds: [USD, EUR], accountRules: [{ accountId: USD }] },
    });
    assert.deepEqual(normalisePolicy({ ...POLICY, accountRestrictions: {} }).accountRestrictions, undefined);
  });

  it('agents.md §1.13, §1.18, §1.19: unknown currencies, a second rule for an account and a threshold without a currency are invalid fields', () => {
    const policy = {
      ...POLICY,
      spendingLimits: { ...POLICY.spendingLimits, currency: 'XXX' },
      accountRestrictions: { accountRules: [{ accountId: USD }, { accountId: EUR }, { accountId: USD }] },
      approvalThresholds: { currency: 'usd', amount: 1 },
    };
    const fields = policyProblems(policy, NO_OWN_CURRENCIES).map(({ field }) => field);
    assert.deepEqual(fields, [
      'spendingLimits.currency',
      'accountRestrictions.accountRules.2.accountId',
      'approvalThresholds.currency',
    ]);
    assert.equal(thresholdProblems({ ...POLICY, approvalThresholds: { amount: 1 } }).length, 1);
    assert.deepEqual(thresholdProblems({ ...POLICY, approvalThresholds: { amount: null } }), []);
  });

  it('agents.md §1.13: a platform’s coin is a currency', () => {
    const own = { ACME: { name: 'Acme Dollar', symbol: 'ACME', decimals: 6 } };
    const policy = { ...POLICY, spendingLimits: { currency: 'ACME', perTransactionLimit: 1 } };
    assert.deepEqual(policyProblems(policy, own), []);
    assert.equal(policyProblems(policy, NO_OWN_CURRENCIES).length, 1);
  });

  it('agents.md §1.4a: another currency converts the limits that are not sent, but not the counts or the threshold', () => {
    const sent = { spendingLimits: { currency: 'GBP', dailyLimit: 7 } };
    const { policy, problems } = convertLimits(merged(sent), sent, (limit) => limit / 3n);
    assert.deepEqual(problems, []);
    assert.deepEqual(policy, {
      ...POLICY,
      spendingLimits: {
        currency: 'GBP',
        perTransactionLimit: 333,
        dailyLimit: 7,
        dailyTransactionLimit: 5,
        monthlyLimit: 1_000,
      },
      accountRestrictions: {
        allowedAccountIds: [USD],
        accountRules: [
          { accountId: USD, executionMode: 'AUTO', perTransactionLimit: 166 },
          { accountId: EUR },
        ],
      },
    });
  });

  it('agents.md §1.4a: sent limits of account rules are already in the new currency', () => {
    const rules = [{ accountId: EUR, perTransactionLimit: 9 }];
    const sent = { spendingLimits: { currency: 'GBP' }, accountRestrictions: { accountRules: rules } };
    const { policy } = convertLimits(merged(sent), sent, (limit) => limit / 3n);
    assert.deepEqual(policy.accountRestrictions?.accountRules, rules);
  });

  it('agents.md §1.4a: each limit that would be too large is an invalid field', () => {
    const sent = { spendingLimits: { currency: 'VND', perTransactionLimit: 1 } };
    const { problems } = convertLimits(merged(sent), sent, (limit) => limit * 10n ** 15n);
    assert.deepEqual(
      problems.map(({ field }) => field),
      [
        'spendingLimits.dailyLimit',
        'spendingLimits.monthlyLimit',
        'accountRestrictions.accountRules.0.perTransactionLimit',
      ],
    );
  });
});
