import { presentCurrentQuote } from '#capabilities/payments/authorization/waiting-quote.ts';
import {
  ASKED_QUOTE,
  BANK_QUOTE,
  EMMY_QUOTE,
  FIXED_EUROS_QUOTE,
  QUOTE,
  UMA_QUOTE,
  USDC_QUOTE,
  WAITING_QUOTE,
  WAITING_USDC_QUOTE,
  WALLET_QUOTE,
} from '#capabilities/payments/examples.ts';
import { prepareExecution } from '#capabilities/payments/execution/execute-quote.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { prepareQuote, type QuoteParts } from '#capabilities/payments/quotes/create-quote.ts';
import {
  BANK_QUOTE_REQUEST,
  EMMY_QUOTE_REQUEST,
  EMMY_USDC_QUOTE_REQUEST,
  FIXED_EUROS_QUOTE_REQUEST,
  QUOTE_REQUEST,
  UMA_QUOTE_REQUEST,
  USDC_QUOTE_REQUEST,
  WALLET_QUOTE_REQUEST,
} from '#capabilities/payments/quotes/examples.ts';
import { parseQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import { ExecuteQuoteRequest, Quote } from '#capabilities/payments/schemas.ts';
import { findQuote } from '#capabilities/payments/store.ts';
import { EXAMPLE_STAMP } from '#capabilities/wallet-auth/examples.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { type Code, notFound } from '#foundation/lib/refusals.ts';

/** Quotes, in contract order. */
export function quoteOperations(payments: PaymentParts, parts: QuoteParts) {
  return [create(parts), get, execute(payments)];
}

const AREA = 'Cross-Currency Transfers';
export const QUOTE_ID = { quoteId: { id: 'Quote', missing: 'QUOTE_NOT_FOUND' } } as const;

const create = (parts: QuoteParts) =>
  operation('createQuote', {
    route: 'POST /quotes',
    area: AREA,
    summary: 'Create a quote',
    description:
      'Prices a payment from an internal account, a bank account to pull from, or real-time funding, to an internal ' +
      'account, an external account or a UMA address. The price holds for five minutes. The transaction is created ' +
      'with the quote. The money moves when you execute the quote, or when the funds arrive as its instructions say. If ' +
      'a customer under strong authentication funds the quote, the quote waits for the customer first: the reply is 202 ' +
      'with `scaChallenge`, and the instructions follow the authorization.',
    access: 'transact',
    idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST' },
    body: QuoteRequest,
    checksBody: true,
    status: 201,
    reply: Quote,
    otherReplies: { 202: Quote },
    codes: QUOTE_CODES,
    examples: {
      'Dollars to euros': { body: QUOTE_REQUEST, reply: QUOTE },
      'A fixed amount in pesos to a UMA address, executed at once': {
        body: UMA_QUOTE_REQUEST,
        reply: UMA_QUOTE,
      },
      'Funded over Solana': { body: USDC_QUOTE_REQUEST, reply: USDC_QUOTE },
      'Funded by bank transfer': { body: BANK_QUOTE_REQUEST, reply: BANK_QUOTE },
      'From an embedded wallet': { body: WALLET_QUOTE_REQUEST, reply: WALLET_QUOTE },
      'By a customer under strong authentication': { body: EMMY_QUOTE_REQUEST, reply: EMMY_QUOTE },
      'Funded after its customer has authorized it': {
        body: EMMY_USDC_QUOTE_REQUEST,
        status: 202,
        reply: WAITING_USDC_QUOTE,
      },
      'Not authorized by its customer': {
        body: EMMY_USDC_QUOTE_REQUEST,
        status: 202,
        reply: ASKED_QUOTE,
      },
      'A fixed amount in euros': { body: FIXED_EUROS_QUOTE_REQUEST, reply: FIXED_EUROS_QUOTE },
    },
    prepare: async (tx, { body, problems }) =>
      prepareQuote(tx, parseQuote(body, problems, tx.platform.ownCurrencies), parts),
  });

const get = operation('getQuoteById', {
  route: 'GET /quotes/:quoteId',
  area: AREA,
  summary: 'Get a quote',
  description: 'The current state of the quote. After `expiresAt` an unused quote is `EXPIRED`.',
  access: 'view',
  params: QUOTE_ID,
  reply: Quote,
  codes: [],
  examples: {
    'Dollars to euros': { params: { quoteId: QUOTE.id }, reply: QUOTE },
    'Waiting for its customer': { params: { quoteId: WAITING_QUOTE.id }, reply: WAITING_QUOTE },
  },
  async read(tx, { params }) {
    const row = await findQuote(tx, params.quoteId);
    return row ? presentCurrentQuote(tx, row) : notFound('QUOTE_NOT_FOUND', 'Quote');
  },
});

const execute = (payments: PaymentParts) =>
  operation('executeQuote', {
    route: 'POST /quotes/:quoteId/execute',
    area: AREA,
    summary: 'Execute a quote',
    description:
      'Takes the money, or starts to collect it, and sends it at the quoted price. This cannot be undone. After a 429 or ' +
      '`INSUFFICIENT_FUNDS` the quote stays open until it expires. A quote with a real-time source is executed by funding ' +
      'it. A quote from an embedded wallet needs the signature of the wallet’s owner over the `payloadToSign` in its ' +
      'instructions; other quotes ignore the header. A customer under strong authentication has to authorize a payment ' +
      'to an account that is not trusted: the money is put on hold, and the reply is `PENDING_AUTHORIZATION` with ' +
      '`scaChallenge`.',
    access: 'transact',
    idempotency: { key: 'optional', conflict: 'DUPLICATE_PAY_REQUEST', prepareFindsKey: true },
    signed: { withoutRequestId: true },
    params: QUOTE_ID,
    body: ExecuteQuoteRequest,
    bodyOptional: true,
    reply: Quote,
    codes: EXECUTION_CODES,
    examples: {
      // Without a body, the API reference would show another example's body here.
      'Dollars to euros': {
        params: { quoteId: QUOTE.id },
        body: {},
        reply: { ...QUOTE, status: 'PROCESSING' },
      },
      'From an embedded wallet': {
        params: { quoteId: WALLET_QUOTE.id },
        signature: EXAMPLE_STAMP,
        reply: { ...WALLET_QUOTE, status: 'PROCESSING' },
      },
      'By a customer under strong authentication': {
        params: { quoteId: WAITING_QUOTE.id },
        body: { scaFactor: 'SMS_OTP' },
        reply: WAITING_QUOTE,
      },
    },
    prepare: (tx, { params, body, key, request }) =>
      prepareExecution(payments, tx, { quoteId: params.quoteId, scaFactor: body?.scaFactor, key, request }),
  });

/** The codes that transfers have as well. */
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

export const QUOTE_CODES: readonly Code[] = [
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
  'SCA_SESSION_REQUIRED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
];

export const EXECUTION_CODES: readonly Code[] = [
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
  'SCA_SESSION_REQUIRED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
  'AMOUNT_OUT_OF_RANGE',
  'DUPLICATE_PAY_REQUEST',
  'NOT_IMPLEMENTED',
  'SERVICE_UNAVAILABLE',
];
