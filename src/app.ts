import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { writeAudit } from '#audit/audit.ts';
import type { Vault } from '#crypto/vault.ts';
import type { Database } from '#database/database.ts';
import type { Surroundings } from '#database/tx.ts';
import { reactionTable } from '#events/reactions.ts';
import { createAuthenticate } from '#http/access.ts';
import { createMetrics, type Metrics } from '#http/metrics.ts';
import { openApiDocument, type WebhookDeclaration } from '#http/openapi.ts';
import type { NamedOperation } from '#http/operation.ts';
import { registerPages } from '#http/pages.ts';
import { createRateLimit } from '#http/rate-limit.ts';
import { createHttpServer } from '#http/server.ts';
import { createValidator } from '#http/validate.ts';
import type { Clock } from '#lib/clock.ts';
import { gather } from '#lib/gather.ts';
import type { IdSource } from '#lib/ids.ts';
import type { WireNames } from '#lib/wire-names.ts';

/** What the process gives the app: settings and everything that reaches outside it. */
export interface AppOptions {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly names: WireNames;
  readonly log: FastifyBaseLogger;
}

export interface App {
  readonly http: FastifyInstance;
  readonly operations: readonly NamedOperation[];
  readonly surroundings: Surroundings;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The composition root: the one place that knows all folders. */
export async function createApp(options: AppOptions): Promise<App> {
  const surroundings = createSurroundings(options);
  const operations = listOperations({});
  const metrics = createMetrics();
  const http = await createHttpServer({
    operations,
    names: options.names,
    log: options.log,
    metrics,
    surroundings,
    authenticate: createAuthenticate(options.database),
    validate: createValidator(),
    rateLimit: createRateLimit(options.clock),
    onRefusedCaller: refusedCallers(options),
  });
  const document = openApiDocument(operations, WEBHOOKS, options.names);
  await registerPages(http, { document, metrics, database: options.database });
  return { http, operations, surroundings, metrics, close: () => http.close() };
}

/** What some operations need beside their transaction; the document is described without any of it. */
type OperationParts = Record<never, never>;

/** Every operation, area by area, in the order of the reference page. */
function listOperations(_parts: OperationParts): NamedOperation[] {
  return [];
}

const WEBHOOKS: WebhookDeclaration[] = [];

/** The OpenAPI document without a database behind it. */
export function describeApi(names: WireNames): Record<string, unknown> {
  return openApiDocument(listOperations({} as OperationParts), WEBHOOKS, names);
}

function createSurroundings({ database, clock, newId, vault }: AppOptions): Surroundings {
  return {
    database,
    clock,
    newId,
    vault,
    ports: () => {
      throw new Error('no ports yet');
    },
    reactions: reactionTable([]),
    wakeWorker: () => undefined,
  };
}

/** Failed authentications are kept too; a burst of them costs one insert, not thousands. */
function refusedCallers({ database, clock, newId }: AppOptions) {
  const record = gather(async (rows: Parameters<typeof writeAudit>[1][number][]) => {
    await writeAudit(database, rows);
    return rows;
  });
  return async (facts: { id: string; remoteAddress: string; path: string }): Promise<void> => {
    await record({
      id: newId(),
      platformId: null,
      at: new Date(clock.now()),
      actor: { kind: 'token', id: 'unknown' },
      action: 'authentication failed',
      resource: facts.path.slice(0, 500),
      requestId: facts.id,
      remoteAddress: facts.remoteAddress,
    });
  };
}
