import type { FastifyInstance } from 'fastify';
import type { App } from '#app/app.ts';
import type { Config } from '#app/config.ts';
import { OperatorError } from '#cli/failure.ts';
import { createMetricsServer, createProbeServer } from '#foundation/http/document/pages.ts';
import { accessAtOwnPort, accessAtProbes } from '#foundation/http/serve/metrics-access.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

const CLOSE_MS = 5_000;

/** Answers health probes: a separate worker serves no API, but its supervisor may probe it. */
export async function answerProbes(
  { runtime: { database, ports }, metrics }: App,
  config: Config,
): Promise<AsyncDisposable | undefined> {
  if (config.probePort === undefined) return undefined;
  const { storage } = ports('PRODUCTION');
  const probes = createProbeServer({ metrics, metricsAccess: accessAtProbes(config), database, storage });
  await bind(probes, { host: config.host, port: config.probePort, setting: 'PROBE_PORT' });
  return closeable(probes);
}

/** Serves the metrics on a port of their own, if one is set. */
export async function serveMetrics({ metrics }: App, config: Config): Promise<AsyncDisposable | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const server = createMetricsServer({ metrics, metricsAccess: accessAtOwnPort(config) });
  await bind(server, { host: config.host, port: config.metricsPort, setting: 'METRICS_PORT' });
  return closeable(server);
}

function closeable(server: FastifyInstance): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => withTimeout(server.close(), CLOSE_MS, undefined) };
}

export async function bind(
  http: FastifyInstance,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<void> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    throw new OperatorError(cannotListen(error, `${host}:${port}`, setting), { cause: error });
  }
}

function cannotListen(error: unknown, where: string, setting: string): string {
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') return `${where} is taken by another program; set ${setting} to a free port.`;
  if (code === 'EACCES') return `This user may not listen on ${where}; set ${setting} to one above 1023.`;
  return `Cannot listen on ${where} (${code ?? error}); set HOST to an address of this machine.`;
}

/**
 * The service speaks plain HTTP, so an `https` address means that there is a proxy. If the proxy is not trusted, limits by
 * address see all callers as one (agents.md §2.14).
 */
export function proxyRisk({ publicUrl, trustedProxies, console: pages }: Config): string | undefined {
  if (publicUrl?.startsWith('https:') !== true || trustedProxies.length > 0) return undefined;
  const refused = pages && !pages.takesPlainHttp ? ' The console refuses all requests.' : '';
  return (
    'PUBLIC_URL is https and TRUSTED_PROXIES is not set: every call seems to come from the proxy. All callers share the ' +
    'limit on wrong device codes, and the audit log shows the address of the proxy.' +
    `${refused} Set TRUSTED_PROXIES to the addresses of your proxies.`
  );
}
