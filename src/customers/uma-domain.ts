import { problem } from '#customers/profile-rules.ts';
import { umaProblem } from '#customers/uma-address.ts';
import type { ReadTx } from '#database/tx.ts';
import type { FieldError } from '#lib/refusals.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import type { PlatformConfig } from '#platform/config.ts';
import { isUmaDomainTaken } from '#platform/store.ts';

/**
 * A platform without a domain of its own may bring addresses of any, but not of one that belongs to another
 * platform or plays the outside world: payments to it would go astray.
 */
export async function findUmaProblem(
  tx: ReadTx,
  sent: string | undefined,
  config: PlatformConfig,
  domains: ServiceDomains,
): Promise<FieldError[]> {
  if (sent === undefined) return [];
  const malformed = umaProblem(sent, config.umaDomain);
  if (malformed) return [malformed];
  const domain = sent.slice(sent.indexOf('@') + 1).toLowerCase();
  const isOwn = domain === config.umaDomain || domain === domains.defaultUmaDomain;
  const isForeign =
    !isOwn && (domains.sandboxUmaDomains.includes(domain) || (await isUmaDomainTaken(tx, domain)));
  return isForeign ? [problem('umaAddress', 'has a domain that belongs to another platform')] : [];
}
