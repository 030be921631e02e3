import { ACCOUNT_EVENTS } from '#accounts/events.ts';
import { InternalAccount } from '#accounts/schemas.ts';
import { webhookBody } from '#events/webhook-schema.ts';
import type { WebhookDeclaration } from '#http/openapi.ts';

/** The events of internal accounts in the OpenAPI document (accounts.md §2.6). */
export const internalAccountWebhook: WebhookDeclaration = {
  name: 'internal-account-status',
  summary: 'An internal account changed',
  description:
    'Sent when a posting changed a balance, when the status changed, and when there is a new way to pay in. ' +
    '`data` is the whole account as it was right after the change.',
  body: webhookBody(
    'InternalAccountStatusWebhook',
    ACCOUNT_EVENTS,
    InternalAccount,
    'An internal account, right after a change.',
  ),
};
