import Type, { type Static } from 'typebox';
import { DELEGATED_KEY_STATUSES } from '#capabilities/cards/delegated-key-store.ts';
import { component, dateTime, idOf, namedSchema, oneOf, queryId, text } from '#foundation/http/schema.ts';
import { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';

const NICKNAME = text(1, 256, {
  description: 'What people call the key.',
  examples: ['Groceries'],
});

export const DelegatedKeyCreateRequest = component(
  'DelegatedKeyCreateRequest',
  {
    cardId: idOf('Card', { description: 'The card that is to spend; the wallet pays for it.' }),
    internalAccountId: idOf('InternalAccount', { description: 'The embedded wallet.' }),
    nickname: NICKNAME,
  },
  { description: 'A card that is to spend from a wallet without a signature for every purchase.' },
);
export type DelegatedKeyCreateRequest = Static<typeof DelegatedKeyCreateRequest>;

const DelegatedKeyStatus = namedSchema(
  'DelegatedKeyStatus',
  oneOf(DELEGATED_KEY_STATUSES, {
    description:
      '`PENDING` until its owner has signed twice, `ACTIVE` while the card can spend, `REVOKED` for good.',
  }),
);

export const DelegatedKey = component(
  'DelegatedKey',
  {
    id: idOf('DelegatedKey', { description: 'Id of the key.' }),
    cardId: idOf('Card', { description: 'The card that spends.' }),
    fundingSourceId: idOf('CardFundingSource', {
      description:
        'The card and the wallet together. Once something else pays for the card it is over, and comes back under no id.',
    }),
    accountId: idOf('InternalAccount', { description: 'The embedded wallet that pays.' }),
    publicKey: Type.String({
      description: 'The public key, on P-256, compressed, in hexadecimal. Nobody is told the private one.',
      examples: ['02d4f5a1c0e7b39268fa14c5730b9e82d6c3f1a5497e0b8c2d61f3a7945e8b0c12'],
    }),
    nickname: NICKNAME,
    status: DelegatedKeyStatus,
    createdAt: dateTime({ description: 'When its owner first signed for it.' }),
    updatedAt: dateTime({ description: 'When its status last changed.' }),
  },
  { description: 'With it the owner of a wallet lets one card spend from it.' },
);
export type DelegatedKey = Static<typeof DelegatedKey>;

export const DelegatedKeySignedRequestChallenge = component(
  'DelegatedKeySignedRequestChallenge',
  SignedRequestChallenge.properties,
  { description: 'The first or the second of two payloads that the owner of the wallet has to sign.' },
);

export const DelegatedKeyListResponse = component(
  'DelegatedKeyListResponse',
  { data: Type.Array(DelegatedKey, { description: 'All of them, oldest first.' }) },
  { description: 'Delegated keys of every status.' },
);

export const DelegatedKeysQuery = Type.Object({
  accountId: Type.Optional(queryId('InternalAccount', { description: 'Keys of this wallet.' })),
  fundingSourceId: Type.Optional(
    queryId('CardFundingSource', { description: 'Keys of this card and wallet together.' }),
  ),
});
export type DelegatedKeysQuery = Static<typeof DelegatedKeysQuery>;
