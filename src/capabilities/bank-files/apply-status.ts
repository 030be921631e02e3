import type { Applying } from '#capabilities/bank-files/applying.ts';
import { applyBatch, findBatchByFileId, lockBatch } from '#capabilities/bank-files/batch-store.ts';
import { BATCHES, type Verdict } from '#capabilities/bank-files/machine.ts';
import { breakAbout, type Move, moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { lockOrdersOf } from '#capabilities/bank-files/order-store.ts';
import { asUuid, type FileOrderRow } from '#capabilities/bank-files/row.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import { failureOf, type StatusOf, type StatusReport } from '#foundation/bank-formats/pain002.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** Applies the bank's report about a file of ours, and about the orders in it (bank-files.md §4.5). */
export async function applyStatus(applying: Applying, read: StatusReport): Promise<void> {
  const { run, connectorId, now } = applying;
  const found = await findBatchByFileId(run, connectorId, plain(read.messageId));
  const batch = found && (await lockBatch(run, connectorId, found.id));
  if (!batch) throw new FileFault('it is about a file that was not written here');
  const report = batch.resent_at ? asDuplicates(read) : read;
  const which = batch.resent_at ? 'that was written again' : 'as a duplicate';
  const orders = await lockOrdersOf(run, connectorId, batch.id);
  const known = new Set(orders.map(({ reference }) => reference));
  for (const { endToEndId, status = '' } of report.transfers) {
    const reference = asUuid(endToEndId) ?? '';
    if (known.has(reference)) {
      applying.subjects.add(reference);
      continue;
    }
    const what = `The bank says ${status} of an order that is not in the file.`;
    const about = endToEndId.slice(0, 128);
    await openBreak(
      run,
      { id: newUuid(), connectorId, platformId: null, kind: 'CONTRADICTION', about, what },
      now,
    );
  }
  if (isWholeCopy(report)) {
    const what = `The bank rejects a file ${which}. Nothing failed, because another copy may be carried out.`;
    const found = { id: newUuid(), connectorId, platformId: null, kind: 'DUPLICATE' as const };
    return openBreak(run, { ...found, about: `file ${batch.message_id}`, what }, now);
  }
  const verdict = verdictOf(report);
  const answered = verdict && BATCHES.advance(batch, { kind: 'answered', verdict }, now, undefined);
  if (answered) await applyBatch(run, answered);
  await moveOrders(applying, movesOf(report, batch.payment_information_id, orders));
  const copies = new Set(report.transfers.filter(isOfCopy).map(({ endToEndId }) => asUuid(endToEndId)));
  for (const order of orders.filter(({ reference }) => copies.has(reference))) {
    const what = `The bank rejects an order ${which}. It did not fail, because another copy may be carried out.`;
    await breakAbout(applying, order, { kind: 'DUPLICATE', what });
  }
}

/** Of a file that was written again, the bank may reject either copy, for any reason. */
function asDuplicates(read: StatusReport): StatusReport {
  const asDuplicate = <Said extends StatusOf>(said: Said): Said => ({ ...said, isDuplicate: true });
  const { file, payments, transfers } = read;
  return {
    ...read,
    file: asDuplicate(file),
    payments: payments.map(asDuplicate),
    transfers: transfers.map(asDuplicate),
  };
}

/** The rejection of a duplicate says nothing about the first copy, which the bank may have carried out. */
function isOfCopy({ status, isDuplicate }: StatusOf): boolean {
  return status === 'RJCT' && isDuplicate;
}

/** Banks give the reason for the whole, or only for what is in it. */
function isWholeCopy({ file, payments, transfers }: StatusReport): boolean {
  const isRejected = [file, ...payments].some(({ status }) => status === 'RJCT');
  return isRejected && [file, ...payments, ...transfers].some(isOfCopy);
}

function plain(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

/** The status of an order counts before that of its payment, which counts before that of the file. */
function movesOf(report: StatusReport, paymentId: string | null, orders: readonly FileOrderRow[]): Move[] {
  const own = new Map(report.transfers.map((transfer) => [asUuid(transfer.endToEndId) ?? '', transfer]));
  const payment = report.payments.find(({ id, status }) => status !== undefined && plain(id) === paymentId);
  return orders.flatMap(({ reference }) => {
    const transfer = own.get(reference);
    const move = moveBy(transfer ?? payment ?? report.file);
    return move ? [{ ...move, reference, bankReference: transfer?.bankReference }] : [];
  });
}

function moveBy(said: StatusOf): Pick<Move, 'state' | 'reason'> | undefined {
  const { status, reason } = said;
  if (isOfCopy(said)) return undefined;
  if (status === 'RJCT') return { state: 'FAILED', reason: failureOf(reason) };
  return status === 'ACSC' || status === 'ACCC' ? { state: 'SETTLED' } : undefined;
}

const TAKEN = new Set(['ACTC', 'ACCP', 'ACSP', 'ACWC', 'ACSC', 'ACCC']);

function verdictOf({ file, payments, transfers }: StatusReport): Verdict | undefined {
  const statuses = [file.status, ...payments.map(({ status }) => status)].filter(
    (each) => each !== undefined,
  );
  if (statuses.includes('RJCT')) return 'REJECTED';
  if (statuses.includes('PART') || transfers.some((each) => each.status === 'RJCT' && !isOfCopy(each)))
    return 'PARTLY';
  return statuses.some((status) => TAKEN.has(status)) ? 'ACCEPTED' : undefined;
}
