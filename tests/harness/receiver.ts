import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: Record<string, string | string[] | undefined>;
  /** The exact bytes, for signature checks. */
  readonly raw: Buffer;
  readonly body: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The answer to the next deliveries; a function may decide by the delivery, and may hang. */
  answer(with_: Answer | ((delivery: Received) => Answer | Promise<Answer>)): void;
  types(): string[];
  /** Waits until enough has arrived. */
  until(isEnough: (received: readonly Received[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A platform's webhook endpoint on loopback that records deliveries. */
export async function createReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const looking = new Set<() => void>();
  let decide: (delivery: Received) => Answer | Promise<Answer> = () => ({ status: 200 });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const delivery: Received = { headers: request.headers, raw, body: JSON.parse(raw.toString() || '{}') };
    received.push(delivery);
    for (const look of looking) look();
    const answer = await decide(delivery);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer(with_) {
      decide = typeof with_ === 'function' ? with_ : () => with_;
    },
    until: (isEnough) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isEnough(received)) return;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        look();
      }),
    types: () => received.map((delivery) => delivery.body.type),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
