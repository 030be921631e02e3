import type { DelegatedKey } from '#capabilities/cards/delegated-keys/schemas.ts';
import {
  EXAMPLE_IDS,
  EXAMPLE_TIME,
  EXAMPLE_WALLET_SIGNATURE,
  exampleChallenge,
  exampleOpaqueId,
} from '#foundation/lib/examples.ts';

/** Ada's wallet pays for her card. */
export const ADA_KEY: DelegatedKey = {
  id: EXAMPLE_IDS.cardKey,
  cardId: EXAMPLE_IDS.card,
  fundingSourceId: EXAMPLE_IDS.walletSource,
  accountId: EXAMPLE_IDS.adaUsdb,
  publicKey: '03daab7d75f74e6a47ad15a8cd77acdf9258f6af62ef10759f3ec627f66798b71c',
  nickname: 'Groceries',
  status: 'ACTIVE',
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const BODY = { cardId: ADA_KEY.cardId, internalAccountId: ADA_KEY.accountId, nickname: ADA_KEY.nickname };
const signature = EXAMPLE_WALLET_SIGNATURE;

/** The three legs. */
export const ASK = {
  body: BODY,
  status: 202,
  reply: exampleChallenge(EXAMPLE_IDS.keyRequest, 11, {
    type: 'CREATE_USERS_V3',
    parameters: { publicKey: ADA_KEY.publicKey, userName: ADA_KEY.nickname },
  }),
};

export const SIGN_FIRST = {
  body: BODY,
  requestId: EXAMPLE_IDS.keyRequest,
  signature,
  status: 202,
  reply: exampleChallenge(EXAMPLE_IDS.policyRequest, 12, {
    type: 'CREATE_POLICIES',
    parameters: {
      delegatedKeyId: exampleOpaqueId('delegated_key', EXAMPLE_IDS.cardKey),
      walletId: exampleOpaqueId('wallet', EXAMPLE_IDS.adaUsdb),
    },
  }),
};

export const SIGN_SECOND = { body: BODY, requestId: EXAMPLE_IDS.policyRequest, signature, reply: ADA_KEY };
