import ipaddr from 'ipaddr.js';

/** What a platform's webhook endpoint may point at: its environment's policy (platform.md §3.2.3). */
export interface EndpointPolicy {
  readonly httpsOnly: boolean;
  readonly publicOnly: boolean;
}

/**
 * What is wrong with an endpoint, if anything. A name is judged by its form only; where it leads is checked
 * at every delivery (§4.2.7).
 */
export function endpointProblem(text: string, policy: EndpointPolicy): string | undefined {
  // The URL parser drops tabs and line breaks; what is stored must be what is called.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (text.includes('#')) return 'must not have a fragment';
  if (policy.httpsOnly && url.protocol !== 'https:') return 'must use https';
  if (policy.publicOnly && !isPublicHost(url.hostname)) return 'must be a public address';
  return undefined;
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // `process` turns an IPv4 address that is wrapped in an IPv6 one back into what it is.
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast';
  return host.includes('.') && !/\.(localhost|local|internal)$/.test(host);
}
