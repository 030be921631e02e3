import { ADA_USD } from '#capabilities/accounts/examples.ts';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import type { Agent, AgentPolicy } from '#capabilities/agents/schemas.ts';
import type {
  ExternalAccount,
  ExternalAccountCreateRequest,
} from '#capabilities/external-accounts/schemas.ts';
import { FROM_ADA, QUOTE } from '#capabilities/payments/examples.ts';
import type { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import type { Quote } from '#capabilities/payments/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleAmount, exampleTime } from '#foundation/lib/examples.ts';

/** The agent that books Ada's travels, and needs an approval above 250 dollars. */
export const AGENT_POLICY: AgentPolicy = {
  permissions: [
    'VIEW_TRANSACTIONS',
    'CREATE_QUOTES',
    'EXECUTE_QUOTES',
    'CREATE_TRANSFERS',
    'MANAGE_EXTERNAL_ACCOUNTS',
  ],
  defaultExecutionMode: 'AUTO',
  spendingLimits: {
    currency: 'USD',
    perTransactionLimit: 50_000,
    dailyLimit: 100_000,
    dailyTransactionLimit: 20,
  },
  accountRestrictions: { allowedAccountIds: [EXAMPLE_IDS.adaUsd] },
  approvalThresholds: { currency: 'USD', amount: 25_000 },
};

export const AGENT_REQUEST = {
  name: 'Travel booker',
  customerId: EXAMPLE_IDS.ada,
  policy: AGENT_POLICY,
};

export const NEW_AGENT: Agent = {
  id: EXAMPLE_IDS.agent,
  name: AGENT_REQUEST.name,
  customerId: EXAMPLE_IDS.ada,
  isPaused: false,
  isConnected: false,
  policy: AGENT_POLICY,
  usage: {
    dailyTransactionCount: 0,
    dailySpend: 0,
    dailyResetDate: '2026-03-03',
    monthlySpend: 0,
    monthlyResetMonth: '2026-04',
  },
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

export const DEVICE_CODE = {
  code: 'SVC-AGENT-7K2M-Q4XA-9TBC',
  agentId: EXAMPLE_IDS.agent,
  expiresAt: exampleTime(24 * 60 * 60),
  redeemed: false,
};

export const REDEEMED_CODE = {
  agentId: EXAMPLE_IDS.agent,
  agentName: AGENT_REQUEST.name,
  accessToken: 'sat_3f9c1e7a50b24d86a1c97e4f0d2b8365c4a7e912',
  policy: AGENT_POLICY,
};

export const CONNECTED_AGENT: Agent = { ...NEW_AGENT, isConnected: true };

/** She is on holiday. The agent has paid for the room, and made one transfer in each direction. */
export const PAUSED_AGENT: Agent = {
  ...CONNECTED_AGENT,
  isPaused: true,
  usage: { ...CONNECTED_AGENT.usage, dailyTransactionCount: 3, dailySpend: 67_550, monthlySpend: 67_550 },
};

/** Its token may have leaked: a new code invalidates it. */
export const SECOND_CODE = { ...DEVICE_CODE, code: 'SVC-AGENT-4NWH-8PZD-E6RJ' };

/** From now on everything needs an approval, and the limits are lower. */
export const CAREFUL_AGENT: Agent = {
  ...PAUSED_AGENT,
  isConnected: false,
  policy: {
    ...AGENT_POLICY,
    defaultExecutionMode: 'APPROVAL_REQUIRED',
    spendingLimits: { currency: 'USD', perTransactionLimit: 20_000, dailyTransactionLimit: 20 },
  },
};

/** The account that the agent may use, and the payee. */
export const USABLE_ACCOUNT: InternalAccount = {
  ...ADA_USD,
  balance: exampleAmount(85_936, 'USD'),
  totalBalance: exampleAmount(85_936, 'USD'),
};

export const HOST_REQUEST = {
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'FR1420041010050500013M02606',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Marie Curie', countryOfResidence: 'FR' },
  },
} as const satisfies ExternalAccountCreateRequest;

export const HOST: ExternalAccount = {
  ...HOST_REQUEST,
  id: EXAMPLE_IDS.hostEur,
  customerId: EXAMPLE_IDS.ada,
  status: 'ACTIVE',
  defaultUmaDepositAccount: false,
  trusted: false,
  beneficiaryVerificationStatus: 'MATCHED',
  beneficiaryVerifiedData: { fullName: 'Marie Curie' },
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  accountInfo: { ...HOST_REQUEST.accountInfo, paymentRails: ['SEPA', 'SEPA_INSTANT'] },
};

const TO_HOST = { destinationType: 'ACCOUNT', accountId: EXAMPLE_IDS.hostEur } as const;

/** A room for exactly the amount that the agent may pay without an approval. */
export const ROOM_QUOTE_REQUEST: QuoteRequest = {
  source: FROM_ADA,
  destination: TO_HOST,
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: QUOTE.totalSendingAmount,
  description: 'A room in Paris',
};

export const ROOM_QUOTE: Quote = {
  ...QUOTE,
  id: EXAMPLE_IDS.roomQuote,
  transactionId: EXAMPLE_IDS.roomPayment,
  destination: { ...TO_HOST, paymentRail: 'SEPA' },
  expiresAt: exampleTime(15 * 60),
};
