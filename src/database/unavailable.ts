import pg from 'pg';

/**
 * The database can do nothing for anybody at the moment: it is away, silent, full or takes no writes. What was asked
 * may have been carried out, where only the answer was lost.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** The SQLSTATE or the name of the system's error, where there is one. */
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  }
}

/** The same failure, under its name where it is one. For what a statement threw; what a caller threw is none. */
export function nameUnavailable(error: unknown): unknown {
  return error instanceof Error && isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

function isUnavailable(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  const code = 'code' in error ? String(error.code) : '';
  return 'syscall' in error || DRIVER.test(error.message) || UNTRUSTED.test(code);
}

/**
 * A standby, or a primary that became one: kept, the connection would go on failing, while the address may lead to
 * another server by now. (A statement by itself that fails costs its connection anyway.)
 */
export const READ_ONLY = '25006';
export const DISK_FULL = '53100';

/**
 * Connection failures (08), refused credentials (28), no such database (3D), no room of any kind (530 to 533), a server
 * that stops or starts (57P), files that it cannot read or write (58).
 */
const UNAVAILABLE = new RegExp(`^(08...|28...|3D...|53[0-3]..|57P..|58...|${READ_ONLY})$`);

/** Node's names for what it finds wrong with a certificate. */
export const UNTRUSTED = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/** The driver's own words for a connection that is gone, or that did not come about in time. */
const DRIVER = /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/;
