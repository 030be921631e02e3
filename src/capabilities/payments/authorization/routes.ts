import { authorizeQuote } from '#capabilities/payments/authorization/authorize-quote.ts';
import { cancelWaiting, moveWaiting } from '#capabilities/payments/authorization/change-waiting.ts';
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
    'Takes the answer to the quote’s `scaChallenge`. The customer must be logged in. After the last challenge the payment ' +
    'goes on: `PROCESSING`, or `PENDING` with payment instructions where it is funded in real time, for five minutes from ' +
    'then on. Where another challenge follows, the reply carries it. A wrong answer counts towards the lock of the ' +
    'customer, and the fifth ends the payment; so does not answering in time. In the sandbox codes are [always the ' +
    'same](/docs/sandbox#sca-codes).',
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
    'The code that came to the phone': {
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
  summary: 'Send the code of a quote once more',
  description:
    'Sends the same code again; the challenge ends when it would have ended. At most five times, 30 seconds apart.',
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
    'The payment fails at once with `SCA_NOT_COMPLETED`, as if its challenge had expired: what was on hold is available again, ' +
    'and nothing has moved. Once the customer has authorized it, `POST /transactions/{transactionId}/cancel` may still help.',
  access: 'transact',
  isBeyondContract: true,
  params: QUOTE_ID,
  reply: Quote,
  codes: ['CONFLICT'],
  examples: {
    'A payment that nobody authorizes': { params: { quoteId: CANCELLED_QUOTE.id }, reply: CANCELLED_QUOTE },
  },
  write: (tx, { params }) => cancelWaiting(tx, params.quoteId),
});

const moveToFactor = operation('changeQuoteScaFactor', {
  route: 'POST /quotes/:quoteId/authorize/factor',
  area: AREA,
  summary: 'Ask for another factor for a quote that waits',
  description:
    'The reply has a new `scaChallenge` for a factor that the customer has enrolled; the one before is void. It ends when that ' +
    'one would have ended. A code by text message counts as one that is sent again: at most five times, 30 seconds apart.',
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

/** How customers authorize their payments, in contract order, and what is beyond it. */
export const authorizationOperations = [authorize, resend, cancel, moveToFactor];
