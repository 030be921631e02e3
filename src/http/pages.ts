import Fastify, { type FastifyInstance } from 'fastify';
import { type Database, READ_ONLY, sqlFailure } from '#database/database.ts';
import { knownMigrations, newerMigration } from '#database/migrate.ts';
import { sql } from '#database/sql.ts';
import { nothingHere } from '#http/errors.ts';
import type { Metrics } from '#http/metrics.ts';
import { registerReference } from '#http/reference-page.ts';
import { gatherReaders } from '#lib/gather.ts';
import { inTime } from '#lib/in-time.ts';

export interface PageParts extends ProbeParts {
  /** Made when somebody asks for it. */
  describe(): Record<string, unknown>;
}

export interface ProbeParts {
  readonly metrics: Metrics;
  readonly database: Database;
  /** A database that is silent for so long is not ready: whoever probes does not wait for its own limits. */
  readonly probeMaxMs?: number;
}

const PROBE_MAX_MS = 3_000;

/** What stands outside the versioned base path: probes, metrics, the OpenAPI document and its reference page. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  let document: string | undefined;
  registerProbes(app, parts);
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(parts.describe());
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  registerReference(app);
}

/** Probes and figures alone, for a process that answers no requests. */
export function createProbeServer(parts: ProbeParts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(nothingHere().body()));
  registerProbes(app, parts);
  return app;
}

function registerProbes(app: FastifyInstance, parts: ProbeParts): void {
  let known: readonly string[] = [];
  // At the start: an upgrade may put other files in their place while this process runs.
  app.addHook('onReady', async () => {
    known = await knownMigrations();
  });
  // Nobody needs credentials for these: however many ask, they take one connection.
  const judge = gatherReaders(() => misfit(parts.database, known));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const problem = await inTime(judge(), parts.probeMaxMs ?? PROBE_MAX_MS, SILENT);
    return reply.code(problem === undefined ? 200 : 503).send({ status: problem ?? 'ready' });
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await parts.metrics.text();
    return reply.header('content-type', parts.metrics.contentType).send(text);
  });
}

const SILENT = 'the database does not answer';

/** Ready is a process whose database answers, takes writes and has every migration this code was written for, and no newer one. */
async function misfit(database: Database, known: readonly string[]): Promise<string | undefined> {
  try {
    const rows = await database.query<{ name: string }>(APPLIED);
    const applied = rows.map(({ name }) => name);
    if (newerMigration(known, applied)) return 'a newer version has upgraded the database';
    return known.every((name) => applied.includes(name))
      ? undefined
      : 'the database schema is not up to date';
  } catch (error) {
    if (sqlFailure(error)?.code === READ_ONLY) return 'the database takes no writes';
    return 'the database cannot be reached';
  }
}

/** It writes nothing, and yet a server that takes no writes refuses it: a standby must not look ready. */
const APPLIED = sql`
  with written as (delete from schema_migrations where false)
  select name from schema_migrations`;
