import Type, { type Static } from 'typebox';
import { KEY_STATUSES, OVERLAP_SECONDS } from '#capabilities/platform/webhook-keys.ts';
import { component, dateTime, idOf, namedSchema, oneOf } from '#foundation/http/schema.ts';

const WebhookKeyStatus = namedSchema(
  'WebhookKeyStatus',
  oneOf(KEY_STATUSES, {
    description:
      'NEXT: on show, and will sign. SIGNING: signs now. RETIRING: has signed, and stays on show for receivers that lag ' +
      'behind.',
  }),
);

const WebhookKey = component(
  'WebhookKey',
  {
    id: idOf('WebhookKey', {
      description: 'Id of the key, by which every webhook names it beside its signature.',
    }),
    status: WebhookKeyStatus,
    publicKey: Type.String({
      description:
        'The public key as SPKI PEM, as openssl and every library read it: ECDSA on the curve P-256.',
    }),
    signsFrom: dateTime({ description: 'Since when, or from when on, webhooks are signed with it.' }),
    goesAt: Type.Optional(
      dateTime({ description: 'When it is on show no longer. Absent until another key takes its place.' }),
    ),
  },
  { description: 'A key that webhooks are verified with.' },
);
export type WebhookKey = Static<typeof WebhookKey>;

export const WebhookKeyListResponse = component(
  'WebhookKeyListResponse',
  {
    data: Type.Array(WebhookKey, {
      description:
        'The keys on show, in the order in which they sign: one, or two while one replaces the other.',
    }),
  },
  { description: 'What webhooks are verified with.' },
);

const seconds = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS.max,
      default: OVERLAP_SECONDS.default,
      description,
    }),
  );

export const RotateWebhookKeyRequest = component(
  'RotateWebhookKeyRequest',
  {
    signsAfterSeconds: seconds('How long the new key is on show before it signs.'),
    keepsOldForSeconds: seconds('How long the old key stays on show after that.'),
    immediately: Type.Optional(
      Type.Boolean({
        description:
          'The new key signs from the next attempt on, and all others go at once, whatever rotation is under way: for ' +
          'a key that may have leaked. Excludes the two times.',
      }),
    ),
  },
  { description: 'How the key is replaced.' },
);
export type RotateWebhookKeyRequest = Static<typeof RotateWebhookKeyRequest>;
