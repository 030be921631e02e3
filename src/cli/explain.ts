import { ConfigError } from '#app/config.ts';
import { KeyringError } from '#foundation/crypto/keyring.ts';
import { MasterKeyError } from '#foundation/crypto/master-key.ts';
import { EmbeddedError, isFileFailure } from '#foundation/database/embedded/embedded.ts';
import { DatabaseUnavailable, READ_ONLY, sqlFailure, UNTRUSTED } from '#foundation/database/failures.ts';
import { KeyCommandRefused } from '#foundation/database/key-commands.ts';
import { MigrationError } from '#foundation/database/migrate.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { KeyStoreDisagrees } from '#foundation/person-keys/agreement.ts';

/** Explains a failure of the service or its database to the operator, line by line. */
export function explainError(error: unknown): readonly string[] {
  if (error instanceof DatabaseUnavailable) return explainError(error.cause);
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof Refusal) return refusalLines(error);
  if (isMeantForPeople(error)) return [error.message];
  const { code } = sqlFailure(error) ?? {};
  if (code !== undefined && OLD_SCHEMA.has(code)) {
    return ['The database schema is not up to date; run "corridor migrate" first.'];
  }
  if (code === INSUFFICIENT_PRIVILEGE) {
    return [
      `The user of DATABASE_URL has too few rights (${(error as Error).message}): let it own the database.`,
    ];
  }
  // PostgreSQL refused the connection: wrong credentials, no such database, no resources, shutting down.
  if (code !== undefined && /^(08|28|3D|53|57)/.test(code)) {
    return [`The database cannot be used: ${(error as Error).message}.`];
  }
  if (code === READ_ONLY) return [`The database takes no writes (${(error as Error).message}).`];
  return [systemLine(error)];
}

/** Errors of the operating system and of TLS. */
function systemLine(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected failure: ${String(error)}`;
  const name = 'code' in error ? String(error.code) : '';
  if (UNTRUSTED.test(name)) {
    return `The database cannot be trusted: ${error.message}; name its authority with sslrootcert in DATABASE_URL.`;
  }
  if (isFileFailure(error)) return `A file cannot be used: ${error.message}.`;
  if (/^E[A-Z]+$/.test(name)) return `The database cannot be reached (${name}).`;
  // Errors of the driver, which have no code.
  if (/^(timeout e|Connection terminated)/.test(error.message)) {
    return `The database cannot be reached: ${error.message}.`;
  }
  if (/\bSSL\b/.test(error.message)) return `The database cannot be used: ${error.message}.`;
  return `Unexpected failure: ${error.message}`;
}

/** One line for each invalid field. */
function refusalLines(refusal: Refusal): string[] {
  const errors = refusal.details?.errors;
  if (!Array.isArray(errors) || errors.length === 0) return [refusal.message];
  return errors.map(({ field, message }: { field: string; message: string }) =>
    field === '' ? `the value ${message}` : `${field}: ${message}`,
  );
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Undefined table, column or function: a migration that adds it has not been applied. */
const OLD_SCHEMA = new Set(['42P01', '42703', '42883']);

const MEANT_FOR_PEOPLE = [
  EmbeddedError,
  KeyCommandRefused,
  KeyringError,
  KeyStoreDisagrees,
  MasterKeyError,
  MigrationError,
];

function isMeantForPeople(error: unknown): error is Error {
  return MEANT_FOR_PEOPLE.some((kind) => error instanceof kind);
}
