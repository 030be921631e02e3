import { promises as dns } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Environment } from '#foundation/lib/platform.ts';

/**
 * The addresses that sandbox webhooks may be sent to: `any` allows a developer's own machine; `public`, for an operator
 * whose sandbox is open to strangers, allows the same addresses as in production. Otherwise the holder of a token could
 * call into the operator's own network and read the answers.
 */
export type SandboxReach = 'any' | 'public';

/** The ranges of the own machine and network. */
const OWN_NETWORK_RANGES: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);
/** Addresses at which clouds serve a machine's metadata and secrets, beside link-local ones: no receiver has them. */
const CLOUD_METADATA = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32'].map((range) =>
  ipaddr.parseCIDR(range),
);
/** The only part of IPv6 that is globally routed today; the rest is reserved. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether we may connect to this address (platform.md §4.2.7): in production only to public unicast. An IPv4 address
 * mapped into IPv6 is treated as the IPv4 address; other embeddings (6to4, NAT64, …) are never allowed.
 */
export function mayConnect(
  address: string,
  environment: Environment,
  sandboxReach: SandboxReach = 'any',
): boolean {
  const kind = classifyAddress(address);
  return kind === 'public' || (kind === 'own' && environment === 'SANDBOX' && sandboxReach === 'any');
}

/** For a provider that the operator configured: the operator's own network is allowed, and only there plain HTTP. */
export function mayReachProvider(address: string, protocol: 'http:' | 'https:'): boolean {
  const kind = classifyAddress(address);
  return kind === 'own' || (kind === 'public' && protocol === 'https:');
}

/** Undefined: never allowed. */
function classifyAddress(address: string): 'own' | 'public' | undefined {
  const text = canonicalIpv6(address);
  if (!ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.process(text);
  if (CLOUD_METADATA.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits)))
    return undefined;
  const range = parsed.range();
  if (OWN_NETWORK_RANGES.has(range)) return 'own';
  if (range !== 'unicast') return undefined;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6) ? 'public' : undefined;
}

/** IPv6 in its canonical form, as in a URL: `ipaddr.js` does not see that `::127.0.0.1` is `::7f00:1`. */
function canonicalIpv6(address: string): string {
  const url = `http://[${address}]/`;
  return isIPv6(address) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address;
}

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Resolves names without `dns.lookup`, which blocks a thread of the shared pool: names whose server does not answer
 * would fill the pool and delay the deliveries of other platforms. Only a name that no server knows is looked up by the
 * system, for the hosts file and search domains.
 */
export function createResolve(): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0) return [bare];
    // RFC 6761: always the loopback addresses.
    if (/(^|\.)localhost\.?$/i.test(bare)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(bare), resolver.resolve6(bare)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    if (!answers.every(isUnknownName)) throw new Error('the host name could not be resolved');
    const entries = await dns.lookup(bare, { all: true, verbatim: true });
    return entries.map((entry) => entry.address);
  };
}

const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

function isUnknownName(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && UNKNOWN.has((answer.reason as { code?: unknown }).code);
}
