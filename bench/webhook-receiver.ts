import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint that accepts all webhooks. */
export interface Inbox {
  /** Returns its address. */
  open(): Promise<string>;
  /** Waits until this many webhooks of a type have arrived and were not taken yet. */
  reached(type: string, count: number): Promise<void>;
  /** The same, and takes them. */
  take(type: string, count: number): Promise<void>;
  /** Waits until nothing has arrived for a while, and discards everything. */
  forget(): Promise<void>;
  /** The time at which the webhook of a type about a resource arrived, or arrives. */
  arrival(type: string, id: string): Promise<number>;
}

const QUIET_MS = 500;

export function createInbox(): Inbox {
  const counts = new Map<string, number>();
  const waiters = new Map<string, { count: number; resolve(): void }[]>();
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  let lastAt = 0;
  const countOf = (type: string) => counts.get(type) ?? 0;
  const arrivalKey = (type: string, id: string) => {
    const key = `${type} ${id}`;
    const known = arrivals.get(key) ?? Promise.withResolvers<number>();
    arrivals.set(key, known);
    return known;
  };
  const reached = (type: string, count: number) =>
    new Promise<void>((resolve) => {
      if (countOf(type) >= count) return resolve();
      waiters.set(type, [...(waiters.get(type) ?? []), { count, resolve }]);
    });
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { type, data } = JSON.parse(text) as { type: string; data: { id: string } };
    response.end();
    lastAt = performance.now();
    counts.set(type, countOf(type) + 1);
    arrivalKey(type, data.id).resolve(lastAt);
    const waiting = waiters.get(type) ?? [];
    for (const { resolve } of waiting.filter(({ count }) => count <= countOf(type))) resolve();
    waiters.set(
      type,
      waiting.filter(({ count }) => count > countOf(type)),
    );
  });
  return {
    open: () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        });
      }),
    reached,
    async take(type, count) {
      await reached(type, count);
      counts.set(type, countOf(type) - count);
    },
    async forget() {
      const asked = performance.now();
      while (performance.now() - Math.max(asked, lastAt) < QUIET_MS) {
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 5));
      }
      counts.clear();
      arrivals.clear();
    },
    arrival: (type, id) => arrivalKey(type, id).promise,
  };
}
