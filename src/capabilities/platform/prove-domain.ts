import { mergeDomain, type ServiceDomains } from '#capabilities/platform/change-config.ts';
import { isValid } from '#capabilities/platform/check-config.ts';
import type { PlatformConfigUpdateRequest } from '#capabilities/platform/schemas.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import type { Work } from '#foundation/database/work.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';
import { type DomainProof, domainRecord } from '#foundation/ports/uma-domains.ts';

/** The domain that a platform wants, and whether DNS proves it. */
export interface DomainProofSnapshot {
  readonly domain: string;
  readonly proof: DomainProof;
}

/** Queries DNS before the transaction, which must not wait for the network. Undefined: the domain does not change. */
export async function findDomainProof(
  work: Work,
  { umaDomain }: PlatformConfigUpdateRequest,
  problems: readonly FieldError[],
  domains: ServiceDomains,
): Promise<DomainProofSnapshot | undefined> {
  if (umaDomain === undefined || !isValid('umaDomain', problems)) return undefined;
  const { current, port } = await work.read(async (tx) => ({
    current: (await loadConfig(tx)).umaDomain,
    port: tx.ports.umaDomains,
  }));
  const domain = mergeDomain(current, umaDomain, domains);
  if (domain === undefined || domain === current) return undefined;
  return { domain, proof: await port.findProof(domain, work.platform.id) };
}

/** platform.md §3.2.2a. A proof counts only for the domain that it was looked up for. */
export function checkProof(
  domain: string,
  platformId: PlatformId,
  found: DomainProofSnapshot | undefined,
): FieldError | undefined {
  const proof = found?.domain === domain ? found.proof : 'MISSING';
  if (proof === 'PROVEN') return undefined;
  const { name, text } = domainRecord(domain, platformId);
  const message =
    proof === 'MISSING'
      ? `is not proven to be yours: add the DNS TXT record ${name} with the text ${text}, or ask the operator`
      : `cannot be looked up now: the DNS TXT record ${name} could not be read`;
  return { field: 'umaDomain', message };
}
