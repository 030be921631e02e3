import {
  burnEntries,
  mintEntries,
  type Receiver,
  releaseEntries,
} from '#capabilities/stablecoins/operations/postings.ts';
import {
  burnsFromOutside,
  isOpen,
  type OperationRow,
  type OperationStatus,
} from '#capabilities/stablecoins/operations/row.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import type { FailureReason, OperationProgress } from '#foundation/ports/stablecoins.ts';

/** A report about an operation. */
export type OperationNews =
  | { readonly kind: 'progress'; readonly progress: OperationProgress }
  /** The provider did not accept it when it was submitted (stablecoins.md §6.3). */
  | { readonly kind: 'refused' }
  /** It was unknown whether it was submitted, and the provider never got it (stablecoins.md §5.68). */
  | { readonly kind: 'lost' };

/** The facts that the next step depends on besides the operation itself. */
export interface OperationFacts {
  readonly now: Date;
  /**
   * For a burn of coins outside: whether they exist, besides coins that other burns have already been given
   * (stablecoins.md §7.1).
   */
  readonly isCovered: boolean;
  /** The internal account that a mint credits. */
  readonly receiver: Receiver | undefined;
}

/** An operation after a step, and its new entries. */
export interface OperationStep {
  readonly row: OperationRow;
  readonly entries: readonly Entry[];
}

/** The rows of stablecoins.md §5.61–5.68. Undefined if the report is old, or too late to change anything. */
export function advance(
  row: OperationRow,
  news: OperationNews,
  facts: OperationFacts,
): OperationStep | undefined {
  if (!isOpen(row)) return undefined;
  if (news.kind === 'progress') return advanceTo(row, news.progress, facts);
  if (row.status !== 'CREATED') return undefined;
  if (news.kind === 'refused') return ended(row, 'REFUSED', facts, releaseEntries(row));
  return failed(row, 'PROVIDER_TRANSFER_FAILED', facts);
}

/** The order of the statuses: a report of an earlier one changes nothing. */
const ORDER: Readonly<Partial<Record<OperationStatus, number>>> = {
  CREATED: 0,
  PENDING_FUNDING: 1,
  PENDING_PROVIDER: 2,
  PROCESSING: 3,
};

function advanceTo(
  row: OperationRow,
  progress: OperationProgress,
  facts: OperationFacts,
): OperationStep | undefined {
  const known = withReport(row, progress);
  if (progress.status === 'EXPIRED') return expired(known, facts);
  if (progress.status === 'FAILED') return failed(known, reasonOf(progress), facts);
  if (progress.status === 'PENDING_FUNDING' && isOverdue(known, facts.now)) return expired(known, facts);
  if (isFunding(row, progress) && burnsFromOutside(row) && !facts.isCovered) {
    return failed(known, 'FUNDING_REJECTED', facts);
  }
  if (progress.status === 'COMPLETED') return completed(known, facts);
  if ((ORDER[progress.status] ?? 0) <= (ORDER[row.status] ?? 0)) return undefined;
  return changed(known, progress.status, facts.now);
}

function withReport(row: OperationRow, { providerStatus, funding }: OperationProgress): OperationRow {
  return {
    ...row,
    provider_status: providerStatus,
    ...(funding && { funding_instructions: funding.instructions, expires_at: funding.expiresAt }),
  };
}

function isOverdue({ status, expires_at }: OperationRow, now: Date): boolean {
  return status === 'PENDING_FUNDING' && expires_at !== null && expires_at.getTime() <= now.getTime();
}

/** Whether the report says that money or coins have arrived since the last status. */
function isFunding({ status }: OperationRow, progress: OperationProgress): boolean {
  return (status === 'CREATED' || status === 'PENDING_FUNDING') && progress.status !== 'PENDING_FUNDING';
}

function reasonOf({ failureReason }: OperationProgress): FailureReason {
  return failureReason ?? 'PROVIDER_TRANSFER_FAILED';
}

/** stablecoins.md §5.64; after funds have arrived it does not expire. */
function expired(row: OperationRow, facts: OperationFacts): OperationStep | undefined {
  if (row.status !== 'CREATED' && row.status !== 'PENDING_FUNDING') return undefined;
  return ended(row, 'EXPIRED', facts, releaseEntries(row));
}

/** stablecoins.md §5.67, §5.68. */
function failed(row: OperationRow, reason: FailureReason, facts: OperationFacts): OperationStep {
  return ended({ ...row, failure_reason: reason }, 'FAILED', facts, releaseEntries(row));
}

/** stablecoins.md §5.66. */
function completed(row: OperationRow, facts: OperationFacts): OperationStep {
  const entries = row.operation_type === 'MINT' ? mintEntries(row, facts.receiver) : burnEntries(row);
  return ended(row, 'COMPLETED', facts, entries);
}

function ended(
  row: OperationRow,
  status: OperationStatus,
  { now }: OperationFacts,
  entries: readonly Entry[],
): OperationStep {
  return { ...changed({ ...row, instruments: null }, status, now), entries };
}

function changed(row: OperationRow, status: OperationStatus, now: Date): OperationStep {
  return { row: { ...row, status, updated_at: now, version: row.version + 1n }, entries: [] };
}
