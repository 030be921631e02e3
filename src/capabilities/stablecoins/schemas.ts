import Type, { type Static } from 'typebox';
import { ISSUANCE_STATUSES, NETWORKS, SVC_STATUSES } from '#capabilities/stablecoins/coin-row.ts';
import { LINK_STATUSES, PROVIDERS } from '#capabilities/stablecoins/link-row.ts';
import { component, dateTime, idSchema, namedEnum, page, pageQuery, text } from '#foundation/http/schema.ts';

export const StablecoinProvider = namedEnum(
  'StablecoinProvider',
  'The provider that issues the coin.',
  PROVIDERS,
);
export const StablecoinProviderEnvironment = namedEnum(
  'StablecoinProviderEnvironment',
  'The provider’s environment, which follows from your token.',
  ['SANDBOX', 'PRODUCTION'],
);
const StablecoinProviderAccountStatus = namedEnum(
  'StablecoinProviderAccountStatus',
  'Whether the provider accepts the credentials. `INVALID`: it refused them; link the account again. `REVOKED` is final.',
  LINK_STATUSES,
);
const StablecoinNetwork = namedEnum('StablecoinNetwork', 'The network that the token is on.', NETWORKS);
const StablecoinIssuanceStatus = namedEnum(
  'StablecoinIssuanceStatus',
  'The provider’s progress with the coin. The coin can be minted and burned once it is `PROVISIONED`.',
  ISSUANCE_STATUSES,
);
const StablecoinSvcOperationsStatus = namedEnum(
  'StablecoinSvcOperationsStatus',
  'Whether internal accounts can hold the coin. While it is `ENABLED`, it is one of your currencies.',
  SVC_STATUSES,
);

export const StablecoinProviderAccount = component(
  'StablecoinProviderAccount',
  'Your account at the provider that issues coins. Its credentials are never shown.',
  {
    id: idSchema('StablecoinProviderAccount', { description: 'Id of the link.' }),
    provider: StablecoinProvider,
    providerAccountId: Type.String({ description: 'The account’s id at the provider.' }),
    providerEnvironment: StablecoinProviderEnvironment,
    status: StablecoinProviderAccountStatus,
    lastVerifiedAt: Type.Optional(
      dateTime({ description: 'When the provider last accepted the credentials.' }),
    ),
    createdAt: dateTime({ description: 'When the account was linked.' }),
    updatedAt: dateTime({ description: 'When the link last changed.' }),
  },
);
export type StablecoinProviderAccount = Static<typeof StablecoinProviderAccount>;

export const StablecoinProviderAccountLinkRequest = component(
  'StablecoinProviderAccountLinkRequest',
  'The provider account to link.',
  {
    provider: StablecoinProvider,
    apiClientId: text(1, 255, { description: 'The client id of your API credentials at the provider.' }),
    apiClientSecret: text(1, 1024, {
      writeOnly: true,
      description: 'Its secret. It is stored encrypted and never shown again.',
    }),
    providerAccountId: Type.Optional(
      text(1, 255, { description: 'The account, if the credentials open several.' }),
    ),
  },
);
export type StablecoinProviderAccountLinkRequest = Static<typeof StablecoinProviderAccountLinkRequest>;

export const ProviderAccountsQuery = pageQuery({
  provider: Type.Optional(StablecoinProvider),
  status: Type.Optional(StablecoinProviderAccountStatus),
});

export const StablecoinProviderAccountListResponse = page(
  'StablecoinProviderAccountListResponse',
  StablecoinProviderAccount,
  { total: true },
);

export const Stablecoin = component('Stablecoin', 'One of your coins, worth one US dollar.', {
  id: idSchema('Stablecoin', { description: 'Id of the coin.' }),
  name: Type.String({ description: 'Its name at the provider.', examples: ['Acme Dollar'] }),
  symbol: Type.String({ description: 'Its symbol at the provider.', examples: ['ACMEUSD'] }),
  baseCurrency: Type.String({
    description: 'The currency of which one coin is worth one unit: USD.',
    examples: ['USD'],
  }),
  network: StablecoinNetwork,
  decimals: Type.Integer({
    description: 'Digits after the point: amounts are in units of 10^-decimals.',
    examples: [6],
  }),
  issuanceStatus: StablecoinIssuanceStatus,
  svcOperationsStatus: StablecoinSvcOperationsStatus,
  networkTokenIdentifier: Type.String({ description: 'The token’s identifier on the network.' }),
  currency: Type.Optional(
    Type.String({
      description:
        'Its currency code, which is its symbol. Present after the coin was enabled for the first time.',
      examples: ['ACMEUSD'],
    }),
  ),
  provider: StablecoinProvider,
  stablecoinProviderAccountId: idSchema('StablecoinProviderAccount', {
    description: 'The link to the provider.',
  }),
  providerEnvironment: StablecoinProviderEnvironment,
  providerTokenIdentifier: Type.String({ description: 'The token’s identifier at the provider.' }),
  createdAt: dateTime({ description: 'When the coin was registered.' }),
  updatedAt: dateTime({ description: 'When the coin last changed.' }),
});
export type Stablecoin = Static<typeof Stablecoin>;

export const StablecoinRegisterRequest = component(
  'StablecoinRegisterRequest',
  'An existing token at the provider, to register as a coin.',
  {
    providerTokenIdentifier: text(1, 255, { description: 'The token’s identifier at the provider.' }),
    networkTokenIdentifier: text(1, 255, { description: 'The token’s identifier on the network.' }),
    network: StablecoinNetwork,
    stablecoinProviderAccountId: Type.Optional(
      idSchema('StablecoinProviderAccount', {
        description: 'The link to the provider. Optional if exactly one link is active.',
      }),
    ),
  },
);
export type StablecoinRegisterRequest = Static<typeof StablecoinRegisterRequest>;

export const StablecoinsQuery = pageQuery({
  issuanceStatus: Type.Optional(StablecoinIssuanceStatus),
  svcOperationsStatus: Type.Optional(StablecoinSvcOperationsStatus),
  provider: Type.Optional(StablecoinProvider),
});

export const StablecoinListResponse = page('StablecoinListResponse', Stablecoin, { total: true });
