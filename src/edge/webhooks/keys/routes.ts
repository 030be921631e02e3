import {
  listWebhookKeys,
  rotateWebhookKey,
  rotationDetails,
  type ShownKey,
} from '#capabilities/platform/webhook-keys.ts';
import { FIRST_KEY, OLD_KEY, SECOND_KEY, THIRD_KEY } from '#edge/webhooks/keys/examples.ts';
import {
  RotateWebhookKeyRequest,
  type WebhookKey,
  WebhookKeyListResponse,
} from '#edge/webhooks/keys/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

const COMMON = { area: 'Webhooks', isBeyondContract: true, reply: WebhookKeyListResponse } as const;

/** What webhooks are verified with (platform.md §4.1.4–4.1.6). */
export const webhookKeyOperations = [
  operation('listWebhookKeys', {
    ...COMMON,
    route: 'GET /webhooks/keys',
    summary: 'List the keys of webhooks',
    description:
      'The public keys that are on show: verify a webhook with the one that it names in the header beside its ' +
      'signature. Ask again when a webhook names a key that you do not know.',
    access: 'view',
    codes: [],
    examples: { 'Of a new platform': { reply: { data: [FIRST_KEY] } } },
    read: async (tx) => ({ data: (await listWebhookKeys(tx)).map(presentKey) }),
  }),
  operation('rotateWebhookKey', {
    ...COMMON,
    route: 'POST /webhooks/keys/rotate',
    summary: 'Replace the key of webhooks',
    description:
      'Makes a new key, which is on show at once and signs after a while; the old one stays on show for a while after ' +
      'that. One rotation at a time is under way, until the old key has gone; with `immediately` all of it happens now.',
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
      requireOneWay(body);
      return { data: (await rotateWebhookKey(tx, body)).map(presentKey) };
    },
  }),
];

/** `immediately` leaves no time to choose. */
function requireOneWay({ immediately, ...times }: RotateWebhookKeyRequest): void {
  const given = (['signsAfterSeconds', 'keepsOldForSeconds'] as const).filter(
    (field) => times[field] !== undefined,
  );
  if (!immediately || given.length === 0) return;
  throw invalidFields(given.map((field) => ({ field, message: 'must be left out with `immediately`' })));
}

function presentKey({ signsFrom, goesAt, ...key }: ShownKey): WebhookKey {
  return {
    ...key,
    signsFrom: signsFrom.toISOString(),
    ...(goesAt && { goesAt: goesAt.toISOString() }),
  };
}
