import { authorizeQuote } from '#capabilities/payments/authorization/authorize-quote.ts';
import { cancelWaiting, moveWaiting } from '#capabilities/payments/authorization/change-pending.ts';
import { resendCode } from '#capabilities/payments/authorization/waiting-quote.ts';
import {
  CANCELLED_QUOTE,
  CONVERTED_USDC_QUOTE,
  EMMY_QUOTE,
  EMMY_USDC_QUOTE,
  MOVED_QUOTE,
} from '#capabilities/payments/examples.ts';
import { Quote, QuoteScaFactorRequest, ScaAuthorization } from '#capabilities/payments/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';

const AREA = 'Strong Customer Authentication';
const QUOTE_ID = { quoteId: { id: 'Quote', missing: 'QUOTE_NOT_FOUND' } } as const;

const ANSWER = { code: '123456', endUserIpAddress: '203.0.113.7' };

const authorize = operation('authorizeQuote', {
  route: 'POST /quotes/:quoteId/authorize',
  area: AREA,
  summary: 'Authorize a quote that waits for its customer',
  description:
    'Takes the answer to the quote’s `scaChallenge`. The customer must be logged in. After the last challenge the ' +
    'payment proceeds. Its status is then `PROCESSING`. If it is funded in real time, its status is `PENDING`, with ' +
    'payment instructions that are valid for five minutes. If another challenge follows, the reply carries it. A wrong ' +
    'answer counts towards the customer’s lockout. The payment fails after the fifth wrong answer, or if no answer ' +
    'comes in time. In the sandbox, codes are [always the same](/docs/sandbox#sca-codes).',
  access: 'transact',
  params: QUOTE_ID,
  body: ScaAuthorization,
  reply: Quote,
  codes: [
    'CONFLICT',
    'RATE_LIMITED',
    'ACCOUNT_LOCKED',
    'SCA_SESSION_REQUIRED',
    'QUOTE_EXPIRED',
    'END_USER_TERMS_NOT_ACCEPTED',
    'USER_NOT_READY',
    'WALLET_NOT_PROVISIONED',
    'ACCOUNT_NOT_FOUND',
    'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    'INVALID_RECEIVER',
    'INVALID_BANK_ACCOUNT',
    'BANK_ACCOUNT_VALIDATION_PENDING',
    'NOT_IMPLEMENTED',
  ],
  examples: {
    'The code that was sent to the phone': {
      params: { quoteId: EMMY_QUOTE.id },
      body: ANSWER,
      reply: { ...EMMY_QUOTE, status: 'PROCESSING' },
    },
    'The first of two challenges': {
      params: { quoteId: EMMY_USDC_QUOTE.id },
      body: ANSWER,
      reply: CONVERTED_USDC_QUOTE,
    },
    'The second of two challenges': {
      params: { quoteId: EMMY_USDC_QUOTE.id },
      body: ANSWER,
      reply: EMMY_USDC_QUOTE,
    },
  },
  auditDetails: ({ body: { endUserIpAddress } }, { source, status }) => ({
    customerId: source.customerId,
    status,
    ...(endUserIpAddress != null && { endUserIpAddress }),
  }),
  write: (tx, { params, body }) => authorizeQuote(tx, params.quoteId, body),
});

const resend = operation('resendQuoteScaCode', {
  route: 'POST /quotes/:quoteId/authorize/resend',
  area: AREA,
  summary: 'Send the code of a quote again',
  description:
    'Sends the same code again, at most five times and 30 seconds apart. The challenge keeps its deadline.',
  access: 'transact',
  params: QUOTE_ID,
  codes: ['CONFLICT', 'RATE_LIMITED'],
  examples: { 'A code to the phone': { params: { quoteId: EMMY_QUOTE.id } } },
  async write(tx, { params }) {
    await resendCode(tx, params.quoteId);
    return undefined as never;
  },
});

const cancel = operation('cancelQuoteAuthorization', {
  route: 'POST /quotes/:quoteId/authorize/cancel',
  area: AREA,
  summary: 'Cancel a quote that waits for its customer',
  description:
    'The payment fails at once with `SCA_NOT_COMPLETED`, as if its challenge had expired. Its hold is released, and no ' +
    'money has moved. After the customer has authorized it, try `POST /transactions/{transactionId}/cancel` instead.',
  access: 'transact',
  isBeyondContract: true,
  params: QUOTE_ID,
  reply: Quote,
  codes: ['CONFLICT'],
  examples: {
    'A payment that is not authorized': { params: { quoteId: CANCELLED_QUOTE.id }, reply: CANCELLED_QUOTE },
  },
  write: (tx, { params }) => cancelWaiting(tx, params.quoteId),
});

const moveToFactor = operation('changeQuoteScaFactor', {
  route: 'POST /quotes/:quoteId/authorize/factor',
  area: AREA,
  summary: 'Change the factor of a quote that waits for its customer',
  description:
    'The reply has a new `scaChallenge` for a factor that the customer has enrolled. It voids the previous challenge and ' +
    'keeps its deadline. A text message counts as a code that is sent again: at most five times, 30 seconds apart.',
  access: 'transact',
  isBeyondContract: true,
  params: QUOTE_ID,
  body: QuoteScaFactorRequest,
  reply: Quote,
  codes: ['CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
  examples: {
    'From a text message to an app': {
      params: { quoteId: MOVED_QUOTE.id },
      body: { scaFactor: 'TOTP' },
      reply: MOVED_QUOTE,
    },
  },
  auditDetails: ({ body: { scaFactor } }, { source }) => ({ customerId: source.customerId, scaFactor }),
  write: (tx, { params, body }) => moveWaiting(tx, params.quoteId, body.scaFactor),
});

/** The customer's authorization of payments: first the contract's operations in its order, then ours. */
export const authorizationOperations = [authorize, resend, cancel, moveToFactor];
