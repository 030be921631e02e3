import type { IncomingMessage, Server } from 'node:http';
import type { ClientError } from '#foundation/http/serve/broken-requests.ts';

/** How fast a request must arrive (platform.md §10.5). */
export interface ArrivalLimits {
  /** The time limit for the headers, and for a pause in the body. */
  readonly idleMs: number;
  /** After this time the body's average speed counts. */
  readonly graceMs: number;
  readonly leastBytesPerSecond: number;
  /** No request may take longer, however fast it arrives. */
  readonly overallMs: number;
  readonly checkEveryMs: number;
}

export const ARRIVAL_LIMITS: ArrivalLimits = {
  idleMs: 30_000,
  graceMs: 30_000,
  leastBytesPerSecond: 16_384,
  overallMs: 3_600_000,
  checkEveryMs: 2_000,
};

interface Arriving {
  readonly request: IncomingMessage;
  /** The bytes that the connection had received when the body began. */
  readonly bytesBefore: number;
  bytes: number;
  since: number;
  lastAt: number;
  checkedAt: number;
}

/**
 * Ends requests whose body stalls or arrives too slowly. Node limits only a request as a whole, which would cut off a
 * large file over a slow line. All requests are checked together every few seconds, which costs next to nothing.
 */
export class ArrivalWatch {
  readonly #limits: ArrivalLimits;
  readonly #onLate: (error: ClientError, request: IncomingMessage) => void;
  readonly #now: () => number;
  readonly #arriving = new Set<Arriving>();

  constructor(
    limits: ArrivalLimits,
    onLate: (error: ClientError, request: IncomingMessage) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#onLate = onLate;
    this.#now = now;
  }

  watch(server: Server): void {
    server.prependListener('request', (request: IncomingMessage) => this.#add(request));
    server.on('listening', () => {
      const timer = setInterval(() => this.check(), this.#limits.checkEveryMs).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  #add(request: IncomingMessage): void {
    const { headers, socket } = request;
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
    const now = this.#now();
    const { bytesRead } = socket;
    this.#arriving.add({
      request,
      bytesBefore: bytesRead,
      bytes: bytesRead,
      since: now,
      lastAt: now,
      checkedAt: now,
    });
  }

  check(): void {
    const now = this.#now();
    for (const arriving of this.#arriving) {
      const { request } = arriving;
      const isOver = request.complete || request.destroyed || request.socket.destroyed;
      if (!isOver && !this.#isLate(arriving, now)) continue;
      this.#arriving.delete(arriving);
      if (isOver) continue;
      const code = 'ERR_HTTP_REQUEST_TIMEOUT';
      this.#onLate(Object.assign(new Error('the request did not arrive in time'), { code }), request);
    }
  }

  #isLate(arriving: Arriving, now: number): boolean {
    const { request, bytesBefore } = arriving;
    const { bytesRead } = request.socket;
    // While the server's buffer is full the sender has to wait: that time does not count.
    if (isFull(request)) arriving.since += now - arriving.checkedAt;
    if (isFull(request) || bytesRead > arriving.bytes) arriving.lastAt = now;
    arriving.bytes = bytesRead;
    arriving.checkedAt = now;
    const { idleMs, graceMs, leastBytesPerSecond } = this.#limits;
    if (now - arriving.lastAt >= idleMs) return true;
    const passedMs = now - arriving.since;
    return passedMs >= graceMs && (bytesRead - bytesBefore) * 1_000 < passedMs * leastBytesPerSecond;
  }
}

function isFull({ readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return readableLength >= readableHighWaterMark;
}
