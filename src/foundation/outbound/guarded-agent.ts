import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Resolve } from '#foundation/outbound/addresses.ts';
import type { ClientCertificate } from '#foundation/outbound/client-certificate.ts';

/** Which addresses may be connected to, by protocol; a protocol that is absent is not allowed at all. */
export type AllowedAddresses = Readonly<Partial<Record<'http:' | 'https:', IsAllowed>>>;

export type IsAllowed = (address: string) => boolean;

export interface AgentOptions {
  readonly allowed: AllowedAddresses;
  readonly resolve: Resolve;
  /** Certificates to trust in addition to the usual ones. */
  readonly ca?: string | undefined;
  /** Shown to servers that demand one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Connections to one host; by default as many as the caller has requests in flight. */
  readonly connectionsMax?: number | undefined;
  /** False: each request opens and closes a connection of its own. */
  readonly isReused?: boolean;
}

/** Shorter than servers usually keep idle connections, for servers that do not announce their timeout. */
const IDLE_MS = 4_000;

/**
 * HTTP to other servers: redirects are not followed, proxy settings of the environment are ignored, and no connection is
 * made to an address that was not checked first.
 */
export function createGuardedAgent({
  allowed: reach,
  resolve,
  ca,
  clientCertificate: shown,
  connectionsMax,
  isReused = true,
}: AgentOptions): Agent {
  const connectBy = new Map(
    Object.entries(reach).map(([protocol, isAllowed]) => {
      const lookup = checkedLookup(resolve, isAllowed);
      const connect = buildConnector({
        ...{ allowH2: false, lookup },
        ...(ca !== undefined && { ca }),
        ...(shown && { cert: shown.certificate, key: shown.privateKey }),
      });
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
      const route = connectBy.get(target.protocol);
      if (!route) return callback(new Error('only https is allowed'), null);
      // A host that is already an address is not looked up: Node connects to it directly.
      const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0 && !route.isAllowed(host)) return callback(new Error(FORBIDDEN), null);
      route.connect(target, callback);
    },
  });
}

const FORBIDDEN = 'the host has an address that is not allowed';

/**
 * A connection's only DNS look-up: Node connects to exactly the addresses returned here, so a name server that answers
 * differently a moment later (DNS rebinding) has no effect. One forbidden address refuses the whole name.
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
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | null | undefined;
  /** From the DNS look-up to the last byte. */
  readonly timeoutMs: number;
  /** The most bytes of the response that are read; the rest is cut off. */
  readonly answerMaxBytes: number;
  /** Aborts the request, with the same result as a timeout. */
  readonly signal?: AbortSignal | undefined;
}

export type HttpResult =
  | { readonly status: number; readonly body: Buffer; readonly headers?: HttpHeaders }
  | { readonly error: string; readonly cause: FailureCause };

/** In lower case; a header that was sent several times is a list. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Timeout; no connection, or no HTTP on it; a failure of our own before anything was sent. */
export type FailureCause = 'timeout' | 'receiver' | 'us';

/** Never throws: a failure is a result, too. */
export function request(
  agent: Agent,
  { url, timeoutMs, answerMaxBytes, body = null, signal, ...rest }: Request,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const exchange = new Exchange(answerMaxBytes, (posted) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', exchange.timeOut);
      resolve(posted);
    });
    const timer = setTimeout(exchange.timeOut, timeoutMs);
    signal?.addEventListener('abort', exchange.timeOut);
    try {
      if (signal?.aborted) exchange.timeOut();
      const { origin, pathname, search } = new URL(url);
      agent.dispatch({ origin, path: `${pathname}${search}`, body, ...rest }, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/**
 * One request and its response. A status is enough for a response: a body that breaks off, or does not end, is
 * truncated.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #answerMaxBytes: number;
  readonly #finish: (posted: HttpResult) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers: HttpHeaders = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;

  constructor(answerMaxBytes: number, finish: (posted: HttpResult) => void) {
    this.#answerMaxBytes = answerMaxBytes;
    this.#finish = finish;
  }

  /** Called at the timeout, whether or not there is a connection yet. */
  readonly timeOut = (): void => this.#end({ error: 'no answer in time', cause: 'timeout' });

  fail(error: unknown): void {
    this.#end({ error: describe(error), cause: 'receiver' });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error(ABORTED));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    // An interim response such as `103 Early Hints` is not the response.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= this.#answerMaxBytes) this.timeOut();
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#end({ error: 'the answer has no status', cause: 'receiver' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.fail(error);
  }

  /** Finishes with the response, if there is one, else with the failure, and aborts the rest of the exchange. */
  #end(failure: HttpResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const body = Buffer.concat(this.#chunks).subarray(0, this.#answerMaxBytes);
    this.#finish(
      this.#status === undefined ? failure : { status: this.#status, body, headers: this.#headers },
    );
    this.#controller?.abort(new Error(ABORTED));
  }
}

const ABORTED = 'broken off';

const TEXT_MAX = 300;

/** The text for the delivery log; for a failure on several addresses it names each cause once. */
function describe(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors : [error];
  const texts = causes.map((cause) => (cause instanceof Error ? textOf(cause) : 'unknown failure'));
  return [...new Set(texts)].join('; ').slice(0, TEXT_MAX);
}

function textOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? `${error.code}: ${error.message}` : error.message;
}
