import { choice, ENVIRONMENT, type Kind, personal, SCOPE, SINCE, status, UNTIL, words } from './kind.ts';

export const PLATFORMS: Kind = {
  title: 'Platforms',
  one: 'Platform',
  answer: 'The companies that use the service, each in one environment.',
  empty: 'An administrator creates platforms.',
  list: 'listAllPlatforms',
  show: 'showPlatforms',
  disclose: 'disclosePlatformsField',
  columns: ['id', 'name', 'environment', 'createdAt', 'disabledAt'],
  filters: [ENVIRONMENT],
  changes: [
    { operation: 'setPlatform', label: 'Change settings' },
    { operation: 'createTokenOfPlatform', label: 'Create a token' },
    { operation: 'rotateWebhookKeyOfPlatform', label: 'Rotate the webhook key', kind: 'danger' },
    { operation: 'writeOffDebtOfPlatform', label: 'Write off a debt' },
    { operation: 'enablePlatform', label: 'Enable', when: ({ disabledAt }) => Boolean(disabledAt) },
    { operation: 'disablePlatform', label: 'Disable', kind: 'danger', when: ({ disabledAt }) => !disabledAt },
  ],
  create: 'createPlatform',
  parts: [
    { kind: 'tokens', by: 'platform' },
    { kind: 'events', by: 'platform' },
    { kind: 'requests', by: 'platform' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const TOKENS: Kind = {
  title: 'Tokens',
  one: 'Token',
  answer: 'The credentials of platforms, with their last use. Secrets are shown to nobody.',
  empty: 'An administrator or the platform itself creates tokens.',
  list: 'listAllTokens',
  show: 'showTokens',
  disclose: 'discloseTokensField',
  search: 'searchAllTokens',
  columns: ['id', 'status', 'permissions', 'platformName', 'createdAt', 'lastUsedAt', 'revokedAt'],
  filters: [...SCOPE, status('LIVE', 'REVOKED'), personal('name', 'Its whole name')],
  changes: [
    { operation: 'revokeToken', label: 'Revoke', kind: 'danger', when: ({ revokedAt }) => !revokedAt },
  ],
};

export const EVENTS: Kind = {
  title: 'Events',
  one: 'Event',
  answer: 'Events that were sent to platforms, and whether their servers answered.',
  empty: 'Every change of a payment, customer or account is an event.',
  list: 'listAllWebhooks',
  show: 'showWebhooks',
  disclose: 'discloseWebhooksField',
  columns: ['id', 'type', 'state', 'attempts', 'resourceId', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    choice('state', 'Delivery', 'PENDING', 'DELIVERED', 'ACKED_DUPLICATE', 'EXHAUSTED', 'SKIPPED'),
    words('resource', 'About', 'Any id'),
    SINCE,
    UNTIL,
  ],
  changes: [{ operation: 'resendWebhook', label: 'Send again' }],
  views: [
    { name: 'Given up', filters: { state: 'EXHAUSTED' } },
    { name: 'Still trying', filters: { state: 'PENDING' } },
  ],
};

export const REQUESTS: Kind = {
  title: 'Requests',
  one: 'Request',
  answer: 'Requests of platforms, with their outcomes.',
  empty: 'Each call of the API is here for some days.',
  list: 'listAllRequests',
  clock: 'real',
  show: 'showRequests',
  disclose: 'discloseRequestsField',
  columns: ['id', 'method', 'route', 'status', 'code', 'durationMs', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    choice('status', 'Status', '2XX', '3XX', '4XX', '5XX'),
    choice('method', 'Method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    words('code', 'Refusal', 'INVALID_INPUT'),
    words('path', 'Path', '/quotes'),
    words('request', 'X-Request-Id'),
    SINCE,
    UNTIL,
  ],
  changes: [],
  views: [
    { name: 'Refused', filters: { status: '4XX' } },
    { name: 'Our own failures', filters: { status: '5XX' } },
  ],
};
