import pg from 'pg';
import { withTimeout } from '#foundation/lib/promises.ts';

/**
 * The database cannot be used at the moment: it is down, silent, full or read-only. The statement may still have been
 * executed, if only its answer was lost.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** The SQLSTATE or the name of the system error, if there is one. */
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  }
}

/** Ends the wait for a database that is slow, if there is a limit. The statement itself may still be executed. */
export async function answeredWithin<T>(answer: Promise<T>, maxMs: number | undefined): Promise<T> {
  if (maxMs === undefined) return answer;
  // It may fail when nobody waits for it any more.
  answer.catch(() => undefined);
  const late = new DatabaseUnavailable(new Error('the database is slow'));
  const found = await withTimeout(answer, maxMs, late);
  if (found === late) throw late;
  return found as T;
}

/** Wraps the error of a statement if it means that the database cannot be used; returns it unchanged otherwise. */
export function nameUnavailable(error: unknown): unknown {
  return error instanceof Error && isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

function isUnavailable(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return error.code !== undefined && UNAVAILABLE.test(error.code);
  const code = 'code' in error ? String(error.code) : '';
  return 'syscall' in error || DRIVER.test(error.message) || UNTRUSTED.test(code);
}

/**
 * The server is a standby, or a primary that became one. Its connection is closed, because the address may now lead to
 * another server. (Outside a transaction a failed statement closes its connection anyway.)
 */
export const READ_ONLY = '25006';
export const DISK_FULL = '53100';

/**
 * Connection failures (08), refused credentials (28), no such database (3D), resources exhausted (530 to 533), a server
 * that stops or starts (57P), files that it cannot read or write (58).
 */
const UNAVAILABLE = new RegExp(`^(08...|28...|3D...|53[0-3]..|57P..|58...|${READ_ONLY})$`);

/** Node's error codes for a certificate that it does not trust. */
export const UNTRUSTED = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/** The driver's messages for a connection that is gone, or that could not be opened in time. */
const DRIVER = /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/;

/** The SQLSTATE and constraint, if the error is one that PostgreSQL reported. */
export function sqlFailure(error: unknown): { code: string; constraint?: string } | undefined {
  const failure = error instanceof DatabaseUnavailable ? error.cause : error;
  if (failure instanceof pg.DatabaseError && failure.code !== undefined) {
    return {
      code: failure.code,
      ...(failure.constraint !== undefined && { constraint: failure.constraint }),
    };
  }
  return undefined;
}

export function violates(error: unknown, constraint: string): boolean {
  return sqlFailure(error)?.constraint === constraint;
}
