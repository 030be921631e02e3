import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '#database/tx.ts';
import { type Authenticators, identify, verifyRequestSignature } from '#http/access.ts';
import { actorOf, type Caller, type RequestFacts, VISITOR } from '#http/caller.ts';
import { noSuchPath, pathOf } from '#http/errors.ts';
import { readKey } from '#http/idempotency.ts';
import { callersOf, keyRuleOf, type NamedOperation } from '#http/operation.ts';
import type { Call, Perform } from '#http/perform.ts';
import { normaliseIds, parseQuery } from '#http/query.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import { readBody } from '#http/read-body.ts';
import type { SerializedReply } from '#http/reply.ts';
import type { Validator } from '#http/validate.ts';
import { parseId } from '#lib/ids.ts';
import { notFound, Refusal, refuseIf } from '#lib/refusals.ts';
import { isStorable } from '#lib/storable.ts';
import type { WireNames } from '#lib/wire-names.ts';
import { RequestUploads } from '#uploads/uploads.ts';

export interface HttpParts {
  readonly names: WireNames;
  readonly runtime: Runtime;
  readonly authenticators: Authenticators;
  readonly perform: Perform;
  readonly validate: Validator;
  readonly rateLimit: RateLimit;
  /** Writes the audit row of a failed authentication. */
  onRefusedCaller(facts: RequestFacts): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Turns the list of declarations into routes. Checks run in the order of platform.md §1.1.5. */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly NamedOperation[],
  parts: HttpParts,
): void {
  app.decorateRequest('caller', undefined);
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: parts.names.basePath + operation.path,
      config: { operationId: operation.id },
      onRequest: (request, reply) => {
        // A browser or a proxy must not cache what only the caller may read.
        reply.header('cache-control', 'no-store');
        return admit(operation, request, parts);
      },
      handler: (request, reply) => serve(operation, request, reply, parts),
    });
  }
}

/** Credentials, permission, environment, rate, and whether there is such a thing: all before the body is read. */
async function admit(operation: NamedOperation, request: FastifyRequest, parts: HttpParts): Promise<void> {
  if (operation.access === 'public') return;
  const caller = await identify(callersOf(operation), parts.authenticators, request.headers.authorization);
  if (caller instanceof Refusal) {
    await parts.onRefusedCaller(factsOf(operation, request, parts.names));
    throw caller;
  }
  request.caller = caller;
  const needed = operation.access.toUpperCase();
  if (caller.kind === 'token' && !caller.permissions.some((permission) => permission === needed)) {
    throw new Refusal('FORBIDDEN', `This call needs a token with the ${needed} permission.`);
  }
  const { platform } = caller;
  if (operation.sandboxOnly && platform.environment !== 'SANDBOX') {
    throw new Refusal('FORBIDDEN', 'This call is available in the sandbox only.');
  }
  const { perSecond, burst } = platform.settings.requestRate;
  refuseIf(parts.rateLimit.take(platform.id, perSecond, burst));
  refuseIf(operation.checkAvailable?.(platform, parts.runtime.ports(platform.environment)));
  refuseIf(operation.checkCaller?.(caller));
}

async function serve(
  operation: NamedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: HttpParts,
): Promise<FastifyReply> {
  const { caller = VISITOR } = request;
  const key = readKeyHeader(operation, request);
  const uploads = operation.multipart
    ? new RequestUploads(parts.runtime, caller.platform, actorOf(caller))
    : undefined;
  try {
    const call = await readCall(operation, request, parts, uploads);
    return send(reply, await parts.perform(operation, { ...call, caller, key }), operation, parts.names);
  } finally {
    await uploads?.end();
  }
}

function readKeyHeader(operation: NamedOperation, request: FastifyRequest): string | undefined {
  const rule = keyRuleOf(operation);
  return rule === 'ignored' ? undefined : readKey(request.headers['idempotency-key'], rule === 'required');
}

async function readCall(
  operation: NamedOperation,
  request: FastifyRequest,
  parts: HttpParts,
  uploads: RequestUploads | undefined,
): Promise<Omit<Call, 'caller' | 'key'>> {
  const raw = request.body as Buffer | undefined;
  if (request.caller?.kind === 'token')
    verifyRequestSignature(request.headers[parts.names.signatureHeader.toLowerCase()], raw, request.caller);
  const { body, problems, file } = await readBody(operation, request, parts, uploads);
  const query = readQuery(operation, request, parts.validate);
  const params = readParams(operation, request.params as Record<string, string>);
  const facts = factsOf(operation, request, parts.names);
  return { params, query, body, problems, file, request: facts };
}

function readQuery(
  { query: schema }: NamedOperation,
  request: FastifyRequest,
  validate: Validator,
): Record<string, unknown> {
  if (!schema) return {};
  const query = parseQuery(schema, searchOf(request));
  validate(schema, query);
  normaliseIds(schema, query);
  return query;
}

function searchOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** A malformed or wrong-type id in a path is answered as unknown (platform.md §1.2.2). */
function readParams(operation: NamedOperation, path: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, rule] of Object.entries(operation.params ?? {})) {
    const value = path[name] ?? '';
    if (!('id' in rule)) {
      if (!isStorable(value)) throw noSuchPath();
      params[name] = value;
      continue;
    }
    const uuid = parseId(rule.id, value);
    if (uuid === undefined) throw notFound(rule.missing, rule.id);
    params[name] = uuid;
  }
  return params;
}

function factsOf(operation: NamedOperation, request: FastifyRequest, names: WireNames): RequestFacts {
  const { id, ip: remoteAddress, headers } = request;
  const path = maskedPath(operation, request, names) ?? pathOf(request);
  return { id, remoteAddress, headers, path, search: searchOf(request) };
}

/** The path with the end of its secrets in their place; undefined where it holds none. */
function maskedPath(
  { path, params: rules = {} }: NamedOperation,
  { params }: FastifyRequest,
  { basePath }: WireNames,
): string | undefined {
  const isSecret = (name: string) => 'isSecret' in (rules[name] ?? {});
  if (!Object.keys(rules).some(isSecret)) return undefined;
  const sent = params as Record<string, string>;
  const shown = (name: string) => (isSecret(name) ? `…${sent[name]?.slice(-4) ?? ''}` : (sent[name] ?? ''));
  return basePath + path.replace(/:(\w+)/g, (_whole, name: string) => shown(name));
}

function send(
  reply: FastifyReply,
  { status, body, headers = {}, isReplayed }: SerializedReply,
  operation: NamedOperation,
  names: WireNames,
): FastifyReply {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  if (operation.deprecated) reply.header('deprecation', 'true');
  reply.code(status);
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(names.outgoing(body));
}
