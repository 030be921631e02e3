import Type from 'typebox';
import { presentToken } from '#capabilities/tokens/present.ts';
import { findTokenUsage, listTokenUsage, type TokenUsageRow } from '#capabilities/tokens/store.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Platforms';
export const TOKEN_STATUSES = ['LIVE', 'REVOKED'] as const;

/** Tokens of platforms, never with a secret. A platform names its tokens, and a name may be a person's. */
export const TOKEN_LIST = recordList({
  name: 'tokens',
  area: AREA,
  summary: 'Tokens of platforms',
  hasTimes: true,
  filters: {
    status: Type.Optional(
      stringEnum(TOKEN_STATUSES, { description: 'Only those that are accepted, or only revoked ones.' }),
    ),
  },
  personal: { name: Type.String({ description: 'The name that its platform gave it.' }) },
  item: Type.Object({
    id: shown.id('Token', 'The token.'),
    name: shown.masked('name', 'The first letters of its name.'),
    permissions: shown.codes('Its permissions.'),
    clientId: shown.own('The client id of its credentials.'),
    status: shown.code('Whether it is accepted.', TOKEN_STATUSES),
    createdAt: shown.time('When it was created.'),
    lastUsedAt: shown.time('When it was used last, to the hour.'),
    revokedAt: shown.time('When it was revoked.'),
  }),
  page: (tx, request, filters) => listTokenUsage(tx, request, filters, presentSeen),
});

/** The platform's view of it, with the fields that only operators see. */
function presentSeen(token: TokenUsageRow) {
  return {
    ...presentToken(token),
    status: token.revoked_at === null ? ('LIVE' as const) : ('REVOKED' as const),
    lastUsedAt: token.used_at,
    revokedAt: token.revoked_at,
  };
}

export const TOKEN_SHOW = recordShow({
  name: 'tokens',
  area: AREA,
  summary: 'A token of a platform',
  type: 'Token',
  async load(tx, name: string) {
    const token = await findTokenUsage(tx, name);
    if (!token) throw notFound('TOKEN_NOT_FOUND', 'Token');
    return presentSeen(token);
  },
});
