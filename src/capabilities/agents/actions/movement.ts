import { requireAgent } from '#capabilities/agents/actions/store.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { type AgentRoute, permissionsOf } from '#capabilities/agents/permissions.ts';
import { type Conversion, loadConversion } from '#capabilities/agents/policy/conversion.ts';
import { agentCounters, loadUsages, NO_LIMIT } from '#capabilities/agents/policy/usage.ts';
import {
  checkAgent,
  judgeMovement,
  type Movement,
  type Verdict,
} from '#capabilities/agents/policy/verdict.ts';
import { AuditedRefusal, type AuditFact } from '#foundation/audit/audit.ts';
import { useCounter } from '#foundation/counters/store.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { convertUp } from '#foundation/lib/money.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** A movement: its internal accounts, by their public ids, and its amount. */
export interface Moved {
  readonly source?: string | undefined;
  readonly destination?: string | undefined;
  readonly currency: string;
  readonly amount: bigint;
}

/** The refusal by a policy, which leaves an audit row (agents.md §5.5). */
export class RefusedByPolicy extends AuditedRefusal {
  readonly #agentId: AgentId;

  constructor(agentId: AgentId, refusal: Refusal) {
    super(refusal.code, refusal.message, refusal.details, refusal.headers);
    this.#agentId = agentId;
  }

  fact(): AuditFact {
    const resource = publicId('Agent', this.#agentId);
    return { action: 'agent refused', resource, details: { reason: this.message, ...this.details } };
  }
}

/** agents.md §3.3, by the current policy. */
export function checkStanding(
  { is_paused: isPaused, policy: { permissions } }: AgentRow,
  route: AgentRoute,
): Refusal | undefined {
  return checkAgent({ isPaused, permissions }, permissionsOf(route), false);
}

/** The verdict of the agent's current policy on a movement (agents.md §4.1–4.3). */
export async function judge(tx: ReadTx, agent: AgentRow, moved: Moved): Promise<Verdict> {
  const [usage = { count: 0n, day: 0n, month: 0n }] = await loadUsages(tx, [agent]);
  return judgeMovement(agent.policy, usage, await measure(tx, agent, moved));
}

/** agents.md §4.2: a missing rate refuses only when the amount is needed, which is after the accounts. */
async function measure(tx: ReadTx, { policy }: AgentRow, moved: Moved): Promise<Movement> {
  const { spendingLimits, approvalThresholds } = policy;
  const conversions = new Map<string, Conversion | Refusal>();
  for (const to of [spendingLimits.currency, approvalThresholds?.currency]) {
    if (to === undefined || conversions.has(to)) continue;
    const found = await loadConversion(tx, moved.currency, to).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    conversions.set(to, found);
  }
  return {
    source: moved.source,
    destination: moved.destination,
    measuredIn(currency) {
      const conversion = conversions.get(currency);
      if (!conversion) throw new Error(`no conversion into ${currency} was loaded`);
      if (conversion instanceof Refusal) throw conversion;
      return convertUp(moved.amount, conversion.rate, conversion.decimals);
    },
  };
}

/**
 * agents.md §4.7: a movement counts in the commit that starts it. The commit is refused if it would exceed a limit by
 * then.
 */
export function countMovement(changes: Changes, agent: AgentRow, measured: bigint): void {
  const { dailyTransactionLimit, dailyLimit, monthlyLimit } = agent.policy.spendingLimits;
  const { count, day, month } = agentCounters(agent, changes.now);
  const limitOf = (limit: number | null | undefined) =>
    limit === null || limit === undefined ? NO_LIMIT : BigInt(limit);
  requireAgent(changes, agent);
  useCounter(changes, { ...count, value: [1n, 1n], limit: limitOf(dailyTransactionLimit) });
  useCounter(changes, { ...day, value: [measured, 1n], limit: limitOf(dailyLimit) });
  useCounter(changes, { ...month, value: [measured, 1n], limit: limitOf(monthlyLimit) });
}
