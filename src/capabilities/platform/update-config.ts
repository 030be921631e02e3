import { currencyConfigured, webhookEndpointChanged } from '#capabilities/platform/announcements.ts';
import {
  changeConfig,
  isUnsupportedFee,
  mergeDomain,
  type ServiceDomains,
} from '#capabilities/platform/change-config.ts';
import { checkConfig, isValid } from '#capabilities/platform/check-config.ts';
import { firstLabel, type PlatformConfig } from '#capabilities/platform/config.ts';
import { checkProof, type DomainProofSnapshot } from '#capabilities/platform/prove-domain.ts';
import { PlatformConfigUpdateRequest } from '#capabilities/platform/schemas.ts';
import {
  type ConfigValues,
  claimSubdomain,
  DOMAIN_TAKEN,
  isUmaDomainTaken,
  loadConfig,
  lockConfig,
  saveConfig,
} from '#capabilities/platform/store.ts';
import { endpointPolicy } from '#capabilities/platform/webhook-endpoint.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';

/** Service settings that the rules need, and the problems that the schema found in the request. */
export interface UpdateContext {
  readonly domains: ServiceDomains;
  readonly sandboxReach: SandboxReach;
  readonly problems: readonly FieldError[];
  /** The proof of a new UMA domain. */
  readonly proof: DomainProofSnapshot | undefined;
}

/** PATCH /config (platform.md §3.2): all or nothing, and every invalid field is named. */
export async function updateConfig(
  tx: Tx,
  request: PlatformConfigUpdateRequest,
  context: UpdateContext,
): Promise<PlatformConfig> {
  const { domains, problems } = context;
  if (problems.length >= PROBLEMS_MAX) throw invalidFields(problems);
  const current = await lockConfig(tx);
  const errors = [...problems, ...(await checkRequest(tx, current, request, context))];
  if (errors.length > 0) throw invalidFields(inDocumentOrder(PlatformConfigUpdateRequest, errors));
  if (request.feeConfigs?.some(isUnsupportedFee)) {
    refuse('NOT_IMPLEMENTED', 'Platform fees are supported for USD payments only and must be set in USD.');
  }
  const values = changeConfig(current, request, domains);
  if (!isSame(current, values)) await applyChange(tx, current, values, domains);
  return loadConfig(tx);
}

/** Validation stops after this many problems; fields that it did not report may then be invalid as well. */
const PROBLEMS_MAX = 50;

async function checkRequest(
  tx: ReadTx,
  current: ConfigValues,
  request: PlatformConfigUpdateRequest,
  { domains, sandboxReach, problems, proof }: UpdateContext,
): Promise<FieldError[]> {
  const endpoints = endpointPolicy(tx.platform.environment, sandboxReach);
  const errors = checkConfig(request, problems, {
    domains,
    endpoints,
    ownCurrencies: tx.platform.ownCurrencies,
  });
  if (!isValid('umaDomain', problems)) return errors;
  const domain = mergeDomain(current.umaDomain, request.umaDomain, domains);
  const isNew = domain !== undefined && domain !== current.umaDomain;
  // A domain that is already refused, because it is reserved, needs no further checks.
  if (!isNew || errors.some(({ field }) => field === 'umaDomain')) return errors;
  const problem = (await isUmaDomainTaken(tx, domain))
    ? DOMAIN_TAKEN
    : checkProof(domain, tx.platformId, proof);
  return problem ? [problem, ...errors] : errors;
}

async function applyChange(
  tx: Tx,
  current: ConfigValues,
  values: ConfigValues,
  domains: ServiceDomains,
): Promise<void> {
  await saveConfig(tx, values);
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
