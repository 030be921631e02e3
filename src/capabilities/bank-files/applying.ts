import type { FilesConnectorRow } from '#capabilities/bank-files/file-store.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';

/** The commit that records a file of the bank, in which everything changes that the file is about. */
export interface Applying {
  readonly run: Run;
  readonly parts: FilesParts;
  readonly connector: FilesConnectorRow;
  readonly connectorId: string;
  readonly now: Date;
  /** The id of the file, which has a key of its own. */
  readonly fileId: string;
  /** References of orders, and names of credits, that the file is about. */
  readonly subjects: Set<string>;
}
