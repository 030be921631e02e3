import assert from 'node:assert/strict';
import { insertErrors, type NumberedError } from '#capabilities/customers/bulk/error-store.ts';
import type { FileRow } from '#capabilities/customers/bulk/read-file.ts';
import { type ReadRow, readRow, rowError } from '#capabilities/customers/bulk/read-row.ts';
import {
  advanceImport,
  findTakenNames,
  type ImportRow,
  lockImportAt,
} from '#capabilities/customers/bulk/store.ts';
import {
  addCustomer,
  type CustomerDraft,
  checkCustomer,
} from '#capabilities/customers/lifecycle/create-customer.ts';
import { readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { referenceTaken, umaAddressTaken } from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export interface ImportRules {
  readonly policy: CustomerPolicy;
  readonly validate: Validator;
}

/** How many errors an import stores; further ones are only counted. */
const ERRORS_MAX = 10_000;

/**
 * Imports the next rows and moves the import's position in the same commit, so that no row is imported twice
 * (customers.md §2.5.31). If one row aborts the shared transaction, each row is retried in a transaction of its own.
 * Returns undefined if another worker has imported these rows, or the import has ended.
 */
export async function importBatch(
  work: Work,
  at: ImportRow,
  rows: readonly FileRow[],
  rules: ImportRules,
): Promise<ImportRow | undefined> {
  const step = (from: ImportRow, some: readonly FileRow[]) =>
    work.write((tx) => importRows(tx, from, some, rules));
  try {
    return await step(at, rows);
  } catch (error) {
    if (!(error instanceof RefusedAfterWrite)) throw error;
  }
  let row: ImportRow | undefined = at;
  for (const single of rows) {
    const from: ImportRow = row;
    row = await step(from, [single]).catch((error: unknown) => {
      if (!(error instanceof RefusedAfterWrite)) throw error;
      return work.write((tx) => refuseRow(tx, from, single, error.refusal, rules));
    });
    if (!row) break;
  }
  return row;
}

/** A row was refused after some of its writes had been done. */
class RefusedAfterWrite extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('a row was refused half way');
    this.refusal = refusal;
  }
}

async function importRows(
  tx: Tx,
  { id, position }: ImportRow,
  rows: readonly FileRow[],
  rules: ImportRules,
): Promise<ImportRow | undefined> {
  const locked = await lockImportAt(tx, id, position);
  if (!locked) return undefined;
  const config = await loadConfig(tx);
  const checked = await checkFileRows(tx, locked, rows, config, rules);
  const drafts = checked.flatMap(({ draft }) => (draft ? [draft] : []));
  const names = await TakenNames.among(tx, drafts);
  const errors: NumberedError[] = [];
  const accepted: CustomerDraft[] = [];
  for (const { read, draft, refusal, row } of checked) {
    const refused = draft ? names.take(draft) : refusal;
    if (refused) errors.push({ ...rowError(read.correlationId, refused), row });
    else if (draft) accepted.push(draft);
  }
  tx.runtime.personKeys.requireNew(tx.platformId, accepted.length);
  // In a fixed order, so that two imports of the same customers wait for each other and cannot deadlock.
  for (const draft of accepted.toSorted(byReference)) await addRow(tx, draft, config, rules.policy);
  return advance(tx, locked, rows, errors);
}

function byReference(one: CustomerDraft, other: CustomerDraft): number {
  const [a = '', b = ''] = [one.body.platformCustomerId, other.body.platformCustomerId];
  return a < b ? -1 : Number(a > b);
}

interface CheckedRow {
  readonly row: number;
  readonly read: ReadRow;
  readonly draft?: CustomerDraft;
  readonly refusal?: Refusal;
}

async function checkFileRows(
  tx: ReadTx,
  at: ImportRow,
  rows: readonly FileRow[],
  config: PlatformConfig,
  { policy, validate }: ImportRules,
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = [];
  for (const [i, { cells }] of rows.entries()) {
    const row = rowNumber(at, i);
    const read = readRow(cells, requireColumns(at), row, validate);
    try {
      checked.push({ row, read, draft: await checkCustomer(tx, read, config, policy) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      checked.push({ row, read, refusal: error });
    }
  }
  return checked;
}

async function addRow(
  tx: Tx,
  draft: CustomerDraft,
  config: PlatformConfig,
  policy: CustomerPolicy,
): Promise<void> {
  try {
    await addCustomer(tx, draft, config, policy);
  } catch (error) {
    throw error instanceof Refusal ? new RefusedAfterWrite(error) : error;
  }
}

async function refuseRow(
  tx: Tx,
  at: ImportRow,
  single: FileRow,
  refusal: Refusal,
  { validate }: ImportRules,
): Promise<ImportRow | undefined> {
  const locked = await lockImportAt(tx, at.id, at.position);
  if (!locked) return undefined;
  const row = rowNumber(locked, 0);
  const { correlationId } = readRow(single.cells, requireColumns(locked), row, validate);
  return advance(tx, locked, [single], [{ ...rowError(correlationId, refusal), row }]);
}

async function advance(
  tx: Tx,
  { id, position: from, failed: failedBefore }: ImportRow,
  rows: readonly FileRow[],
  errors: readonly NumberedError[],
): Promise<ImportRow> {
  await insertErrors(tx, id, errors.slice(0, Math.max(0, ERRORS_MAX - failedBefore)));
  const position = rows.at(-1)?.end ?? Number(from);
  const failed = errors.length;
  return advanceImport(tx, id, { position, failed, successful: rows.length - failed });
}

/** The first row after the header is 1. */
function rowNumber({ successful, failed }: ImportRow, ahead: number): number {
  return successful + failed + ahead + 1;
}

function requireColumns({ columns }: ImportRow) {
  if (!columns) throw new Error('rows are imported after the file was surveyed');
  return columns;
}

/**
 * References and UMA addresses of live customers and earlier rows. This check only prevents most aborted transactions;
 * the unique indexes decide.
 */
export class TakenNames {
  readonly #references: Set<string>;
  readonly #addresses: Set<string>;

  private constructor(references: readonly string[], addresses: readonly string[]) {
    this.#references = new Set(references);
    this.#addresses = new Set(addresses);
  }

  static async among(tx: ReadTx, drafts: readonly CustomerDraft[]): Promise<TakenNames> {
    const names = drafts.map(namesOf);
    const { references, addresses } = await findTakenNames(
      tx,
      names.map(({ reference }) => reference),
      names.map(({ address }) => address),
    );
    return new TakenNames(references, addresses);
  }

  /** Reserves the draft's names, or returns a refusal for the one that is taken. */
  take(draft: CustomerDraft): Refusal | undefined {
    const { reference, address } = namesOf(draft);
    if (this.#references.has(reference)) return referenceTaken();
    if (this.#addresses.has(address)) return umaAddressTaken();
    this.#references.add(reference);
    this.#addresses.add(address);
    return undefined;
  }
}

/** Every row of a file has both names (customers.md §2.5.28). */
function namesOf({ body: { platformCustomerId, umaAddress } }: CustomerDraft) {
  assert(platformCustomerId !== undefined && umaAddress !== undefined, 'a row has both names');
  return { reference: platformCustomerId, address: readUmaAddress(umaAddress) };
}
