import Type, { type Static } from 'typebox';
import {
  clearable,
  component,
  dateTime,
  idOf,
  minorUnits,
  namedSchema,
  oneOf,
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

export const AgentPermission = namedSchema(
  'AgentPermission',
  oneOf(AGENT_PERMISSIONS, {
    description: 'Something that an agent may do. None includes another.',
  }),
);
export type AgentPermission = Static<typeof AgentPermission>;

const AgentExecutionMode = namedSchema(
  'AgentExecutionMode',
  oneOf(['AUTO', 'APPROVAL_REQUIRED'], {
    description: '`AUTO`: what the agent asks for runs at once. `APPROVAL_REQUIRED`: it waits for you.',
  }),
);
export type AgentExecutionMode = Static<typeof AgentExecutionMode>;

const PERMISSIONS = Type.Array(AgentPermission, {
  maxItems: 100,
  description: 'What the agent may do; may be empty.',
  examples: [['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES']],
});

const LIMIT_CURRENCY = Type.String({
  description: 'The currency of the limits. Movements in another one are converted and rounded up.',
  examples: ['USD'],
});
const PER_TRANSACTION = minorUnits({
  description: 'The most that one movement may be, in the smallest unit; exactly that much passes.',
  examples: [50_000],
});
const PER_DAY = minorUnits({
  description: 'The most that the movements of one day (UTC) may be together.',
  examples: [200_000],
});
const COUNT_PER_DAY = minorUnits({
  description: 'How many movements may start in one day (UTC). Once set, it can be changed and not cleared.',
  examples: [20],
});
const PER_MONTH = minorUnits({
  description: 'The most that the movements of one month (UTC) may be together.',
  examples: [1_000_000],
});

const AgentSpendingLimits = component(
  'AgentSpendingLimits',
  {
    currency: LIMIT_CURRENCY,
    perTransactionLimit: PER_TRANSACTION,
    dailyLimit: Type.Optional(clearable(PER_DAY)),
    dailyTransactionLimit: Type.Optional(COUNT_PER_DAY),
    monthlyLimit: Type.Optional(clearable(PER_MONTH)),
  },
  { description: 'What the agent may move. An approval cannot lift a limit.' },
);

const AgentSpendingLimitsUpdate = component(
  'AgentSpendingLimitsUpdate',
  {
    currency: Type.Optional(LIMIT_CURRENCY),
    perTransactionLimit: Type.Optional(PER_TRANSACTION),
    dailyLimit: Type.Optional(clearable(PER_DAY)),
    dailyTransactionLimit: Type.Optional(COUNT_PER_DAY),
    monthlyLimit: Type.Optional(clearable(PER_MONTH)),
  },
  {
    description:
      'What is to change of the limits. With another currency, those that are not sent are converted, and so is what was used.',
  },
);

const ACCOUNTS_MAX = 100;

const AgentAccountRule = component(
  'AgentAccountRule',
  {
    accountId: idOf('InternalAccount', { description: 'The account that the rule is about.' }),
    executionMode: Type.Optional(AgentExecutionMode),
    perTransactionLimit: Type.Optional(
      clearable(
        minorUnits({
          description:
            'Takes the place of the general limit for this account, in the currency of the limits.',
          examples: [10_000],
        }),
      ),
    ),
  },
  { description: 'What holds for movements out of one account, or into it where no account of yours pays.' },
);

const AgentAccountRestrictions = component(
  'AgentAccountRestrictions',
  {
    allowedAccountIds: Type.Optional(
      clearable(
        Type.Array(idOf('InternalAccount'), {
          maxItems: ACCOUNTS_MAX,
          description: 'The internal accounts that the agent may use; `null`: all of the customer’s.',
        }),
      ),
    ),
    accountRules: Type.Optional(
      Type.Array(AgentAccountRule, { maxItems: ACCOUNTS_MAX, description: 'At most one for each account.' }),
    ),
  },
  { description: 'Which accounts of the customer the agent may use, and how.' },
);

const AgentApprovalThresholds = component(
  'AgentApprovalThresholds',
  {
    currency: Type.Optional(
      Type.String({ description: 'The currency of the threshold.', examples: ['USD'] }),
    ),
    amount: Type.Optional(
      clearable(
        minorUnits({
          description: 'Movements above it need an approval, whatever the mode; `null`: none.',
          examples: [25_000],
        }),
      ),
    ),
  },
  { description: 'From which amount on you want to be asked.' },
);

export const AgentPolicy = component(
  'AgentPolicy',
  {
    permissions: PERMISSIONS,
    defaultExecutionMode: AgentExecutionMode,
    spendingLimits: AgentSpendingLimits,
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
  { description: 'What an agent may do by itself, what needs your approval, and what it may never do.' },
);
export type AgentPolicy = Static<typeof AgentPolicy>;

export const AgentPolicyUpdateRequest = component(
  'AgentPolicyUpdateRequest',
  {
    permissions: Type.Optional(PERMISSIONS),
    defaultExecutionMode: Type.Optional(AgentExecutionMode),
    spendingLimits: Type.Optional(AgentSpendingLimitsUpdate),
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
  {
    description:
      'What is to change of a policy; what is left out stays. Lists are replaced whole, groups are merged member by member.',
  },
);
export type AgentPolicyUpdateRequest = Static<typeof AgentPolicyUpdateRequest>;

const AgentUsage = component(
  'AgentUsage',
  {
    dailyTransactionCount: Type.Integer({ description: 'How many movements were started today (UTC).' }),
    dailySpend: Type.Integer({
      description: 'What they were together, in the smallest unit of the limits’ currency.',
    }),
    dailyResetDate: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The day on which both begin anew.',
        examples: ['2026-03-03'],
      }),
    ),
    monthlySpend: Type.Integer({ description: 'What the movements of this month were together.' }),
    monthlyResetMonth: Type.Optional(
      Type.String({ description: 'The month in which that begins anew.', examples: ['2026-04'] }),
    ),
  },
  { description: 'What an agent has used of its limits.' },
);
export type AgentUsage = Static<typeof AgentUsage>;

const AGENT_NAME = text(1, 255, {
  description: 'What you call the agent; need not be unique.',
  examples: ['Travel booker'],
});

export const Agent = component(
  'Agent',
  {
    id: idOf('Agent', { description: 'Id of the agent.' }),
    name: AGENT_NAME,
    customerId: idOf('Customer', { description: 'The customer that it acts for.' }),
    isPaused: Type.Boolean({ description: 'While it is paused it can only read.' }),
    isConnected: Type.Boolean({ description: 'Whether a device code was redeemed for its token.' }),
    policy: AgentPolicy,
    usage: AgentUsage,
    createdAt: dateTime({ description: 'When it was created.' }),
    updatedAt: dateTime({ description: 'When its name, pause, policy or connection last changed.' }),
  },
  { description: 'A program that acts for one customer, within its policy.' },
);
export type Agent = Static<typeof Agent>;

export const AgentCreateRequest = component(
  'AgentCreateRequest',
  {
    name: AGENT_NAME,
    customerId: idOf('Customer', { description: 'The customer that it is to act for.' }),
    policy: AgentPolicy,
  },
  { description: 'The agent to create.' },
);
export type AgentCreateRequest = Static<typeof AgentCreateRequest>;

export const AgentUpdateRequest = component(
  'AgentUpdateRequest',
  {
    name: Type.Optional(AGENT_NAME),
    isPaused: Type.Optional(Type.Boolean({ description: 'Whether it is to be paused.' })),
  },
  { description: 'What is to change of an agent: its name, its pause, or both.' },
);
export type AgentUpdateRequest = Static<typeof AgentUpdateRequest>;

export const AgentDeviceCode = component(
  'AgentDeviceCode',
  {
    code: Type.String({
      description: 'Give it to whoever runs the agent. It is shown once.',
      examples: ['SVC-AGENT-7K2M-Q4XA-9TBC'],
    }),
    agentId: idOf('Agent', { description: 'The agent that it connects.' }),
    expiresAt: dateTime({ description: 'Until when it can be redeemed.' }),
    redeemed: Type.Boolean({ description: 'Whether it was redeemed.' }),
  },
  { description: 'A code that an agent redeems for its token, once.' },
);
export type AgentDeviceCode = Static<typeof AgentDeviceCode>;

export const AgentCreateResponse = component(
  'AgentCreateResponse',
  { agent: Agent, deviceCode: AgentDeviceCode },
  { description: 'The agent, and the code that connects it.' },
);

export const AgentDeviceCodeStatusResponse = component(
  'AgentDeviceCodeStatusResponse',
  {
    code: Type.String({ description: 'The code in its usual form.' }),
    redeemed: Type.Boolean({ description: 'Whether it was redeemed.' }),
  },
  { description: 'What became of a device code.' },
);

export const AgentDeviceCodeRedeemResponse = component(
  'AgentDeviceCodeRedeemResponse',
  {
    agentId: idOf('Agent', { description: 'The agent that is connected now.' }),
    agentName: Type.String({ description: 'What the platform calls it.' }),
    accessToken: Type.String({
      description: 'The bearer token of every call of the agent. It is shown once.',
    }),
    policy: AgentPolicy,
  },
  { description: 'What an agent needs to act.' },
);
export type AgentDeviceCodeRedeemResponse = Static<typeof AgentDeviceCodeRedeemResponse>;

export const AgentsQuery = pageQuery({
  customerId: Type.Optional(queryId('Customer', { description: 'Agents of this customer.' })),
  isPaused: Type.Optional(Type.Boolean({ description: 'Only those that are paused, or that are not.' })),
  isConnected: Type.Optional(
    Type.Boolean({ description: 'Only those that are connected, or that are not.' }),
  ),
  createdAfter: Type.Optional(dateTime({ description: 'Created then or later.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Created then or earlier.' })),
  updatedAfter: Type.Optional(dateTime({ description: 'Changed then or later.' })),
  updatedBefore: Type.Optional(dateTime({ description: 'Changed then or earlier.' })),
});
export type AgentsQuery = Static<typeof AgentsQuery>;

export const AgentListResponse = page('AgentListResponse', Agent);
