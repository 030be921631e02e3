import { findAgent } from '#agents/agent-store.ts';
import { unauthorizedAgent } from '#agents/authenticate.ts';
import { CONNECTED_AGENT } from '#agents/examples.ts';
import { presentOneAgent } from '#agents/present.ts';
import { Agent } from '#agents/schemas.ts';
import { operation } from '#http/operation.ts';

const COMMON = { area: 'Agent Operations', access: 'agent', isExperimental: true } as const;

const me = operation('getAgentMe', {
  ...COMMON,
  route: 'GET /agents/me',
  summary: 'Get the agent that calls',
  description: 'What it may do, and what it has used of its limits.',
  reply: Agent,
  codes: [],
  examples: { 'A connected agent': { reply: CONNECTED_AGENT } },
  async read(tx, { caller }) {
    const row = await findAgent(tx, caller.id);
    return row ? presentOneAgent(tx, row) : unauthorizedAgent();
  },
});

/** What an agent may call with its own token, and nobody else (C.3). In contract order. */
export const ownAgentOperations = [me];
