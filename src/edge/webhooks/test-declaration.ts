import Type from 'typebox';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

/** The TEST event in the OpenAPI document. */
export const testWebhook: WebhookDeclaration = {
  name: 'test-webhook',
  summary: 'A test event',
  description:
    'Sent when you request a test and when the webhook endpoint changes. Sent once and never retried; ' +
    'answer it like any other event.',
  body: webhookBody('TestWebhookRequest', ['TEST'], Type.Object({}), 'A test event without data.'),
  examples: { TEST: {} },
};
