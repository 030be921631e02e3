import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badFormat } from '#http/body.ts';
import { Refusal } from '#lib/refusals.ts';

/** What the HTTP parser could not read, or what did not come in time. */
export type Breakage = Error & { code?: string };

type Response = ServerResponse<IncomingMessage>;

/**
 * Answers what never became a request, each in its turn: what was asked before on the same connection is answered
 * first. An error in its place would tell the caller that a payment was refused while it is made.
 */
export class BrokenRequests {
  /** The newest request of a connection. */
  readonly #newest = new WeakMap<Socket, Response>();

  watch(server: Server): void {
    server.prependListener('request', (request: IncomingMessage, response: Response) => {
      this.#newest.set(request.socket, response);
    });
  }

  answer(error: Breakage, socket: Socket, requestId: string): void {
    const newest = this.#newest.get(socket);
    const isWhole = newest?.req.complete;
    const again = () => this.answer(error, socket, requestId);
    if (!newest) answerBrokenRequest(error, socket, requestId);
    else if (!newest.closed && (isWhole || newest.headersSent)) newest.once('close', again);
    // Answered before its body had come: there is nothing more to say.
    else if (!isWhole && newest.headersSent) endConnection(socket, '');
    else if (!isWhole && !newest.socket) newest.once('socket', again);
    else answerBrokenRequest(error, socket, requestId);
  }
}

/** What never became a request (broken headers, a body that does not arrive in time) gets JSON and an id too. */
export function answerBrokenRequest(error: Breakage, socket: Socket, requestId: string): void {
  if (socket.destroyed || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = timedOut
    ? new Refusal('REQUEST_TIMEOUT', 'The request did not arrive within 30 seconds.')
    : badFormat('The request is not valid HTTP.');
  const body = JSON.stringify(refusal.body());
  const line = timedOut ? '408 Request Timeout' : '400 Bad Request';
  const retry = timedOut ? '' : 'x-should-retry: false\r\n';
  endConnection(
    socket,
    `HTTP/1.1 ${line}\r\nconnection: close\r\nx-request-id: ${requestId}\r\n${retry}content-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Time to read what was sent last. Ended by us alone, a connection lasts for as long as the other side wishes. */
const FAREWELL_MS = 5_000;

function endConnection(socket: Socket, last: string): void {
  // What comes in after that is no HTTP either; closed on it, the connection would lose the answer.
  if (socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
