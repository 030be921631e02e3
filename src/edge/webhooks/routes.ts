import Type from 'typebox';
import type { Deliverer } from '#edge/webhooks/deliverer.ts';
import { sendTest } from '#edge/webhooks/send-test.ts';
import { type Operation, operation } from '#foundation/http/declare/operation.ts';
import { component } from '#foundation/http/schema.ts';
import { EXAMPLE_WEBHOOK_ENDPOINT } from '#foundation/lib/examples.ts';
import { RESPONSE_MAX_BYTES } from '#foundation/outbound/outbound.ts';

const TestWebhookResponse = component(
  'TestWebhookResponse',
  'The answer of the webhook endpoint to the test event.',
  {
    response_status: Type.Integer({
      description: 'The HTTP status of the endpoint’s answer.',
      examples: [200],
    }),
    url: Type.Optional(Type.String({ format: 'url', description: 'Where the event was sent.' })),
    response_body: Type.Optional(
      Type.String({
        description: `The first ${RESPONSE_MAX_BYTES / 1024} KiB of the endpoint’s answer.`,
      }),
    ),
  },
);

/** The test webhook under its two paths (platform.md §4.6). */
export function webhookOperations(deliverer: Pick<Deliverer, 'sender' | 'owner'>) {
  const shared = {
    access: 'manage',
    reply: TestWebhookResponse,
    codes: ['INVALID_INPUT', 'SVC_SWITCH_ERROR'],
    examples: {
      'An endpoint that answers': {
        reply: { response_status: 200, url: EXAMPLE_WEBHOOK_ENDPOINT, response_body: '' },
      },
    },
    handle: (work) => sendTest(work, deliverer),
  } satisfies Partial<Operation>;
  const description =
    'Sends one signed `TEST` event to the configured endpoint, waits for its answer, and returns it, whatever it is. If ' +
    'there is no answer, `details.cause` gives the reason. Works in both environments; a body is ignored.';
  return [
    operation('sendTestWebhook', {
      ...shared,
      route: 'POST /sandbox/webhooks/test',
      area: 'Sandbox',
      summary: 'Send a test webhook',
      description,
    }),
    operation('sendWebhookTest', {
      ...shared,
      route: 'POST /webhooks/test',
      area: 'Webhooks',
      summary: 'Send a test webhook',
      description,
    }),
  ];
}
