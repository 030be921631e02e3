import type { AgentApi } from '#edge/mcp/agent-api.ts';

const PATIENCE_MS = 30_000;

/** Calls the agent's operations on a remote server. `baseUrl` ends with the version of the API, without a slash. */
export function remoteApi(baseUrl: string, accessToken: string): AgentApi {
  return async (route, { params = {}, query = {}, body, key } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const search = String(new URLSearchParams(query));
    const url = baseUrl + fillPath(path, params) + (search && `?${search}`);
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    try {
      return await send(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    } catch {
      return { status: 503, body: UNREACHABLE, isRepeated: false };
    }
  };
}

const UNREACHABLE = {
  code: 'SERVICE_UNAVAILABLE',
  reason:
    'The payment service did not answer. The call may still have taken effect: repeat it with exactly the ' +
    'same arguments; it takes effect only once.',
};

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
}

async function send(url: string, request: RequestInit) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A redirect would send the token to another address.
  const reply = await fetch(url, { ...request, redirect: 'error', signal });
  const text = await reply.text();
  const isRepeated = reply.headers.get('idempotency-replayed') === 'true';
  return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as unknown), isRepeated };
}
