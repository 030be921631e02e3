import { delegationTarget, prepareDelegation } from '#capabilities/cards/delegated-keys/create-key.ts';
import { ADA_KEY, ASK, SIGN_FIRST, SIGN_SECOND } from '#capabilities/cards/delegated-keys/examples.ts';
import {
  listKeys,
  loadKey,
  presentKey,
  revokeDelegatedKey,
} from '#capabilities/cards/delegated-keys/keys.ts';
import {
  DelegatedKey,
  DelegatedKeyCreateRequest,
  DelegatedKeyListResponse,
  DelegatedKeySignedRequestChallenge,
  DelegatedKeysQuery,
} from '#capabilities/cards/delegated-keys/schemas.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';

const area = 'Embedded Wallet Auth';
const KEY: { id: IdParam<'DelegatedKey'> } = { id: { id: 'DelegatedKey', missing: 'NOT_FOUND' } };

const create = operation('createDelegatedKey', {
  route: 'POST /auth/delegated-keys',
  area,
  summary: 'Let a card spend from a wallet',
  description:
    'Takes three calls with the same body; an active session of the wallet signs the second and the third. The first and ' +
    'the second call answer 202 with the next payload to sign, the third 201. From then on purchases with the card need no ' +
    'signature, until the key is revoked, the card is closed or its funding source changes. A card has at most one active key.',
  access: 'manage',
  idempotency: { key: 'ignored' },
  signed: { target: (tx, { body }) => delegationTarget(tx, body) },
  body: DelegatedKeyCreateRequest,
  status: 201,
  reply: DelegatedKey,
  otherReplies: { 202: DelegatedKeySignedRequestChallenge },
  codes: ['NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'WALLET_NOT_PROVISIONED', 'CONFLICT'],
  auditDetails: ({ body: { cardId, internalAccountId } }, reply) => ({
    cardId,
    internalAccountId,
    ...('status' in reply && { delegatedKeyId: reply.id }),
  }),
  examples: {
    'The payload to sign': ASK,
    'The first signature': SIGN_FIRST,
    'The second signature': SIGN_SECOND,
  },
  prepare: (tx, { body, signed }) => prepareDelegation(tx, body, signed),
});

const list = operation('listDelegatedKeys', {
  route: 'GET /auth/delegated-keys',
  area,
  summary: 'List delegated keys',
  description:
    'Lists the keys of a wallet, or of a card and a wallet together, in every status, oldest first. The list is empty for a ' +
    'resource that is not yours.',
  access: 'view',
  query: DelegatedKeysQuery,
  reply: DelegatedKeyListResponse,
  codes: [],
  examples: {
    'The keys of a wallet': { query: { accountId: ADA_KEY.accountId }, reply: { data: [ADA_KEY] } },
  },
  read: async (tx, { query }) => ({ data: await listKeys(tx, query) }),
});

const get = operation('getDelegatedKeyById', {
  route: 'GET /auth/delegated-keys/:id',
  area,
  summary: 'Get a delegated key',
  description: 'Returns the key in its current state, without its private half.',
  access: 'view',
  params: KEY,
  reply: DelegatedKey,
  codes: [],
  examples: { 'An active key': { params: { id: ADA_KEY.id }, reply: ADA_KEY } },
  read: async (tx, { params }) => presentKey(await loadKey(tx, params.id)),
});

const revoke = operation('revokeDelegatedKey', {
  route: 'DELETE /auth/delegated-keys/:id',
  area,
  summary: 'Revoke a delegated key',
  description:
    'Revokes the key for good, without a signature. From now on the card is declined, until its owner delegates another key. ' +
    'Purchases that were authorized before are cleared as usual.',
  access: 'manage',
  params: KEY,
  codes: ['INVALID_INPUT'],
  examples: { 'An active key': { params: { id: ADA_KEY.id } } },
  async write(tx, { params }) {
    await revokeDelegatedKey(tx, params.id);
  },
});

/** In contract order. */
export const delegatedKeyOperations = [create, list, get, revoke];
