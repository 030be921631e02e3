import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

/** A load of HTTP requests from a process of its own, to loopback only. */
export interface Load {
  readonly origin: string;
  readonly clients: number;
  readonly requests: readonly LoadRequest[];
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface LoadProcess {
  /** Repeats the requests in turn for a while; requests per second, all of which must succeed. */
  round(load: Load, milliseconds: number): Promise<number>;
  /** Sends each request once, as fast as the clients can; requests per second. */
  once(load: Load): Promise<number>;
  stop(): void;
}

export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(import.meta.url), ['--load'], { serialization: 'advanced' });
  const ask = (message: unknown) =>
    new Promise<number>((resolve, reject) => {
      child.once('message', (answer: { rate?: number; error?: string }) => {
        if (answer.rate === undefined) reject(new Error(answer.error));
        else resolve(answer.rate);
      });
      child.send(message as object);
    });
  return {
    round: (load, milliseconds) => ask({ load, milliseconds }),
    once: (load) => ask({ load }),
    stop: () => child.kill(),
  };
}

async function run({ load, milliseconds }: { load: Load; milliseconds?: number }): Promise<number> {
  const pool = new Pool(load.origin, { connections: load.clients, pipelining: 1 });
  const start = performance.now();
  let next = 0;
  let done = 0;
  const goOn = () =>
    milliseconds === undefined ? next < load.requests.length : performance.now() - start < milliseconds;
  const client = async () => {
    while (goOn()) {
      const request = load.requests[next++ % load.requests.length] as LoadRequest;
      const reply = await pool.request({ ...request });
      const text = await reply.body.text();
      if (reply.statusCode >= 300) throw new Error(`${request.path} answered ${reply.statusCode}: ${text}`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: load.clients }, client));
  const rate = (done * 1000) / (performance.now() - start);
  await pool.close();
  return rate;
}

if (process.argv[2] === '--load') {
  process.on('message', (message: { load: Load; milliseconds?: number }) => {
    run(message).then(
      (rate) => process.send?.({ rate }),
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
}
