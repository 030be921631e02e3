import Type, { type Static } from 'typebox';
import { KEY_STATUSES, OVERLAP_SECONDS } from '#capabilities/platform/webhook-keys.ts';
import { component, dateTime, idSchema, namedEnum } from '#foundation/http/schema.ts';

const WebhookKeyStatus = namedEnum(
  'WebhookKeyStatus',
  'NEXT: published, and will sign. SIGNING: signs now. RETIRING: no longer signs, but stays published for webhooks that ' +
    'arrive late.',
  KEY_STATUSES,
);

const WebhookKey = component('WebhookKey', 'A key that verifies webhooks.', {
  id: idSchema('WebhookKey', {
    description: 'Id of the key. Every webhook names it beside its signature.',
  }),
  status: WebhookKeyStatus,
  publicKey: Type.String({
    description:
      'The public key as SPKI PEM, for ECDSA on the curve P-256. OpenSSL and common libraries read it.',
  }),
  signsFrom: dateTime({ description: 'The time from which it signs webhooks.' }),
  goesAt: Type.Optional(
    dateTime({ description: 'When it is removed from the list. Absent until another key replaces it.' }),
  ),
});
export type WebhookKey = Static<typeof WebhookKey>;

export const WebhookKeyListResponse = component('WebhookKeyListResponse', 'The keys that verify webhooks.', {
  data: Type.Array(WebhookKey, {
    description: 'The published keys, in the order in which they sign: one, or two during a rotation.',
  }),
});

const seconds = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS.max,
      default: OVERLAP_SECONDS.default,
      description,
    }),
  );

export const RotateWebhookKeyRequest = component('RotateWebhookKeyRequest', 'The terms of a rotation.', {
  signsAfterSeconds: seconds('How long the new key is published before it signs.'),
  keepsOldForSeconds: seconds('How long the old key stays published after that.'),
  immediately: Type.Optional(
    Type.Boolean({
      description:
        'The new key signs from the next attempt on, and all others are removed at once, even during a rotation: for a ' +
        'key that may have leaked. Excludes the two times.',
    }),
  ),
});
export type RotateWebhookKeyRequest = Static<typeof RotateWebhookKeyRequest>;
