import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '#tests/drills/frame/drill.ts';
import { createPlatform } from '#tests/drills/remote-platform.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';

export interface Latencies {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
}

const EVERY_MS = 50;

/** Another platform of the same service, which calls all the time and must always be answered. */
export class Bystander {
  readonly #url: string;
  readonly #authorization: string;

  private constructor(baseUrl: string, authorization: string) {
    this.#url = `${baseUrl}/config`;
    this.#authorization = authorization;
  }

  static async open(baseUrl: string, environment: Environment): Promise<Bystander> {
    const { authorization } = await createPlatform(environment, ['requestRate.perSecond=0']);
    return new Bystander(baseUrl, authorization);
  }

  async measure(ms: number): Promise<Latencies> {
    const calls = this.start();
    await delay(ms);
    return calls.stop();
  }

  /** Calls until it is stopped; one answer other than 200 is an error. */
  start(): { stop(): Promise<Latencies> } {
    const took: number[] = [];
    const stopped = new AbortController();
    const loop = async () => {
      while (!stopped.signal.aborted) {
        const began = performance.now();
        const reply = await fetch(this.#url, { headers: { authorization: this.#authorization } });
        assert.equal(reply.status, 200, await reply.text());
        took.push(performance.now() - began);
        await delay(EVERY_MS);
      }
    };
    const calls = loop();
    // The error is thrown by `stop`, which the caller awaits later.
    calls.catch(() => undefined);
    return {
      stop: async () => {
        stopped.abort();
        await calls;
        return {
          calls: took.length,
          p50: Math.round(quantile(took, 0.5)),
          p99: Math.round(quantile(took, 0.99)),
        };
      },
    };
  }
}
