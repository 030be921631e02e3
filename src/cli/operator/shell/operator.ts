import type { Operator } from '#cli/operator/shell/operator-session.ts';

export type { Operator, Reader } from '#cli/operator/shell/operator-session.ts';

/** Runs a command as the operator. The session is loaded here, so that the help and a refused option start quickly. */
export async function asOperator<T>(
  command: (operator: Operator) => Promise<T>,
  options: { isMigrating?: boolean } = {},
): Promise<T> {
  const { runAsOperator } = await import('#cli/operator/shell/operator-session.ts');
  return runAsOperator(command, options);
}
