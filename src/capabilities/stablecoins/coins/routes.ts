import { checkStablecoinsAvailable } from '#capabilities/stablecoins/availability.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import { coinNotFound, requestEnablement } from '#capabilities/stablecoins/coins/enablement.ts';
import {
  COIN_REQUEST,
  ENABLED_COIN,
  EXAMPLE_COIN,
  REQUESTED_COIN,
} from '#capabilities/stablecoins/coins/examples.ts';
import { planCoin } from '#capabilities/stablecoins/coins/register-coin.ts';
import { listCoins } from '#capabilities/stablecoins/coins/store.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import {
  Stablecoin,
  StablecoinListResponse,
  StablecoinRegisterRequest,
  StablecoinsQuery,
} from '#capabilities/stablecoins/schemas.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const AREA = 'Stablecoins';
const COIN_PARAM: { stablecoinId: IdParam<'Stablecoin'> } = {
  stablecoinId: { id: 'Stablecoin', missing: 'STABLECOIN_NOT_FOUND' },
};
const COIN = { stablecoinId: EXAMPLE_IDS.coin };

const register = operation('registerStablecoin', {
  route: 'POST /stablecoins',
  area: AREA,
  summary: 'Register a stablecoin',
  description:
    'Registers an existing token at the provider as one of your coins. Its name, symbol and decimals come from the ' +
    'provider. The coin can be minted and burned once it is `PROVISIONED`.',
  access: 'manage',
  checkAvailable: checkStablecoinsAvailable,
  idempotency: { key: 'required' },
  body: StablecoinRegisterRequest,
  status: 201,
  reply: Stablecoin,
  codes: [
    'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
    'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
    'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
    'STABLECOIN_VERIFICATION_FAILED',
    'STABLECOIN_PROVIDER_ERROR',
    'STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS',
    'STABLECOIN_SYMBOL_ALREADY_EXISTS',
    'NOT_IMPLEMENTED',
  ],
  examples: { 'With the only active provider account': { body: COIN_REQUEST, reply: EXAMPLE_COIN } },
  async prepare(tx, { body }) {
    return planCoin(tx, body);
  },
});

const list = operation('listStablecoins', {
  route: 'GET /stablecoins',
  area: AREA,
  summary: 'List stablecoins',
  description: 'Newest first, including rejected ones.',
  access: 'view',
  query: StablecoinsQuery,
  reply: StablecoinListResponse,
  codes: [],
  examples: {
    'Coins that can be minted': {
      query: { issuanceStatus: 'PROVISIONED' },
      reply: exampleList(EXAMPLE_COIN),
    },
  },
  async read(tx, { query }) {
    return listCoins(tx, pageRequest('stablecoins', query), query, presentCoin);
  },
});

const get = operation('getStablecoin', {
  route: 'GET /stablecoins/:stablecoinId',
  area: AREA,
  summary: 'Get a stablecoin',
  description: 'The current state of the coin.',
  access: 'view',
  params: COIN_PARAM,
  reply: Stablecoin,
  codes: ['STABLECOIN_NOT_FOUND'],
  examples: { 'A coin that is a currency': { params: COIN, reply: ENABLED_COIN } },
  async read(tx, { params }) {
    const coin = await findCoin(tx, params.stablecoinId);
    return coin ? presentCoin(coin) : coinNotFound();
  },
});

const requestSvcEnablement = operation('requestStablecoinEnablement', {
  route: 'POST /stablecoins/:stablecoinId/request-svc-enablement',
  area: AREA,
  summary: 'Request that a stablecoin be enabled for internal accounts',
  description:
    'The operator approves or declines. Once the coin is `ENABLED`, its symbol is one of your currencies: add it to ' +
    '`supportedCurrencies` so that internal accounts can hold it.',
  access: 'manage',
  checkAvailable: checkStablecoinsAvailable,
  params: COIN_PARAM,
  reply: Stablecoin,
  codes: [
    'STABLECOIN_NOT_FOUND',
    'STABLECOIN_NOT_PROVISIONED',
    'STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE',
    'NOT_IMPLEMENTED',
  ],
  examples: { 'A provisioned coin': { params: COIN, reply: REQUESTED_COIN } },
  async write(tx, { params }) {
    return requestEnablement(tx, params.stablecoinId);
  },
});

/** In the contract's order; mints and burns come after them. */
export const coinOperations = [register, list, get, requestSvcEnablement];
