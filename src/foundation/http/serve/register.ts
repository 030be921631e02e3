import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Runtime } from '#foundation/database/tx.ts';
import {
  actorOf,
  type Caller,
  type CallerKind,
  type RequestFacts,
  VISITOR,
} from '#foundation/http/caller.ts';
import { CallWork } from '#foundation/http/declare/call-work.ts';
import { checkOperator } from '#foundation/http/declare/check-operator.ts';
import { callersOf, keyRuleOf, type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import { readKey } from '#foundation/http/idempotency/idempotency.ts';
import type { SerializedReply } from '#foundation/http/idempotency/reply.ts';
import type { Call, Perform } from '#foundation/http/perform/perform.ts';
import { readBody } from '#foundation/http/read/read-body.ts';
import { UnknownFields } from '#foundation/http/read/unknown-fields.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { type Authenticators, identify, verifyRequestSignature } from '#foundation/http/serve/access.ts';
import { pathOf } from '#foundation/http/serve/errors.ts';
import type { RateLimit } from '#foundation/http/serve/rate-limit.ts';
import { readParams, readQuery } from '#foundation/http/serve/read-call.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { RequestUploads } from '#foundation/uploads/uploads.ts';

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

/** Where operations are served, and who calls them there. */
export interface Mount {
  /** What precedes the path of each operation. */
  readonly prefix: string;
  /** The caller of a request, or why it is refused. */
  identify(operation: NamedOperation, request: FastifyRequest): Promise<Caller | Refusal>;
}

/** Turns the list of declarations into routes. Checks run in the order of platform.md §1.1.5. */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly NamedOperation[],
  parts: HttpParts,
  mount: Mount = publicApi(parts),
): void {
  const { prefix } = mount;
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: prefix + operation.path,
      config: { operation, prefix },
      onRequest: (request, reply) => {
        // A browser or a proxy must not cache a reply that only the caller may read.
        reply.header('cache-control', 'no-store');
        return admit(operation, request, parts, mount);
      },
      handler: (request, reply) => serve(operation, request, reply, parts, mount),
    });
  }
}

/**
 * The public API: callers have credentials, and those that fail to authenticate are audited. Below another prefix it may take
 * fewer kinds of callers.
 */
export function publicApi(
  { names, authenticators, onRefusedCaller }: HttpParts,
  prefix = names.basePath,
  isTaken: (kind: CallerKind) => boolean = () => true,
): Mount {
  return {
    prefix,
    async identify(operation, request) {
      const kinds = callersOf(operation).filter(isTaken);
      const caller = await identify(kinds, authenticators, request.headers.authorization);
      if (caller instanceof Refusal) await onRefusedCaller(buildRequestFacts(operation, request, names));
      return caller;
    },
  };
}

/** Checks credentials, permission, environment, rate and availability, all before the body is read. */
async function admit(
  operation: NamedOperation,
  request: FastifyRequest,
  parts: HttpParts,
  mount: Mount,
): Promise<void> {
  if (operation.access === 'public') return;
  const caller = await mount.identify(operation, request);
  if (caller instanceof Refusal) throw caller;
  request.caller = caller;
  refuseIf(checkPermission(operation, caller, parts.runtime.clock));
  const { platform } = caller;
  if (operation.sandboxOnly && platform.environment !== 'SANDBOX') {
    throw new Refusal('FORBIDDEN', 'This call is available in the sandbox only.');
  }
  refuseIf(takeFromRate(operation, caller, parts.rateLimit));
  refuseIf(operation.checkAvailable?.(platform, parts.runtime.ports(platform.environment)));
  const refusal = operation.checkCaller?.(caller);
  if (refusal)
    await callWork(operation, request, caller, parts).auditingRefusals(() => Promise.reject(refusal));
}

function checkPermission(operation: NamedOperation, caller: Caller, clock: Clock): Refusal | undefined {
  const { access } = operation;
  if (caller.kind === 'operator') return checkOperator(operation, caller, clock);
  const needed = access.toUpperCase();
  if (caller.kind !== 'token' || access === 'any' || caller.permissions.some((one) => one === needed))
    return undefined;
  return new Refusal('FORBIDDEN', `This call needs a token with the ${needed} permission.`);
}

/** operator.md §6.1 */
const OPERATOR_CHANGES_PER_MINUTE = 60;

/** All callers of a platform share its rate; an operator's changes have a rate of their own. */
function takeFromRate({ method }: NamedOperation, caller: Caller, rateLimit: RateLimit): Refusal | undefined {
  if (caller.kind === 'operator')
    return method === 'GET'
      ? undefined
      : rateLimit.take(`operator ${caller.id}`, 1, OPERATOR_CHANGES_PER_MINUTE);
  const { id, settings } = caller.platform;
  return rateLimit.take(id, settings.requestRate.perSecond, settings.requestRate.burst);
}

/** The work of a call whose body is not read yet: it has no key and no effect. */
function callWork(
  operation: NamedOperation,
  request: FastifyRequest,
  caller: Caller,
  { runtime, names }: HttpParts,
): CallWork {
  const facts = buildRequestFacts(operation, request, names);
  const { id: action, operator } = operation;
  return new CallWork(runtime, {
    ...{ caller, action, operator, path: facts.path, request: facts },
    key: undefined,
    status: statusOf(operation),
  });
}

async function serve(
  operation: NamedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: HttpParts,
  mount: Mount,
): Promise<FastifyReply> {
  const { caller = VISITOR } = request;
  const key = readKeyHeader(operation, request);
  const uploads = operation.multipart
    ? new RequestUploads(parts.runtime, caller.platform, actorOf(caller))
    : undefined;
  try {
    const call = await readCall(operation, request, reply, parts, uploads);
    if (caller.kind === 'operator') await requireStillSignedIn(operation, request, parts, mount);
    if (key !== undefined) request.keyVerdict = 'new';
    return send(reply, await parts.perform(operation, { ...call, caller, key }), operation, parts.names);
  } finally {
    await uploads?.end();
  }
}

/** A body may arrive over minutes, in which the operator was suspended or signed out. */
async function requireStillSignedIn(
  operation: NamedOperation,
  request: FastifyRequest,
  { runtime }: HttpParts,
  mount: Mount,
): Promise<void> {
  const caller = await mount.identify(operation, request);
  if (caller instanceof Refusal) throw caller;
  refuseIf(checkPermission(operation, caller, runtime.clock));
}

function readKeyHeader(operation: NamedOperation, request: FastifyRequest): string | undefined {
  const rule = keyRuleOf(operation);
  return rule === 'ignored' ? undefined : readKey(request.headers['idempotency-key'], rule === 'required');
}

async function readCall(
  operation: NamedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: HttpParts,
  uploads: RequestUploads | undefined,
): Promise<Omit<Call, 'caller' | 'key'>> {
  const { caller, body: raw } = request;
  if (caller?.kind === 'token') {
    const { headers } = request;
    await verifyRequestSignature(parts.runtime, caller, { headers, body: raw as Buffer | undefined });
  }
  // Functions behind operators' operations also serve commands, and know options that no request may set.
  const isRefused = caller?.kind === 'operator' || (caller?.platform.settings.refuseUnknownFields ?? false);
  const unknown = new UnknownFields({ isRefused });
  try {
    const search = readSearch(request, parts.names);
    unknown.lookAtQuery(operation.query, search);
    const { body, problems, file } = await readBody(operation, request, parts, uploads, unknown);
    // If the call has a body, they were named together with the unknown fields of the body.
    const found = operation.body ? [] : unknown.problems(parts.names);
    const query = readQuery(operation, search, parts.validate, found);
    request.sent = { body, query };
    const params = readParams(operation, request.params as Record<string, string>);
    const facts = buildRequestFacts(operation, request, parts.names);
    return { params, query, body, problems, file, request: facts };
  } finally {
    if (!unknown.isEmpty) tellUnknown(unknown, { operation, request, reply, names: parts.names });
  }
}

/**
 * Names unknown fields in the header of every reply (platform.md §1.1.6). The log has their number only, because a name may
 * be a person's.
 */
function tellUnknown(
  unknown: UnknownFields,
  told: { operation: NamedOperation; request: FastifyRequest; reply: FastifyReply; names: WireNames },
): void {
  const { operation, request, reply, names } = told;
  const fields = unknown.describe(names);
  reply.header(names.unknownFieldsHeader, fields.join(', '));
  request.unknownFields = fields;
  const facts = {
    requestId: request.id,
    platform: request.caller?.platform.id,
    operation: operation.id,
    unknownFields: fields.length,
  };
  request.log.warn(facts, 'a request has fields that are not known');
}

function readSearch({ url }: FastifyRequest, names: WireNames): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : names.incomingQuery(url.slice(mark + 1));
}

function buildRequestFacts(
  operation: NamedOperation,
  request: FastifyRequest,
  names: WireNames,
): RequestFacts {
  const { id, ip: remoteAddress, headers } = request;
  const path = maskedPath(operation, request, names) ?? publicPath(request, names);
  const onLeft = (tell: () => void) => watchConnection(request.raw.socket, tell);
  return { id, remoteAddress, headers, path, search: readSearch(request, names), onLeft };
}

/** The called path as the public API has it, wherever the operation was served. */
function publicPath(request: FastifyRequest, { basePath }: WireNames): string {
  const { prefix = basePath } = request.routeOptions.config;
  // By its parts, because a request can spell a prefix in several ways, such as `/%63onsole`.
  const below = pathOf(request).split('/').slice(prefix.split('/').length);
  return `${basePath}/${below.join('/')}`;
}

/**
 * A client that has closed only its half of the connection counts as disconnected, too. Node closes the other half by
 * itself, and later writes do not arrive.
 */
function watchConnection(socket: Socket, tell: () => void): () => void {
  if (socket.destroyed || socket.readableEnded) tell();
  socket.once('end', tell).once('close', tell);
  return () => void socket.off('end', tell).off('close', tell);
}

/**
 * The path with its secrets shortened to their last characters and without personal data; undefined if it has neither.
 */
function maskedPath(
  { path, params: rules = {} }: NamedOperation,
  { params }: FastifyRequest,
  { basePath }: WireNames,
): string | undefined {
  const isSecret = (name: string) => 'isSecret' in (rules[name] ?? {});
  const isPersonal = (name: string) => 'isPersonal' in (rules[name] ?? {});
  if (!Object.keys(rules).some((name) => isSecret(name) || isPersonal(name))) return undefined;
  const sent = params as Record<string, string>;
  const shown = (name: string) => {
    if (isPersonal(name)) return '…';
    return isSecret(name) ? `…${sent[name]?.slice(-4) ?? ''}` : (sent[name] ?? '');
  };
  return basePath + path.replace(/:(\w+)/g, (_whole, name: string) => shown(name));
}

function send(
  reply: FastifyReply,
  { status, body, headers = {}, isReplayed, stream }: SerializedReply,
  operation: NamedOperation,
  names: WireNames,
): FastifyReply {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (isReplayed) {
    reply.header('idempotency-replayed', 'true');
    reply.request.keyVerdict = 'replayed';
  }
  if (operation.deprecated) reply.header('deprecation', 'true');
  reply.code(status);
  reply.request.replied = body;
  if (stream) return reply.send(stream);
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(names.outgoing(body));
}
