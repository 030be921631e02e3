import pg from 'pg';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';

/**
 * Why a commit was refused: something that it relied on does not hold. The statement that found out names the reason
 * (`refuse_commit` in reasons.sql, or a constraint that a writer has named).
 *
 * - `stale`: a row has changed since it was read; read again and make the change anew.
 * - `key`: the idempotency key is taken; read again.
 * - `replayed`: this step was posted before.
 * - `insufficient`, `unknown_account`, `out_of_range`: the account cannot give or take that much.
 * - `limit`: the counter would exceed its limit.
 */
export interface Reason {
  readonly name: string;
  /** What the change competed for, as the writer's `contested` names it. */
  readonly subject?: string;
  /** Further details. */
  readonly [fact: string]: unknown;
}

/** Thrown where the change is written in a transaction of its own (`Tx`), which cannot go on then. */
export class CommitRefused extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`the commit was refused: ${reason.name} ${reason.subject ?? ''}`.trim(), { cause });
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

/** The reason that a failed statement gave, if it gave one; `constraints` says what the constraints of its tables mean. */
export function reasonOf(error: unknown, constraints: ReadonlyMap<string, string>): Reason | undefined {
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { code = '', message, detail, constraint = '' } = failure;
  if (code === REFUSED) return { ...JSON.parse(detail ?? '{}'), name: message };
  if (TRANSIENT.includes(code)) return { name: 'stale' };
  const named = code === UNIQUE_VIOLATION ? constraints.get(constraint) : undefined;
  return named === undefined ? undefined : { name: named };
}

/** Whether the failure proves that nothing was written: a server that goes down may have committed. */
export function isCertainlyRolledBack(error: unknown): boolean {
  const kind = failureOf(error)?.code?.slice(0, 2) ?? '';
  return ['22', '23', '40', '42', '54', '55', 'P0', 'CR'].includes(kind);
}

function failureOf(error: unknown): pg.DatabaseError | undefined {
  const failure = error instanceof DatabaseUnavailable ? error.cause : error;
  return failure instanceof pg.DatabaseError ? failure : undefined;
}
