import {
  applyBatch,
  endResending,
  loadBytes,
  lockBatch,
  markResent,
  raiseTraces,
} from '#capabilities/bank-files/batch-store.ts';
import { bankingDayAfter, momentOf } from '#capabilities/bank-files/calendar.ts';
import type { FilesConnectorRow } from '#capabilities/bank-files/file-store.ts';
import { BATCHES, type BatchNotice } from '#capabilities/bank-files/machine.ts';
import { moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { lockOrders, lockOrdersOf, putIntoBatch } from '#capabilities/bank-files/order-store.ts';
import { type BatchRow, changeFiles, type FilesParts } from '#capabilities/bank-files/row.ts';
import { bytesContext } from '#capabilities/bank-files/seal-batches.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Run } from '#foundation/database/database.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** The commits around the writing of a file (bank-files.md §2.4, §2.6). */

/** Undefined if they were destroyed, with the batch's end or with the key of the file (bank-files.md §2.8). */
export async function openBytes(
  { database, vault, personKeys }: Pick<FilesParts, 'database' | 'vault' | 'personKeys'>,
  batch: Pick<BatchRow, 'connector_id' | 'id'>,
): Promise<Buffer | undefined> {
  const sealed = await loadBytes(database.query, batch);
  await personKeys.loadFor([sealed]);
  if (!sealed || readReferences(sealed).some(({ person }) => personKeys.isErased(person))) return undefined;
  return vault.open(sealed, bytesContext(batch.id));
}

/** The file is in `staging`: from this commit on its orders are sent, since the bank may see it at any moment. */
export function commitStaged(
  parts: FilesParts,
  connector: FilesConnectorRow,
  { id }: BatchRow,
): Promise<void> {
  return change(parts, connector, id, { kind: 'staged' }, async (run, batch, now) => {
    const orders = await lockOrdersOf(run, batch.connector_id, id);
    const when = expectedOf(connector, batch);
    const moves = orders.map(({ reference }) => ({ reference, state: 'SENT' as const, ...when }));
    await moveOrders({ run, parts, connectorId: batch.connector_id, now }, moves);
  });
}

/** A payout is expected at the end of a banking day; without statements it counts as settled then. */
function expectedOf({ profile }: FilesConnectorRow, batch: BatchRow): { expectedAt?: Date; settleAt?: Date } {
  const account = profile?.settlementAccounts.find(({ id }) => id === batch.settlement_account);
  const rail = profile?.rails.find((each) => each.rail === batch.rail && each.currency === batch.currency);
  if (!account || !rail || batch.execution_day === null) return {};
  const days = rail.settleAfterBankingDays;
  const day = bankingDayAfter(rail, batch.execution_day, days ?? (rail.format === 'SEPA_INSTANT' ? 0 : 1));
  const end = momentOf(day, '23:59', account.zone);
  const settles = batch.format === 'NACHA' && days !== undefined && batch.kind === 'PAYOUT';
  return { expectedAt: end, ...(settles && { settleAt: end }) };
}

export function commitWritten(
  parts: FilesParts,
  connector: FilesConnectorRow,
  { id }: BatchRow,
): Promise<void> {
  return change(parts, connector, id, { kind: 'written' }, (run, batch) => endResending(run, batch));
}

async function change(
  parts: FilesParts,
  connector: FilesConnectorRow,
  id: string,
  notice: BatchNotice,
  steps: (run: Run, batch: BatchRow, now: Date) => Promise<void>,
): Promise<void> {
  const now = new Date(parts.clock.now());
  await changeFiles(parts, async (run) => {
    const batch = await lockBatch(run, connector.connector_id, id);
    const transition = batch && BATCHES.advance(batch, notice, now, undefined);
    if (!transition || !(await applyBatch(run, transition))) return;
    await steps(run, transition.row, now);
  });
}

/** The content of a sealed copy in the archive, besides the bytes of the file. */
export interface Archived {
  readonly batch: Omit<BatchRow, 'content_hash' | 'total' | 'version'> & {
    content_hash: string;
    total: string;
  };
  readonly orders: readonly { reference: string; traceNumber: string | null }[];
}

export async function describeBatch(
  { database }: FilesParts,
  { version: _version, ...batch }: BatchRow,
): Promise<Archived> {
  const orders = await database.transaction((run) => lockOrdersOf(run, batch.connector_id, batch.id));
  return {
    batch: {
      ...batch,
      content_hash: batch.content_hash?.toString('hex') ?? '',
      total: String(batch.total),
    },
    orders: orders.map(({ reference, trace_number: traceNumber }) => ({ reference, traceNumber })),
  };
}

const ROUTING_DIGITS = 8;

/** bank-files.md §2.7: a file that the archive has counts as written; orders that nobody knows are breaks. */
export async function adoptBatch(
  parts: FilesParts,
  connector: FilesConnectorRow,
  archived: Archived,
): Promise<void> {
  const now = new Date(parts.clock.now());
  const { connector_id: connectorId } = connector;
  await changeFiles(parts, async (run) => {
    const known = await lockBatch(run, connectorId, archived.batch.id);
    if (known && known.status !== 'OPEN' && known.status !== 'SEALED') return;
    const batch = await bringToWriting(run, archived, known, now);
    if (archived.batch.resent_at) await markResent(run, batch, now);
    const rows = await lockOrders(
      run,
      connectorId,
      archived.orders.map(({ reference }) => reference),
    );
    const free = new Set(rows.filter(({ batch_id: id }) => id === null).map(({ reference }) => reference));
    const own = new Set(rows.filter(({ batch_id: id }) => id === batch.id).map(({ reference }) => reference));
    await putIntoBatch(
      run,
      batch,
      archived.orders.filter(({ reference }) => free.has(reference)),
    );
    const moves = [...free, ...own].map((reference) => ({ reference, state: 'SENT' as const }));
    await moveOrders({ run, parts, connectorId, now }, moves);
    await applyBatch(run, BATCHES.require(batch, { kind: 'written' }, now, undefined));
    for (const { reference, traceNumber } of archived.orders) {
      if (traceNumber !== null)
        await raiseTraces(
          run,
          traceNumber.slice(0, ROUTING_DIGITS),
          Number(traceNumber.slice(ROUTING_DIGITS)),
        );
      if (free.has(reference) || own.has(reference)) continue;
      const what = `The file ${batch.name} has an order that is not known here, or is in another file.`;
      const found = { kind: 'CONTRADICTION' as const, what, about: reference, platformId: null, connectorId };
      await openBreak(run, { ...found, id: newUuid() }, now);
    }
  });
}

/** The batch as the archive has it; another one may be open for the same rail meanwhile. */
async function bringToWriting(
  run: Run,
  { batch: said }: Archived,
  known: BatchRow | undefined,
  now: Date,
): Promise<BatchRow> {
  const { message_id, payment_information_id, name, orders, execution_day, modifier } = said;
  const facts = {
    ...{ message_id, payment_information_id, name, orders, execution_day, modifier },
    content_hash: Buffer.from(said.content_hash, 'hex'),
    total: BigInt(said.total),
  };
  let row: BatchRow = known ?? {
    ...{ ...said, ...facts, version: 0n, sealed_at: null, written_at: null, ended_at: null },
    // Times are texts in the archive.
    ...{ seal_at: new Date(said.seal_at), created_at: new Date(said.created_at) },
  };
  const steps: BatchNotice[] = [{ kind: 'opened' }, { kind: 'sealed', facts }, { kind: 'staged' }];
  for (const notice of steps) {
    const next = BATCHES.advance(row, notice, now, undefined);
    if (!next) continue;
    row = next.row;
  }
  const isKept = await applyBatch(run, {
    from: known?.version,
    row,
    now,
    entries: [],
    events: [],
    jobs: [],
    others: [],
  });
  if (!isKept) throw new Error(`the batch ${row.id} of the archive cannot be kept`);
  return row;
}
