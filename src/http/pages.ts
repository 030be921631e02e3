import Fastify, { type FastifyInstance } from 'fastify';
import { knownMigrations } from '#database/migrate.ts';
import { noSuchPath } from '#http/errors.ts';
import type { Metrics } from '#http/metrics.ts';
import { createReadiness, type ReadinessParts } from '#http/readiness.ts';
import { registerReference } from '#http/reference-page.ts';

export interface PageParts extends ProbeParts {
  /** Called at the first request for the document. */
  describe(): Record<string, unknown>;
}

export interface ProbeParts extends ReadinessParts {
  readonly metrics: Metrics;
}

/** What is outside the versioned base path: probes, metrics, the OpenAPI document and its reference page. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  let document: string | undefined;
  registerProbes(app, parts);
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(parts.describe());
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  registerReference(app);
}

/** Only probes and metrics, for a process that serves no operations. */
export function createProbeServer(parts: ProbeParts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, return503OnClosing: false });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(noSuchPath().body()));
  registerProbes(app, parts);
  return app;
}

function registerProbes(app: FastifyInstance, parts: ProbeParts): void {
  let known: readonly string[] = [];
  let isStopping = false;
  // Read at the start: an upgrade may replace the files while this process runs.
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
  app.get('/metrics', probe, async (_request, reply) => {
    const text = await parts.metrics.text();
    return reply.header('content-type', parts.metrics.contentType).send(text);
  });
}
