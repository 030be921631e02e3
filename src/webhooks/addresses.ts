import ipaddr from 'ipaddr.js';
import type { Environment } from '#lib/platform.ts';

/**
 * How far the sandbox's webhooks go: to whatever a developer has, or, where strangers have platforms, no further than
 * those of production; whoever has a token could otherwise talk to the operator's own network and read its answers.
 */
export type SandboxReach = 'any' | 'public';

/** Kinds of address the sandbox reaches beside public ones: a developer's own machine and network. */
const OF_A_DEVELOPER: ReadonlySet<string> = new Set([
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
 * wrapped in an IPv6 one counts as what it wraps.
 */
export function mayConnect(
  address: string,
  environment: Environment,
  sandboxReach: SandboxReach = 'any',
): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (OF_CLOUDS.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits)))
    return false;
  const range = parsed.range();
  if (environment === 'SANDBOX' && sandboxReach === 'any' && OF_A_DEVELOPER.has(range)) return true;
  if (range !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/** Production sends over https alone (platform.md §3.2.3). */
export function mayUseProtocol(protocol: string, environment: Environment): boolean {
  return protocol === 'https:' || (environment === 'SANDBOX' && protocol === 'http:');
}
