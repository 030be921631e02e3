import { createHash } from 'node:crypto';
import { contentContext } from '#capabilities/bank-files/answer-calls.ts';
import {
  applyBatch,
  countOfDay,
  dropBatch,
  keepBytes,
  listDue,
  listUnbatched,
  lockBatch,
  takeTraces,
  wereTracesUsed,
} from '#capabilities/bank-files/batch-store.ts';
import { executionDay, localTime, momentOf, nextCutOff } from '#capabilities/bank-files/calendar.ts';
import { nachaBytes, type OrderInFile, painBytes } from '#capabilities/bank-files/file-bytes.ts';
import type { FilesConnectorRow } from '#capabilities/bank-files/file-store.ts';
import { BATCHES } from '#capabilities/bank-files/machine.ts';
import { lockWaiting, putIntoBatch } from '#capabilities/bank-files/order-store.ts';
import type { AccountProfile, Profile, RailProfile } from '#capabilities/bank-files/profile.ts';
import {
  type BatchRow,
  changeFiles,
  type FileOrderRow,
  type FilesParts,
  type OrderContent,
  withoutHyphens,
} from '#capabilities/bank-files/row.ts';
import { MODIFIERS, NACHA_TOTAL_MAX, traceNumber } from '#foundation/bank-formats/nacha-writer.ts';
import type { Run } from '#foundation/database/database.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { keyOfFile } from '#foundation/person-keys/people.ts';

/** At each cut-off, orders and bytes of a file are fixed in one commit (bank-files.md §2.2). */

export const ORDERS_MAX = 5_000;
const TRACE_MAX = 9_999_999;
const TRACE_KEPT_MS = 180 * 24 * 60 * 60 * 1_000;

export function bytesContext(id: string): string {
  return `bank_file_batches.bytes:${id}`;
}

/** Seals the batches whose cut-off has come. Returns how many were sealed. */
export async function sealDue(parts: FilesParts, connector: FilesConnectorRow): Promise<number> {
  const { database, clock } = parts;
  const now = new Date(clock.now());
  let sealed = 0;
  for (const { id } of await listDue(database.query, connector.connector_id, now)) {
    if (await changeFiles(parts, (run) => sealOne({ parts, connector, run, now }, id))) sealed++;
  }
  return sealed;
}

/** Opens a batch for orders that wait without one. */
export async function openBatches(
  { database, clock }: FilesParts,
  { connector_id: connectorId, profile }: FilesConnectorRow,
): Promise<void> {
  const now = new Date(clock.now());
  for (const { oldest, ...key } of await listUnbatched(database.query, connectorId)) {
    const used = profile && findUse(profile, key);
    if (!used) continue;
    const row: BatchRow = {
      ...{ connector_id: connectorId, id: newUuid(), version: 0n, updated_at: now, status: 'OPEN', ...key },
      ...{ format: used.rail.format, seal_at: nextCutOff(used.rail, used.account.zone, oldest).at },
      ...{ message_id: null, payment_information_id: null, name: null, content_hash: null, orders: null },
      ...{ total: null, execution_day: null, modifier: null, created_at: now },
      ...{ sealed_at: null, written_at: null, ended_at: null, resent_at: null },
    };
    await applyBatch(database.query, BATCHES.require(row, { kind: 'opened' }, now, undefined));
  }
}

interface Use {
  readonly account: AccountProfile;
  readonly rail: RailProfile;
}

/** Undefined if the profile no longer has the account or the rail: its orders wait for the operator. */
function findUse(
  { settlementAccounts, rails }: Profile,
  batch: Pick<BatchRow, 'settlement_account' | 'rail' | 'kind' | 'currency'>,
): Use | undefined {
  const account = settlementAccounts.find(({ id }) => id === batch.settlement_account);
  const rail = rails.find(
    (each) =>
      each.rail === batch.rail &&
      each.currency === batch.currency &&
      each.kinds.includes(batch.kind) &&
      each.settlementAccounts.includes(batch.settlement_account),
  );
  return account && rail && { account, rail };
}

interface Sealing {
  readonly parts: FilesParts;
  readonly connector: FilesConnectorRow;
  readonly run: Run;
  readonly now: Date;
}

interface Filled extends Use {
  readonly batch: BatchRow;
  readonly orders: readonly FileOrderRow[];
  readonly contents: readonly OrderContent[];
  readonly executionDay: string;
}

async function sealOne(sealing: Sealing, id: string): Promise<boolean> {
  const { parts, connector, run, now } = sealing;
  const batch = await lockBatch(run, connector.connector_id, id);
  const use = batch?.status === 'OPEN' && connector.profile ? findUse(connector.profile, batch) : undefined;
  if (!batch || !use) return false;
  const waiting = await lockWaiting(run, batch, ORDERS_MAX);
  const orders = use.rail.format === 'NACHA' ? upToTotal(waiting, NACHA_TOTAL_MAX) : waiting;
  if (orders.length === 0) {
    await dropBatch(run, batch);
    return false;
  }
  parts.personKeys.requireOpenable(orders.map(({ content }) => content));
  const contents = orders.map(({ reference, content }) => {
    if (!content) throw new Error(`the order ${reference} has no content`);
    return JSON.parse(parts.vault.openText(content, contentContext(reference))) as OrderContent;
  });
  const day = executionDay(use.rail, use.account.zone, batch.seal_at, now);
  const filled: Filled = { ...use, batch, orders, contents, executionDay: day };
  const written = use.rail.format === 'NACHA' ? await fillNacha(sealing, filled) : fillPain(sealing, filled);
  if (!written) return false;
  await commitBatch(sealing, filled, written);
  return true;
}

/** Returns the first orders, up to this total. The others wait for the next batch, as those beyond `ORDERS_MAX` do. */
function upToTotal(orders: readonly FileOrderRow[], max: bigint): readonly FileOrderRow[] {
  let total = 0n;
  const end = orders.findIndex(({ amount }) => {
    total += amount ?? 0n;
    return total > max;
  });
  return end < 0 ? orders : orders.slice(0, end);
}

interface Written {
  readonly bytes: Buffer;
  readonly paymentInformationId: string;
  readonly modifier: string | null;
  readonly traces: readonly (string | null)[];
}

async function commitBatch(
  { parts, run, now }: Sealing,
  { batch, orders, executionDay: day }: Filled,
  { bytes, paymentInformationId, modifier, traces }: Written,
): Promise<void> {
  const messageId = withoutHyphens(batch.id);
  const facts = {
    message_id: messageId,
    payment_information_id: paymentInformationId,
    name: `${batch.settlement_account}-${batch.format.toLowerCase()}-${day}-${messageId}`,
    content_hash: createHash('sha256').update(bytes).digest(),
    orders: orders.length,
    total: orders.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n),
    ...{ execution_day: day, modifier },
  };
  await applyBatch(run, BATCHES.require(batch, { kind: 'sealed', facts }, now, undefined));
  const people = keyOfFile(parts, batch.id);
  await keepBytes(run, batch, parts.vault.sealFor(people, bytes, bytesContext(batch.id)));
  const placed = orders.map(({ reference }, index) => ({ reference, traceNumber: traces[index] ?? null }));
  await putIntoBatch(run, batch, placed);
}

function fillPain({ now }: Sealing, filled: Filled): Written {
  const paymentInformationId = withoutHyphens(newUuid());
  const ids = { messageId: withoutHyphens(filled.batch.id), paymentInformationId, createdAt: now };
  const bytes = painBytes({ ...filled, orders: inFile(filled) }, ids);
  return { bytes, paymentInformationId, modifier: null, traces: [] };
}

function inFile({ orders, contents }: Pick<Filled, 'orders' | 'contents'>): OrderInFile[] {
  return orders.map(({ reference, amount }, index) => ({
    ...{ reference, amount: amount ?? 0n },
    content: contents[index] as OrderContent,
  }));
}

/** Undefined if the day has no file modifier left: the orders wait for the next day. */
async function fillNacha({ run, connector, now }: Sealing, filled: Filled): Promise<Written | undefined> {
  const { batch, orders, account } = filled;
  const originator = account.nacha;
  if (!originator) return undefined;
  const { day, time } = localTime(now, account.zone);
  const startOfDay = momentOf(day, '00:00', account.zone);
  const count = await countOfDay(run, connector.connector_id, batch.settlement_account, startOfDay);
  const modifier = MODIFIERS[count];
  if (modifier === undefined) return undefined;
  const first = await takeTraces(run, originator.odfi, orders.length, TRACE_MAX);
  const traces = orders.map((_, index) => traceNumber(originator.odfi, first + index));
  if (await wereTracesUsed(run, traces, new Date(now.getTime() - TRACE_KEPT_MS)))
    throw new Error(`the trace numbers of ${originator.odfi} were used within 180 days`);
  const numbers = { originator, isDebit: batch.kind === 'COLLECTION', modifier, day, time, first };
  const bytes = nachaBytes({ ...filled, orders: inFile(filled) }, numbers);
  return { bytes, paymentInformationId: withoutHyphens(newUuid()), modifier, traces };
}
