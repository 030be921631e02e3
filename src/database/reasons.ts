import pg from 'pg';
import { DatabaseUnavailable } from '#database/unavailable.ts';

/**
 * Why a commit could not be: something that it counted on does not hold. The statement that noticed gave it its name
 * (`refuse_commit` in reasons.sql, or a constraint that a writer has named).
 *
 * - `stale`: a row is not as it was seen; look again and make the change anew.
 * - `key`: the idempotency key is taken; look again.
 * - `replayed`: this step was taken before.
 * - `insufficient`, `unknown_account`, `out_of_range`: an account cannot take or give that much.
 * - `limit`: a counter has no room.
 */
export interface Reason {
  readonly name: string;
  /** What was contended for, as the writer's `contested` names it. */
  readonly subject?: string;
  /** What else there is to tell. */
  readonly [fact: string]: unknown;
}

/** Thrown where a change is written in a transaction of one's own; the transaction cannot go on. */
export class CommitRefused extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`the commit was refused: ${reason.name} ${reason.subject ?? ''}`.trim(), { cause });
    this.reason = reason;
  }
}

/** Ends a transaction of one's own that finds something not as it was seen. */
export function endStale(): never {
  throw new CommitRefused({ name: 'stale' });
}

const REFUSED = 'CR001';
const UNIQUE_VIOLATION = '23505';
/** Serialization failure, deadlock: over when the change is made anew. */
const PASSING: readonly string[] = ['40001', '40P01'];

/** The reason that a failed statement gave; `constraints` says what the constraints of its tables mean. */
export function reasonOf(error: unknown, constraints: ReadonlyMap<string, string>): Reason | undefined {
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { code = '', message, detail, constraint = '' } = failure;
  if (code === REFUSED) return { ...JSON.parse(detail ?? '{}'), name: message };
  if (PASSING.includes(code)) return { name: 'stale' };
  const named = code === UNIQUE_VIOLATION ? constraints.get(constraint) : undefined;
  return named === undefined ? undefined : { name: named };
}

/** Whether the statement wrote nothing for certain: a server that goes down may have committed. */
export function isDefinite(error: unknown): boolean {
  const kind = failureOf(error)?.code?.slice(0, 2) ?? '';
  return ['22', '23', '40', '42', '54', '55', 'P0', 'CR'].includes(kind);
}

function failureOf(error: unknown): pg.DatabaseError | undefined {
  const failure = error instanceof DatabaseUnavailable ? error.cause : error;
  return failure instanceof pg.DatabaseError ? failure : undefined;
}
