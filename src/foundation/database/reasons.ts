import pg from 'pg';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';

/**
 * Why a commit was refused: one of its conditions does not hold. The statement that found out names the reason
 * (`refuse_commit` in reasons.sql, or a constraint that a writer has named).
 *
 * - `stale`: a row has changed since it was read; read again and repeat the change.
 * - `key`: the idempotency key is taken; read again.
 * - `replayed`: this step was already posted, or this notice was already received.
 * - `limit`: the counter would exceed its limit.
 * - `uncovered`: the card's account may not be overdrawn any more.
 * - `insufficient`, `unknown_account`, `out_of_range`: the account cannot be debited or credited with that amount.
 */
const PLAIN_REASONS = ['stale', 'key', 'replayed', 'limit', 'uncovered'] as const;
const ACCOUNT_REASONS = ['insufficient', 'unknown_account', 'out_of_range'] as const;

export type PlainReason = (typeof PLAIN_REASONS)[number];
export type AccountReason = (typeof ACCOUNT_REASONS)[number];

export type Reason = {
  /** The name that the change competed for, from the writer's `contested`. */
  readonly subject?: string;
  readonly currency?: string;
} & (
  | { readonly name: PlainReason; readonly account?: string }
  | { readonly name: AccountReason; readonly account: string }
);

/** Thrown if the change is written in a transaction of its own (`Tx`), which then cannot continue. */
export class CommitRefused extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`the commit was refused: ${[reason.name, reason.subject].join(' ').trim()}`, { cause });
    this.reason = reason;
  }
}

/** Ends a `Tx` that finds a row changed since it was read. */
export function throwStale(): never {
  throw new CommitRefused({ name: 'stale' });
}

const REFUSED = 'CR001';
const UNIQUE_VIOLATION = '23505';
/** Serialization failure, deadlock: a second attempt may succeed. */
const TRANSIENT: readonly string[] = ['40001', '40P01'];

/** The reason of a failed statement, if it has one; `constraints` maps the constraints of its tables to reasons. */
export function readReason(
  error: unknown,
  constraints: ReadonlyMap<string, PlainReason>,
): Reason | undefined {
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { code, message, detail, constraint } = failure;
  if (code === REFUSED)
    return isReasonName(message) ? { ...JSON.parse(detail ?? '{}'), name: message } : undefined;
  if (code !== undefined && TRANSIENT.includes(code)) return { name: 'stale' };
  const isTaken = code === UNIQUE_VIOLATION && constraint !== undefined;
  const named = isTaken ? constraints.get(constraint) : undefined;
  return named === undefined ? undefined : { name: named };
}

function isReasonName(text: string): text is Reason['name'] {
  return [...PLAIN_REASONS, ...ACCOUNT_REASONS].some((name) => name === text);
}

/** Whether the failure proves that nothing was written: a server that goes down may have committed. */
export function isCertainlyRolledBack(error: unknown): boolean {
  const kind = failureOf(error)?.code?.slice(0, 2);
  return kind !== undefined && ['22', '23', '40', '42', '54', '55', 'P0', 'CR'].includes(kind);
}

function failureOf(error: unknown): pg.DatabaseError | undefined {
  const failure = error instanceof DatabaseUnavailable ? error.cause : error;
  return failure instanceof pg.DatabaseError ? failure : undefined;
}
