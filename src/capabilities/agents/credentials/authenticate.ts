import { hash } from 'node:crypto';
import {
  findAgentsByToken,
  noteTokenUse,
  type TokenHolder,
} from '#capabilities/agents/credentials/token-store.ts';
import { randomHex } from '#foundation/crypto/secrets.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { AgentCaller } from '#foundation/http/caller.ts';
import { type Authenticate, noteUse } from '#foundation/http/serve/access.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const TOKEN = /^bearer +(sat_[0-9a-f]{40}) *$/i;
/** agents.md §5.5 */
const USE_NOTED_EVERY_MS = 60_000;

/** agents.md §2.1: opaque, long and random. */
export function newAccessToken(): string {
  return `sat_${randomHex(20)}`;
}

/** The hash of a token is all that is stored of it, and is used to look it up. */
export function hashToken(accessToken: string): Buffer {
  return hash('sha256', accessToken, 'buffer');
}

/**
 * Authenticates agents by their bearer tokens (agents.md §3.1). As with API tokens, each request looks its token up,
 * and concurrent requests share the look-up.
 */
export function createAgentAuthenticate({
  database,
  clock,
}: Pick<Runtime, 'database' | 'clock'>): Authenticate {
  const find = batchCalls((hashes: Buffer[]) => findAgentsByToken(database, hashes));
  return async (authorization) => {
    const token = authorization?.match(TOKEN)?.[1];
    const holder = token === undefined ? undefined : await find(hashToken(token));
    if (!holder) return unauthorizedAgent();
    const now = new Date(clock.now());
    await noteUse(holder.token_used_at, now, USE_NOTED_EVERY_MS, () => noteTokenUse(database, holder, now));
    return callerOf(holder);
  };
}

function callerOf({ agent_id: id, customer_id, is_paused, permissions, platform }: TokenHolder): AgentCaller {
  return { kind: 'agent', id, platform, customerId: customer_id, permissions, isPaused: is_paused };
}

/** The same answer for every cause, so that it reveals nothing. */
export function unauthorizedAgent(): Refusal {
  const reason = 'The request needs the access token of an agent: Authorization: Bearer sat_….';
  return new Refusal('UNAUTHORIZED', reason, undefined, { 'www-authenticate': 'Bearer realm="agents"' });
}
