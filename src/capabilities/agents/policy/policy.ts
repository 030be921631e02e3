import type { AgentPolicy, AgentPolicyUpdateRequest } from '#capabilities/agents/schemas.ts';
import { isKnownCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import type { PublicId } from '#foundation/lib/ids.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** A policy in a request. It may violate the schema: only values of the right type are checked. */
type SentPolicy = AgentPolicyUpdateRequest | undefined;

/** The rules on a policy's members that the schema cannot express (agents.md §1.2), except those on its accounts. */
export function policyProblems(policy: SentPolicy, own: OwnCurrencies): FieldError[] {
  return [
    ...currencyProblems('spendingLimits.currency', policy?.spendingLimits?.currency, own),
    ...duplicateRules(policy?.accountRestrictions?.accountRules),
    ...currencyProblems('approvalThresholds.currency', policy?.approvalThresholds?.currency, own),
  ];
}

/** agents.md §1.19: for a complete policy. */
export function thresholdProblems(policy: SentPolicy): FieldError[] {
  const { amount, currency } = policy?.approvalThresholds ?? {};
  if (typeof amount !== 'number' || currency !== undefined) return [];
  return [{ field: 'approvalThresholds.currency', message: 'is required with an amount' }];
}

function currencyProblems(field: string, code: unknown, own: OwnCurrencies): FieldError[] {
  if (typeof code !== 'string' || isKnownCurrency(code, own)) return [];
  return [{ field, message: 'is not the code of a currency' }];
}

type AccountRules = NonNullable<NonNullable<AgentPolicy['accountRestrictions']>['accountRules']>;

function duplicateRules(rules: AccountRules | undefined): FieldError[] {
  if (!Array.isArray(rules)) return [];
  const ids = rules.map((rule: AccountRules[number] | undefined) => rule?.accountId);
  return ids.flatMap((id, i) =>
    id !== undefined && ids.indexOf(id) < i
      ? [{ field: `accountRestrictions.accountRules.${i}.accountId`, message: 'already has a rule' }]
      : [],
  );
}

export function accountFields({
  accountRestrictions,
}: AgentPolicy): { field: string; id: PublicId<'InternalAccount'> }[] {
  const { allowedAccountIds, accountRules = [] } = accountRestrictions ?? {};
  return [
    ...(allowedAccountIds ?? []).map((id, i) => ({
      field: `accountRestrictions.allowedAccountIds.${i}`,
      id,
    })),
    ...accountRules.map(({ accountId: id }, i) => ({
      field: `accountRestrictions.accountRules.${i}.accountId`,
      id,
    })),
  ];
}

/** The policy as it is stored and presented: without duplicates and without empty members. */
export function normalisePolicy(policy: AgentPolicy): AgentPolicy {
  const { spendingLimits: limits, accountRestrictions, approvalThresholds } = policy;
  const { allowedAccountIds, accountRules } = accountRestrictions ?? {};
  const restrictions = withoutNone({
    allowedAccountIds: allowedAccountIds && [...new Set(allowedAccountIds)],
    accountRules: accountRules?.map(({ accountId, executionMode, perTransactionLimit }) => ({
      accountId,
      ...withoutNone({ executionMode, perTransactionLimit }),
    })),
  });
  const threshold = withoutNone({
    currency: approvalThresholds?.currency,
    amount: approvalThresholds?.amount,
  });
  return {
    permissions: [...new Set(policy.permissions)],
    defaultExecutionMode: policy.defaultExecutionMode,
    spendingLimits: {
      currency: limits.currency,
      perTransactionLimit: limits.perTransactionLimit,
      ...withoutNone({
        dailyLimit: limits.dailyLimit,
        dailyTransactionLimit: limits.dailyTransactionLimit,
        monthlyLimit: limits.monthlyLimit,
      }),
    },
    ...(Object.keys(restrictions).length > 0 && { accountRestrictions: restrictions }),
    ...(Object.keys(threshold).length > 0 && { approvalThresholds: threshold }),
  };
}

/** Without the members that are null or undefined. */
function withoutNone<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

/** agents.md §1.4: lists are replaced, groups are merged one level deep; null clears. */
export function mergePolicy(policy: AgentPolicy, update: AgentPolicyUpdateRequest): AgentPolicy {
  return normalisePolicy({
    permissions: update.permissions ?? policy.permissions,
    defaultExecutionMode: update.defaultExecutionMode ?? policy.defaultExecutionMode,
    spendingLimits: { ...policy.spendingLimits, ...update.spendingLimits },
    accountRestrictions: { ...policy.accountRestrictions, ...update.accountRestrictions },
    approvalThresholds: { ...policy.approvalThresholds, ...update.approvalThresholds },
  });
}

/** An amount in another currency, rounded down. */
export type ConvertDown = (amount: bigint) => bigint;

export interface ConvertedLimits {
  readonly policy: AgentPolicy;
  /** Limits that no longer fit into a JSON number. */
  readonly problems: FieldError[];
}

/** agents.md §1.4a: converts the limits of a merged policy whose currency has changed, except those in the request. */
export function convertLimits(
  merged: AgentPolicy,
  sent: AgentPolicyUpdateRequest,
  convertDown: ConvertDown,
): ConvertedLimits {
  const problems: FieldError[] = [];
  const convert = (field: string, limit: number): number => {
    const converted = convertDown(BigInt(limit));
    if (converted <= AMOUNT_MAX) return Number(converted);
    problems.push({ field, message: 'would be too large in the new currency; send it as well' });
    return limit;
  };
  const spendingLimits = { ...merged.spendingLimits };
  for (const name of ['perTransactionLimit', 'dailyLimit', 'monthlyLimit'] as const) {
    const limit = spendingLimits[name];
    if (sent.spendingLimits?.[name] === undefined && typeof limit === 'number') {
      spendingLimits[name] = convert(`spendingLimits.${name}`, limit);
    }
  }
  const { accountRules } = merged.accountRestrictions ?? {};
  if (!accountRules || sent.accountRestrictions?.accountRules !== undefined) {
    return { policy: { ...merged, spendingLimits }, problems };
  }
  const rules = accountRules.map((rule, i) => {
    const { perTransactionLimit: limit } = rule;
    if (typeof limit !== 'number') return rule;
    const field = `accountRestrictions.accountRules.${i}.perTransactionLimit`;
    return { ...rule, perTransactionLimit: convert(field, limit) };
  });
  const accountRestrictions = { ...merged.accountRestrictions, accountRules: rules };
  return { policy: { ...merged, spendingLimits, accountRestrictions }, problems };
}
