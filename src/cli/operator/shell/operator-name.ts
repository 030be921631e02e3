import { hostname, userInfo } from 'node:os';
import { ConfigError } from '#app/config.ts';

const SETTING = 'CORRIDOR_OPERATOR';
const NAME = /^[\p{L}\p{N}._@+-](?:[\p{L}\p{N} ._@+-]{0,62}[\p{L}\p{N}._@+-])?$/u;

/**
 * The operator's name in the audit log. CORRIDOR_OPERATOR names the person. Without it the system's user name is used,
 * which in a container is the same for every operator.
 */
export function operatorName(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment[SETTING];
  if (named === undefined || named === '') return systemUser();
  if (NAME.test(named)) return named;
  throw new ConfigError([
    `${SETTING} must be 1 to 64 letters, digits, spaces and . _ @ + -, such as ada@example.com`,
  ]);
}

/** Returns details for every audit row of a command: the account of the system, and the host (operator.md §7.1). */
export function commandFacts() {
  return { via: 'operator:cli', account: systemUser(), host: hostname() };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
