import { hashSecret, matchesSecret } from '#foundation/crypto/secrets.ts';

/** Who may read the metrics at an address: anybody, whoever presents the token, or nobody, as if it were not there. */
export type MetricsAccess = 'anybody' | 'nobody' | { readonly token: string };

export interface MetricsSettings {
  readonly metricsPort: number | undefined;
  readonly metricsToken: string | undefined;
  readonly host: string;
  readonly publicUrl: string | undefined;
}

/**
 * Who may read the metrics where requests are answered. Where nothing is set they are there on a developer's own machine
 * alone: a service that others can reach shows them to nobody (decision 0032).
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

/** Who may read them beside the probes of a worker: a port that no client of the API is sent to. */
export function accessAtProbes({ metricsPort, metricsToken }: MetricsSettings): MetricsAccess {
  return metricsPort === undefined ? accessAtOwnPort({ metricsToken }) : 'nobody';
}

export function accessAtOwnPort({ metricsToken }: Pick<MetricsSettings, 'metricsToken'>): MetricsAccess {
  return metricsToken === undefined ? 'anybody' : { token: metricsToken };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Whether a request with this `Authorization` may read them. */
export function mayReadMetrics(access: MetricsAccess): (authorization: string | undefined) => boolean {
  if (typeof access === 'string') return () => access === 'anybody';
  const stored = hashSecret(access.token);
  return (authorization = '') => {
    const [, presented = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    return matchesSecret(presented, stored);
  };
}
