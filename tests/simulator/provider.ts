import {
  STABLECOIN_DEBITS_TABLE,
  STABLECOIN_OPERATIONS_TABLE,
} from '#edge/sandbox/stablecoins/operations-table.ts';
import { rowFor } from '#edge/sandbox/table.ts';
import type { ProviderNotice } from '#foundation/ports/stablecoins.ts';
import type { Making } from '#tests/model/coins-steps.ts';

/** The sandbox's provider of coins (stablecoins.md §5.9, §5.10), by its own tables, without its network. */

const FUNDS_MS = 10_000;
const START_MS = 2_000;
const WORK_MS = 3_000;
const UNFUNDED_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;

type Stage = readonly [kind: ProviderNotice['kind'], atMs: number, reason?: string];

export function submissionOf({ ending }: Making) {
  return rowFor(STABLECOIN_OPERATIONS_TABLE, ending).does.submission;
}

/** The provider never got it: the submission was lost, or the process died before a submission that it refuses. */
export function isLostAtProvider(wish: Making, isCutOff: boolean): boolean {
  const submission = submissionOf(wish);
  return submission === 'LOST' || (isCutOff && (submission === 'REFUSED' || submission === 'UNAVAILABLE'));
}

function stagesOf({ source, ending, bank }: Making): Stage[] {
  const { neverMoves, fails, laterMs = 0 } = rowFor(STABLECOIN_OPERATIONS_TABLE, ending).does;
  const needsFunds = source === 'WIRE' || source === 'EXTERNAL_ACCOUNT';
  const first: Stage = [needsFunds ? 'awaitingFunding' : 'awaitingProvider', 0];
  if (neverMoves) return needsFunds ? [first, ['expired', UNFUNDED_MS]] : [first];
  const isDebit = source === 'ACH_DEBIT' || source === 'SAME_DAY_ACH_DEBIT';
  const debit = isDebit ? STABLECOIN_DEBITS_TABLE.rows.find(({ value }) => value === bank)?.does : undefined;
  if (debit) return [first, ['failed', debit.afterMs, debit.fails]];
  const fundedMs = needsFunds ? FUNDS_MS + laterMs : 0;
  const startedMs = fundedMs + START_MS + laterMs;
  const doneMs = startedMs + WORK_MS + laterMs;
  return [
    first,
    ...(needsFunds ? [['awaitingProvider', fundedMs] as const] : []),
    ['processing', startedMs],
    fails ? ['failed', doneMs, fails] : ['completed', doneMs],
  ];
}

/** What the provider says about an operation now. */
export function providerNotice(
  wish: Making,
  { created_at: createdAt }: { created_at: Date },
  now: Date,
): ProviderNotice {
  const passedMs = now.getTime() - createdAt.getTime();
  const stages = stagesOf(wish);
  const next = stages.find(([, atMs]) => atMs > passedMs);
  const [kind, , reason] = stages.findLast(([, atMs]) => atMs <= passedMs) ?? (stages[0] as Stage);
  const lifetimeMs = wish.ending === '001' ? UNFUNDED_MS : WEEK_MS;
  const funding = { instructions: {}, expiresAt: new Date(createdAt.getTime() + lifetimeMs) };
  return {
    kind,
    ...(reason !== undefined && { reason }),
    providerStatus: kind,
    ...(stages[0]?.[0] === 'awaitingFunding' && { funding }),
    askAgainAfterMs: next && next[1] - passedMs,
  } as ProviderNotice;
}
