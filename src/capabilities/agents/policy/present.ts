import { type AgentRow, isConnected } from '#capabilities/agents/agent-row.ts';
import { normalisePolicy } from '#capabilities/agents/policy/policy.ts';
import { loadUsages, presentUsage, type Usage } from '#capabilities/agents/policy/usage.ts';
import type { Agent, AgentPolicy } from '#capabilities/agents/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

export async function presentAgents(tx: ReadTx, rows: readonly AgentRow[]): Promise<Agent[]> {
  const usages = rows.length === 0 ? [] : await loadUsages(tx, rows);
  return rows.map((row, i) => presentAgent(row, usages[i] ?? UNUSED, tx.now));
}

export async function presentOneAgent(tx: ReadTx, row: AgentRow): Promise<Agent> {
  const [usage = UNUSED] = await loadUsages(tx, [row]);
  return presentAgent(row, usage, tx.now);
}

export const UNUSED: Usage = { count: 0n, day: 0n, month: 0n };

export function presentAgent(row: AgentRow, usage: Usage, now: Date): Agent {
  return {
    id: publicId('Agent', row.id),
    name: row.name,
    customerId: publicId('Customer', row.customer_id),
    isPaused: row.is_paused,
    isConnected: isConnected(row),
    policy: presentPolicy(row.policy),
    usage: presentUsage(usage, now),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The members in a fixed order, whatever their order in the database. */
export function presentPolicy(policy: AgentPolicy): AgentPolicy {
  return normalisePolicy(policy);
}
