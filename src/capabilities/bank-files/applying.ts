import type { FilesConnectorRow } from '#capabilities/bank-files/file-store.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import type { Run } from '#foundation/database/database.ts';

/** The commit that records a file of the bank, in which everything changes that the file is about. */
export interface Applying {
  readonly run: Run;
  readonly parts: Pick<FilesParts, 'vault'>;
  readonly connector: FilesConnectorRow;
  readonly connectorId: string;
  readonly now: Date;
}
