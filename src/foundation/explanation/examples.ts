import type { TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleTime } from '#foundation/lib/examples.ts';

/** The first payment of the story, before it is executed. */
export const EXPLANATION: TransactionExplanation = {
  id: EXAMPLE_IDS.payment,
  type: 'OUTGOING',
  status: 'PENDING',
  now: EXAMPLE_TIME,
  summary: 'Nothing has moved: the quote has not been executed.',
  waiting: {
    for: 'The platform has to execute the quote.',
    afterwards: 'At that time the quote expires. Nothing has moved, so nothing is refunded.',
    since: EXAMPLE_TIME,
    until: exampleTime(300),
    by: [
      {
        who: 'TOKEN',
        how: 'Execute the quote.',
        call: {
          method: 'POST',
          path: `/quotes/${EXAMPLE_IDS.quote}/execute`,
        },
      },
      {
        who: 'TOKEN',
        how: `Move the sandbox’s clock to ${exampleTime(300)}, when the quote expires.`,
        command: 'corridor clock advance 300s',
        call: {
          method: 'POST',
          path: '/sandbox/clock/advance',
          body: {
            seconds: 300,
          },
        },
      },
    ],
  },
  related: [
    {
      id: EXAMPLE_IDS.quote,
      relation: 'quote',
    },
    {
      id: EXAMPLE_IDS.adaUsd,
      relation: 'payer’s account',
    },
    {
      id: EXAMPLE_IDS.jeanEur,
      relation: 'receiver’s external account',
    },
  ],
  items: [
    {
      kind: 'request',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'TOKEN',
        actorId: EXAMPLE_IDS.ownToken,
      },
      title: 'POST /quotes was answered with 201.',
      rule: 'platform.md §11.1',
      details: {
        requestLogId: EXAMPLE_IDS.quoteRequestLog,
        requestId: '7c1d3f04-6a2e-4b8f-9f27-5b3c8d2e9a10',
        method: 'POST',
        route: '/quotes',
        path: '/quotes',
        status: 201,
        durationMs: 4,
      },
    },
    {
      kind: 'decision',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'SERVICE',
      },
      title:
        'The price was fixed: the payer sends 250.00 USD, and the receiver gets 228.85 EUR, at 1.08695652 USD for 1 EUR.',
      rule: 'money.md §1.2',
      details: {
        about: 'PRICE',
        outcome: 'FIXED',
        exchangeRate: 1.08695652,
        sendingAmount: 25000,
        sendingCurrency: 'USD',
        receivingAmount: 22885,
        receivingCurrency: 'EUR',
        convertedAmount: 24875,
      },
    },
    {
      kind: 'decision',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'SERVICE',
      },
      title: 'The price includes fees of 1.25 USD: 1.25 USD for the service and 0.00 USD for the platform.',
      rule: 'money.md §1.6',
      details: {
        about: 'FEES',
        outcome: 'FIXED',
        serviceFee: 125,
        platformFee: 0,
        currency: 'USD',
      },
    },
    {
      kind: 'decision',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'SERVICE',
      },
      title: 'The payment is worth 250.00 USD, within the limit of 100,000.00 USD for one payment.',
      rule: 'money.md §8.1',
      details: {
        about: 'SIZE_LIMIT',
        outcome: 'PASSED',
        usdCents: 25000,
        limitUsdCents: 10000000,
      },
    },
    {
      kind: 'transition',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'TOKEN',
        actorId: EXAMPLE_IDS.ownToken,
      },
      title: 'The quote and its transaction were created.',
      rule: 'money.md §4.1',
      details: {
        of: 'PAYMENT',
        from: 'none',
        to: 'PENDING',
      },
    },
    {
      kind: 'event',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'SERVICE',
      },
      title: 'The event OUTGOING_PAYMENT.PENDING was created, and has been delivered.',
      rule: 'platform.md §4.2.1',
      details: {
        eventId: EXAMPLE_IDS.quoteEvent,
        type: 'OUTGOING_PAYMENT.PENDING',
        resourceId: EXAMPLE_IDS.payment,
        state: 'DELIVERED',
        attempts: 1,
      },
    },
    {
      kind: 'attempt',
      at: EXAMPLE_TIME,
      recordedAt: EXAMPLE_TIME,
      actor: {
        kind: 'RECEIVER',
      },
      title: 'Attempt 1 to deliver OUTGOING_PAYMENT.PENDING was answered with 200.',
      rule: 'platform.md §4.2.6',
      details: {
        eventId: EXAMPLE_IDS.quoteEvent,
        attempt: 1,
        status: 200,
        durationMs: 4,
      },
    },
    {
      kind: 'job',
      at: exampleTime(300),
      actor: {
        kind: 'SERVICE',
      },
      title: 'Due later: expire the quote.',
      details: {
        job: 'payments.expire',
        state: 'DUE',
        dueAt: exampleTime(300),
        attempts: 0,
      },
    },
  ],
  isTruncated: false,
};
