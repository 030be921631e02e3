import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import type { AgentUsage } from '#capabilities/agents/schemas.ts';
import { type Counter, dayPeriod } from '#foundation/counters/count.ts';
import { loadAllUsed, useCounter } from '#foundation/counters/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { AMOUNT_MAX, smaller } from '#foundation/lib/money.ts';

/**
 * An agent's usage of its limits in the current day and month (agents.md §4.7). Amounts are in the limits' currency.
 */
export interface Usage {
  /** The number of movements started today. */
  readonly count: bigint;
  readonly day: bigint;
  readonly month: bigint;
}

/** Above any possible usage: without a limit, movements are counted but never refused. */
export const NO_LIMIT = 10n ** 40n;

type Counted = Pick<AgentRow, 'id' | 'usage_no'>;

/** The counters of an agent. Those of amounts change with the currency of its limits. */
export function agentCounters({ id, usage_no: no }: Counted, now: Date): Record<keyof Usage, Counter> {
  const day = dayPeriod({ now });
  return {
    count: { name: `AGENT_COUNT:${id}`, period: day },
    day: { name: `AGENT_DAY:${id}:${no}`, period: day },
    month: { name: `AGENT_MONTH:${id}:${no}`, period: `${day.slice(0, 7)}-01` },
  };
}

/** In the order of the agents. */
export async function loadUsages(tx: ReadTx, agents: readonly Counted[]): Promise<Usage[]> {
  const counters = agents.flatMap((agent) => {
    const { count, day, month } = agentCounters(agent, tx.now);
    return [count, day, month];
  });
  const used = await loadAllUsed(tx, counters);
  // Only whole numbers are ever added to these counters.
  const usedOf = (place: number) => used[place]?.[0] ?? 0n;
  return agents.map((_, i) => ({ count: usedOf(3 * i), day: usedOf(3 * i + 1), month: usedOf(3 * i + 2) }));
}

/** Opens the counters of an agent whose limits changed their currency, with the usage so far (agents.md §1.4a). */
export function carryUsage(tx: Tx, agent: Counted, { day, month }: Pick<Usage, 'day' | 'month'>): void {
  const counters = agentCounters(agent, tx.now);
  useCounter(tx, { ...counters.day, value: [day, 1n], limit: NO_LIMIT });
  useCounter(tx, { ...counters.month, value: [month, 1n], limit: NO_LIMIT });
}

export function presentUsage({ count, day, month }: Usage, now: Date): AgentUsage {
  return {
    dailyTransactionCount: Number(count),
    dailySpend: shown(day),
    dailyResetDate: dayPeriod({ now: new Date(now.getTime() + DAY_MS) }),
    monthlySpend: shown(month),
    monthlyResetMonth: nextMonth(now),
  };
}

/** An amount that exceeds a JSON number is shown as the largest one that fits. */
function shown(amount: bigint): number {
  return Number(smaller(amount, AMOUNT_MAX));
}

const DAY_MS = 24 * 60 * 60 * 1000;

function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
}
