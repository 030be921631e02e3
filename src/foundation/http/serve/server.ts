import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { badFormat } from '#foundation/http/read/body.ts';
import { acceptForms } from '#foundation/http/read/multipart.ts';
import { ARRIVAL_LIMITS, type ArrivalLimits, ArrivalWatch } from '#foundation/http/serve/arrival.ts';
import { BrokenRequests } from '#foundation/http/serve/broken-requests.ts';
import { noSuchPath, registerErrors, sendRefusal, serviceStopping } from '#foundation/http/serve/errors.ts';
import type { Metrics } from '#foundation/http/serve/metrics.ts';
import { type HttpParts, registerOperations } from '#foundation/http/serve/register.ts';
import {
  createDescribeRequest,
  decorateRequests,
  type RequestRecord,
  requestFacts,
  requestLine,
} from '#foundation/http/serve/request-record.ts';

export interface HttpServerOptions extends HttpParts {
  readonly operations: readonly NamedOperation[];
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Limits on how requests arrive; unset: those of platform.md §10.5. */
  readonly arrival?: ArrivalLimits | undefined;
  /** Called after each request was answered. */
  onAnswered?(record: RequestRecord): void;
}

const BODY_MAX_BYTES = 1_048_576;

/** The HTTP server with every operation; pages and probes are added by src/app/app.ts. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const app = openServer(options);
  // Bodies stay bytes: each operation parses its own, after credentials and permission.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  acceptForms(app);
  app.addHook('onRequest', (request, reply, done) => {
    // Browsers must not guess the type of a response, which may quote the request.
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(lacksHost ? badFormat('The request has no Host header.') : undefined);
  });
  refuseWhileStopping(app);
  app.addHook('onSend', (request, reply, _payload, done) => replyAfterRequest(request, reply, done));
  logRequests(app, options);
  registerErrors(app, options.operations, options.names);
  registerOperations(app, options.operations, options);
  return app;
}

/** Writes one log line and one metric for each request; probes, which are frequent, are logged at the debug level only. */
function logRequests(
  app: FastifyInstance,
  { operations, names, log, metrics, onAnswered }: HttpServerOptions,
): void {
  const describe = createDescribeRequest(operations, names);
  // Redacting fields that cannot contain secrets would take longer than the rest of the line.
  const lines = log.child({}, { redact: [] });
  decorateRequests(app);
  app.addHook('onResponse', (request, reply, done) => {
    const { isProbe, operation } = request.routeOptions.config;
    const record = describe(request, reply);
    metrics.observeRequest({
      operation: operation?.id ?? 'none',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
      environment: record.caller?.platform.environment,
    });
    lines[isProbe ? 'debug' : 'info'](requestFacts(record), requestLine(record));
    onAnswered?.(record);
    done();
  });
}

/** Refuses requests on connections that are still open while the service stops; probes are answered. */
function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { isProbe = false } = request.routeOptions.config;
    done(isStopping && !isProbe ? serviceStopping() : undefined);
  });
}

/** Waits until the request was received: closing a connection on which more arrives would lose the response. */
function replyAfterRequest({ raw }: FastifyRequest, reply: FastifyReply, answer: () => void): void {
  if (raw.complete || !endsConnection(reply)) answer();
  else finished(raw.resume(), () => answer());
}

function endsConnection(reply: FastifyReply): boolean {
  return !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close';
}

function openServer(options: HttpServerOptions): FastifyInstance {
  const { log, names, trustedProxies = [], arrival = ARRIVAL_LIMITS } = options;
  const broken = new BrokenRequests();
  const app = Fastify({
    loggerInstance: log,
    // A hook writes one line per request, with only the fields that an operator needs.
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines contain the request id themselves: a child logger per request would cost more than its lines.
    childLoggerFactory: (logger) => logger,
    // The id is not stored as a key, so it need not be sortable; this is the cheapest unguessable id.
    genReqId: () => randomUUID(),
    // Only trusted proxies set the client address.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_MAX_BYTES,
    // Within this limit the body is watched separately: it may take long, but must keep arriving.
    requestTimeout: arrival.overallMs,
    http: {
      // If headers had more time than the whole request, Node would use the longer of the two for the body.
      headersTimeout: arrival.idleMs,
      connectionsCheckingInterval: arrival.checkEveryMs,
      // A missing Host is answered by a hook, like everything else.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => broken.answer(error, socket, randomUUID()),
    // A path that cannot be decoded does not exist.
    frameworkErrors(_error, request, reply) {
      reply.header('x-request-id', request.id);
      // Hooks do not run for it.
      replyAfterRequest(request, reply, () => sendRefusal(reply, noSuchPath(), names));
    },
    // Longer ids do not fit into a request. Any unknown id gets its resource's 404 (platform.md §1.2.2).
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    // Fastify's own response would have a different shape and no request id.
    return503OnClosing: false,
  });
  broken.watch(app.server);
  const onLate = (error: Error, { socket }: IncomingMessage) => broken.answer(error, socket, randomUUID());
  new ArrivalWatch(arrival, onLate).watch(app.server);
  tolerateClients(app);
  return app;
}

function tolerateClients(app: FastifyInstance): void {
  // A client may disconnect at any moment; an unhandled error event would end the process.
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
  });
  // Unknown expectations may be ignored; Node would answer them without a body.
  app.server.on(
    'checkExpectation',
    (request, response) => void app.server.emit('request', request, response),
  );
}
