import { problem } from '#capabilities/customers/profile/profile-rules.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import { isUmaDomainTaken } from '#capabilities/platform/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

const USER_MAX = 64;
// Checked before lower-casing, because some other characters become one of these letters in lower case.
const USER = /^\$[a-z0-9._+-]+$/i;
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`, 'i');
const DOMAIN_MAX = 253;

export const UMA_PATTERN = `^\\$[a-z0-9._+-]{1,${USER_MAX - 1}}@${LABEL}(\\.${LABEL})*$`;

/** Addresses are stored and looked up in lower case. */
export function readUmaAddress(sent: string): string {
  return sent.toLowerCase();
}

/** Checks `$user@domain` (customers.md §2.1.4). A platform with its own domain has only addresses of that domain. */
export function checkUmaAddress(sent: string, domain: string | undefined): FieldError | undefined {
  const at = sent.indexOf('@');
  const [user, host] = [sent.slice(0, Math.max(at, 0)), sent.slice(at + 1)];
  if (at < 0 || !USER.test(user) || user.length > USER_MAX || !isDomain(host)) {
    return problem('umaAddress', 'must be $user@domain', { pattern: UMA_PATTERN });
  }
  if (domain !== undefined && host.toLowerCase() !== domain) {
    return problem('umaAddress', `must be an address of ${domain}`, { pattern: UMA_PATTERN });
  }
  return undefined;
}

/** Returns a payer's or receiver's address in lower case (accounts.md §6.6); refuses an invalid one. */
export function checkedUmaAddress(field: string, sent: string): string {
  const found = checkUmaAddress(sent, undefined);
  if (found) throw invalidFields([{ ...found, field }], 'INVALID_UMA_ADDRESS');
  return readUmaAddress(sent);
}

function isDomain(host: string): boolean {
  return host.length <= DOMAIN_MAX && DOMAIN.test(host);
}

/**
 * A platform without its own domain may use addresses of any domain, except one that belongs to another platform or
 * that the sandbox uses for outside providers: payments to such an address would go to the wrong place.
 */
export async function checkUmaDomain(
  tx: ReadTx,
  sent: string | undefined,
  config: PlatformConfig,
  domains: ServiceDomains,
): Promise<FieldError[]> {
  if (sent === undefined) return [];
  const malformed = checkUmaAddress(sent, config.umaDomain);
  if (malformed) return [malformed];
  const domain = sent.slice(sent.indexOf('@') + 1).toLowerCase();
  const isOwn = domain === config.umaDomain || domain === domains.defaultUmaDomain;
  const isForeign =
    !isOwn && (domains.sandboxUmaDomains.includes(domain) || (await isUmaDomainTaken(tx, domain)));
  return isForeign ? [problem('umaAddress', 'has a domain that belongs to another platform')] : [];
}
