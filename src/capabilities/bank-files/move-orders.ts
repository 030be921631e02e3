import { applyBatch, listEnding } from '#capabilities/bank-files/batch-store.ts';
import { report } from '#capabilities/bank-files/event-store.ts';
import { BATCHES } from '#capabilities/bank-files/machine.ts';
import { changeStates, lockOrders, type StateChange } from '#capabilities/bank-files/order-store.ts';
import type { FileOrderRow, FileOrderState, FilesParts } from '#capabilities/bank-files/row.ts';
import type { FoundBreak } from '#capabilities/connectors/apply-report.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { findOrderAt } from '#capabilities/connectors/order-store.ts';
import type { Run } from '#foundation/database/database.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** Moves orders and reports about them, in one commit with the cause (bank-files.md §4.5). */

export interface Move {
  readonly reference: string;
  readonly state: FileOrderState;
  /** Money that the bank says has moved; another amount than the order's changes nothing, and is a break. */
  readonly amount?: bigint | undefined;
  readonly reason?: string | undefined;
  readonly bankReference?: string | undefined;
  readonly expectedAt?: Date | undefined;
  readonly settleAt?: Date | undefined;
}

export interface Moving {
  readonly run: Run;
  readonly parts: FilesParts;
  /** What a file of the bank is about, as far as it was read: references of orders, and names of credits. */
  readonly subjects?: Set<string> | undefined;
  readonly connectorId: string;
  readonly now: Date;
}

const NEXT: Readonly<Record<FileOrderState, readonly FileOrderState[]>> = {
  RECEIVED: ['SENT', 'FAILED', 'CANCELLED'],
  SENT: ['SETTLED', 'FAILED', 'RETURNED'],
  SETTLED: ['RETURNED'],
  FAILED: [],
  CANCELLED: [],
  RETURNED: [],
};

export async function moveOrders(moving: Moving, moves: readonly Move[]): Promise<void> {
  const { run, connectorId, now } = moving;
  const rows = await lockOrders(
    run,
    connectorId,
    moves.map(({ reference }) => reference),
  );
  for (const { reference } of rows) moving.subjects?.add(reference);
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const changed = new Map<string, StateChange>();
  const changes: StateChange[] = [];
  for (const move of moves) {
    const row = byReference.get(move.reference);
    if (!row) continue;
    const state = changed.get(move.reference)?.state ?? row.state;
    const step = decide({ ...row, state }, move);
    if (step === 'move') {
      const change = changeOf(move, now);
      changes.push(change);
      changed.set(move.reference, change);
    } else if (step !== 'same') await breakAbout(moving, row, step);
  }
  if (changes.length === 0) return;
  await changeStates(run, connectorId, [...changed.values()]);
  await reportChanges(moving, byReference, changes);
  await endBatches(moving, rows);
}

function changeOf(move: Move, at: Date): StateChange {
  const { reference, state, reason = null, bankReference = null } = move;
  const { expectedAt = null, settleAt = null } = move;
  return { reference, state, at, reason, bankReference, expectedAt, settleAt };
}

type Step = 'move' | 'same' | Pick<FoundBreak, 'kind' | 'what'>;

function decide(row: FileOrderRow, { state, amount }: Move): Step {
  if (amount !== undefined && amount !== row.amount) {
    const what = `The bank booked ${amount} of an order of ${row.amount}, in the smallest unit.`;
    return { kind: 'AMOUNT_DIFFERS', what };
  }
  if (row.state === state) return 'same';
  if (NEXT[row.state].includes(state)) return 'move';
  // A booking that comes after the money came back confirms what was known.
  if (state === 'SENT' || (state === 'SETTLED' && row.state === 'RETURNED')) return 'same';
  const kind = state === 'RETURNED' ? 'RETURNED' : 'CONTRADICTION';
  return { kind, what: `The bank says ${state} of an order that is ${row.state}.` };
}

/** The break names the order of the payment, so that operators can book what the bank says (connectors.md §9.6). */
export async function breakAbout(
  { run, connectorId, now }: Moving,
  { reference, amount, currency }: FileOrderRow,
  { kind, what }: Pick<FoundBreak, 'kind' | 'what'>,
): Promise<void> {
  const order = await findOrderAt(run, connectorId, reference);
  const found = { kind, what, about: reference, connectorId, id: newUuid() };
  const of = { platformId: order?.platform_id ?? null, orderId: order?.id };
  await openBreak(
    run,
    { ...found, ...of, amount: amount ?? undefined, currency: currency ?? undefined },
    now,
  );
}

async function reportChanges(
  { run, parts, connectorId, now }: Moving,
  rows: ReadonlyMap<string, FileOrderRow>,
  changes: readonly StateChange[],
): Promise<void> {
  const events = changes.map(({ reference, state, reason, bankReference, expectedAt }) => {
    const row = rows.get(reference);
    return {
      ...{ type: 'ORDER' as const, reference, state },
      ...{ amount: String(row?.amount), currency: row?.currency ?? '' },
      ...(reason !== null && { reason }),
      ...(bankReference !== null && { bankReference }),
      ...(expectedAt !== null && { expectedSettlementAt: expectedAt.toISOString() }),
    };
  });
  await report(run, parts, connectorId, events, now);
}

async function endBatches({ run, connectorId, now }: Moving, rows: readonly FileOrderRow[]): Promise<void> {
  const ids = new Set(rows.flatMap(({ batch_id: id }) => id ?? []));
  if (ids.size === 0) return;
  for (const batch of await listEnding(run, connectorId, [...ids])) {
    await applyBatch(run, BATCHES.require(batch, { kind: 'allEnded' }, now, undefined));
  }
}
