import { grantToken } from '#capabilities/tokens/create-token.ts';
import { CLIENT_SECRET, TOKEN, TOKEN_REQUEST } from '#capabilities/tokens/examples.ts';
import { presentToken } from '#capabilities/tokens/present.ts';
import { revokeOtherToken } from '#capabilities/tokens/revoke-token.ts';
import {
  ApiToken,
  ApiTokenCreateRequest,
  TokenListResponse,
  TokenQuery,
} from '#capabilities/tokens/schemas.ts';
import { findToken, listTokens, type TokenFilter } from '#capabilities/tokens/store.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest, requireOrderedBounds } from '#foundation/http/paging.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { exampleList } from '#foundation/lib/examples.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'API Tokens';
/** The id of the calling token; another kind of caller has none, and gets the nil id. */
const tokenIdOf = (caller: Caller) => (caller.kind === 'token' ? caller.id : NIL_ID);
const params = { tokenId: { id: 'Token', missing: 'TOKEN_NOT_FOUND' } } as const;

export const tokenOperations = [
  operation('createToken', {
    route: 'POST /tokens',
    area,
    summary: 'Create a token',
    description:
      'A token can grant only permissions that it has itself. The reply contains the secret, which is not stored ' +
      'and cannot be shown again.',
    access: 'manage',
    body: ApiTokenCreateRequest,
    status: 201,
    reply: ApiToken,
    idempotency: { key: 'optional', secretReply: true },
    codes: ['INVALID_INPUT', 'CONFLICT'],
    examples: { 'For a backend': { body: TOKEN_REQUEST, reply: { ...TOKEN, clientSecret: CLIENT_SECRET } } },
    async write(tx, { body, caller }) {
      const { token, clientSecret } = await grantToken(tx, tokenIdOf(caller), {
        name: body.name,
        permissions: body.permissions,
      });
      return { ...presentToken(token), clientSecret };
    },
  }),
  operation('listTokens', {
    route: 'GET /tokens',
    area,
    summary: 'List tokens',
    description: 'Newest first; deleted tokens are not listed.',
    access: 'view',
    query: TokenQuery,
    reply: TokenListResponse,
    codes: ['INVALID_INPUT'],
    examples: {
      'By name': { query: { name: TOKEN.name }, reply: exampleList(TOKEN) },
    },
    async read(tx, { query }) {
      requireOrderedBounds(query, [
        ['createdAfter', 'createdBefore'],
        ['updatedAfter', 'updatedBefore'],
      ]);
      return listTokens(tx, pageRequest('listTokens', query), readFilter(query), presentToken);
    },
  }),
  operation('getTokenById', {
    route: 'GET /tokens/:tokenId',
    area,
    summary: 'Read a token',
    description: 'Returns the token without its secret, which is shown only once, when the token is created.',
    access: 'view',
    params,
    reply: ApiToken,
    codes: ['TOKEN_NOT_FOUND'],
    examples: { 'For a backend': { params: { tokenId: TOKEN.id }, reply: TOKEN } },
    async read(tx, { params: { tokenId } }) {
      const token = await findToken(tx, tokenId);
      return token ? presentToken(token) : notFound('TOKEN_NOT_FOUND', 'Token');
    },
  }),
  operation('deleteTokenById', {
    route: 'DELETE /tokens/:tokenId',
    area,
    summary: 'Delete a token',
    description: 'The token is refused from its next use on. A token cannot delete itself.',
    access: 'manage',
    params,
    codes: ['INVALID_INPUT', 'TOKEN_NOT_FOUND'],
    examples: { 'For a backend': { params: { tokenId: TOKEN.id } } },
    async write(tx, { params: { tokenId }, caller }) {
      await revokeOtherToken(tx, tokenId, tokenIdOf(caller));
      return undefined;
    },
  }),
];

function readFilter({ name, ...bounds }: TokenQuery): TokenFilter {
  return {
    ...(name !== undefined && { name }),
    ...(bounds.createdAfter !== undefined && { createdAfter: parseDateTime(bounds.createdAfter) }),
    ...(bounds.createdBefore !== undefined && { createdBefore: parseDateTime(bounds.createdBefore) }),
    ...(bounds.updatedAfter !== undefined && { updatedAfter: parseDateTime(bounds.updatedAfter) }),
    ...(bounds.updatedBefore !== undefined && { updatedBefore: parseDateTime(bounds.updatedBefore) }),
  };
}
