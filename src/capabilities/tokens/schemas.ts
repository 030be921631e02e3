import Type, { type Static } from 'typebox';
import { component, dateTime, idSchema, namedEnum, page, pageQuery, text } from '#foundation/http/schema.ts';

export const Permission = namedEnum(
  'Permission',
  'VIEW reads, TRANSACT moves money, MANAGE writes everything else. No permission includes another.',
  ['VIEW', 'TRANSACT', 'MANAGE'],
);
export type Permission = Static<typeof Permission>;

const permissions = (description: string) =>
  Type.Array(Permission, { minItems: 1, maxItems: 100, description, examples: [['VIEW', 'TRANSACT']] });

export const ApiToken = component('ApiToken', 'A credential of the platform in one environment.', {
  id: idSchema('Token', { description: 'Id of the token.' }),
  name: Type.String({
    description: 'Name that says what the token is for.',
    examples: ['Payroll backend'],
  }),
  permissions: permissions('Permissions of the token.'),
  clientId: Type.String({ description: 'Username of HTTP Basic: 32 hexadecimal digits.' }),
  clientSecret: Type.Optional(
    Type.String({ description: 'Password of HTTP Basic. Shown once, when the token is created.' }),
  ),
  createdAt: dateTime({ description: 'When it was created.' }),
  updatedAt: dateTime({ description: 'When it last changed.' }),
});
export type ApiToken = Static<typeof ApiToken>;

export const ApiTokenCreateRequest = component('ApiTokenCreateRequest', 'The token to create.', {
  name: text(1, 255, {
    description: 'Name that says what the token is for; need not be unique.',
    examples: ['Payroll backend'],
  }),
  permissions: permissions('Permissions of the token; at least one.'),
});

export const TokenQuery = pageQuery({
  name: Type.Optional(Type.String({ description: 'Only tokens with exactly this name.' })),
  createdAfter: Type.Optional(dateTime({ description: 'Only tokens created at this time or later.' })),
  createdBefore: Type.Optional(dateTime({ description: 'Only tokens created at this time or earlier.' })),
  updatedAfter: Type.Optional(dateTime({ description: 'Only tokens changed at this time or later.' })),
  updatedBefore: Type.Optional(dateTime({ description: 'Only tokens changed at this time or earlier.' })),
});
export type TokenQuery = Static<typeof TokenQuery>;

export const TokenListResponse = page('TokenListResponse', ApiToken);
