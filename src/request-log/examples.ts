import type { Static } from 'typebox';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#lib/examples.ts';
import { HIDDEN } from '#request-log/harmless.ts';
import type { RequestLog, RequestLogSummary } from '#request-log/schemas.ts';
import { TOKEN } from '#tokens/examples.ts';

export const REQUEST_SUMMARY: Static<typeof RequestLogSummary> = {
  id: EXAMPLE_IDS.requestLog,
  requestId: '5f0c2e6a-9d0b-4c55-8a55-0f6d6a4b7c11',
  createdAt: EXAMPLE_TIME,
  method: 'POST',
  route: '/tokens',
  path: '/tokens',
  status: 201,
  durationMs: 4,
  idempotency: 'NONE',
  tokenId: EXAMPLE_IDS.ownToken,
};

export const REQUEST: Static<typeof RequestLog> = {
  ...REQUEST_SUMMARY,
  request: { name: HIDDEN, permissions: TOKEN.permissions },
  reply: { ...TOKEN, name: HIDDEN, clientId: HIDDEN, clientSecret: HIDDEN },
};
