import { CorridorError } from '@corridor/client';
import { ConsoleError } from './session.ts';

/** Why a call failed, as every screen shows it. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly status?: number | undefined;
  /** The fault of each field, by its dot path. */
  readonly fields: Readonly<Record<string, string>>;
  /** The rule that was broken, such as `money.md §3.1`, if the refusal names it. */
  readonly rule?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CorridorError) {
    const { code, reason, status, requestId, details } = error;
    const fields = Object.fromEntries(error.errors.map(({ field, message }) => [field, message]));
    const rule = typeof details.rule === 'string' ? details.rule : undefined;
    return { code, reason, status, fields, rule, requestId, details };
  }
  if (error instanceof ConsoleError) {
    return {
      code: `HTTP_${error.status}`,
      reason: error.message,
      status: error.status,
      fields: {},
      details: {},
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'PROGRAM_ERROR', reason, fields: {}, details: {} };
}
