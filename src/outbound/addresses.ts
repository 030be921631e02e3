import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Environment } from '#lib/platform.ts';

/**
 * How far the sandbox's webhooks go: to whatever a developer has, or, where strangers have platforms, no further than
 * those of production; whoever has a token could otherwise talk to the operator's own network and read its answers.
 */
export type SandboxReach = 'any' | 'public';

/** Kinds of address beside public ones: one's own machine and network. */
const OF_OWN_NETWORK: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);
/** Where clouds tell a machine its secrets, beside link-local addresses: nobody has a receiver there. */
const OF_CLOUDS = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32'].map((range) =>
  ipaddr.parseCIDR(range),
);
/** What the world routes today; the rest of IPv6 is reserved, whatever it may be used for. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether we connect to this address (platform.md §4.2.7): public unicast only in production. An IPv4 address
 * mapped into IPv6 counts as what it is; in any other disguise nobody is called.
 */
export function mayConnect(
  address: string,
  environment: Environment,
  sandboxReach: SandboxReach = 'any',
): boolean {
  const kind = kindOf(address);
  return kind === 'public' || (kind === 'own' && environment === 'SANDBOX' && sandboxReach === 'any');
}

/** Of a provider that the operator chose: also in his own network, and in the clear only there. */
export function mayReachProvider(address: string, protocol: 'http:' | 'https:'): boolean {
  const kind = kindOf(address);
  return kind === 'own' || (kind === 'public' && protocol === 'https:');
}

/** Undefined: nobody is called there. */
function kindOf(address: string): 'own' | 'public' | undefined {
  const text = spelledOut(address);
  if (!ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.process(text);
  if (OF_CLOUDS.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits)))
    return undefined;
  const range = parsed.range();
  if (OF_OWN_NETWORK.has(range)) return 'own';
  if (range !== 'unicast') return undefined;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6) ? 'public' : undefined;
}

/** IPv6 in its one canonical form, as in a URL: `ipaddr.js` takes `::127.0.0.1` for another address than `::7f00:1`. */
function spelledOut(address: string): string {
  const url = `http://[${address}]/`;
  return isIPv6(address) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address;
}
