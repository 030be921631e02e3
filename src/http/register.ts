import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Vault } from '#crypto/vault.ts';
import type { Surroundings } from '#database/tx.ts';
import type { Authenticate, Caller } from '#http/access.ts';
import { isStorable } from '#http/body.ts';
import { nothingHere, pathOf } from '#http/errors.ts';
import { bodyHash, KeyQueue, type KeyUse, queryHash, Replay, readKey } from '#http/idempotency.ts';
import { Intake } from '#http/intake.ts';
import {
  type Answer,
  type Input,
  keyConflictOf,
  keyRuleOf,
  type NamedOperation,
  type Reply,
  type RequestFacts,
} from '#http/operation.ts';
import { canonicalQuery, normaliseIds, parseQuery } from '#http/query.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import { readBody } from '#http/read-body.ts';
import { checkRequestSignature } from '#http/request-signature.ts';
import { actorOf, RequestWork, replyOf } from '#http/request-work.ts';
import type { Validator } from '#http/validate.ts';
import { parseId } from '#lib/ids.ts';
import { Refusal } from '#lib/refusals.ts';
import type { WireNames } from '#lib/wire-names.ts';

export interface HttpParts {
  readonly names: WireNames;
  readonly surroundings: Surroundings;
  readonly authenticate: Authenticate;
  readonly validate: Validator;
  readonly rateLimit: RateLimit;
  /** Leaves the audit row of a failed authentication. */
  onRefusedCaller(facts: RequestFacts & { path: string }): Promise<void>;
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
  const keys = new KeyQueue();
  app.decorateRequest('caller', undefined);
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: parts.names.basePath + operation.path,
      config: { operationId: operation.id },
      onRequest: (request, reply) => {
        // A browser or a proxy between must not keep what only the caller may read.
        reply.header('cache-control', 'no-store');
        return admit(operation, request, parts);
      },
      handler: (request, reply) => serve(operation, request, reply, parts, keys),
    });
  }
}

/** Credentials, permission, environment and rate: all before the body is looked at. */
async function admit(operation: NamedOperation, request: FastifyRequest, parts: HttpParts): Promise<void> {
  if (operation.access === 'public') return;
  const caller = await parts.authenticate(request.headers.authorization);
  if (caller instanceof Refusal) {
    await parts.onRefusedCaller({ ...factsOf(request), path: pathOf(request) });
    throw caller;
  }
  request.caller = caller;
  const needed = operation.access.toUpperCase();
  if (!caller.permissions.some((permission) => permission === needed)) {
    throw new Refusal('FORBIDDEN', `This call needs a token with the ${needed} permission.`);
  }
  if (operation.sandboxOnly && caller.platform.environment !== 'SANDBOX') {
    throw new Refusal('FORBIDDEN', 'This call is available in the sandbox only.');
  }
  const { perSecond, burst } = caller.platform.settings.requestRate;
  const limited = parts.rateLimit.take(caller.platform.id, perSecond, burst);
  if (limited) throw limited;
}

async function serve(
  operation: NamedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: HttpParts,
  keys: KeyQueue,
): Promise<FastifyReply> {
  const key = readKeyHeader(operation, request);
  const intake = operation.multipart ? intakeOf(request, parts) : undefined;
  try {
    const input = await readInput(operation, request, parts, intake);
    return await answer(operation, request, reply, { parts, keys, key, input });
  } finally {
    await intake?.end();
  }
}

function intakeOf({ caller }: FastifyRequest, { surroundings }: HttpParts): Intake {
  return new Intake(surroundings, caller?.platform ?? NO_PLATFORM, actorOf(caller?.tokenId));
}

async function answer(
  operation: NamedOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  call: { parts: HttpParts; keys: KeyQueue; key: string | undefined; input: Input<never, never, never> },
): Promise<FastifyReply> {
  const { parts, keys, key, input } = call;
  const platform = request.caller?.platform ?? NO_PLATFORM;
  const { vault } = parts.surroundings;
  const use =
    key === undefined ? undefined : keyUse(operation, key, input, { search: searchOf(request), vault });
  const context = {
    operation,
    platform,
    caller: request.caller,
    facts: input.request,
    key: use,
    path: pathOf(request),
  };
  const work = new RequestWork(parts.surroundings, context);
  const effect = () => run(operation, work, input, use !== undefined);
  try {
    const result = use ? await keys.run(platform.id, use, effect) : await effect();
    if (result instanceof Refusal) throw result;
    return send(reply, replyOf(operation, result), operation, parts.names);
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    const { status, body } = error.reply;
    reply.header('idempotency-replayed', 'true');
    return sendText(reply, status, body, operation, parts.names);
  }
}

/** Operations without credentials act for nobody; they find their platform by what they are handed. */
const NO_PLATFORM = Object.freeze({
  id: '00000000-0000-0000-0000-000000000000',
  name: '',
  environment: 'PRODUCTION' as const,
  clockOffsetMs: 0,
  settings: {} as never,
  ownCurrencies: {},
});

function run(
  operation: NamedOperation,
  work: RequestWork,
  input: Input<never, never, never>,
  isKeyed: boolean,
): Promise<Answer<unknown>> {
  const { read } = operation;
  // What takes no query reads one thing by its key; lists may be slow. An answer that a key keeps has to be written.
  const how = isKeyed ? 'write' : operation.query ? 'read' : 'lookUp';
  if (read) return work[how]((tx) => read(tx, input) as Promise<Answer<unknown>>);
  if (operation.write) return work.write((tx) => operation.write?.(tx, input) as Promise<Answer<unknown>>);
  if (operation.handle) return operation.handle(work, input);
  throw new Error(`operation ${operation.id} does nothing`);
}

function readKeyHeader(operation: NamedOperation, request: FastifyRequest): string | undefined {
  const rule = keyRuleOf(operation);
  return rule === 'ignored' ? undefined : readKey(request.headers['idempotency-key'], rule === 'required');
}

function keyUse(
  operation: NamedOperation,
  key: string,
  { params, query, body, files }: Input<never, never, never>,
  { search, vault }: { search: string; vault: Vault },
): KeyUse {
  const asked = canonicalQuery(operation.query, query, search);
  // Its name is among the fields.
  const file = files && { mediaType: files.mediaType, hash: files.hash };
  return {
    scope: `${operation.method} ${concretePath(operation, params)}${asked && `?${queryHash(vault, asked)}`}`,
    key,
    bodyHash: bodyHash(vault, file ? { body, file } : body),
    conflict: keyConflictOf(operation),
    secretReply: operation.idempotency?.secretReply ?? false,
  };
}

/** The same for every way of writing one address: an id in full or bare, its colon encoded or not. */
function concretePath({ path }: NamedOperation, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
}

async function readInput(
  operation: NamedOperation,
  request: FastifyRequest,
  parts: HttpParts,
  intake: Intake | undefined,
): Promise<Input<never, never, never>> {
  const raw = request.body as Buffer | undefined;
  if (request.caller)
    checkRequestSignature(request.headers[parts.names.signatureHeader.toLowerCase()], raw, request.caller);
  const { body, problems = [], files } = await readBody(operation, request, parts, intake);
  const query = readQuery(operation, request, parts.validate);
  const params = readParams(operation, request.params as Record<string, string>);
  const facts = factsOf(request);
  return { params, query, body, problems, files, request: facts } as unknown as Input<never, never, never>;
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

/** A malformed or wrong-type id in a path is answered as unknown (§1.2.2). */
function readParams(operation: NamedOperation, given: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, rule] of Object.entries(operation.params ?? {})) {
    const value = given[name] ?? '';
    if (!('id' in rule)) {
      if (!isStorable(value)) throw nothingHere();
      params[name] = value;
      continue;
    }
    const uuid = parseId(rule.id, value);
    if (uuid === undefined) throw notFound(rule.missing, rule.id);
    params[name] = uuid;
  }
  return params;
}

/** Missing, foreign and malformed ids get this same answer, byte for byte (style.md rule 15). */
export function notFound(code: Refusal['code'], what: string): Refusal {
  return new Refusal(code, `There is no such ${what}.`);
}

export function factsOf(request: FastifyRequest): RequestFacts {
  return {
    id: request.id,
    remoteAddress: request.ip,
    headers: request.headers,
    tokenId: request.caller?.tokenId,
  };
}

function send(
  reply: FastifyReply,
  answer: Reply<unknown>,
  operation: NamedOperation,
  names: WireNames,
): FastifyReply {
  for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  return sendText(reply, answer.status, text, operation, names);
}

function sendText(
  reply: FastifyReply,
  status: number,
  body: string,
  operation: NamedOperation,
  names: WireNames,
): FastifyReply {
  reply.code(status);
  if (operation.deprecated) reply.header('deprecation', 'true');
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(names.outgoing(body));
}
