import { checkStablecoinsAvailable } from '#capabilities/stablecoins/availability.ts';
import { findLink } from '#capabilities/stablecoins/link-store.ts';
import { linkNotFound } from '#capabilities/stablecoins/links/change-link.ts';
import { EXAMPLE_LINK, LINK_REQUEST } from '#capabilities/stablecoins/links/examples.ts';
import { planLink } from '#capabilities/stablecoins/links/link-account.ts';
import { listLinks } from '#capabilities/stablecoins/links/store.ts';
import { presentLink } from '#capabilities/stablecoins/present.ts';
import {
  ProviderAccountsQuery,
  StablecoinProviderAccount,
  StablecoinProviderAccountLinkRequest,
  StablecoinProviderAccountListResponse,
} from '#capabilities/stablecoins/schemas.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const AREA = 'Stablecoins';
const LINK_PARAM: { stablecoinProviderAccountId: IdParam<'StablecoinProviderAccount'> } = {
  stablecoinProviderAccountId: {
    id: 'StablecoinProviderAccount',
    missing: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
  },
};

const link = operation('linkStablecoinProviderAccount', {
  route: 'POST /stablecoin-provider-accounts',
  area: AREA,
  summary: 'Link a provider account',
  description:
    'Verifies the credentials with the provider, and stores them encrypted. A link that became `INVALID` or `REVOKED` is ' +
    'replaced by a new link to the same account, which takes over its coins.',
  access: 'manage',
  checkAvailable: checkStablecoinsAvailable,
  idempotency: { key: 'required' },
  body: StablecoinProviderAccountLinkRequest,
  status: 201,
  reply: StablecoinProviderAccount,
  codes: ['STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'STABLECOIN_PROVIDER_ERROR', 'CONFLICT', 'NOT_IMPLEMENTED'],
  examples: { 'With credentials that open one account': { body: LINK_REQUEST, reply: EXAMPLE_LINK } },
  async prepare(tx, { body }) {
    return planLink(tx, body);
  },
});

const list = operation('listStablecoinProviderAccounts', {
  route: 'GET /stablecoin-provider-accounts',
  area: AREA,
  summary: 'List provider accounts',
  description: 'Newest first, including invalid and revoked ones.',
  access: 'view',
  query: ProviderAccountsQuery,
  reply: StablecoinProviderAccountListResponse,
  codes: [],
  examples: { 'Active ones': { query: { status: 'ACTIVE' }, reply: exampleList(EXAMPLE_LINK) } },
  async read(tx, { query }) {
    const present = (row: Parameters<typeof presentLink>[0]) => presentLink(row, tx.platform);
    return listLinks(tx, pageRequest('stablecoin-provider-accounts', query), query, present);
  },
});

const get = operation('getStablecoinProviderAccount', {
  route: 'GET /stablecoin-provider-accounts/:stablecoinProviderAccountId',
  area: AREA,
  summary: 'Get a provider account',
  description: 'The current state of the link, without its credentials.',
  access: 'view',
  params: LINK_PARAM,
  reply: StablecoinProviderAccount,
  codes: ['STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
  examples: {
    'An active link': {
      params: { stablecoinProviderAccountId: EXAMPLE_IDS.coinProvider },
      reply: EXAMPLE_LINK,
    },
  },
  async read(tx, { params }) {
    const row = await findLink(tx, params.stablecoinProviderAccountId);
    return row ? presentLink(row, tx.platform) : linkNotFound();
  },
});

export const providerAccountOperations = [link, list, get];
