import Type, { type Static } from 'typebox';
import { DELEGATED_KEY_STATUSES } from '#capabilities/cards/delegated-key-store.ts';
import { component, dateTime, idSchema, namedEnum, queryId, text } from '#foundation/http/schema.ts';
import { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';

const NICKNAME = text(1, 256, {
  description: 'A name for the key.',
  examples: ['Groceries'],
});

export const DelegatedKeyCreateRequest = component(
  'DelegatedKeyCreateRequest',
  'A request that lets a card spend from a wallet without a signature for every purchase.',
  {
    cardId: idSchema('Card', { description: 'The card that may spend; the wallet is its funding source.' }),
    internalAccountId: idSchema('InternalAccount', { description: 'The embedded wallet.' }),
    nickname: NICKNAME,
  },
);
export type DelegatedKeyCreateRequest = Static<typeof DelegatedKeyCreateRequest>;

const DelegatedKeyStatus = namedEnum(
  'DelegatedKeyStatus',
  '`PENDING` until its owner has signed twice, `ACTIVE` while the card can spend, `REVOKED` for good.',
  DELEGATED_KEY_STATUSES,
);

export const DelegatedKey = component(
  'DelegatedKey',
  'A key with which the owner of a wallet lets one card spend from it.',
  {
    id: idSchema('DelegatedKey', { description: 'Id of the key.' }),
    cardId: idSchema('Card', { description: 'The card that spends.' }),
    fundingSourceId: idSchema('CardFundingSource', {
      description:
        'Id of the card and the wallet together. It ends when the card’s funding source changes, and is never used again.',
    }),
    accountId: idSchema('InternalAccount', { description: 'The embedded wallet that pays.' }),
    publicKey: Type.String({
      description: 'The public key, on P-256, compressed, in hexadecimal. The private key is never shown.',
      examples: ['02d4f5a1c0e7b39268fa14c5730b9e82d6c3f1a5497e0b8c2d61f3a7945e8b0c12'],
    }),
    nickname: NICKNAME,
    status: DelegatedKeyStatus,
    createdAt: dateTime({ description: 'When its owner first signed for it.' }),
    updatedAt: dateTime({ description: 'When its status last changed.' }),
  },
);
export type DelegatedKey = Static<typeof DelegatedKey>;

export const DelegatedKeySignedRequestChallenge = component(
  'DelegatedKeySignedRequestChallenge',
  'The first or the second of two payloads that the owner of the wallet has to sign.',
  SignedRequestChallenge.properties,
);

export const DelegatedKeyListResponse = component(
  'DelegatedKeyListResponse',
  'Delegated keys of every status.',
  { data: Type.Array(DelegatedKey, { description: 'All keys, oldest first.' }) },
);

export const DelegatedKeysQuery = Type.Object({
  accountId: Type.Optional(queryId('InternalAccount', { description: 'Keys of this wallet.' })),
  fundingSourceId: Type.Optional(
    queryId('CardFundingSource', { description: 'Keys of this card and wallet together.' }),
  ),
});
export type DelegatedKeysQuery = Static<typeof DelegatedKeysQuery>;
