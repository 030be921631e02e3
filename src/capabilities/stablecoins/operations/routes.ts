import { checkStablecoinsAvailable } from '#capabilities/stablecoins/availability.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import { createOperation } from '#capabilities/stablecoins/operations/create-operation.ts';
import {
  BURN_REQUEST,
  DONE_BURN,
  DONE_MINT,
  EXAMPLE_BURN,
  EXAMPLE_SUPPLY,
  PAID_MINT,
  PAID_MINT_REQUEST,
  WIRE_MINT,
  WIRE_MINT_REQUEST,
} from '#capabilities/stablecoins/operations/examples.ts';
import { presentOperation, presentSupply } from '#capabilities/stablecoins/operations/present.ts';
import {
  StablecoinBurnRequest,
  StablecoinMintRequest,
  StablecoinOperation,
  StablecoinOperationListResponse,
  StablecoinOperationsQuery,
  StablecoinSupply,
} from '#capabilities/stablecoins/operations/schemas.ts';
import { findOperation, listOperations } from '#capabilities/stablecoins/operations/store.ts';
import { loadSupply } from '#capabilities/stablecoins/operations/supply-store.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const AREA = 'Stablecoins';
const COIN = { stablecoinId: EXAMPLE_IDS.coin };
const COIN_PARAM: { stablecoinId: IdParam<'Stablecoin'> } = {
  stablecoinId: { id: 'Stablecoin', missing: 'STABLECOIN_NOT_FOUND' },
};

/** The codes that both operations have. */
const CODES = [
  'STABLECOIN_NOT_FOUND',
  'STABLECOIN_NOT_PROVISIONED',
  'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  'INVALID_AMOUNT',
  'STABLECOIN_AMOUNT_NOT_REPRESENTABLE',
  'STABLECOIN_SVC_OPERATIONS_NOT_ENABLED',
  'STABLECOIN_OPERATION_NOT_SUPPORTED',
  'STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND',
  'STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED',
  'STABLECOIN_EXTERNAL_ACCOUNT_NOT_LINKED',
  'STABLECOIN_EXTERNAL_ACCOUNT_LINK_FAILED',
  'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED',
  'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_REQUIRED',
  'STABLECOIN_EXTERNAL_ACCOUNT_LINK_METHOD_REQUIRED',
  'STABLECOIN_PROVIDER_ERROR',
  'ACCOUNT_NOT_FOUND',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'WALLET_NOT_PROVISIONED',
  'INSUFFICIENT_FUNDS',
  'CONFLICT',
  'NOT_IMPLEMENTED',
  'SERVICE_UNAVAILABLE',
] as const;

const mint = operation('createStablecoinMint', {
  route: 'POST /stablecoins/:stablecoinId/mints',
  area: AREA,
  summary: 'Mint coins',
  description:
    'Orders new coins from the provider, paid for in US dollars. If you have to send the dollars, the reply has the ' +
    'instructions and the deadline. There are no webhooks: poll the operation until it is `COMPLETED`, `FAILED` or ' +
    '`EXPIRED`. With the same `Idempotency-Key` coins are minted once, even if the request is repeated.',
  access: 'transact',
  checkAvailable: checkStablecoinsAvailable,
  params: COIN_PARAM,
  body: StablecoinMintRequest,
  idempotency: { key: 'required' },
  status: 201,
  reply: StablecoinOperation,
  codes: [...CODES, 'INVALID_CURRENCY', 'STABLECOIN_PROVIDER_SOURCE_NOT_LINKED'],
  examples: {
    'Paid by wire': { params: COIN, body: WIRE_MINT_REQUEST, reply: WIRE_MINT },
    'Paid by an internal account': { params: COIN, body: PAID_MINT_REQUEST, reply: PAID_MINT },
  },
  handle: (work, { params, body }) =>
    createOperation(work, { type: 'MINT', coinId: params.stablecoinId, body }),
});

const burn = operation('createStablecoinBurn', {
  route: 'POST /stablecoins/:stablecoinId/burns',
  area: AREA,
  summary: 'Burn coins',
  description:
    'The provider destroys coins and pays their value in US dollars to a bank account. If you have to send the coins, ' +
    'the reply has the instructions and the deadline. Poll the operation until it is `COMPLETED`, `FAILED` or ' +
    '`EXPIRED`. With the same `Idempotency-Key` coins are burned once, even if the request is repeated.',
  access: 'transact',
  checkAvailable: checkStablecoinsAvailable,
  params: COIN_PARAM,
  body: StablecoinBurnRequest,
  idempotency: { key: 'required' },
  status: 201,
  reply: StablecoinOperation,
  codes: [...CODES, 'STABLECOIN_BURN_SOURCE_NOT_SUPPORTED'],
  examples: { 'Coins that you send': { params: COIN, body: BURN_REQUEST, reply: EXAMPLE_BURN } },
  handle: (work, { params, body }) =>
    createOperation(work, { type: 'BURN', coinId: params.stablecoinId, body }),
});

const list = operation('listStablecoinOperations', {
  route: 'GET /stablecoins/:stablecoinId/operations',
  area: AREA,
  summary: 'List mints and burns of a coin',
  description: 'Newest first.',
  access: 'view',
  params: COIN_PARAM,
  query: StablecoinOperationsQuery,
  reply: StablecoinOperationListResponse,
  codes: ['STABLECOIN_NOT_FOUND'],
  examples: { Burns: { params: COIN, query: { operationType: 'BURN' }, reply: exampleList(DONE_BURN) } },
  async read(tx, { params: { stablecoinId: coinId }, query }) {
    if (!(await findCoin(tx, coinId))) throw notFound('STABLECOIN_NOT_FOUND', 'Stablecoin');
    const { operationType } = query;
    return listOperations(
      tx,
      pageRequest('listStablecoinOperations', query),
      { coinId, operationType },
      (row) => presentOperation(row, tx.platform),
    );
  },
});

const get = operation('getStablecoinOperation', {
  route: 'GET /stablecoin-operations/:stablecoinOperationId',
  area: AREA,
  summary: 'Get a mint or burn',
  description: 'The current state of the operation. Poll until it is `COMPLETED`, `FAILED` or `EXPIRED`.',
  access: 'view',
  params: {
    stablecoinOperationId: { id: 'StablecoinOperation', missing: 'STABLECOIN_OPERATION_NOT_FOUND' },
  },
  reply: StablecoinOperation,
  codes: ['STABLECOIN_OPERATION_NOT_FOUND'],
  examples: {
    'A completed mint': { params: { stablecoinOperationId: EXAMPLE_IDS.mint }, reply: DONE_MINT },
  },
  async read(tx, { params }) {
    const row = await findOperation(tx, params.stablecoinOperationId);
    if (!row || row.status === 'REFUSED')
      throw notFound('STABLECOIN_OPERATION_NOT_FOUND', 'StablecoinOperation');
    return presentOperation(row, tx.platform);
  },
});

const getSupply = operation('getStablecoinSupply', {
  route: 'GET /stablecoins/:stablecoinId/supply',
  area: AREA,
  summary: 'Get the supply of a coin',
  description:
    'Returns the coins that exist, where they are, and the money that backs them, as the ledger has them. A coin that was ' +
    'rejected, or failed, has none.',
  access: 'view',
  isBeyondContract: true,
  params: COIN_PARAM,
  reply: StablecoinSupply,
  codes: ['STABLECOIN_NOT_FOUND'],
  examples: { 'A coin in external wallets': { params: COIN, reply: EXAMPLE_SUPPLY } },
  async read(tx, { params }) {
    const coin = await findCoin(tx, params.stablecoinId);
    if (!coin) throw notFound('STABLECOIN_NOT_FOUND', 'Stablecoin');
    return presentSupply(coin, await loadSupply(tx, coin));
  },
});

export const stablecoinOperationOperations = [mint, burn, list, get, getSupply];
