import assert from 'node:assert/strict';
import { RefusedByPolicy } from '#capabilities/agents/actions/movement.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { findAgent } from '#capabilities/agents/agent-store.ts';
import { unauthorizedAgent } from '#capabilities/agents/credentials/authenticate.ts';
import { type AgentRoute, permissionsOf } from '#capabilities/agents/permissions.ts';
import { checkAgent } from '#capabilities/agents/policy/verdict.ts';
import type { AgentPermission } from '#capabilities/agents/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { AgentCaller, Caller } from '#foundation/http/caller.ts';
import { bareId } from '#foundation/lib/ids.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

/** The declaration of an agent's operation: its caller, and the permissions that allow it (agents.md §3.2, §3.3). */
const COMMON = { area: 'Agent Operations', access: 'agent', isExperimental: true } as const;

export const readAccess = <Route extends AgentRoute>(route: Route) => ({
  ...COMMON,
  route,
  checkCaller: checkFor(permissionsOf(route), true),
});

export const writeAccess = <Route extends AgentRoute>(route: Route) => ({
  ...COMMON,
  route,
  checkCaller: checkFor(permissionsOf(route), false),
});

function checkFor(needs: readonly AgentPermission[], isRead: boolean) {
  return (caller: Caller): Refusal | undefined => {
    const refusal = checkAgent(requireAgentCaller(caller), needs, isRead);
    return refusal && new RefusedByPolicy(requireAgentCaller(caller).id, refusal);
  };
}

export function requireAgentCaller(caller: Caller): AgentCaller {
  assert(caller.kind === 'agent', 'only an agent can call this operation');
  return caller;
}

/** The policy may have changed since the request was authenticated. The token of a deleted agent is no longer valid. */
export async function loadCaller(tx: ReadTx, caller: Caller): Promise<AgentRow> {
  const row = await findAgent(tx, requireAgentCaller(caller).id);
  if (!row) throw unauthorizedAgent();
  return row;
}

/** Bare UUIDs of internal accounts; undefined if all of its customer's are allowed. */
export function allowedAccountsOf({ policy }: Pick<AgentRow, 'policy'>): AccountId[] | undefined {
  return policy.accountRestrictions?.allowedAccountIds?.map((id) => bareId(id));
}
