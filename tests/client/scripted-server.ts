import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of a JSON body. */
  readonly text?: string;
}

/** `hang up`: the connection ends without an answer. */
export type Script = readonly (Answer | 'hang up')[];

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that gives these answers in turn, whatever the request, and repeats the last one. */
export async function scriptedServer(script: Script) {
  const seen: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const answer = script[Math.min(seen.length, script.length) - 1];
    if (answer === undefined || answer === 'hang up') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}
