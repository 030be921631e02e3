/** A failure of the embedded database whose message tells the operator what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** Another process already runs the database of this folder; only one may. */
export class FolderInUseError extends EmbeddedError {
  override name = 'FolderInUseError';
  readonly ownerPid: number | undefined;

  constructor(dataDir: string, ownerPid: number | undefined) {
    const owner = ownerPid === undefined ? '' : ` (pid ${ownerPid})`;
    super(`Another Corridor process${owner} already runs the database in ${dataDir}; stop it first.`);
    this.ownerPid = ownerPid;
  }
}

/** The code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A failed call on a file or folder: its message begins with its code, unlike that of a failed connection. */
export function isFileFailure(error: unknown): error is Error & { syscall: unknown } {
  return error instanceof Error && 'syscall' in error && error.message.startsWith(`${codeOf(error)}: `);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for the value; returns `undefined` if its file or folder does not exist. */
export async function undefinedIfMissing<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
