import {
  type ListedWebhookKey,
  listWebhookKeys,
  rotateWebhookKey,
  rotationDetails,
} from '#capabilities/platform/webhook-keys.ts';
import { FIRST_KEY, OLD_KEY, SECOND_KEY, THIRD_KEY } from '#edge/webhooks/keys/examples.ts';
import {
  RotateWebhookKeyRequest,
  type WebhookKey,
  WebhookKeyListResponse,
} from '#edge/webhooks/keys/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';

const COMMON = { area: 'Webhooks', isBeyondContract: true, reply: WebhookKeyListResponse } as const;

/** The keys that verify webhooks (platform.md §4.1.4–4.1.6). */
export const webhookKeyOperations = [
  operation('listWebhookKeys', {
    ...COMMON,
    route: 'GET /webhooks/keys',
    summary: 'List the keys of webhooks',
    description:
      'Lists the published public keys. Verify a webhook with the key that it names in the header beside its signature. ' +
      'Read the keys again when a webhook names one that you do not know.',
    access: 'view',
    codes: [],
    examples: { 'A new platform': { reply: { data: [FIRST_KEY] } } },
    read: async (tx) => ({ data: (await listWebhookKeys(tx)).map(presentKey) }),
  }),
  operation('rotateWebhookKey', {
    ...COMMON,
    route: 'POST /webhooks/keys/rotate',
    summary: 'Replace the key of webhooks',
    description:
      'Creates a new key, which is published at once and signs later; the old key stays published for a while after that. ' +
      'Only one rotation can be in progress, until the old key is removed. With `immediately` everything happens now.',
    access: 'manage',
    body: RotateWebhookKeyRequest,
    bodyOptional: true,
    codes: ['INVALID_INPUT', 'CONFLICT'],
    examples: {
      'A day for receivers to learn of it': {
        body: { signsAfterSeconds: 86_400, keepsOldForSeconds: 86_400 },
        reply: { data: [OLD_KEY, SECOND_KEY] },
      },
      'A key that may have leaked': { body: { immediately: true }, reply: { data: [THIRD_KEY] } },
    },
    auditDetails: ({ body = {} }, { data }) => rotationDetails(body, data),
    async write(tx, { body = {} }) {
      return { data: (await rotateWebhookKey(tx, body)).map(presentKey) };
    },
  }),
];

function presentKey({ signsFrom, goesAt, ...key }: ListedWebhookKey): WebhookKey {
  return {
    ...key,
    signsFrom: signsFrom.toISOString(),
    ...(goesAt && { goesAt: goesAt.toISOString() }),
  };
}
