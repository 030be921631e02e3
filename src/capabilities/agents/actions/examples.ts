import type { AgentAction } from '#capabilities/agents/actions/schemas.ts';
import { ROOM_QUOTE } from '#capabilities/agents/examples.ts';
import { PAYMENT, TRANSFER_IN, TRANSFER_OUT } from '#capabilities/payments/examples.ts';
import { TRANSFER_IN_REQUEST, TRANSFER_OUT_REQUEST } from '#capabilities/payments/transfers/examples.ts';
import type { TransferOutRequest } from '#capabilities/payments/transfers/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleAmount } from '#foundation/lib/examples.ts';

/** More than the agent may pay without an approval. */
export const LARGE_TRANSFER_REQUEST: TransferOutRequest = { ...TRANSFER_OUT_REQUEST, amount: 30_000 };
export const LARGER_TRANSFER_REQUEST: TransferOutRequest = { ...TRANSFER_OUT_REQUEST, amount: 40_000 };

const ASKED = {
  agentId: EXAMPLE_IDS.agent,
  customerId: EXAMPLE_IDS.ada,
  platformCustomerId: 'user-4711',
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
} as const;

/** The fields of a payment that has started (agents.md §4.10). */
const TAKEN = { executedAt: EXAMPLE_TIME, takenAt: EXAMPLE_TIME };
const ADA = { name: 'Ada Lovelace', account: '****7890' };
const HOST = { name: 'Marie Curie', account: '****2606' };

const exampleTransferOut = (amount: number) => ({
  amount,
  currency: 'USD',
  sourceAccountId: EXAMPLE_IDS.adaUsd,
  destinationAccountId: EXAMPLE_IDS.adaBank,
});

export const WAITING_ACTION: AgentAction = {
  ...ASKED,
  id: EXAMPLE_IDS.waitingAction,
  status: 'PENDING_APPROVAL',
  type: 'TRANSFER_OUT',
  transferDetails: exampleTransferOut(30_000),
  payee: ADA,
};

export const APPROVED_ACTION: AgentAction = {
  ...WAITING_ACTION,
  status: 'APPROVED',
  transaction: {
    ...TRANSFER_OUT,
    ...TAKEN,
    id: EXAMPLE_IDS.agentTransferOut,
    payee: ADA,
    agentId: EXAMPLE_IDS.agent,
    sentAmount: exampleAmount(30_000, 'USD'),
    receivedAmount: exampleAmount(30_000, 'USD'),
  },
};

export const SECOND_WAITING_ACTION: AgentAction = {
  ...WAITING_ACTION,
  id: EXAMPLE_IDS.rejectedAction,
  transferDetails: exampleTransferOut(40_000),
};

export const REJECTED_ACTION: AgentAction = {
  ...SECOND_WAITING_ACTION,
  status: 'REJECTED',
  rejectionReason: 'Already paid',
};

/** Exactly the threshold, which is not above it. */
export const ROOM_ACTION: AgentAction = {
  ...ASKED,
  id: EXAMPLE_IDS.roomAction,
  status: 'APPROVED',
  type: 'EXECUTE_QUOTE',
  quote: { ...ROOM_QUOTE, status: 'PROCESSING' },
  payee: HOST,
  transaction: {
    ...PAYMENT,
    ...TAKEN,
    payee: HOST,
    id: EXAMPLE_IDS.roomPayment,
    quoteId: EXAMPLE_IDS.roomQuote,
    agentId: EXAMPLE_IDS.agent,
    status: 'PROCESSING',
    description: 'A room in Paris',
    destination: { destinationType: 'ACCOUNT', accountId: EXAMPLE_IDS.hostEur, currency: 'EUR' },
  },
};

/** Small enough for the agent to make it without an approval. */
export const OWN_ACTION: AgentAction = {
  ...ASKED,
  id: EXAMPLE_IDS.ownAction,
  status: 'APPROVED',
  type: 'TRANSFER_IN',
  transferDetails: {
    amount: TRANSFER_IN_REQUEST.amount ?? 0,
    currency: 'USD',
    sourceAccountId: EXAMPLE_IDS.adaBank,
    destinationAccountId: EXAMPLE_IDS.adaUsd,
  },
  payer: ADA,
  transaction: {
    ...TRANSFER_IN,
    id: EXAMPLE_IDS.agentTransferIn,
    agentId: EXAMPLE_IDS.agent,
    executedAt: EXAMPLE_TIME,
    payer: ADA,
  },
};
