/** The command line is invalid: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command line is valid but cannot be carried out: exit code 1. */
export class OperatorError extends Error {
  override name = 'OperatorError';
  /** Lines that follow the first. */
  readonly more: readonly string[];

  constructor(message: string, { more = [], ...options }: ErrorOptions & { more?: readonly string[] } = {}) {
    super(message, options);
    this.more = more;
  }
}

const USAGE_EXIT = 2;
export const FAILURE_EXIT = 1;

/** The lines that the operator reads, and the exit code. They give the cause and the remedy, never a stack trace. */
export async function explain(error: unknown): Promise<{ lines: readonly string[]; code: number }> {
  if (error instanceof UsageError) return { lines: [error.message], code: USAGE_EXIT };
  if (error instanceof OperatorError) return { lines: [error.message, ...error.more], code: FAILURE_EXIT };
  // Loaded only here, because it imports the database driver.
  const { explainError } = await import('#cli/explain.ts');
  return { lines: explainError(error), code: FAILURE_EXIT };
}
