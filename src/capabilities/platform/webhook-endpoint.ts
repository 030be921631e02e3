import { isIP } from 'node:net';
import type { Environment } from '#foundation/lib/platform.ts';
import { checkUrl } from '#foundation/lib/urls.ts';
import { mayConnect, type SandboxReach } from '#foundation/outbound/addresses.ts';

/** The webhook endpoints that a platform may set, by its environment (platform.md §3.2.3). */
export interface EndpointPolicy {
  readonly httpsOnly: boolean;
  readonly publicOnly: boolean;
  /** The same check as at every delivery. */
  mayConnect(address: string): boolean;
}

export function endpointPolicy(environment: Environment, sandboxReach: SandboxReach): EndpointPolicy {
  return {
    httpsOnly: environment === 'PRODUCTION',
    publicOnly: environment === 'PRODUCTION' || sandboxReach === 'public',
    mayConnect: (address) => mayConnect(address, environment, sandboxReach),
  };
}

/**
 * Returns the problem with an endpoint, or undefined. An IP address in any notation gets the same check as at a
 * delivery. A host name is checked for its form only; every delivery checks the addresses that it resolves to
 * (platform.md §4.2.7).
 */
export function checkEndpoint(text: string, policy: EndpointPolicy): string | undefined {
  const problem = checkUrl(text);
  if (problem !== undefined) return problem;
  const url = new URL(text);
  if (text.includes('#')) return 'must not have a fragment';
  if (policy.httpsOnly && url.protocol !== 'https:') return 'must use https';
  return checkHost(url.hostname.replace(/^\[|\]$/g, ''), policy);
}

function checkHost(host: string, { publicOnly, mayConnect }: EndpointPolicy): string | undefined {
  if (isIP(host) === 0) return publicOnly && !isPublicName(host) ? 'must be a public address' : undefined;
  if (mayConnect(host)) return undefined;
  return publicOnly ? 'must be a public address' : 'must be an address that webhooks can be sent to';
}

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !/\.(localhost|local|internal)$/.test(name);
}

/** The endpoint is sealed, because its query may contain a secret; it can be opened for this platform only. */
export function endpointContext(platformId: PlatformId): string {
  return `platform_configs.webhook_endpoint:${platformId}`;
}
