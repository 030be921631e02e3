import { type Connection, send } from './call.ts';
import { OPERATIONS, type Operations } from './generated/operations.ts';
import { startList } from './list.ts';
import { wireNames } from './names.ts';
import type { CallOptions, Operation } from './operation.ts';

/** One method for each operation of the API, by its name. It takes path parameters, then query or body, then options. */
export type Corridor = Operations;

export interface CorridorOptions {
  /** The address that the service prints: `http://127.0.0.1:8080/svc/2025-10-13`. The host alone is enough. */
  readonly baseUrl: string;
  /** The credentials of a platform: together, the id and the secret of one of its tokens. */
  readonly tokenId?: string;
  readonly clientSecret?: string;
  /** The credentials of an agent. */
  readonly agentToken?: string;
  /** The operator's `SERVICE_NAME`; `Svc` unless it was changed. */
  readonly serviceName?: string;
  /** For one attempt of a call; 60 seconds by default. */
  readonly timeoutMs?: number;
  /** How often a call is retried if that is safe; twice by default. */
  readonly maxRetries?: number;
  /** Called with every reply, including those of failed attempts, for logs. The body was already read. */
  readonly onReply?: (reply: Response) => void;
  readonly fetch?: typeof fetch;
  /** Waits between attempts, and stops waiting when the call is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export function createCorridor(options: CorridorOptions): Corridor {
  return createMethods<Corridor>(OPERATIONS, options);
}

/** The methods of a table of operations, which may be that of another document of the same service. */
export function createMethods<Methods extends object>(
  operations: Readonly<Record<keyof Methods, Operation>>,
  options: CorridorOptions,
): Methods {
  const connection = buildConnection(options);
  const methods = Object.entries<Operation>(operations).map(([id, operation]) => {
    const inPath = operation.path.match(/\{/g)?.length ?? 0;
    const hasInput = operation.query !== undefined || operation.body !== undefined;
    const call = (...given: unknown[]) => {
      const params = given.slice(0, inPath) as string[];
      const input = (hasInput ? given[inPath] : undefined) as object | undefined;
      const options = (given[inPath + (hasInput ? 1 : 0)] ?? {}) as CallOptions;
      const load = (cursor?: string) =>
        send(connection, {
          operation,
          params,
          input: cursor === undefined ? input : { ...input, cursor },
          options,
        });
      return operation.isList ? startList(load as (cursor?: string) => Promise<object>) : load();
    };
    return [id, call];
  });
  return Object.fromEntries(methods) as Methods;
}

function buildConnection(options: CorridorOptions): Connection {
  const { baseUrl, agentToken, tokenId, clientSecret, onReply } = options;
  const names = wireNames(options.serviceName);
  const base = baseUrl.replace(/\/$/, '');
  const basic = tokenId === undefined ? undefined : `Basic ${btoa(`${tokenId}:${clientSecret ?? ''}`)}`;
  return {
    baseUrl: /^https?:\/\/[^/]+$/.test(base) ? base + names.basePath : base,
    authorization: agentToken === undefined ? basic : `Bearer ${agentToken}`,
    names,
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 2,
    // A browser's fetch fails when it is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    wait: options.wait ?? pause,
    onReply,
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
