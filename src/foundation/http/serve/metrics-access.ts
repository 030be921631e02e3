import { hashSecret, matchesSecret } from '#foundation/crypto/secrets.ts';

/** The readers of the metrics at an address: every caller, a caller that presents the token, or no caller (404). */
export type MetricsAccess = 'anybody' | 'nobody' | { readonly token: string };

export interface MetricsSettings {
  readonly metricsPort: number | undefined;
  readonly metricsToken: string | undefined;
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * Decides which callers may read the metrics on the port of the API. Without settings they are available on a
 * developer's own machine alone: a service that others can reach does not show them (decision 0032).
 */
export function accessAtService({
  metricsPort,
  metricsToken,
  host,
  publicUrl,
}: MetricsSettings): MetricsAccess {
  if (metricsPort !== undefined) return 'nobody';
  if (metricsToken !== undefined) return { token: metricsToken };
  return isLoopback(host) && publicUrl === undefined ? 'anybody' : 'nobody';
}

/** Decides which callers may read the metrics on the port of a worker's probes, which clients of the API do not use. */
export function accessAtProbes({ metricsPort, metricsToken }: MetricsSettings): MetricsAccess {
  return metricsPort === undefined ? accessAtOwnPort({ metricsToken }) : 'nobody';
}

export function accessAtOwnPort({ metricsToken }: Pick<MetricsSettings, 'metricsToken'>): MetricsAccess {
  return metricsToken === undefined ? 'anybody' : { token: metricsToken };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Returns a check whether a request with this `Authorization` may read the metrics. */
export function mayReadMetrics(access: MetricsAccess): (authorization: string | undefined) => boolean {
  if (typeof access === 'string') return () => access === 'anybody';
  const stored = hashSecret(access.token);
  return (authorization = '') => {
    const [, presented = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    return matchesSecret(presented, stored);
  };
}
