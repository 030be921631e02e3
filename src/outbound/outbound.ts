import type { Agent } from 'undici';
import type { Environment } from '#lib/platform.ts';
import { mayConnect, type SandboxReach } from '#outbound/addresses.ts';
import {
  createGuardedAgent,
  type Posted,
  type Reach,
  type Request,
  request,
} from '#outbound/guarded-agent.ts';
import type { Resolve } from '#outbound/resolve.ts';

export interface Outbound {
  /** One POST; never throws: whatever goes wrong is the result. */
  post(request: Post): Promise<Posted>;
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

/** As much of an answer as is read and kept (platform.md §4.2.6, §4.6.1). */
export const RESPONSE_MAX_BYTES = 10 * 1024;

/**
 * HTTP to receivers of webhooks, whose addresses strangers choose (platform.md §3.2.3, §4.2.7). How many connections
 * there are is the caller's affair: platforms may share a host, and one must not wait for another's answers.
 */
export function createOutbound({ sandboxReach, ...options }: OutboundOptions): Outbound {
  const reachOf = (environment: Environment): Reach => {
    const isAllowed = (address: string) => mayConnect(address, environment, sandboxReach);
    return { 'https:': isAllowed, ...(environment === 'SANDBOX' && { 'http:': isAllowed }) };
  };
  const agents: Record<Environment, Agent> = {
    SANDBOX: createGuardedAgent({ ...options, reach: reachOf('SANDBOX') }),
    PRODUCTION: createGuardedAgent({ ...options, reach: reachOf('PRODUCTION') }),
  };
  return {
    post: ({ environment, ...post }) =>
      request(agents[environment], { ...post, method: 'POST', answerMaxBytes: RESPONSE_MAX_BYTES }),
    async close() {
      await Promise.all([agents.SANDBOX.destroy(), agents.PRODUCTION.destroy()]);
    },
  };
}
