/** Why a file of a bank is not taken, and where in it (bank-files.md §4.1). The text names no person. */
export class FileFault extends Error {
  override name = 'FileFault';
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(reason);
    this.line = line;
  }
}
