import type { Applying } from '#capabilities/bank-files/applying.ts';
import { moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { listByTraces } from '#capabilities/bank-files/order-store.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import type { NachaNotices } from '#foundation/bank-formats/nacha-reader.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** Applies NACHA returns and notifications of change, which name entries by trace number (bank-files.md §4.5). */
export async function applyNachaNotices(applying: Applying, { notices }: NachaNotices): Promise<void> {
  const { run, connectorId, now } = applying;
  const rows = await listByTraces(
    run,
    connectorId,
    notices.map(({ trace }) => trace),
  );
  for (const { kind, code, trace, amount } of notices) {
    // If a number was used again, it means the newest order.
    const order = rows.find(({ trace_number: number }) => number === trace);
    const found = { id: newUuid(), connectorId, platformId: null, about: order?.reference ?? trace };
    if (kind === 'CHANGE' || !order) {
      const what = order
        ? `The bank asks to correct the account of an order (${code}).`
        : `The bank names an entry that was not written here (${code}).`;
      await openBreak(run, { ...found, kind: 'CONTRADICTION', what }, now);
    } else {
      const move = { reference: order.reference, state: 'RETURNED' as const, amount, reason: code };
      await moveOrders(applying, [move]);
    }
  }
}
