import {
  allowedAccountsOf,
  loadCaller,
  readAccess,
  requireAgentCaller,
  writeAccess,
} from '#capabilities/agents/actions/agent-call.ts';
import { ROOM_QUOTE, ROOM_QUOTE_REQUEST } from '#capabilities/agents/examples.ts';
import { PAYMENT_CONFIRMED } from '#capabilities/payments/examples.ts';
import { presentQuote } from '#capabilities/payments/present-quote.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { prepareQuote, type QuoteParts } from '#capabilities/payments/quotes/create-quote.ts';
import { parseQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import { QUOTE_CODES, QUOTE_ID } from '#capabilities/payments/quotes/routes.ts';
import { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import { internalAccountsOf } from '#capabilities/payments/row.ts';
import { Quote, TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { findQuote, findTransaction } from '#capabilities/payments/store.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import { TRANSACTION_ID } from '#capabilities/payments/transactions/routes.ts';
import {
  AgentTransactionsQuery,
  TransactionListResponse,
} from '#capabilities/payments/transactions/schemas.ts';
import { paymentSource } from '#capabilities/payments/transactions/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, notFound } from '#foundation/lib/refusals.ts';

export const listOwnTransactions = operation('agentListTransactions', {
  ...readAccess('GET /agents/me/transactions'),
  summary: 'List the transactions of the agent’s customer',
  description:
    'Payments of its customer, newest first, without card payments. An agent that is restricted to certain accounts ' +
    'sees only payments from or to one of them. Requires VIEW_TRANSACTIONS.',
  query: AgentTransactionsQuery,
  reply: TransactionListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'Payments to one payee': {
      query: {
        senderAccountIdentifier: EXAMPLE_IDS.adaUsd,
        receiverAccountIdentifier: EXAMPLE_IDS.jeanEur,
        status: 'COMPLETED',
      },
      reply: exampleList(PAYMENT_CONFIRMED),
    },
  },
  async read(tx, { caller, query: { cardId, ...query } }) {
    if (cardId !== undefined) {
      throw invalidFields([
        { field: 'cardId', message: 'cannot be used: agents do not see card transactions' },
      ]);
    }
    const agent = await loadCaller(tx, caller);
    const ofCustomer = { ...query, customerId: publicId('Customer', agent.customer_id) };
    const accounts = allowedAccountsOf(agent);
    return listTransactions(tx, ofCustomer, [paymentSource], { list: 'agentListTransactions', accounts });
  },
});

export const getTransaction = operation('agentGetTransaction', {
  ...readAccess('GET /agents/me/transactions/:transactionId'),
  summary: 'Get a transaction of the agent’s customer',
  description:
    'The current state of the payment; one that is not in the list is not found. Requires VIEW_TRANSACTIONS.',
  params: TRANSACTION_ID,
  reply: TransactionOneOf,
  codes: [],
  examples: {
    'Dollars to euros': { params: { transactionId: PAYMENT_CONFIRMED.id }, reply: PAYMENT_CONFIRMED },
  },
  async read(tx, { caller, params }) {
    const row = await findTransaction(tx, params.transactionId);
    const agent = await loadCaller(tx, caller);
    const allowed = allowedAccountsOf(agent);
    const isShown =
      row?.customer_id === agent.customer_id &&
      (!allowed || internalAccountsOf(row).some((id) => allowed.includes(id)));
    return isShown ? presentTransaction(tx, row, tx.now) : notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  },
});

export const createQuote = (parts: QuoteParts) =>
  operation('agentCreateQuote', {
    ...writeAccess('POST /agents/me/quotes'),
    summary: 'Create a quote for the agent’s customer',
    description:
      'Prices a payment from an account of its customer. The price holds for fifteen minutes, to leave time for an ' +
      'approval. A quote moves no money: limits and allowed accounts are not checked before its execution. Requires ' +
      'CREATE_QUOTES.',
    idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
    body: QuoteRequest,
    checksBody: true,
    status: 201,
    reply: Quote,
    codes: QUOTE_CODES,
    examples: { 'A room': { body: ROOM_QUOTE_REQUEST, reply: ROOM_QUOTE } },
    prepare: (tx, { caller, body, problems }) => {
      const { id, customerId } = requireAgentCaller(caller);
      const errors = [...problems, ...quoteProblems(body)];
      const request = parseQuote(body, errors, tx.platform.ownCurrencies);
      return prepareQuote(tx, { ...request, agent: { id, customerId } }, parts);
    },
  });

/** agents.md §3.15, §3.4: the fields that an agent may not set. The body may still violate its schema. */
function quoteProblems(body: Partial<QuoteRequest>): FieldError[] {
  const problems: FieldError[] = [];
  if (body.source?.sourceType === 'REALTIME_FUNDING') {
    const message = 'must be ACCOUNT: an agent pays from accounts only';
    problems.push({ field: 'source.sourceType', constraint: { enum: ['ACCOUNT'] }, message });
  }
  if (body.immediatelyExecute === true) {
    problems.push({
      field: 'immediatelyExecute',
      message: 'cannot be true: an agent executes its quotes by a separate call',
    });
  }
  if (body.platformFeeOverride !== undefined) {
    problems.push({ field: 'platformFeeOverride', message: 'cannot be set by an agent' });
  }
  return problems;
}

export const getQuote = operation('agentGetQuote', {
  ...readAccess('GET /agents/me/quotes/:quoteId'),
  summary: 'Get the agent’s quote',
  description: 'The current state of the quote. After `expiresAt` an unused quote is `EXPIRED`.',
  params: QUOTE_ID,
  reply: Quote,
  codes: [],
  examples: { 'A room': { params: { quoteId: ROOM_QUOTE.id }, reply: ROOM_QUOTE } },
  async read(tx, { caller, params }) {
    const row = await findQuote(tx, params.quoteId);
    // Without the customer's challenge, which only the platform sees (agents.md §3.4).
    return row?.agent_id === caller.id ? presentQuote(tx, row, tx.now) : notFound('QUOTE_NOT_FOUND', 'Quote');
  },
});
