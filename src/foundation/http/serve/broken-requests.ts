import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badFormat } from '#foundation/http/read/body.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** A request that the HTTP parser could not read, or that did not arrive in time. */
export type ClientError = Error & { code?: string };

type Response = ServerResponse<IncomingMessage>;

/**
 * Answers malformed requests, but only after the earlier requests of the same connection were answered: sent too early,
 * the error would look like the response to one of them, say to a payment that is still being made.
 */
export class BrokenRequests {
  /** The newest request of a connection. */
  readonly #newest = new WeakMap<Socket, Response>();

  watch(server: Server): void {
    server.prependListener('request', (request: IncomingMessage, response: Response) => {
      this.#newest.set(request.socket, response);
    });
  }

  answer(error: ClientError, socket: Socket, requestId: string): void {
    const newest = this.#newest.get(socket);
    const isWhole = newest?.req.complete;
    const again = () => this.answer(error, socket, requestId);
    if (!newest) answerBrokenRequest(error, socket, requestId);
    else if (!newest.closed && (isWhole || newest.headersSent)) newest.once('close', again);
    // It was answered before its body arrived: there is nothing more to send.
    else if (!isWhole && newest.headersSent) endConnection(socket, '');
    else if (!isWhole && !newest.socket) newest.once('socket', again);
    else answerBrokenRequest(error, socket, requestId);
  }
}

const NOT_IN_TIME =
  'The request did not arrive in time: it may pause for at most 30 seconds, and must arrive at 16 kB per second or more.';

/** A malformed request (broken headers, a body that does not arrive in time) gets JSON and a request id too. */
export function answerBrokenRequest(error: ClientError, socket: Socket, requestId: string): void {
  if (socket.destroyed || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = timedOut
    ? new Refusal('REQUEST_TIMEOUT', NOT_IN_TIME)
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

/** How long the client has to read the response; without a limit it could keep a half-closed connection open forever. */
const LINGER_MS = 5_000;

function endConnection(socket: Socket, last: string): void {
  // More malformed bytes may follow; closing the connection because of them would lose the response.
  if (socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer)).end(last);
}
