import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { lacksHashKey, searchRefused } from '#foundation/database/known-hashes.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { KeyConflict } from '#foundation/http/idempotency/idempotency.ts';
import { badFormat } from '#foundation/http/read/body.ts';
import { nearestPath } from '#foundation/http/serve/nearest-path.ts';
import { isFinal, Refusal } from '#foundation/lib/refusals.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { StorageUnavailable } from '#foundation/ports/storage.ts';

/** Every response that is not a success is sent from here, in one shape (platform.md §10). */
export function registerErrors(
  app: FastifyInstance,
  operations: readonly NamedOperation[],
  names: WireNames,
): void {
  const allowed = allowedMethods(operations, names);
  const suggest = nearestPath(operations, names.basePath);
  // The address is checked before anything else of the request is read (platform.md §1.1.5).
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? unknownAddress(allowed, suggest, pathOf(request)) : undefined);
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendRefusal(reply, toRefusal(error, request), names),
  );
  app.setNotFoundHandler((request, reply) =>
    sendRefusal(reply, unknownAddress(allowed, suggest, pathOf(request)), names),
  );
  for (const { method, path } of shadowedMethods(operations)) {
    const url = names.basePath + path;
    // The declared address, however the request spells it.
    const refuse = (): never => {
      throw unknownAddress(allowed, suggest, url);
    };
    app.route({ method, url, onRequest: async () => refuse(), handler: refuse });
  }
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal, names: WireNames): FastifyReply {
  reply.request.refusal = refusal;
  if (refusal instanceof KeyConflict) reply.request.keyVerdict = 'conflict';
  if (refusal.code === 'SERVICE_UNAVAILABLE') reply.header('retry-after', '1');
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value);
  if (isFinal(refusal)) reply.header('x-should-retry', 'false');
  return reply
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(names.outgoing(JSON.stringify(refusal.body())));
}

/** A refusal is sent unchanged; a bug is logged, and its response reveals nothing (platform.md §10.0.4). */
export function toRefusal(
  error: FastifyError | Refusal | DatabaseUnavailable,
  request: FastifyRequest,
): Refusal {
  if (error instanceof Refusal) return error;
  // The outage log writes one line a second for all requests.
  if (error instanceof DatabaseUnavailable) return unavailable(request);
  if (lacksHashKey(error)) return searchRefused(error);
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return badFormat('The body is larger than 1 MiB.');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return badFormat('The request cannot be read.');
  }
  request.log.error({ err: error, requestId: request.id }, 'request failed');
  if (error instanceof StorageUnavailable) return storageUnavailable();
  return new Refusal(
    'INTERNAL_ERROR',
    `Something failed on our side. Mention request ${request.id} when you ask for help.`,
  );
}

/**
 * Does not claim that nothing happened: the commit may have succeeded and only its answer was lost (platform.md §10.0.4).
 */
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

/** A file is stored before every other step, so nothing has happened yet. */
function storageUnavailable(): Refusal {
  const reason = 'Files cannot be stored at the moment; nothing was stored. Repeat the call in a moment.';
  return new Refusal('SERVICE_UNAVAILABLE', reason);
}

export function serviceStopping(): Refusal {
  const reason = 'The service is stopping; nothing was done. Repeat the call in a second.';
  return new Refusal('SERVICE_UNAVAILABLE', reason);
}

function unknownAddress(
  allowed: (path: string) => string[],
  suggest: (path: string) => string | undefined,
  path: string,
): Refusal {
  const methods = allowed(path);
  if (methods.length > 0) {
    const allow = methods.join(', ');
    return new Refusal('METHOD_NOT_ALLOWED', `This path supports ${allow} only.`, undefined, { allow });
  }
  return noSuchPath(suggest(path));
}

export function pathOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** `meant`: the declared path that comes nearest. */
export function noSuchPath(meant?: string): Refusal {
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return new Refusal('NOT_FOUND', `There is no such path.${hint}`);
}

/** Which methods a path supports, so that a wrong one is 405 and not 404 (platform.md §1.1.4). */
function allowedMethods(operations: readonly NamedOperation[], names: WireNames): (path: string) => string[] {
  return (path) => {
    if (!path.startsWith(names.basePath)) return [];
    const rest = path.slice(names.basePath.length);
    const fitting = operations.filter((operation) => matchesPath(operation.path, rest));
    // A literal path takes precedence over a pattern with an id in its place.
    const own = fitting.filter((operation) => operation.path === rest);
    const takers = own.length > 0 ? own : fitting;
    return [...new Set(takers.map(({ method }) => method))].sort();
  };
}

/** Methods that a literal path does not support although a pattern with an id in its place does. */
function shadowedMethods(operations: readonly NamedOperation[]): Pick<NamedOperation, 'method' | 'path'>[] {
  const named = new Set(operations.map(({ path }) => path).filter((path) => !path.includes(':')));
  return [...named].flatMap((path) => {
    const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const others = operations.filter(
      (operation) => operation.path !== path && matchesPath(operation.path, path),
    );
    const methods = new Set(others.map(({ method }) => method).filter((method) => !own.includes(method)));
    return [...methods].map((method) => ({ method, path }));
  });
}

function matchesPath(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
  );
}
