import type { Agent } from 'undici';
import type { Environment } from '#foundation/lib/platform.ts';
import {
  createResolve,
  mayConnect,
  mayReachProvider,
  type Resolve,
  type SandboxReach,
} from '#foundation/outbound/addresses.ts';
import type { ClientCertificate } from '#foundation/outbound/client-certificate.ts';
import {
  type AllowedAddresses,
  createGuardedAgent,
  type HttpResult,
  type Request,
  request,
} from '#foundation/outbound/guarded-agent.ts';

export interface Outbound {
  /** Sends one POST; never throws: a failure is a result, too. */
  post(request: Post): Promise<HttpResult>;
  close(): Promise<void>;
}

export interface Post extends Omit<Request, 'method' | 'answerMaxBytes'> {
  readonly environment: Environment;
  readonly body: Buffer;
}

export interface OutboundOptions {
  resolve: Resolve;
  /** Default: any. */
  sandboxReach?: SandboxReach | undefined;
  /** Certificates to trust beside the usual ones. */
  ca?: string | undefined;
}

/** The most bytes of a response that are read and stored (platform.md §4.2.6, §4.6.1). */
export const RESPONSE_MAX_BYTES = 10 * 1024;

/**
 * HTTP to receivers of webhooks, whose addresses platforms choose (platform.md §3.2.3, §4.2.7). The number of
 * connections is left to the caller: platforms may share a host, and one must not wait for another's responses.
 */
export function createOutbound({ sandboxReach, ...options }: OutboundOptions): Outbound {
  const reachOf = (environment: Environment): AllowedAddresses => {
    const isAllowed = (address: string) => mayConnect(address, environment, sandboxReach);
    return { 'https:': isAllowed, ...(environment === 'SANDBOX' && { 'http:': isAllowed }) };
  };
  const agents: Record<Environment, Agent> = {
    SANDBOX: createGuardedAgent({ ...options, allowed: reachOf('SANDBOX') }),
    PRODUCTION: createGuardedAgent({ ...options, allowed: reachOf('PRODUCTION') }),
  };
  return {
    post: ({ environment, ...post }) =>
      request(agents[environment], { ...post, method: 'POST', answerMaxBytes: RESPONSE_MAX_BYTES }),
    async close() {
      await Promise.all([agents.SANDBOX.destroy(), agents.PRODUCTION.destroy()]);
    },
  };
}

/** Calls providers that the operator configured: rate sources, message gateways. */
export interface ProviderClient {
  /** Credentials in the URL are sent as an `Authorization` header. Never throws. */
  call(request: Request): Promise<HttpResult>;
}

export interface ProviderClientOptions {
  readonly resolve?: Resolve | undefined;
  /** Certificates to trust beside the usual ones. */
  readonly ca?: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Connections to one host; null: as many as the caller has calls in flight. */
  readonly connectionsMax?: number | null;
}

const CONNECTIONS_MAX = 64;

/**
 * The operator chose the address, so it may be in the operator's own network; without encryption it must be, because an
 * attacker on the way could change a rate or read a code.
 */
export function createProviderClient({
  resolve = createResolve(),
  connectionsMax = CONNECTIONS_MAX,
  ...options
}: ProviderClientOptions = {}): ProviderClient {
  const agent = createGuardedAgent({
    ...options,
    resolve,
    // There are too few calls to keep connections open.
    isReused: false,
    connectionsMax: connectionsMax ?? undefined,
    allowed: {
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
