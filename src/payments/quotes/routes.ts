import { type NamedOperation, operation } from '#http/operation.ts';
import type { Code } from '#lib/refusals.ts';
import { createQuote } from '#payments/create-quote.ts';
import type { PaymentParts } from '#payments/parts.ts';
import { readQuoteRequest } from '#payments/quotes/quote-ask.ts';
import { type QuoteParts, resolveQuote } from '#payments/quotes/resolve-quote.ts';
import { QuoteRequest } from '#payments/quotes/schemas.ts';
import { Quote } from '#payments/schemas.ts';

export function quoteCreationOperations(payments: PaymentParts, parts: QuoteParts): NamedOperation[] {
  return [
    operation('createQuote', {
      route: 'POST /quotes',
      area: 'Cross-Currency Transfers',
      summary: 'Ask for a quote',
      description:
        'Prices a payment from an internal account, a bank account to pull from, or money paid in for it, to an ' +
        'internal account, an external account or a UMA address. The price holds for five minutes. The transaction ' +
        'is made with the quote; execute the quote, or pay in as its instructions say, and it moves.',
      access: 'transact',
      idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
      body: QuoteRequest,
      judgesBody: true,
      status: 201,
      reply: Quote,
      otherReplies: { 202: Quote },
      codes: QUOTE_CODES,
      handle: async (work, { body, problems }) => {
        const ask = readQuoteRequest(body, problems);
        return createQuote(payments, work, { resolve: (tx) => resolveQuote(tx, ask, parts) });
      },
    }),
  ];
}

/** Those that transfers can answer with too. */
export const MOVEMENT_CODES: readonly Code[] = [
  'INVALID_AMOUNT',
  'ACCOUNT_NOT_FOUND',
  'CUSTOMER_NOT_FOUND',
  'END_USER_TERMS_NOT_ACCEPTED',
  'USER_NOT_READY',
  'WALLET_NOT_PROVISIONED',
  'INVALID_CURRENCY',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'INVALID_RECEIVER',
  'INVALID_BANK_ACCOUNT',
  'BANK_ACCOUNT_VALIDATION_PENDING',
  'AMOUNT_OUT_OF_RANGE',
  'DUPLICATE_PAY_REQUEST',
  'QUOTE_REQUEST_FAILED',
  'NOT_IMPLEMENTED',
  'SERVICE_UNAVAILABLE',
];

const QUOTE_CODES: readonly Code[] = [
  ...MOVEMENT_CODES,
  'SELF_PAYMENT',
  'INVALID_UMA_ADDRESS',
  'UMA_NOT_FOUND',
  'LOOKUP_REQUEST_NOT_FOUND',
  'MISSING_MANDATORY_USER_INFO',
  'UNSUPPORTED_UMA_VERSION',
  'LNURLP_REQUEST_FAILED',
  'PAYREQ_REQUEST_FAILED',
  'COUNTERPARTY_PUBKEY_FETCH_ERROR',
  'NO_COMPATIBLE_UMA_VERSION',
  'PARSE_PAYREQ_RESPONSE_ERROR',
  'INVALID_PAYREQ_RESPONSE',
  'SENDER_NOT_ACCEPTED',
  'COUNTERPARTY_NOT_ALLOWED',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
];
