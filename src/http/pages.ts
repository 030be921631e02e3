import type { FastifyInstance } from 'fastify';
import type { Database } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Metrics } from '#http/metrics.ts';
import { registerReference } from '#http/reference-page.ts';

export interface PageParts {
  /** Made when somebody asks for it. */
  describe(): Record<string, unknown>;
  readonly metrics: Metrics;
  readonly database: Database;
}

/** What stands outside the versioned base path: probes, metrics, the OpenAPI document and its reference page. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  let document: string | undefined;
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const ready = await canQuery(parts.database);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database unreachable' });
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await parts.metrics.text();
    return reply.header('content-type', parts.metrics.contentType).send(text);
  });
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(parts.describe());
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  registerReference(app);
}

async function canQuery(database: Database): Promise<boolean> {
  try {
    await database.query(sql`select 1 from schema_migrations limit 1`);
    return true;
  } catch {
    return false;
  }
}
