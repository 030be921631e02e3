import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { createCommit } from '#foundation/database/commit.ts';
import type { Gate } from '#foundation/http/declare/gates.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { createPerform } from '#foundation/http/perform/perform.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { createAuthenticate } from '#foundation/http/serve/access.ts';
import { createMetrics } from '#foundation/http/serve/metrics.ts';
import { createRateLimit } from '#foundation/http/serve/rate-limit.ts';
import { createHttpServer } from '#foundation/http/serve/server.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import type { World } from '#tests/harness/harness.ts';

/** A server of these operations alone: it stands in for another process, and shares nothing but the database. */
export function smallServer(
  { app, database, clock }: World,
  operations: readonly NamedOperation[],
  gates: readonly Gate[] = [],
): Promise<FastifyInstance> {
  const runtime = {
    ...app.runtime,
    commit: createCommit(database, app.runtime.wakeWorker, app.runtime.outbox),
  };
  return createHttpServer({
    operations,
    names: wireNames('Svc'),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    runtime,
    authenticators: { token: createAuthenticate(database) },
    perform: createPerform(runtime, { gates }),
    validate,
    rateLimit: createRateLimit(clock),
    onRefusedCaller: async () => undefined,
  });
}
