import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { closestMatch } from 'leven';
import type { Caller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { pathOf } from '#foundation/http/serve/errors.ts';
import { parseId } from '#foundation/lib/ids.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

/** The outcome of a call's `Idempotency-Key` (platform.md §2); `none`: the call had none that was read. */
export type KeyVerdict = 'none' | 'new' | 'replayed' | 'conflict';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    keyVerdict: KeyVerdict;
    refusal: Refusal | undefined;
    /** The data that was read from it, and the reply as JSON, for the request log, which may store parts of them. */
    sent: SentData | undefined;
    replied: string | undefined;
    unknownFields: readonly string[] | undefined;
  }
  interface FastifyContextConfig {
    operation?: NamedOperation;
    /** What precedes the operation's path in the route. */
    prefix?: string;
    isProbe?: boolean;
  }
}

export interface SentData {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * A request that was answered. Only `sent`, `replied`, `unknownFields` and the refusal's text may contain data that only
 * its caller may see.
 */
export interface RequestRecord {
  readonly requestId: string;
  readonly operation: NamedOperation | undefined;
  readonly caller: Caller | undefined;
  readonly method: string;
  /** `/quotes/{quoteId}/execute` */
  readonly route: string;
  /** The called path below the base path: it shows ids, but no other parameter and no query. */
  readonly path: string;
  readonly status: number;
  readonly refusal: Refusal | undefined;
  readonly ms: number;
  readonly keyVerdict: KeyVerdict;
  readonly sent: SentData | undefined;
  readonly replied: string | undefined;
  /** The unknown fields as the reply's header names them (platform.md §1.1.6). */
  readonly unknownFields: readonly string[] | undefined;
}

/** Adds the properties that are read from a request after it was answered. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('keyVerdict', 'none');
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('sent', undefined);
  app.decorateRequest('replied', undefined);
  app.decorateRequest('unknownFields', undefined);
}

export type DescribeRequest = (request: FastifyRequest, reply: FastifyReply) => RequestRecord;

export function createDescribeRequest(
  operations: readonly NamedOperation[],
  names: WireNames,
): DescribeRequest {
  const words = new Set([names.basePath, ...operations.map(({ path }) => path)].flatMap(segmentsOf));
  return (request, reply) => {
    const { operation } = request.routeOptions.config;
    const path = operation ? calledPath(operation, request) : otherPath(request, words, names);
    return {
      requestId: request.id,
      operation,
      caller: request.caller,
      method: request.method,
      route: operation ? documented(operation.path) : path,
      path,
      status: reply.statusCode,
      refusal: request.refusal,
      ms: Math.round(reply.elapsedTime),
      keyVerdict: request.keyVerdict,
      sent: request.sent,
      replied: request.replied,
      unknownFields: request.unknownFields,
    };
  };
}

const HIDDEN = '…';

/** `/quotes/{quoteId}` */
function documented(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}');
}

function calledPath({ path, params: rules = {} }: NamedOperation, request: FastifyRequest): string {
  const params = request.params as Record<string, string>;
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const rule = rules[name];
    const sent = params[name];
    return sent && rule && 'id' in rule && parseId(rule.id, sent) !== undefined ? sent : HIDDEN;
  });
}

/** A page is named by its route: the actual path may contain a secret that gives access. */
function otherPath(request: FastifyRequest, words: ReadonlySet<string>, { basePath }: WireNames): string {
  const { url } = request.routeOptions;
  const path = request.is404 || url === undefined ? recognised(pathOf(request), words) : documented(url);
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

const SEGMENTS_MAX = 12;
const WORD_MAX_CHARACTERS = 40;

/** Keeps only those segments of an unknown path that resemble a word of a known path: enough to see the misspelling. */
function recognised(path: string, words: ReadonlySet<string>): string {
  const shown = path
    .split('/', SEGMENTS_MAX)
    .map((part) => (part === '' || words.has(part) || resemblesOne(part, words) ? part : HIDDEN));
  return shown.join('/');
}

function resemblesOne(part: string, words: ReadonlySet<string>): boolean {
  if (part.length > WORD_MAX_CHARACTERS || !/^[a-z-]{3,}$/i.test(part)) return false;
  return closestMatch(part, [...words], { maxDistance: 2 }) !== undefined;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
}

/** `POST /quotes 400 INVALID_INPUT 3 ms` */
export function requestLine({ method, path, status, refusal, ms }: RequestRecord): string {
  return `${method} ${path} ${status}${refusal ? ` ${refusal.code}` : ''} ${ms} ms`;
}

/** The fields of the log entry beside its line. */
export function requestFacts(record: RequestRecord): Record<string, unknown> {
  const { requestId, caller, operation, method, path, status, refusal, ms, keyVerdict } = record;
  return {
    requestId,
    ...(caller && { platform: caller.platform.id }),
    ...(keyVerdict !== 'none' && { idempotency: keyVerdict }),
    operation: operation?.id ?? 'none',
    method,
    path,
    status,
    ...(refusal && { code: refusal.code }),
    ms,
  };
}
