import Type from 'typebox';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';

/** The TEST event in the OpenAPI document. */
export const testWebhook: WebhookDeclaration = {
  name: 'test-webhook',
  summary: 'A test event',
  description:
    'Sent when a test is asked for and when the webhook endpoint was changed. Sent once and never repeated; ' +
    'answer it like any other event.',
  body: webhookBody('TestWebhookRequest', ['TEST'], Type.Object({}), 'An event that says nothing happened.'),
  examples: { TEST: {} },
};
