import type { Static } from 'typebox';
import { TOKEN } from '#capabilities/tokens/examples.ts';
import { HIDDEN } from '#edge/request-log/redact.ts';
import type { RequestLog, RequestLogSummary } from '#edge/request-log/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

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
