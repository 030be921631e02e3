import Fastify, { type FastifyInstance } from 'fastify';
import { knownMigrations } from '#foundation/database/migrate.ts';
import { registerJsonDocument } from '#foundation/http/document/cached-content.ts';
import { type DocumentPageParts, registerDocumentPages } from '#foundation/http/document/document-pages.ts';
import { registerReference } from '#foundation/http/document/reference-page.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';
import type { Metrics } from '#foundation/http/serve/metrics.ts';
import { type MetricsAccess, mayReadMetrics } from '#foundation/http/serve/metrics-access.ts';
import { createReadiness, type ReadinessParts } from '#foundation/http/serve/readiness.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export interface PageParts extends ProbeParts, DocumentPageParts {
  /** Called at the first request for the document. */
  describe(): Record<string, unknown>;
}

export interface ProbeParts extends ReadinessParts, MetricsParts {}

export interface MetricsParts {
  readonly metrics: Metrics;
  readonly metricsAccess?: MetricsAccess | undefined;
}

/** Registers the routes outside the versioned base path: probes, metrics, the OpenAPI document and its reference page. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  registerProbes(app, parts);
  registerJsonDocument(app, '/openapi.json', parts.describe);
  registerReference(app);
  registerDocumentPages(app, parts);
}

/** Only probes and metrics, for a process that serves no operations. */
export function createProbeServer(parts: ProbeParts): FastifyInstance {
  const app = openSmallServer();
  registerProbes(app, parts);
  return app;
}

function registerProbes(app: FastifyInstance, parts: ProbeParts): void {
  let known: readonly string[] = [];
  let isStopping = false;
  // The migrations are read at the start: an upgrade may replace the files while this process runs.
  app.addHook('onReady', async () => {
    known = await knownMigrations();
  });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  const readiness = createReadiness(parts, () => known);
  const probe = { config: { isProbe: true } };
  app.get('/health/live', probe, async () => ({ status: 'live' }));
  app.get('/health/ready', probe, async (_request, reply) => {
    const problem = isStopping ? 'the service is stopping' : await readiness();
    return reply.code(problem === undefined ? 200 : 503).send({ status: problem ?? 'ready' });
  });
  registerMetricsPage(app, parts);
}

/** Only metrics, for a port of their own. */
export function createMetricsServer(parts: MetricsParts): FastifyInstance {
  const app = openSmallServer();
  registerMetricsPage(app, parts);
  return app;
}

function openSmallServer(): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, return503OnClosing: false });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(noSuchPath().body()));
  return app;
}

function registerMetricsPage(
  app: FastifyInstance,
  { metrics, metricsAccess = 'anybody' }: MetricsParts,
): void {
  if (metricsAccess === 'nobody') return;
  const isAllowed = mayReadMetrics(metricsAccess);
  app.get('/metrics', { config: { isProbe: true } }, async (request, reply) => {
    if (!isAllowed(request.headers.authorization)) {
      const refusal = new Refusal('UNAUTHORIZED', 'The metrics need METRICS_TOKEN as a bearer token.');
      return reply.code(refusal.status).header('www-authenticate', 'Bearer').send(refusal.body());
    }
    return reply.header('content-type', metrics.contentType).send(await metrics.text());
  });
}
