import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '#database/failures.ts';
import { badFormat } from '#http/body.ts';
import type { NamedOperation } from '#http/operation.ts';
import { isFinal, Refusal } from '#lib/refusals.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { StorageUnavailable } from '#rails/storage.ts';

/** Every answer that is not a success leaves through here, in one shape (platform.md §10). */
export function registerErrors(
  app: FastifyInstance,
  operations: readonly NamedOperation[],
  names: WireNames,
): void {
  const allowed = createAllowed(operations, names);
  // The address is judged first of all (platform.md §1.1.5): whatever came with it is not even read.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? missing(allowed, pathOf(request)) : undefined);
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendRefusal(reply, refusalFor(error, request), names),
  );
  app.setNotFoundHandler((request, reply) => sendRefusal(reply, missing(allowed, pathOf(request)), names));
  for (const { method, path } of hidden(operations)) {
    const url = names.basePath + path;
    // Its own address, however the request spells it.
    const refuse = (): never => {
      throw missing(allowed, url);
    };
    app.route({ method, url, onRequest: async () => refuse(), handler: refuse });
  }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal, names: WireNames): FastifyReply {
  if (refusal.code === 'SERVICE_UNAVAILABLE') reply.header('retry-after', '1');
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value);
  if (isFinal(refusal)) reply.header('x-should-retry', 'false');
  return reply
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(names.outgoing(JSON.stringify(refusal.body())));
}

/** The caller's problem keeps its own words; a bug is logged and tells nothing (platform.md §10.0.4). */
function refusalFor(error: FastifyError | Refusal | DatabaseUnavailable, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  // The database itself tells the log, once a second for everybody.
  if (error instanceof DatabaseUnavailable) return unavailable(request);
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return badFormat('The body is larger than 1 MiB.');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return badFormat('The request cannot be read.');
  }
  request.log.error({ err: error, requestId: request.id }, 'request failed');
  if (error instanceof StorageUnavailable) return noStorage();
  return new Refusal(
    'INTERNAL_ERROR',
    `Something failed on our side. Quote request ${request.id} when asking for help.`,
  );
}

/** Nobody is told that nothing happened: the answer to a commit may be what was lost (platform.md §10.0.4). */
function unavailable({ method, headers }: FastifyRequest): Refusal {
  const reason = `The service cannot reach its database at the moment. ${adviceFor(method, headers)}`;
  return new Refusal('SERVICE_UNAVAILABLE', reason);
}

function adviceFor(method: string, headers: FastifyRequest['headers']): string {
  if (method === 'GET' || method === 'HEAD') return 'Repeat the call in a second.';
  return headers['idempotency-key'] === undefined
    ? 'The call may have taken effect: check before you repeat it. With an Idempotency-Key a call can be repeated safely.'
    : 'The call may have taken effect: repeat it with the same Idempotency-Key, and it takes effect only once.';
}

/** A file is stored before anything is done with it. */
function noStorage(): Refusal {
  const reason = 'Files cannot be stored at the moment; nothing was stored. Repeat the call in a moment.';
  return new Refusal('SERVICE_UNAVAILABLE', reason);
}

export function stopping(): Refusal {
  const reason = 'The service is stopping; nothing was done. Repeat the call in a second.';
  return new Refusal('SERVICE_UNAVAILABLE', reason);
}

function missing(allowed: (path: string) => string[], path: string): Refusal {
  const methods = allowed(path);
  if (methods.length > 0) {
    const allow = methods.join(', ');
    return new Refusal('METHOD_NOT_ALLOWED', `This path supports ${allow} only.`, undefined, { allow });
  }
  return nothingHere();
}

export function pathOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

export function nothingHere(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such path.');
}

/** Which methods an address takes, so that a wrong one is 405 and not 404 (platform.md §1.1.4). */
function createAllowed(operations: readonly NamedOperation[], names: WireNames): (path: string) => string[] {
  return (path) => {
    if (!path.startsWith(names.basePath)) return [];
    const rest = path.slice(names.basePath.length);
    const fitting = operations.filter((operation) => fits(operation.path, rest));
    // An address with a name of its own is not one of those that an id stands in.
    const own = fitting.filter((operation) => operation.path === rest);
    const takers = own.length > 0 ? own : fitting;
    return [...new Set(takers.map(({ method }) => method))].sort();
  };
}

/** Methods that an address with a name of its own does not take, though one with an id in its place does. */
function hidden(operations: readonly NamedOperation[]): Pick<NamedOperation, 'method' | 'path'>[] {
  const named = new Set(operations.map(({ path }) => path).filter((path) => !path.includes(':')));
  return [...named].flatMap((path) => {
    const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const others = operations.filter((operation) => operation.path !== path && fits(operation.path, path));
    const methods = new Set(others.map(({ method }) => method).filter((method) => !own.includes(method)));
    return [...methods].map((method) => ({ method, path }));
  });
}

function fits(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
  );
}
