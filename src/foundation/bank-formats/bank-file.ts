import {
  CAMT_PIECES,
  type CamtMessage,
  type ReadEntry,
  type ReadStatement,
  readCamtEntry,
  readCamtStatement,
} from '#foundation/bank-formats/camt.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { type NachaNotices, readNacha } from '#foundation/bank-formats/nacha-reader.ts';
import {
  PAIN_002_PIECES,
  readPain002,
  readTransferStatus,
  type StatusReport,
  type TransferStatus,
} from '#foundation/bank-formats/pain002.ts';
import { find, findAll, readXml } from '#foundation/bank-formats/xml-reader.ts';

/** Reads a file of a bank, whole or not at all (bank-files.md §4). */

export interface CamtFile {
  readonly kind: 'CAMT';
  readonly message: CamtMessage;
  readonly statements: readonly ReadStatement[];
}

export type BankFile = CamtFile | StatusReport | NachaNotices;

export const FILE_MAX_BYTES = 64 * 1024 * 1024;
/** More than 64 MiB of a real bank have. */
const PARTS_MAX = 500_000;

/** Throws a `FileFault`. */
export function readBankFile(bytes: Uint8Array): BankFile {
  if (bytes.length > FILE_MAX_BYTES) throw new FileFault('it has more than 64 MiB');
  if (bytes.length === 0) throw new FileFault('it is empty');
  const head = Buffer.from(bytes.subarray(0, 3)).toString('latin1');
  return head === '101' ? readNacha(Buffer.from(bytes).toString('latin1')) : readMessage(bytes);
}

const ROOTS: Readonly<Record<string, CamtMessage>> = {
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrStmt: 'camt.053',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
};

function readMessage(bytes: Uint8Array): BankFile {
  let entries: ReadEntry[] = [];
  const statements: ReadStatement[] = [];
  const transfers: TransferStatus[] = [];
  let parts = 0;
  const { root } = readXml(bytes, {
    pieces: new Set([...CAMT_PIECES, ...PAIN_002_PIECES]),
    onPiece(node) {
      parts += 1 + findAll(node, 'NtryDtls', 'TxDtls').length + findAll(node, 'Bal').length;
      if (parts > PARTS_MAX) throw new FileFault('it has more than 500,000 entries and details', node.line);
      if (node.name === 'TxInfAndSts') transfers.push(readTransferStatus(node));
      else if (node.name === 'Ntry') entries.push(readCamtEntry(node));
      else {
        statements.push(readCamtStatement(node, entries));
        entries = [];
      }
    },
  });
  const [message] = root.children;
  const camt = ROOTS[message?.name ?? ''];
  if (camt !== undefined) {
    if (statements.length === 0) throw new FileFault('it has no statement', message?.line);
    return { kind: 'CAMT', message: camt, statements };
  }
  const report = find(root, 'CstmrPmtStsRpt');
  if (report) return readPain002(report, transfers);
  throw new FileFault(`the message ${message?.name ?? root.name} is not read`, message?.line ?? 1);
}
