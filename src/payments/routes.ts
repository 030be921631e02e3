import { type NamedOperation, operation } from '#http/operation.ts';
import { notFound } from '#http/register.ts';
import { executeQuote } from '#payments/execute-quote.ts';
import type { PaymentParts } from '#payments/parts.ts';
import { presentQuote } from '#payments/present-quote.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import { ExecuteQuoteRequest, Quote, TransactionOneOf } from '#payments/schemas.ts';
import { findQuote, findTransaction } from '#payments/store.ts';

const QUOTE_ID = { quoteId: { id: 'Quote', missing: 'QUOTE_NOT_FOUND' } } as const;
const TRANSACTION_ID = { transactionId: { id: 'Transaction', missing: 'TRANSACTION_NOT_FOUND' } } as const;

const getQuoteById = operation('getQuoteById', {
  route: 'GET /quotes/:quoteId',
  area: 'Cross-Currency Transfers',
  summary: 'Get a quote',
  description: 'The quote as it stands now. Past its `expiresAt` an unused quote reads `EXPIRED`.',
  access: 'view',
  params: QUOTE_ID,
  reply: Quote,
  codes: [],
  async read(tx, { params }) {
    const row = await findQuote(tx, params.quoteId);
    return row ? presentQuote(tx.vault, row, tx.now) : notFound('QUOTE_NOT_FOUND', 'Quote');
  },
});

const executeQuoteOperation = (parts: PaymentParts) =>
  operation('executeQuote', {
    route: 'POST /quotes/:quoteId/execute',
    area: 'Cross-Currency Transfers',
    summary: 'Execute a quote',
    description:
      'Takes the money, or starts to collect it, and sends it on its way at the quoted price. It cannot be undone. ' +
      'With 429 and with `INSUFFICIENT_FUNDS` the quote stays as it is until it expires. A quote with a real-time ' +
      'source is executed by paying it.',
    access: 'transact',
    idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
    signed: 'withoutRequestId',
    params: QUOTE_ID,
    body: ExecuteQuoteRequest,
    bodyOptional: true,
    reply: Quote,
    codes: [
      'CONFLICT',
      'QUOTE_EXPIRED',
      'QUOTE_RATE_UNAVAILABLE',
      'END_USER_TERMS_NOT_ACCEPTED',
      'USER_NOT_READY',
      'WALLET_NOT_PROVISIONED',
      'ACCOUNT_NOT_FOUND',
      'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
      'INVALID_RECEIVER',
      'INVALID_BANK_ACCOUNT',
      'BANK_ACCOUNT_VALIDATION_PENDING',
      'DAILY_VOLUME_LIMIT_EXCEEDED',
      'INSUFFICIENT_FUNDS',
      'AMOUNT_OUT_OF_RANGE',
      'DUPLICATE_PAY_REQUEST',
      'NOT_IMPLEMENTED',
      'SERVICE_UNAVAILABLE',
    ],
    handle: (work, { params }) => executeQuote(parts, work, params.quoteId),
  });

const getTransactionById = operation('getTransactionById', {
  route: 'GET /transactions/:transactionId',
  area: 'Transactions',
  summary: 'Get a transaction',
  description: 'The transaction as it stands now, whatever its type.',
  access: 'view',
  params: TRANSACTION_ID,
  reply: TransactionOneOf,
  codes: [],
  async read(tx, { params }) {
    const row = await findTransaction(tx, params.transactionId);
    return row ? presentTransaction(tx.vault, row, tx.now) : notFound('TRANSACTION_NOT_FOUND', 'Transaction');
  },
});

export function paymentOperations(parts: PaymentParts): NamedOperation[] {
  return [getQuoteById, executeQuoteOperation(parts), getTransactionById];
}
