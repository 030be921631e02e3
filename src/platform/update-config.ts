import type { Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { Environment } from '#lib/platform.ts';
import { invalidFields, refuse } from '#lib/refusals.ts';
import { changeConfig, isUnsupportedFee, type ServiceDomains } from '#platform/change-config.ts';
import { firstLabel, type PlatformConfig } from '#platform/config.ts';
import { currencyConfigured, webhookEndpointChanged } from '#platform/events.ts';
import type { PlatformConfigUpdateRequest } from '#platform/schemas.ts';
import {
  type ConfigValues,
  claimSubdomain,
  DOMAIN_TAKEN,
  isUmaDomainTaken,
  loadConfig,
  lockConfig,
  storeConfig,
} from '#platform/store.ts';
import type { EndpointPolicy } from '#platform/webhook-endpoint.ts';

const ENDPOINTS: Readonly<Record<Environment, EndpointPolicy>> = {
  SANDBOX: { httpsOnly: false, publicOnly: false },
  PRODUCTION: { httpsOnly: true, publicOnly: true },
};

/** PATCH /config (platform.md §3.2): all of it or nothing. */
export async function updateConfig(
  tx: Tx,
  request: PlatformConfigUpdateRequest,
  domains: ServiceDomains,
): Promise<PlatformConfig> {
  const current = await lockConfig(tx);
  const endpoints = ENDPOINTS[tx.platform.environment];
  const { values, errors } = changeConfig(current, request, { domains, endpoints });
  const newDomain = values.umaDomain === current.umaDomain ? undefined : values.umaDomain;
  if (newDomain !== undefined && (await isUmaDomainTaken(tx, newDomain))) errors.unshift(DOMAIN_TAKEN);
  if (errors.length > 0) throw invalidFields(errors);
  if (request.feeConfigs?.some(isUnsupportedFee)) {
    refuse('NOT_IMPLEMENTED', 'Platform fees can be set for payments out of USD only, in USD.');
  }
  if (!isSame(current, values)) await applyChange(tx, current, values, domains);
  return loadConfig(tx);
}

async function applyChange(
  tx: Tx,
  current: ConfigValues,
  values: ConfigValues,
  domains: ServiceDomains,
): Promise<void> {
  await storeConfig(tx, values);
  if (values.umaDomain !== undefined && values.umaDomain !== current.umaDomain) {
    await claimSubdomain(tx, firstLabel(values.umaDomain), [firstLabel(domains.defaultUmaDomain)]);
  }
  const before = new Set(current.supportedCurrencies.map((currency) => currency.currencyCode));
  for (const { currencyCode: code } of values.supportedCurrencies) {
    if (!before.has(code)) await announce(tx, currencyConfigured, { code });
  }
  const endpoint = values.webhookEndpoint;
  if (endpoint !== undefined && endpoint !== current.webhookEndpoint) {
    await announce(tx, webhookEndpointChanged, { endpoint });
  }
}

function isSame(a: ConfigValues, b: ConfigValues): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
