import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimit } from '#foundation/http/serve/rate-limit.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** A call of a provider, before anybody knows whether it is genuine. */
export interface ProviderCall {
  /** Below the public URL, as it was sent. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it arrived: a signature is over bytes. */
  readonly body: Uint8Array;
}

/**
 * The way in for one provider's calls: the raw body is verified, then translated, and what it says is received by a
 * capability. Everything else (limits, refusals, the log line) is the same for all providers.
 */
export interface Door<Verified = unknown> {
  /** Below the public URL, outside the base path: `POST /connectors/:name/nudge`. */
  readonly route: `POST /${string}`;
  /** Calls of one sender in a second; more are 429. */
  readonly perSecond: number;
  /** A longer body is not read. */
  readonly bodyMaxBytes: number;
  /** The genuine call with its sender; undefined: it is not genuine, and nothing else is said about it. */
  verify(call: ProviderCall): Promise<{ readonly sender: string; readonly verified: Verified } | undefined>;
  /** Translates the call, and hands it to the capability. It returns once that is durable. */
  receive(verified: Verified): Promise<void>;
}

export interface DoorParts {
  readonly rateLimit: RateLimit;
}

/** One address may send this many times the calls of one sender, genuine or not: a signature costs look-ups. */
const SENDERS_PER_ADDRESS = 10;

/** Opens a door. A call is answered with 204 once it is received, with 401 if it is not genuine, or with 429. */
export function openDoor<Verified>(
  http: FastifyInstance,
  door: Door<Verified>,
  { rateLimit }: DoorParts,
): void {
  const url = door.route.slice('POST '.length);
  http.route({
    method: 'POST',
    url,
    bodyLimit: door.bodyMaxBytes,
    async handler(request, reply) {
      const perAddress = door.perSecond * SENDERS_PER_ADDRESS;
      refuseIf(rateLimit.take(`${url} from ${request.ip}`, perAddress, perAddress));
      const found = await door.verify(callOf(request));
      if (!found) throw new Refusal('UNAUTHORIZED', 'The signature is not good.');
      refuseIf(rateLimit.take(`${url} ${found.sender}`, door.perSecond, door.perSecond));
      await door.receive(found.verified);
      return reply.code(204).send();
    },
  });
}

function callOf({ url, params, headers, body }: FastifyRequest): ProviderCall {
  return {
    path: url,
    params: params as Record<string, string>,
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}
