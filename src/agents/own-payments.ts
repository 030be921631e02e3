import { allowedAccountsOf, loadCaller, reads } from '#agents/own-call.ts';
import { operation } from '#http/operation.ts';
import { EXAMPLE_IDS, exampleList } from '#lib/examples.ts';
import { publicId } from '#lib/ids.ts';
import { invalidFields, notFound } from '#lib/refusals.ts';
import { PAYMENT_CONFIRMED } from '#payments/examples.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import { internalAccountsOf } from '#payments/row.ts';
import { TransactionOneOf } from '#payments/schemas.ts';
import { findTransaction } from '#payments/store.ts';
import { listTransactions } from '#payments/transactions/list-transactions.ts';
import { TRANSACTION_ID } from '#payments/transactions/routes.ts';
import { AgentTransactionsQuery, TransactionListResponse } from '#payments/transactions/schemas.ts';
import { paymentSource } from '#payments/transactions/store.ts';

export const listOwnTransactions = operation('agentListTransactions', {
  ...reads('VIEW_TRANSACTIONS'),
  route: 'GET /agents/me/transactions',
  summary: 'List the transactions of the agent’s customer',
  description:
    'Payments of its customer, newest first, without what was paid by card. An agent that may use certain accounts only ' +
    'sees what left or reached one of them.',
  query: AgentTransactionsQuery,
  reply: TransactionListResponse,
  codes: ['INVALID_INPUT'],
  examples: {
    'What was paid to somebody': {
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
  ...reads('VIEW_TRANSACTIONS'),
  route: 'GET /agents/me/transactions/:transactionId',
  summary: 'Get a transaction of the agent’s customer',
  description: 'The payment as it stands now; one that the list does not show is not found.',
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
