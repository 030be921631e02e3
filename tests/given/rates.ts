import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setRates } from '#capabilities/pricing/rate-source/set-rates.ts';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import { onInstallation } from '#tests/given/operators.ts';
import type { World } from '#tests/harness/harness.ts';

const OPERATOR = { kind: 'operator', id: 'test' } as const;

/** Rates for production, as the operator sets them by hand. */
export async function givenRates(
  world: Pick<World, 'app'>,
  perUsd: Readonly<Record<string, string>> = SANDBOX_RATES,
  forMs = 7 * 24 * 60 * 60 * 1000,
): Promise<void> {
  const { USD: _unit, ...rates } = perUsd;
  const wanted = { perUsd: new Map(Object.entries(rates)), forMs, reason: 'test' };
  await onInstallation(world, (tx) => setRates(tx, wanted), OPERATOR);
}

export interface RateServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** Its answer from now on: a document, or exactly these bytes. */
  answer(with_: RateAnswer | (() => Promise<RateAnswer>)): void;
  close(): Promise<void>;
}

export interface RateAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** A rate source on loopback. */
export async function createRateServer(): Promise<RateServer> {
  const requests: IncomingMessage[] = [];
  let decide: () => Promise<RateAnswer> = async () => ({ status: 500, body: '' });
  const server = createServer(async (request, response) => {
    requests.push(request);
    const { status = 200, headers = {}, body } = await decide();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/rates`,
    requests,
    answer(with_) {
      decide = typeof with_ === 'function' ? with_ : async () => with_;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function rateDocument(timestamp: Date, rates: Record<string, unknown>, more: object = {}): RateAnswer {
  return { body: JSON.stringify({ base: 'USD', timestamp: timestamp.toISOString(), rates, ...more }) };
}
