import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PerformedApiParts, performedApi } from '#edge/mcp/performed-api.ts';
import { badFormat, decodeText } from '#foundation/http/read/body.ts';
import { identify } from '#foundation/http/serve/access.ts';
import type { HttpParts } from '#foundation/http/serve/register.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

type McpParts = PerformedApiParts &
  Pick<HttpParts, 'authenticators' | 'rateLimit' | 'onRefusedCaller'> & {
    /** The URL at which clients reach the service. */
    publicUrl(): string;
  };

/** `/mcp`: the agent's tools over streamable HTTP, without state between calls (agents.md §6.1). */
export function registerMcp(app: FastifyInstance, parts: McpParts): void {
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/mcp',
    onRequest: async () => refuseMethod(),
    handler: refuseMethod,
  });
  app.route({
    method: 'POST',
    url: '/mcp',
    onRequest: (request, reply) => {
      reply.header('cache-control', 'no-store');
      return admit(request, parts);
    },
    handler: (request, reply) => serve(request, reply, parts),
  });
}

/** There is neither a stream to listen to nor a session to end. */
function refuseMethod(): never {
  throw new Refusal('METHOD_NOT_ALLOWED', 'This path supports POST only.', undefined, { allow: 'POST' });
}

/** Prevents foreign web pages from using a server that runs on their visitor's machine. */
async function admit(request: FastifyRequest, parts: McpParts): Promise<void> {
  const { origin, authorization } = request.headers;
  if (origin !== undefined && origin !== new URL(parts.publicUrl()).origin) {
    throw new Refusal('FORBIDDEN', 'Pages of other origins cannot call this server.');
  }
  const caller = await identify(['agent'], parts.authenticators, authorization);
  if (caller instanceof Refusal) {
    const { id, ip: remoteAddress, headers } = request;
    await parts.onRefusedCaller({ id, remoteAddress, headers, path: '/mcp', search: '' });
    throw caller;
  }
  request.caller = caller;
  const { perSecond, burst } = caller.platform.settings.requestRate;
  refuseIf(parts.rateLimit.take(caller.platform.id, perSecond, burst));
}

async function serve(request: FastifyRequest, reply: FastifyReply, parts: McpParts): Promise<FastifyReply> {
  const { caller } = request;
  if (!caller) throw new Error('a call was served without an admitted caller');
  // A batch would count as one request, whatever its number of calls; current versions of the protocol have no batches.
  const body = Buffer.isBuffer(request.body) ? decodeText(request.body) : '';
  if (body.trimStart().startsWith('['))
    throw badFormat('Batches are not supported: send each message separately.');
  const api = performedApi(parts, request, caller);
  // Loaded at the first call, so that a service without agents does not load it.
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { createMcpServer } = await import('#edge/mcp/server.ts');
  const { rewordError } = await import('#edge/mcp/protocol-errors.ts');
  const onFault = (err: unknown) => request.log.error({ err }, 'a tool of the MCP server failed');
  // Without subscriptions, which would need state.
  const handler = createMcpHandler(() => createMcpServer(api, onFault), { maxSubscriptions: 0 });
  const response = await handler.fetch(toWebRequest(request, body, parts.publicUrl()));
  for (const [name, value] of response.headers) reply.header(name, value);
  const text = await response.text();
  // A refusal before the server is created is a single message.
  const said = text.startsWith('{') ? JSON.stringify(rewordError(JSON.parse(text))) : text;
  return reply.code(response.status).send(Buffer.from(said));
}

/** Passes only the protocol's headers on, not the token, which was already checked. */
function toWebRequest({ headers }: FastifyRequest, body: string, publicUrl: string): Request {
  const sent = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  const pairs = sent.map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(new URL('/mcp', publicUrl), { method: 'POST', headers: pairs, body });
}
