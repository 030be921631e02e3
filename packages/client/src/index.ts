export { type Corridor, type CorridorOptions, createCorridor } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CorridorError,
  type ErrorCode,
  InvalidRequestError,
  type LocalCode,
  NotFoundError,
  PermissionError,
  type Problem,
  RateLimitError,
  ServerError,
  WebhookError,
} from './errors.ts';
export type { WebhookEvent } from './generated/operations.ts';
export type * from './generated/schemas.ts';
export type { List } from './list.ts';
export type { CallOptions } from './operation.ts';
export { type PublicKey, type WebhookKeys, type WebhookKeysOptions, webhookKeys } from './webhook-keys.ts';
export { type VerifyingKeys, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhooks.ts';
