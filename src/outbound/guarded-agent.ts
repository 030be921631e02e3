import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Resolve } from '#outbound/resolve.ts';

/** Which addresses are connected to over a protocol; one that is not named is not spoken. */
export type Reach = Readonly<Partial<Record<'http:' | 'https:', IsAllowed>>>;

export type IsAllowed = (address: string) => boolean;

export interface AgentOptions {
  readonly reach: Reach;
  readonly resolve: Resolve;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string | undefined;
  /** To one host; default: as many as the caller has calls under way. */
  readonly connectionsMax?: number | undefined;
  /** False: each call has a connection of its own, and none is left open behind it. */
  readonly isReused?: boolean;
}

/** Shorter than servers usually wait, where they do not say how long. */
const IDLE_MS = 4_000;

/**
 * HTTP to others: redirects are not followed, proxies of the environment are not
 * asked, and no connection is made to an address that was not checked first.
 */
export function createGuardedAgent({
  reach,
  resolve,
  ca,
  connectionsMax,
  isReused = true,
}: AgentOptions): Agent {
  const connectBy = new Map(
    Object.entries(reach).map(([protocol, isAllowed]) => {
      const lookup = checkedLookup(resolve, isAllowed);
      const connect = buildConnector({ allowH2: false, lookup, ...(ca !== undefined && { ca }) });
      return [protocol, { connect, isAllowed }];
    }),
  );
  return new Agent({
    ...(connectionsMax !== undefined && { connections: connectionsMax }),
    pipelining: isReused ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      const way = connectBy.get(target.protocol);
      if (!way) return callback(new Error('only https is allowed'), null);
      // A host that is an address already needs no look-up: Node connects to it as it is.
      const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0 && !way.isAllowed(host)) return callback(new Error(FORBIDDEN), null);
      way.connect(target, callback);
    },
  });
}

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

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | null | undefined;
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number;
  /** As much of the answer as is read; the rest is cut off. */
  readonly answerMaxBytes: number;
  /** Breaks it off, as if the time were over. */
  readonly cut?: AbortSignal | undefined;
}

export type Posted =
  | { readonly status: number; readonly body: Buffer }
  | { readonly error: string; readonly because: Trouble };

/** Nobody answered in time; no connection, or no HTTP on it; a failure of our own before anything was sent. */
export type Trouble = 'timeout' | 'receiver' | 'us';

/** Never throws: whatever goes wrong is the result. */
export function request(
  agent: Agent,
  { url, timeoutMs, answerMaxBytes, body = null, cut, ...rest }: Request,
): Promise<Posted> {
  return new Promise((resolve) => {
    const exchange = new Exchange(answerMaxBytes, (posted) => {
      clearTimeout(timer);
      cut?.removeEventListener('abort', exchange.cutOff);
      resolve(posted);
    });
    const timer = setTimeout(exchange.cutOff, timeoutMs);
    cut?.addEventListener('abort', exchange.cutOff);
    try {
      if (cut?.aborted) exchange.cutOff();
      const { origin, pathname, search } = new URL(url);
      agent.dispatch({ origin, path: `${pathname}${search}`, body, ...rest }, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/**
 * One request and its answer. An answer counts from its status on: a body that breaks off, or goes on and on, is cut
 * where it is.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #answerMaxBytes: number;
  readonly #finish: (posted: Posted) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;

  constructor(answerMaxBytes: number, finish: (posted: Posted) => void) {
    this.#answerMaxBytes = answerMaxBytes;
    this.#finish = finish;
  }

  /** The time is over, whether there is a connection yet or not. */
  readonly cutOff = (): void => this.#end({ error: 'no answer in time', because: 'timeout' });

  fail(error: unknown): void {
    this.#end({ error: describe(error), because: 'receiver' });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error(BROKEN_OFF));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // What comes before the answer, like `103 Early Hints`, is none.
    if (status >= 200) this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= this.#answerMaxBytes) this.cutOff();
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#end({ error: 'the answer has no status', because: 'receiver' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.fail(error);
  }

  /** With the answer, if there is one; else with what was wrong. What still goes on is broken off. */
  #end(trouble: Posted): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const body = Buffer.concat(this.#chunks).subarray(0, this.#answerMaxBytes);
    this.#finish(this.#status === undefined ? trouble : { status: this.#status, body });
    this.#controller?.abort(new Error(BROKEN_OFF));
  }
}

const BROKEN_OFF = 'broken off';

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
