import type { Usage } from '#capabilities/agents/policy/usage.ts';
import type { AgentExecutionMode, AgentPermission, AgentPolicy } from '#capabilities/agents/schemas.ts';
import type { AgentCaller } from '#foundation/http/caller.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** Why a policy refuses, in `details.violation`. */
type Violation =
  | 'PERMISSION'
  | 'PAUSED'
  | 'ACCOUNT_RESTRICTION'
  | 'PER_TRANSACTION_LIMIT'
  | 'DAILY_TRANSACTION_LIMIT'
  | 'DAILY_LIMIT'
  | 'MONTHLY_LIMIT';

/** The movement that an agent wants to make. */
export interface Movement {
  /** The internal accounts of the movement, by their public ids. */
  readonly source?: string | undefined;
  readonly destination?: string | undefined;
  /** Its amount in a currency, rounded up (agents.md §4.2). */
  measuredIn(currency: string): bigint;
}

/** A policy's verdict on a movement. */
export type Verdict =
  | { readonly refusal: Refusal }
  /**
   * It may start at once, or after an approval; `measured` counts against the limits when it starts. The mode is
   * computed only when it is read: an approval does not need it, and it may need a rate (agents.md §5.1).
   */
  | { readonly mode: AgentExecutionMode; readonly measured: bigint };

/** agents.md §3.3: a paused agent can only read, and its requests need one of these permissions. */
export function checkAgent(
  { isPaused, permissions }: Pick<AgentCaller, 'isPaused' | 'permissions'>,
  needs: readonly AgentPermission[],
  isRead: boolean,
): Refusal | undefined {
  if (isPaused && !isRead) return policyViolation('PAUSED', 'The agent is paused and can only read.');
  if (needs.length === 0 || needs.some((permission) => permissions.includes(permission))) return undefined;
  const missing = needs.length === 1 ? `the permission ${needs[0]}` : `one of ${needs.join(', ')}`;
  return policyViolation('PERMISSION', `The agent's policy does not have ${missing}.`);
}

/** agents.md §4.1–4.3, in their order: accounts, limits, mode. */
export function judgeMovement(policy: AgentPolicy, usage: Usage, movement: Movement): Verdict {
  const restricted = checkAccounts(policy, movement);
  if (restricted) return { refusal: restricted };
  const measured = movement.measuredIn(policy.spendingLimits.currency);
  const exceeded = checkLimits(policy, usage, movement, measured);
  if (exceeded) return { refusal: exceeded };
  return {
    measured,
    get mode() {
      return chooseMode(policy, movement);
    },
  };
}

/**
 * Every internal account of the movement must be allowed. A movement without one is refused if accounts are restricted.
 */
function checkAccounts(
  { accountRestrictions }: AgentPolicy,
  { source, destination }: Movement,
): Refusal | undefined {
  const allowed = accountRestrictions?.allowedAccountIds;
  if (!allowed) return undefined;
  const used = [source, destination].filter((id) => id !== undefined);
  if (used.length === 0) {
    const reason =
      "The agent's policy names the accounts that it may use, but this movement involves none of them.";
    return policyViolation('ACCOUNT_RESTRICTION', reason);
  }
  const refused = used.find((id) => !allowed.some((one) => one === id));
  if (refused === undefined) return undefined;
  return policyViolation('ACCOUNT_RESTRICTION', `The agent's policy does not allow the account ${refused}.`, {
    accountId: refused,
  });
}

/** agents.md §4.1: exactly reaching a limit is allowed. */
function checkLimits(
  policy: AgentPolicy,
  { count, day, month }: Usage,
  movement: Movement,
  measured: bigint,
): Refusal | undefined {
  const { currency, perTransactionLimit, dailyTransactionLimit, dailyLimit, monthlyLimit } =
    policy.spendingLimits;
  const ofAccount = ruleFor(policy, movement)?.perTransactionLimit;
  const inCurrency = (used: bigint) => ({ currency, used, requested: measured });
  return (
    checkLimit('PER_TRANSACTION_LIMIT', ofAccount ?? perTransactionLimit, inCurrency(0n)) ??
    checkLimit('DAILY_TRANSACTION_LIMIT', dailyTransactionLimit, { used: count, requested: 1n }) ??
    checkLimit('DAILY_LIMIT', dailyLimit, inCurrency(day)) ??
    checkLimit('MONTHLY_LIMIT', monthlyLimit, inCurrency(month))
  );
}

interface Use {
  readonly currency?: string;
  readonly used: bigint;
  readonly requested: bigint;
}

const LIMITS = {
  PER_TRANSACTION_LIMIT: 'The amount is above the agent’s limit for one movement.',
  DAILY_TRANSACTION_LIMIT: 'The agent has reached its limit of movements for today.',
  DAILY_LIMIT: 'The amount is more than the rest of the agent’s daily limit.',
  MONTHLY_LIMIT: 'The amount is more than the rest of the agent’s monthly limit.',
};

function checkLimit(
  violation: keyof typeof LIMITS,
  limit: number | null | undefined,
  { currency, used, requested }: Use,
): Refusal | undefined {
  if (limit === null || limit === undefined || used + requested <= BigInt(limit)) return undefined;
  return policyViolation(violation, LIMITS[violation], {
    ...(currency !== undefined && { currency }),
    limit,
    used: Number(used),
    requested: Number(requested),
  });
}

/**
 * agents.md §4.3: the threshold comes first, then the account's rule, then the default. Exactly the threshold is not
 * above it.
 */
function chooseMode(policy: AgentPolicy, movement: Movement): AgentExecutionMode {
  const { amount, currency } = policy.approvalThresholds ?? {};
  if (typeof amount === 'number' && currency !== undefined) {
    if (movement.measuredIn(currency) > BigInt(amount)) return 'APPROVAL_REQUIRED';
  }
  return ruleFor(policy, movement)?.executionMode ?? policy.defaultExecutionMode;
}

/** The rule of the source, otherwise of the destination. */
function ruleFor({ accountRestrictions }: AgentPolicy, { source, destination }: Movement) {
  const account = source ?? destination;
  return accountRestrictions?.accountRules?.find(({ accountId }) => accountId === account);
}

export function policyViolation(
  violation: Violation,
  reason: string,
  more: Record<string, unknown> = {},
): Refusal {
  return new Refusal('FORBIDDEN', reason, { violation, ...more });
}
