import Type from 'typebox';
import { setPlatformIn, switchPlatform } from '#capabilities/platform/set-platform.ts';
import { OVERLAP_SECONDS, rotateByOperator } from '#capabilities/platform/webhook-keys.ts';
import { createPlatformIn } from '#capabilities/tokens/create-platform.ts';
import { createAuditedToken, revokeAuditedToken } from '#capabilities/tokens/operator-tokens.ts';
import { Permission } from '#capabilities/tokens/schemas.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema, stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { ENVIRONMENTS } from '#foundation/lib/platform.ts';
import { masked } from '#foundation/records/mask.ts';

const WORDS = { area: 'Platforms', roles: ['admin'] } as const;
const ON_PLATFORM = {
  ...WORDS,
  params: { platformId: { id: 'Platform', missing: 'PLATFORM_NOT_FOUND' } },
} as const;
const SECRET = { key: 'optional', secretReply: true } as const;

const ChangedPlatform = component('ChangedPlatform', 'A platform after an operator’s change.', {
  id: idSchema('Platform'),
  isEnabled: Type.Boolean({ description: 'Whether its tokens and links are accepted.' }),
});

const clientId = Type.String({ description: 'The username of HTTP Basic.' });
const clientSecret = Type.String({ description: 'The password of HTTP Basic, shown only here.' });
const name = masked('none', Type.String({ minLength: 1, maxLength: 255, description: 'Its name.' }));
const settings = masked(
  'none',
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Settings that differ from their defaults; `null` resets one to its default.',
  }),
);

/** What operators do with platforms and their credentials (operator.md §6). The commands call the same functions. */
export const platformChanges = [
  operatorChange('createPlatform', {
    ...WORDS,
    on: 'installation',
    route: 'POST /platforms',
    summary: 'Create a platform',
    description:
      'Creates a platform with its webhook key and its first token, whose secret is shown only here.',
    two: 'production',
    subject: ({ body }) => (isObject(body) ? String(body.name) : undefined),
    asksFirst: true,
    fields: {
      name,
      environment: masked('none', stringEnum(ENVIRONMENTS, { description: 'Its environment.' })),
      settings: Type.Optional(settings),
    },
    idempotency: SECRET,
    reply: component('CreatedPlatform', 'A new platform with its first credentials.', {
      id: idSchema('Platform'),
      tokenId: idSchema('Token', { description: 'Its first token.' }),
      ...{ clientId, clientSecret },
      webhookPublicKey: Type.String({ description: 'The key that verifies its webhooks, SPKI in PEM.' }),
    }),
    codes: [],
    async change(tx, { body: { reason, name: called, environment, settings: explicit = {} } }) {
      const request = { name: called, environment, settings: explicit, reason };
      const created = await createPlatformIn(tx, request);
      const { token, clientSecret: secret, webhookPublicKey } = created;
      return {
        id: publicId('Platform', created.id),
        tokenId: publicId('Token', token.id),
        ...{ clientId: token.client_id, clientSecret: secret, webhookPublicKey },
      };
    },
  }),
  operatorChange('setPlatform', {
    ...ON_PLATFORM,
    route: 'POST /platforms/:platformId/settings',
    summary: 'Change a platform’s settings',
    description:
      'Merges settings into those of a platform, fees and limits among them. All are checked before one changes.',
    two: 'production',
    fields: {
      name: Type.Optional(name),
      settings: Type.Optional(settings),
      providerFields: Type.Optional(
        masked(
          'none',
          Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            description: 'The fields that providers require, by currency; `null` removes an entry.',
          }),
        ),
      ),
    },
    reply: ChangedPlatform,
    codes: [],
    async change(tx, { body: { reason, name: called, settings: explicit, providerFields } }) {
      const change = {
        ...(called !== undefined && { name: called }),
        ...(explicit && { settings: explicit }),
        ...(providerFields && { providerFields }),
      };
      const { id, disabledAt } = await setPlatformIn(tx, change, reason);
      return { id: publicId('Platform', id), isEnabled: disabledAt === null };
    },
  }),
  switched('disable', {
    summary: 'Disable a platform',
    description: 'Refuses all tokens and links of a platform at once, until it is enabled again.',
    asksFirst: true,
  }),
  switched('enable', {
    summary: 'Enable a platform',
    description: 'Accepts the tokens and links of a disabled platform again.',
  }),
  operatorChange('createTokenOfPlatform', {
    ...ON_PLATFORM,
    route: 'POST /platforms/:platformId/tokens',
    summary: 'Create a token',
    description: 'Creates a token of a platform. Its secret is shown only here.',
    two: 'production',
    asksFirst: true,
    fields: {
      name,
      permissions: masked(
        'none',
        Type.Array(Permission, { minItems: 1, maxItems: 3, description: 'What it may do.' }),
      ),
    },
    idempotency: SECRET,
    reply: component('TokenWithSecret', 'A new token with its secret.', {
      id: idSchema('Token'),
      ...{ clientId, clientSecret },
    }),
    codes: [],
    async change(tx, { body: { reason, name: called, permissions } }) {
      const created = await createAuditedToken(tx, { name: called, permissions }, reason);
      const { id, client_id: client } = created.token;
      return { id: publicId('Token', id), clientId: client, clientSecret: created.clientSecret };
    },
  }),
  operatorChange('revokeToken', {
    ...WORDS,
    route: 'POST /tokens/:tokenId/revoke',
    summary: 'Revoke a token',
    description: 'Refuses every call with the token from now on. It cannot be restored.',
    asksFirst: true,
    params: { tokenId: { id: 'Token', missing: 'TOKEN_NOT_FOUND' } },
    reply: component('RevokedToken', 'A token that an operator revoked.', { id: idSchema('Token') }),
    codes: [],
    async change(tx, { params: { tokenId }, body: { reason } }) {
      const { id } = await revokeAuditedToken(tx, tokenId, reason);
      return { id: publicId('Token', id) };
    },
  }),
  operatorChange('rotateWebhookKeyOfPlatform', {
    ...ON_PLATFORM,
    route: 'POST /platforms/:platformId/webhook-keys/rotate',
    summary: 'Rotate a webhook key',
    description: 'Creates a new signing key for the webhooks of a platform. It is published before it signs.',
    asksFirst: true,
    fields: {
      signsAfterSeconds: seconds('How long it is published before it signs; a day by default.'),
      keepsOldForSeconds: seconds('How long the old key stays published after that; a day by default.'),
      immediately: Type.Optional(
        Type.Boolean({
          description: 'It signs from now on, and receivers refuse webhooks until they know it.',
        }),
      ),
    },
    reply: component('RotatedWebhookKeys', 'The published keys of a platform after a rotation.', {
      keys: Type.Array(idSchema('WebhookKey'), { description: 'Their ids, the newest first.' }),
    }),
    codes: ['CONFLICT'],
    async change(tx, { body: { reason, ...request } }) {
      const keys = await rotateByOperator(tx, request, reason);
      return { keys: keys.map(({ id }) => id) };
    },
  }),
];

function seconds(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_SECONDS.max, description }));
}

function switched(
  step: 'disable' | 'enable',
  words: { summary: string; description: string; asksFirst?: true },
) {
  return operatorChange(`${step}Platform`, {
    ...ON_PLATFORM,
    ...words,
    route: `POST /platforms/:platformId/${step}`,
    reply: ChangedPlatform,
    codes: [],
    async change(tx, { body: { reason } }) {
      const { id, disabledAt } = await switchPlatform(tx, step, reason);
      return { id: publicId('Platform', id), isEnabled: disabledAt === null };
    },
  });
}
