import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { createCommit } from '#database/commit.ts';
import { createAuthenticate } from '#http/access.ts';
import type { Gate } from '#http/gates.ts';
import { createMetrics } from '#http/metrics.ts';
import type { NamedOperation } from '#http/operation.ts';
import { createPerform } from '#http/perform.ts';
import { createRateLimit } from '#http/rate-limit.ts';
import { createHttpServer } from '#http/server.ts';
import { validate } from '#http/validate.ts';
import { wireNames } from '#lib/wire-names.ts';
import type { World } from '#tests/harness.ts';

/** A server of these operations alone: it stands for one more process, and shares nothing but the database. */
export function smallServer(
  { app, database, clock }: World,
  operations: readonly NamedOperation[],
  gates: readonly Gate[] = [],
): Promise<FastifyInstance> {
  const runtime = { ...app.runtime, commit: createCommit(database, app.runtime.wakeWorker) };
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
