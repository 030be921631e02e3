import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import {
  CHANGES,
  CONFIG_WITHOUT_ENDPOINT,
  FIRST_VASPS,
  FRESH_CONFIG,
  KENYAN_INSTITUTIONS,
  PESO_PROVIDERS,
} from '#capabilities/platform/examples.ts';
import { filterInstitutions } from '#capabilities/platform/institutions.ts';
import { presentConfig, presentInstitution, presentProvider } from '#capabilities/platform/present.ts';
import { findDomainProof } from '#capabilities/platform/prove-domain.ts';
import {
  DiscoveryListResponse,
  DiscoveryQuery,
  PlatformConfig as PlatformConfigSchema,
  PlatformConfigUpdateRequest,
  UmaProviderListResponse,
  UmaProviderQuery,
  VaspListResponse,
  VaspQuery,
} from '#capabilities/platform/schemas.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { listUmaProviders, type UmaProvidersByEnvironment } from '#capabilities/platform/uma-providers.ts';
import { updateConfig } from '#capabilities/platform/update-config.ts';
import { VASPS, vaspKey } from '#capabilities/platform/vasps.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { arrayPage, COUNT_MAX, pageRequest } from '#foundation/http/paging.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';

export interface PlatformParts {
  readonly domains: ServiceDomains;
  /** Addresses that the sandbox's webhooks may reach. Undefined: any address that a developer may use. */
  readonly sandboxReach: SandboxReach | undefined;
  readonly umaProviders: UmaProvidersByEnvironment;
}

export function platformOperations({ domains, sandboxReach = 'any', umaProviders }: PlatformParts) {
  return [
    ...configOperations(domains, sandboxReach),
    getDiscoveries,
    umaProviderOperation(umaProviders),
    listVasps,
  ];
}

function configOperations(domains: ServiceDomains, sandboxReach: SandboxReach) {
  const present = (tx: ReadTx, config: PlatformConfig) =>
    presentConfig(config, {
      defaultUmaDomain: domains.defaultUmaDomain,
      isRegulatedFinancialInstitution: tx.platform.settings.isRegulatedFinancialInstitution,
    });
  return [
    operation('getPlatformConfig', {
      route: 'GET /config',
      area: 'Platform Configuration',
      summary: 'Read the configuration',
      description: 'The configuration of the platform in the environment of the token.',
      access: 'view',
      reply: PlatformConfigSchema,
      codes: [],
      examples: { 'A fresh platform': { reply: FRESH_CONFIG } },
      read: async (tx) => present(tx, await loadConfig(tx)),
    }),
    operation('updatePlatformConfig', {
      route: 'PATCH /config',
      area: 'Platform Configuration',
      summary: 'Change the configuration',
      description:
        'Changes the fields that are sent. If one field is invalid, nothing changes. Read-only fields are ignored, so a GET response can be sent back.',
      access: 'manage',
      body: PlatformConfigUpdateRequest,
      checksBody: true,
      reply: PlatformConfigSchema,
      codes: ['INVALID_INPUT', 'NOT_IMPLEMENTED'],
      examples: {
        'Currencies and the webhook endpoint': { body: CHANGES, reply: { ...FRESH_CONFIG, ...CHANGES } },
        'Set the endpoint': {
          body: { webhookEndpoint: CHANGES.webhookEndpoint },
          reply: { ...FRESH_CONFIG, ...CHANGES },
        },
        'Clear the endpoint': { body: { webhookEndpoint: null }, reply: CONFIG_WITHOUT_ENDPOINT },
      },
      handle: async (work, { body, problems }) => {
        const proof = await findDomainProof(work, body, problems, domains);
        const context = { domains, sandboxReach, problems, proof };
        return work.write(async (tx) => present(tx, await updateConfig(tx, body, context)));
      },
    }),
  ];
}

const getDiscoveries = operation('getDiscoveries', {
  route: 'GET /discoveries',
  area: 'Discoveries',
  summary: 'List receiving institutions',
  description:
    'Banks and mobile-money providers by corridor, with the name to send when you create an external account.',
  access: 'view',
  query: DiscoveryQuery,
  reply: DiscoveryListResponse,
  codes: ['INVALID_INPUT'],
  examples: { Kenya: { query: { country: 'KE', currency: 'KES' }, reply: KENYAN_INSTITUTIONS } },
  read: async (_tx, { query }) => ({
    data: filterInstitutions(query.country, query.currency).map(presentInstitution),
  }),
});

function umaProviderOperation(known: UmaProvidersByEnvironment) {
  return operation('getAvailableUmaProviders', {
    route: 'GET /uma-providers',
    area: 'Available UMA Providers',
    summary: 'List UMA providers',
    description: 'Providers whose UMA addresses can be paid, sorted by name.',
    access: 'view',
    query: UmaProviderQuery,
    reply: UmaProviderListResponse,
    codes: ['INVALID_INPUT'],
    examples: { 'Providers that receive pesos': { query: { currencyCode: 'MXN' }, reply: PESO_PROVIDERS } },
    async read(tx, { query }) {
      const providers = await listUmaProviders(tx, known, query);
      const request = pageRequest('getAvailableUmaProviders', query);
      // Two providers may have the same name, but not the same domain.
      const keyOf = ({ name, domain }: { name: string; domain: string }) => `${name.toLowerCase()} ${domain}`;
      const { data, totalCount, ...rest } = arrayPage(tx, request, providers, keyOf, query.sortOrder);
      const isCounted = totalCount !== undefined && totalCount <= COUNT_MAX;
      return { data: data.map(presentProvider), ...rest, ...(isCounted && { totalCount }) };
    },
  });
}

const listVasps = operation('listVasps', {
  route: 'GET /vasps',
  area: 'VASPs',
  summary: 'List exchanges',
  description: 'Exchanges that can be named as the holder of a wallet, sorted by name.',
  access: 'view',
  query: VaspQuery,
  reply: VaspListResponse,
  codes: ['INVALID_INPUT'],
  examples: { 'A first page': { query: { limit: 2 }, reply: FIRST_VASPS } },
  async read(tx, { query }) {
    const request = pageRequest('listVasps', query);
    const { totalCount: _whole, ...page } = arrayPage(tx, request, VASPS, (vasp) => vaspKey(vasp.vaspName));
    return { ...page, data: page.data.map(({ vaspName, url }) => ({ vaspName, url })) };
  },
});
