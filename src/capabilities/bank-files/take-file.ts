import { createHash } from 'node:crypto';
import { applyFile } from '#capabilities/bank-files/apply-file.ts';
import {
  closeSame,
  type FilesConnectorRow,
  insertFile,
  insertSubjects,
  wasRead,
} from '#capabilities/bank-files/file-store.ts';
import { moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { listToSettle } from '#capabilities/bank-files/order-store.ts';
import { changeFiles, type FilesParts } from '#capabilities/bank-files/row.ts';
import { type BankFile, readBankFile } from '#foundation/bank-formats/bank-file.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';

/** Takes a file of the bank, whole or not at all (bank-files.md §4.1). */

export type Taken =
  | { readonly outcome: 'read' | 'repeated' }
  | { readonly outcome: 'quarantined'; readonly reason: string; readonly line: number | undefined };

export async function takeFile(
  parts: FilesParts,
  connector: FilesConnectorRow,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<Taken> {
  const { database, clock } = parts;
  const now = new Date(clock.now());
  const connectorId = connector.connector_id;
  const hash = createHash('sha256').update(bytes).digest();
  if (await wasRead(database.query, connectorId, hash)) return { outcome: 'repeated' };
  const file = {
    connectorId,
    id: newUuid() as string,
    name: name.slice(0, NAME_MAX),
    hash,
    size: bytes.length,
  };
  await parts.personKeys.ensure(NIL_ID, [file.id]);
  try {
    const read = readBankFile(bytes);
    const isNew = await changeFiles(parts, async (run) => {
      if (!(await insertFile(run, { ...file, message: messageOf(read) }, now))) return false;
      await closeSame(run, connectorId, hash, now);
      const subjects = new Set<string>();
      await applyFile({ run, parts, connector, connectorId, now, subjects, fileId: file.id }, read);
      await insertSubjects(run, { connectorId, fileId: file.id }, [...subjects]);
      return true;
    });
    return { outcome: isNew ? 'read' : 'repeated' };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const fault = { reason: error.message.slice(0, REASON_MAX), line: error.line };
    await insertFile(database.query, { ...file, message: null, fault }, now);
    return { outcome: 'quarantined', ...fault };
  }
}

const NAME_MAX = 200;
const REASON_MAX = 500;

function messageOf(file: BankFile): string {
  if (file.kind === 'CAMT') return file.message;
  return file.kind === 'STATUS' ? 'pain.002' : 'NACHA';
}

const SETTLE_MAX = 1_000;

/** bank-files.md §4.6: payouts whose bank sends no statements settle when their days have passed. */
export async function settleDue(
  parts: FilesParts,
  { connector_id: connectorId }: FilesConnectorRow,
): Promise<number> {
  const now = new Date(parts.clock.now());
  return changeFiles(parts, async (run) => {
    const references = await listToSettle(run, connectorId, now, SETTLE_MAX);
    const moves = references.map((reference) => ({ reference, state: 'SETTLED' as const }));
    if (moves.length > 0) await moveOrders({ run, parts, connectorId, now }, moves);
    return moves.length;
  });
}
