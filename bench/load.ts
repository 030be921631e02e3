import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openWireClient, type WireRequest } from './wire-client.ts';

/** A load of HTTP requests from a process of its own, to loopback only. */
export interface Load {
  readonly origin: string;
  readonly clients: number;
  readonly requests: readonly WireRequest[];
}

export interface LoadProcess {
  /** Repeats the requests in turn for a while; requests per second, all of which must succeed. */
  round(load: Load, milliseconds: number): Promise<number>;
  /** Sends each request once, as fast as the clients can; requests per second. */
  once(load: Load): Promise<number>;
  /** Opens an endpoint for webhooks, which it takes all, and gives its address. */
  receive(): Promise<string>;
  /** Waits until so many webhooks of a type have arrived since the last time it was asked. */
  arrivals(type: string, count: number): Promise<void>;
  stop(): void;
}

type Task =
  | { readonly does: 'load'; readonly load: Load; readonly milliseconds?: number }
  | { readonly does: 'receive' }
  | { readonly does: 'arrivals'; readonly type: string; readonly count: number };

interface Done {
  readonly no: number;
  readonly value?: unknown;
  readonly error?: string;
}

export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(import.meta.url), ['--load'], { serialization: 'advanced' });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  child.on('message', ({ no, value, error }: Done) => {
    const waiter = waiting.get(no);
    waiting.delete(no);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(error));
  });
  const ask = <Value>(task: Task) =>
    new Promise<Value>((resolve, reject) => {
      const no = ++asked;
      waiting.set(no, { resolve: resolve as (value: unknown) => void, reject });
      child.send({ no, task });
    });
  return {
    round: (load, milliseconds) => ask({ does: 'load', load, milliseconds }),
    once: (load) => ask({ does: 'load', load }),
    receive: () => ask({ does: 'receive' }),
    arrivals: (type, count) => ask({ does: 'arrivals', type, count }),
    stop: () => child.kill(),
  };
}

async function send(load: Load, milliseconds: number | undefined): Promise<number> {
  const clients = await Promise.all(Array.from({ length: load.clients }, () => openWireClient(load.origin)));
  const start = performance.now();
  let next = 0;
  let done = 0;
  const goOn = () =>
    milliseconds === undefined ? next < load.requests.length : performance.now() - start < milliseconds;
  await Promise.all(
    clients.map(async (client) => {
      while (goOn()) {
        const request = load.requests[next++ % load.requests.length] as WireRequest;
        const reply = await client.send(request);
        if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.body}`);
        done++;
      }
    }),
  );
  const rate = (done * 1000) / (performance.now() - start);
  for (const client of clients) client.close();
  return rate;
}

/** What arrived of each type and was not asked for yet, and who waits for it. */
function createInbox() {
  const counts = new Map<string, number>();
  const waiters = new Map<string, { count: number; resolve(): void }>();
  const look = (type: string) => {
    const waiter = waiters.get(type);
    const count = counts.get(type) ?? 0;
    if (!waiter || count < waiter.count) return;
    counts.set(type, count - waiter.count);
    waiters.delete(type);
    waiter.resolve();
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { type } = JSON.parse(text) as { type: string };
    counts.set(type, (counts.get(type) ?? 0) + 1);
    response.end();
    look(type);
  });
  return {
    open: () =>
      new Promise<string>((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        });
      }),
    arrivals: (type: string, count: number) =>
      new Promise<void>((resolve) => {
        waiters.set(type, { count, resolve });
        look(type);
      }),
  };
}

if (process.argv[2] === '--load') {
  const inbox = createInbox();
  const carryOut = (task: Task): Promise<unknown> => {
    if (task.does === 'load') return send(task.load, task.milliseconds);
    return task.does === 'receive' ? inbox.open() : inbox.arrivals(task.type, task.count);
  };
  process.on('message', ({ no, task }: { no: number; task: Task }) => {
    carryOut(task).then(
      (value) => process.send?.({ no, value } satisfies Done),
      (error: Error) => process.send?.({ no, error: error.message } satisfies Done),
    );
  });
}
