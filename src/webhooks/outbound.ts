import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Environment } from '#lib/platform.ts';
import { mayConnect, mayUseProtocol, type SandboxReach } from '#webhooks/addresses.ts';
import type { Resolve } from '#webhooks/resolve.ts';

export interface Outbound {
  /** One POST; never throws: whatever goes wrong is the result. */
  post(request: Post): Promise<Posted>;
  close(): Promise<void>;
}

export interface Post {
  readonly url: string;
  readonly environment: Environment;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number;
}

export type Posted =
  | { readonly status: number; readonly body: Buffer }
  | { readonly error: string; readonly because: Trouble };

/** Nobody answered in time; no connection, or no HTTP on it; a failure of our own before anything was sent. */
export type Trouble = 'timeout' | 'receiver' | 'us';

export interface OutboundOptions {
  resolve: Resolve;
  /** Default: any. */
  sandboxReach?: SandboxReach | undefined;
  /** Certificates to trust beside the usual ones. */
  ca?: string | undefined;
  connectionsMax?: number;
}

/** As much of an answer as is read and kept (platform.md §4.2.6, §4.6.1). */
export const RESPONSE_MAX_BYTES = 10 * 1024;
/** Shorter than servers usually wait, where they do not say how long. */
const IDLE_MS = 4_000;

/**
 * HTTP to receivers: connections are kept open and reused, redirects are not followed, proxies of the
 * environment are not asked, and no connection is made to an address that was not checked first.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const agents: Record<Environment, Agent> = {
    SANDBOX: createAgent('SANDBOX', options),
    PRODUCTION: createAgent('PRODUCTION', options),
  };
  return {
    post: (request) => post(agents[request.environment], request),
    async close() {
      await Promise.all([agents.SANDBOX.destroy(), agents.PRODUCTION.destroy()]);
    },
  };
}

function createAgent(environment: Environment, options: OutboundOptions): Agent {
  const { resolve, ca, connectionsMax = 64, sandboxReach } = options;
  const isAllowed = (address: string) => mayConnect(address, environment, sandboxReach);
  const connect = buildConnector({
    allowH2: false,
    lookup: checkedLookup(resolve, isAllowed),
    ...(ca !== undefined && { ca }),
  });
  return new Agent({
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      const problem = problemOf(target, environment, isAllowed);
      if (problem) return callback(new Error(problem), null);
      connect(target, callback);
    },
  });
}

/** What needs no look-up: the protocol, and a host that is an address already, which Node connects to as it is. */
function problemOf(
  target: buildConnector.Options,
  environment: Environment,
  isAllowed: IsAllowed,
): string | undefined {
  if (!mayUseProtocol(target.protocol, environment)) return 'only https is allowed';
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isAllowed(host) ? FORBIDDEN : undefined;
}

type IsAllowed = (address: string) => boolean;

const FORBIDDEN = 'the host has an address that is not allowed';

/**
 * The one resolution of a connection: Node connects to the very addresses given here, so a name server that
 * answers differently a moment later changes nothing. One forbidden address refuses the name.
 */
function checkedLookup(resolve: Resolve, isAllowed: IsAllowed): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const entries = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = entries;
        if (!first) return callback(new Error('the host name has no address'), '', 0);
        if (!addresses.every(isAllowed)) {
          return callback(new Error(FORBIDDEN), '', 0);
        }
        if (options.all) callback(null, entries);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

async function post(agent: Agent, { url, headers, body, timeoutMs }: Post): Promise<Posted> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    const { origin, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    const answer = await agent.request({ origin, path, method: 'POST', headers, body, signal: abort.signal });
    return { status: answer.statusCode, body: await readStart(answer.body) };
  } catch (error) {
    if (abort.signal.aborted) return { error: 'no answer in time', because: 'timeout' };
    return { error: describe(error), because: 'receiver' };
  } finally {
    clearTimeout(timer);
  }
}

/** The answer counts from its status on: a body that breaks off, or goes on and on, is cut where it is. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= RESPONSE_MAX_BYTES) break;
    }
  } catch {
    // Cut off by the receiver or by our own time limit.
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_MAX_BYTES);
}

const TEXT_MAX = 300;

/** In words for the delivery log; a failure on several addresses names each cause once. */
function describe(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors : [error];
  const texts = causes.map((cause) => (cause instanceof Error ? textOf(cause) : 'unknown failure'));
  return [...new Set(texts)].join('; ').slice(0, TEXT_MAX);
}

function textOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? `${error.code}: ${error.message}` : error.message;
}
