import Type, { type Static } from 'typebox';
import {
  type BareQuery,
  clearable,
  component,
  dateTime,
  idSchema,
  minorUnits,
  namedEnum,
  page,
  pageQuery,
  queryId,
  text,
} from '#foundation/http/schema.ts';

export const AGENT_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const;

export const AgentPermission = namedEnum(
  'AgentPermission',
  'A permission of an agent. No permission includes another.',
  AGENT_PERMISSIONS,
);
export type AgentPermission = Static<typeof AgentPermission>;

const AgentExecutionMode = namedEnum(
  'AgentExecutionMode',
  '`AUTO`: the agent’s actions start at once. `APPROVAL_REQUIRED`: they wait for your approval.',
  ['AUTO', 'APPROVAL_REQUIRED'],
);
export type AgentExecutionMode = Static<typeof AgentExecutionMode>;

const PERMISSIONS = Type.Array(AgentPermission, {
  maxItems: 100,
  description: 'The permissions of the agent; may be empty.',
  examples: [['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES']],
});

const LIMIT_CURRENCY = Type.String({
  description: 'The currency of the limits. Movements in another one are converted and rounded up.',
  examples: ['USD'],
});
const PER_TRANSACTION = minorUnits({
  description: 'The maximum of one movement, in the smallest unit; exactly this amount is allowed.',
  examples: [50_000],
});
const PER_DAY = minorUnits({
  description: 'The maximum sum of the movements of one day (UTC).',
  examples: [200_000],
});
const COUNT_PER_DAY = minorUnits({
  description:
    'The maximum number of movements in one day (UTC). Once set, it can be changed but not cleared.',
  examples: [20],
});
const PER_MONTH = minorUnits({
  description: 'The maximum sum of the movements of one month (UTC).',
  examples: [1_000_000],
});

const AgentSpendingLimits = component(
  'AgentSpendingLimits',
  'The agent’s limits. An approval cannot override a limit.',
  {
    currency: LIMIT_CURRENCY,
    perTransactionLimit: PER_TRANSACTION,
    dailyLimit: Type.Optional(clearable(PER_DAY)),
    dailyTransactionLimit: Type.Optional(COUNT_PER_DAY),
    monthlyLimit: Type.Optional(clearable(PER_MONTH)),
  },
);

const AgentSpendingLimitsUpdate = component(
  'AgentSpendingLimitsUpdate',
  'The limits to change. With another currency, limits that are not sent are converted, and so is the usage.',
  {
    currency: Type.Optional(LIMIT_CURRENCY),
    perTransactionLimit: Type.Optional(PER_TRANSACTION),
    dailyLimit: Type.Optional(clearable(PER_DAY)),
    dailyTransactionLimit: Type.Optional(COUNT_PER_DAY),
    monthlyLimit: Type.Optional(clearable(PER_MONTH)),
  },
);

const ACCOUNTS_MAX = 100;

const AgentAccountRule = component(
  'AgentAccountRule',
  'A rule for movements from one account, or into it if no internal account pays.',
  {
    accountId: idSchema('InternalAccount', { description: 'The account that the rule applies to.' }),
    executionMode: Type.Optional(AgentExecutionMode),
    perTransactionLimit: Type.Optional(
      clearable(
        minorUnits({
          description: 'Replaces the general limit for this account, in the currency of the limits.',
          examples: [10_000],
        }),
      ),
    ),
  },
);

const AgentAccountRestrictions = component(
  'AgentAccountRestrictions',
  'The customer’s accounts that the agent may use, and the rules for them.',
  {
    allowedAccountIds: Type.Optional(
      clearable(
        Type.Array(idSchema('InternalAccount'), {
          maxItems: ACCOUNTS_MAX,
          description: 'The internal accounts that the agent may use; `null`: all accounts of the customer.',
        }),
      ),
    ),
    accountRules: Type.Optional(
      Type.Array(AgentAccountRule, {
        maxItems: ACCOUNTS_MAX,
        description: 'At most one rule for each account.',
      }),
    ),
  },
);

const AgentApprovalThresholds = component(
  'AgentApprovalThresholds',
  'The amount above which your approval is needed.',
  {
    currency: Type.Optional(
      Type.String({ description: 'The currency of the threshold.', examples: ['USD'] }),
    ),
    amount: Type.Optional(
      clearable(
        minorUnits({
          description: 'Movements above this amount need an approval in every mode; `null`: no threshold.',
          examples: [25_000],
        }),
      ),
    ),
  },
);

export const AgentPolicy = component(
  'AgentPolicy',
  'The rules for an agent: what it may do by itself, what needs your approval, and what it may never do.',
  {
    permissions: PERMISSIONS,
    defaultExecutionMode: AgentExecutionMode,
    spendingLimits: AgentSpendingLimits,
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
);
export type AgentPolicy = Static<typeof AgentPolicy>;

export const AgentPolicyUpdateRequest = component(
  'AgentPolicyUpdateRequest',
  'The changes of a policy. Omitted fields stay unchanged, lists are replaced as a whole, groups are merged member by member.',
  {
    permissions: Type.Optional(PERMISSIONS),
    defaultExecutionMode: Type.Optional(AgentExecutionMode),
    spendingLimits: Type.Optional(AgentSpendingLimitsUpdate),
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
);
export type AgentPolicyUpdateRequest = Static<typeof AgentPolicyUpdateRequest>;

const AgentUsage = component('AgentUsage', 'The agent’s usage of its limits.', {
  dailyTransactionCount: Type.Integer({ description: 'The number of movements started today (UTC).' }),
  dailySpend: Type.Integer({
    description: 'The sum of today’s movements, in the smallest unit of the limits’ currency.',
  }),
  dailyResetDate: Type.Optional(
    Type.String({
      format: 'date',
      description: 'The day on which both are reset.',
      examples: ['2026-03-03'],
    }),
  ),
  monthlySpend: Type.Integer({ description: 'The sum of this month’s movements.' }),
  monthlyResetMonth: Type.Optional(
    Type.String({ description: 'The month in which this sum is reset.', examples: ['2026-04'] }),
  ),
});
export type AgentUsage = Static<typeof AgentUsage>;

const AGENT_NAME = text(1, 255, {
  description: 'Your name for the agent; need not be unique.',
  examples: ['Travel booker'],
});

export const Agent = component('Agent', 'A program that acts for one customer, within its policy.', {
  id: idSchema('Agent', { description: 'Id of the agent.' }),
  name: AGENT_NAME,
  customerId: idSchema('Customer', { description: 'The customer that the agent acts for.' }),
  isPaused: Type.Boolean({ description: 'Whether the agent is paused; then it can only read.' }),
  isConnected: Type.Boolean({ description: 'Whether a device code was redeemed for its token.' }),
  policy: AgentPolicy,
  usage: AgentUsage,
  createdAt: dateTime({ description: 'When the agent was created.' }),
  updatedAt: dateTime({ description: 'When its name, pause, policy or connection last changed.' }),
});
export type Agent = Static<typeof Agent>;

export const AgentCreateRequest = component('AgentCreateRequest', 'The agent to create.', {
  name: AGENT_NAME,
  customerId: idSchema('Customer', { description: 'The customer that the agent will act for.' }),
  policy: AgentPolicy,
});
export type AgentCreateRequest = Static<typeof AgentCreateRequest>;

export const AgentUpdateRequest = component(
  'AgentUpdateRequest',
  'The changes of an agent: its name, its pause, or both.',
  {
    name: Type.Optional(AGENT_NAME),
    isPaused: Type.Optional(Type.Boolean({ description: 'Whether to pause the agent.' })),
  },
);
export type AgentUpdateRequest = Static<typeof AgentUpdateRequest>;

export const AgentDeviceCode = component(
  'AgentDeviceCode',
  'A code that an agent redeems for its token, once.',
  {
    code: Type.String({
      description: 'The code for the party that runs the agent. It is shown once.',
      examples: ['SVC-AGENT-7K2M-Q4XA-9TBC'],
    }),
    agentId: idSchema('Agent', { description: 'The agent that the code connects.' }),
    expiresAt: dateTime({ description: 'The deadline to redeem it.' }),
    redeemed: Type.Boolean({ description: 'Whether it was redeemed.' }),
  },
);
export type AgentDeviceCode = Static<typeof AgentDeviceCode>;

export const AgentCreateResponse = component(
  'AgentCreateResponse',
  'The agent, and the code that connects it.',
  { agent: Agent, deviceCode: AgentDeviceCode },
);

export const AgentDeviceCodeStatusResponse = component(
  'AgentDeviceCodeStatusResponse',
  'The status of a device code.',
  {
    code: Type.String({ description: 'The code in its displayed form.' }),
    redeemed: Type.Boolean({ description: 'Whether it was redeemed.' }),
  },
);

export const AgentDeviceCodeRedeemResponse = component(
  'AgentDeviceCodeRedeemResponse',
  'The agent’s token.',
  {
    agentId: idSchema('Agent', { description: 'The agent that is connected now.' }),
    agentName: Type.String({ description: 'The platform’s name for the agent.' }),
    accessToken: Type.String({
      description: 'The bearer token for the agent’s requests. It is shown once.',
    }),
    policy: AgentPolicy,
  },
);
export type AgentDeviceCodeRedeemResponse = Static<typeof AgentDeviceCodeRedeemResponse>;

export const AgentsQuery = pageQuery({
  customerId: Type.Optional(queryId('Customer', { description: 'Agents of this customer.' })),
  isPaused: Type.Optional(Type.Boolean({ description: 'Only agents that are paused, or that are not.' })),
  isConnected: Type.Optional(
    Type.Boolean({ description: 'Only agents that are connected, or that are not.' }),
  ),
  createdAfter: Type.Optional(dateTime({ description: 'Created at this time or later.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Created at this time or earlier.' })),
  updatedAfter: Type.Optional(dateTime({ description: 'Changed at this time or later.' })),
  updatedBefore: Type.Optional(dateTime({ description: 'Changed at this time or earlier.' })),
});
export type AgentsQuery = BareQuery<Static<typeof AgentsQuery>>;

export const AgentListResponse = page('AgentListResponse', Agent);
