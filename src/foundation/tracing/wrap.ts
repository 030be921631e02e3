import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database, Run, RunAll } from '#foundation/database/database.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import {
  isTracing,
  type OpenSpan,
  openSpan,
  type SpanFacts,
  traced,
  traceparent,
} from '#foundation/lib/tracing.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** Wraps the parts of the app in spans; without a tracer each part is returned unchanged. */

/**
 * Every request is a span, in the caller's trace if it names one. The span has the route, not the path: that may be a
 * secret.
 */
export function traceRequests(http: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  http.addHook('onRequest', (request, _reply, done) => {
    const span = openSpan(requestFacts(request));
    if (!span) return done();
    spans.set(request, span);
    span.within(done);
  });
  // Code after the body is read runs in the context in which its last bytes arrived, outside of the span.
  http.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const status = { 'http.response.status_code': reply.statusCode };
    spans.get(request)?.end(status, reply.statusCode >= 500 ? `${reply.statusCode}` : undefined);
    done();
  });
}

function requestFacts({ method, headers, id, routeOptions }: FastifyRequest): SpanFacts {
  const { url = 'unknown path', config } = routeOptions;
  const { operationId } = config as { operationId?: string };
  const given = headers.traceparent;
  return {
    name: `${method} ${url}`,
    kind: 'server',
    parent: typeof given === 'string' ? given : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': url,
      'corridor.request_id': id,
      ...(operationId !== undefined && { 'corridor.operation': operationId }),
    },
  };
}

/** Every round trip is a span with the text of its statements, in which values are only placeholders. */
export function traceDatabase(database: Database): Database {
  if (!isTracing()) return database;
  return {
    query: tracedRun('query', database.query),
    lookUp: tracedRun('look-up', database.lookUp),
    transaction: (steps) =>
      tracedTrip(
        () => databaseFacts('transaction'),
        () =>
          database.transaction((run, runAll) =>
            steps(tracedRun('statement', run), tracedRunAll('statements', runAll)),
          ),
      ),
    commit: tracedRunAll('commit', database.commit),
    load: database.load,
    close: database.close,
  };
}

/** Traces a round trip only inside another span: the worker polls for work all the time. */
function tracedTrip<T>(facts: () => SpanFacts, trip: () => T): T {
  return traceparent() === null ? trip() : traced(facts, trip);
}

function tracedRun(name: string, run: Run): Run {
  return (piece) =>
    tracedTrip(
      () => databaseFacts(name, [piece]),
      () => run(piece),
    );
}

function tracedRunAll(name: string, runAll: RunAll): RunAll {
  return (pieces) =>
    tracedTrip(
      () => databaseFacts(name, pieces),
      () => runAll(pieces),
    );
}

const TEXT_MAX = 4_000;

function databaseFacts(name: string, pieces: readonly Sql[] = []): SpanFacts {
  const text = pieces.map((piece) => compile(piece).text.replace(/\s+/g, ' ').trim()).join('; ');
  return {
    name: `postgresql ${name}`,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      ...(text !== '' && { 'db.query.text': text.slice(0, TEXT_MAX) }),
    },
  };
}

/** Every call of a port is a span with the names of the port and the function, but without arguments. */
export function tracePorts(ports: Ports): Ports {
  if (!isTracing()) return ports;
  const wrapped = Object.entries(ports).map(([name, port]) => [name, tracePort(name, port)]);
  return Object.fromEntries(wrapped) as Ports;
}

function tracePort<Port extends object>(name: string, port: Port): Port {
  return new Proxy(port, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        traced(
          () => ({
            name: `port ${name}.${String(member)}`,
            kind: 'client',
            attributes: { 'corridor.port': name },
          }),
          () => value.apply(target, given),
        );
    },
  });
}
