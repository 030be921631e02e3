import { isIP } from 'node:net';
import type { Environment } from '#foundation/lib/platform.ts';
import { checkUrl } from '#foundation/lib/urls.ts';
import { mayConnect, type SandboxReach } from '#foundation/outbound/addresses.ts';

/** Where a platform's webhook endpoint may be, by its environment (platform.md §3.2.3). */
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
 * What is wrong with an endpoint, if anything. An IP address is checked as at a delivery, however it is written; of a
 * host name only the form is checked here, and the addresses it resolves to at every delivery (platform.md §4.2.7).
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
  return publicOnly ? 'must be a public address' : 'must be an address that webhooks are sent to';
}

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !/\.(localhost|local|internal)$/.test(name);
}

/** The endpoint is sealed, since its query may contain a secret; it can be opened for this platform only. */
export function endpointContext(platformId: string): string {
  return `platform_configs.webhook_endpoint:${platformId}`;
}
