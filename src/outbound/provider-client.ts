import { mayReachProvider } from '#outbound/addresses.ts';
import { createGuardedAgent, type Posted, type Request, request } from '#outbound/guarded-agent.ts';
import { createResolve, type Resolve } from '#outbound/resolve.ts';

/** Calls providers that the operator configured: rate sources, message gateways. */
export interface ProviderClient {
  /** Credentials in the URL are sent as an `Authorization` header. Never throws. */
  call(request: Request): Promise<Posted>;
}

export interface ProviderClientOptions {
  readonly resolve?: Resolve | undefined;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string | undefined;
}

/**
 * The operator chose the address, so it may be one of his own network; in the clear it must be, since whoever stands
 * in between could name a price or read a code.
 */
export function createProviderClient({
  resolve = createResolve(),
  ca,
}: ProviderClientOptions = {}): ProviderClient {
  const agent = createGuardedAgent({
    resolve,
    ca,
    // Calls are few.
    isReused: false,
    connectionsMax: 64,
    reach: {
      'https:': (address) => mayReachProvider(address, 'https:'),
      'http:': (address) => mayReachProvider(address, 'http:'),
    },
  });
  return {
    call: ({ url, headers, ...rest }) =>
      request(agent, { ...rest, url, headers: { ...headers, ...credentialsOf(url) } }),
  };
}

function credentialsOf(url: string): Record<string, string> {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
