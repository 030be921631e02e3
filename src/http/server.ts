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
import { badFormat } from '#http/body.ts';
import { BrokenRequests } from '#http/broken-requests.ts';
import { nothingHere, registerErrors, sendRefusal, stopping } from '#http/errors.ts';
import type { Metrics } from '#http/metrics.ts';
import { acceptForms } from '#http/multipart.ts';
import type { NamedOperation } from '#http/operation.ts';
import { type HttpParts, registerOperations } from '#http/register.ts';

export interface HttpServerOptions extends HttpParts {
  readonly operations: readonly NamedOperation[];
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** Addresses and networks of proxies whose word on where a request comes from counts. */
  readonly trustedProxies?: readonly string[] | undefined;
}

const BODY_MAX_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 30_000;

/** The HTTP server with every operation; pages and probes are added by app.ts. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const app = openServer(options);
  // Bodies arrive as bytes: each operation reads its own, after credentials and permission.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  acceptForms(app);
  app.addHook('onRequest', (request, reply, done) => {
    // Nobody is to guess what an answer is, also one that quotes what was sent.
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const isUnnamed = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(isUnnamed ? badFormat('The request has no Host header.') : undefined);
  });
  refuseWhileStopping(app);
  app.addHook('onSend', (request, reply, _payload, done) => afterArrival(request, reply, done));
  app.addHook('onResponse', (request, reply, done) => {
    const operation = (request.routeOptions.config as { operationId?: string }).operationId ?? 'none';
    const ms = reply.elapsedTime;
    options.metrics.observeRequest(operation, reply.statusCode, ms / 1000);
    request.log.info(
      { requestId: request.id, operation, status: reply.statusCode, ms: Math.round(ms) },
      'request',
    );
    done();
  });
  registerErrors(app, options.operations, options.names);
  registerOperations(app, options.operations, options);
  return app;
}

/** What comes over a connection that is still open is told to go elsewhere; probes are told how things are. */
function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { isProbe = false } = request.routeOptions.config as { isProbe?: boolean };
    done(isStopping && !isProbe ? stopping() : undefined);
  });
}

/** Ended while more comes in, a connection loses the answer that is under way on it. */
function afterArrival({ raw }: FastifyRequest, reply: FastifyReply, answer: () => void): void {
  if (raw.complete || !endsConnection(reply)) answer();
  else finished(raw.resume(), () => answer());
}

function endsConnection(reply: FastifyReply): boolean {
  return !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close';
}

function openServer({ log, names, trustedProxies = [] }: HttpServerOptions): FastifyInstance {
  const broken = new BrokenRequests();
  const app = Fastify({
    loggerInstance: log,
    // One line per request is written by a hook, with what an operator asks for and nothing else.
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves: a logger for each would cost more than what it writes.
    childLoggerFactory: (logger) => logger,
    // No row bears it, so it need not sort; this is the cheapest that nobody can guess.
    genReqId: () => randomUUID(),
    // Nobody else may say that he is somebody else.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Where headers had longer than the whole request, Node would give the body the longer time of the two.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      // A missing Host is answered by a hook, like everything else.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => broken.answer(error, socket, randomUUID()),
    // A path that cannot be decoded is an address we do not have.
    frameworkErrors(_error, request, reply) {
      reply.header('x-request-id', request.id);
      // No hook runs for it.
      afterArrival(request, reply, () => sendRefusal(reply, nothingHere(), names));
    },
    // Longer ones do not fit into a request. Any id that is none of ours gets its resource's answer (platform.md
    // §1.2.2).
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    // Its own answer would be in another shape than all of ours, and without an id.
    return503OnClosing: false,
  });
  broken.watch(app.server);
  // A caller may go away at any moment, which is no fault of ours; unheard, it would end the process.
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
  });
  // Expectations we know nothing of may be passed over; Node would answer them without a body.
  app.server.on(
    'checkExpectation',
    (request, response) => void app.server.emit('request', request, response),
  );
  return app;
}
