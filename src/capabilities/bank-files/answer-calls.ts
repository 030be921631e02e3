import { createHash } from 'node:crypto';
import { listReported, report } from '#capabilities/bank-files/event-store.ts';
import {
  type FilesConnectorRow,
  findFilesConnector,
  findPayer,
} from '#capabilities/bank-files/file-store.ts';
import { moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { findOrder, insertOrder, lockOrder } from '#capabilities/bank-files/order-store.ts';
import { prepareOrder } from '#capabilities/bank-files/prepare-order.ts';
import { capabilitiesOf } from '#capabilities/bank-files/profile.ts';
import { joinStatements } from '#capabilities/bank-files/read-statements.ts';
import {
  changeFiles,
  type FileOrderRow,
  type FilesParts,
  type OrderContent,
} from '#capabilities/bank-files/row.ts';
import { findReported } from '#capabilities/connectors/people-store.ts';
import { OrderBody, type OrderReport } from '#foundation/connector-protocol/orders.ts';
import type { Refusal } from '#foundation/connector-protocol/read-answer.ts';
import { describe } from '#foundation/connector-protocol/read-answer.ts';
import { checkValue } from '#foundation/connector-protocol/values.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** Answers the calls of the protocol within the service (bank-files.md §1.1). */

export type Answered =
  | { readonly status: 200 | 201; readonly body: unknown }
  | { readonly status: Refusal; readonly code: string; readonly reason: string };

export interface FilesCall {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: string | undefined;
}

/** Returns the answer with the id of the store. Undefined: there is no such connector, or it has no profile yet. */
export async function answerCall(
  parts: FilesParts,
  connectorId: string,
  call: FilesCall,
): Promise<{ store: string; answered: Answered } | undefined> {
  const connector = await findFilesConnector(parts.database.query, connectorId);
  if (!connector?.profile) return undefined;
  return { store: connector.store, answered: await answer(parts, connector, call) };
}

async function answer(parts: FilesParts, connector: FilesConnectorRow, call: FilesCall): Promise<Answered> {
  const reference = call.parameters.reference ?? '';
  switch (call.name) {
    case 'getCapabilities':
      return connector.profile
        ? { status: 200, body: capabilitiesOf(connector.profile) }
        : refusal(503, 'NO_PROFILE', 'The connector has no profile.');
    case 'putOrder':
      return putOrder(parts, connector, reference, call.body ?? '');
    case 'getOrder': {
      const row = await findOrder(parts.database.query, connector.connector_id, reference);
      return row ? { status: 200, body: reportOf(row) } : UNKNOWN_ORDER;
    }
    case 'cancelOrder':
      return cancelOrder(parts, connector, reference);
    case 'listEvents':
      return listEvents(parts, connector, call.query);
    case 'getStatement':
      return getStatement(parts, connector, call.query);
    default:
      return refusal(404, 'NO_SUCH_CALL', 'A connector that speaks by files does not have this call.');
  }
}

function refusal(status: Refusal, code: string, reason: string): Answered {
  return { status, code, reason };
}

const UNKNOWN_ORDER = refusal(404, 'UNKNOWN_ORDER', 'There is no order with this reference.');

export function contentContext(reference: string): string {
  return `bank_file_orders.content:${reference}`;
}

export function payerContext(connectorId: string, creditId: string): string {
  return `bank_file_credits.payer:${connectorId}:${creditId}`;
}

/** Records the order before it answers. The same body again has no effect (connectors.md §4.3). */
async function putOrder(
  parts: FilesParts,
  connector: FilesConnectorRow,
  reference: string,
  text: string,
): Promise<Answered> {
  const body = parseBody(text);
  const problem = describe(checkValue(OrderBody, body));
  if (problem !== undefined) return refusal(400, 'INVALID_ORDER', problem.slice(0, REASON_MAX));
  const order = body as OrderBody;
  const hash = createHash('sha256').update(canonicalJson(order)).digest();
  const known = await findOrder(parts.database.query, connector.connector_id, reference);
  if (known) return again(known, hash);
  const row = await fetchingKeys(parts.personKeys, NIL_ID, () =>
    newOrder(parts, connector, { reference, order, hash }),
  );
  if ('status' in row) return row;
  const isNew = await changeFiles(parts, async (run) => {
    if (!(await insertOrder(run, row))) return false;
    await report(
      run,
      parts,
      connector.connector_id,
      [{ type: 'ORDER', ...reportFields(row) }],
      row.received_at,
    );
    return true;
  });
  if (isNew) return { status: 201, body: reportOf(row) };
  const other = await findOrder(parts.database.query, connector.connector_id, reference);
  return other ? again(other, hash) : UNKNOWN_ORDER;
}

const REASON_MAX = 500;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function again(known: FileOrderRow, hash: Buffer): Answered {
  const isSame = known.content_hash === null || known.content_hash.equals(hash);
  if (isSame) return { status: 200, body: reportOf(known) };
  return refusal(409, 'ANOTHER_ORDER', 'There is another order with this reference.');
}

interface Given {
  readonly reference: string;
  readonly order: OrderBody;
  readonly hash: Buffer;
}

async function newOrder(
  parts: FilesParts,
  { connector_id, profile }: FilesConnectorRow,
  { reference, order, hash }: Given,
): Promise<FileOrderRow | Answered> {
  if (!profile) return refusal(503, 'NO_PROFILE', 'The connector has no profile.');
  const payer = order.kind === 'REFUND' ? await openPayer(parts, connector_id, order.of) : undefined;
  const prepared = prepareOrder(profile, order, payer);
  if (prepared.kind === 'REFUSED') return refusal(400, 'NOT_TAKEN', prepared.reason);
  const now = new Date(parts.clock.now());
  const isFailed = prepared.kind === 'FAILED';
  const { kind, rail, settlementAccount, amount, currency } = order;
  return {
    ...{ connector_id, reference, content_hash: hash, kind, rail, currency, amount: BigInt(amount) },
    settlement_account: settlementAccount,
    content: isFailed ? null : await sealContent(parts, connector_id, reference, prepared.content),
    ...{
      state: isFailed ? 'FAILED' : 'RECEIVED',
      state_at: now,
      reason: isFailed ? 'ACCOUNT_INVALID' : null,
    },
    ...{ expected_at: null, bank_reference: null, batch_id: null, trace_number: null, received_at: now },
  };
}

/** Returns the account from which a credit came; undefined after an erasure. */
async function openPayer(
  { database, vault, personKeys }: FilesParts,
  connectorId: string,
  creditId: string,
): Promise<OrderContent | undefined> {
  const sealed = await findPayer(database.query, connectorId, creditId);
  await personKeys.loadFor([sealed]);
  const text = sealed && vault.openKept(sealed, payerContext(connectorId, creditId));
  return text === undefined ? undefined : (JSON.parse(text) as OrderContent);
}

/** Seals the values of an order that its file will contain, for the order's customer. */
async function sealContent(
  parts: FilesParts,
  connectorId: string,
  reference: string,
  content: OrderContent,
): Promise<Buffer> {
  const people = await findReported(parts.database.query, connectorId, [reference]);
  const sealedFor = peopleOfReport(parts, people.get(reference) ?? []);
  return parts.vault.sealFor(sealedFor, JSON.stringify(content), contentContext(reference));
}

/** Cancels an order that is not in a batch yet, for good. An unknown reference leaves a mark (connectors.md §4.9). */
async function cancelOrder(
  parts: FilesParts,
  { connector_id }: FilesConnectorRow,
  reference: string,
): Promise<Answered> {
  const now = new Date(parts.clock.now());
  const row = await changeFiles(parts, async (run) => {
    await insertOrder(run, tombstone(connector_id, reference, now));
    const found = await lockOrder(run, connector_id, reference);
    if (found?.state !== 'RECEIVED' || found.batch_id !== null) return found;
    await moveOrders({ run, parts, connectorId: connector_id, now }, [{ reference, state: 'CANCELLED' }]);
    return lockOrder(run, connector_id, reference);
  });
  return row ? { status: 200, body: reportOf(row) } : UNKNOWN_ORDER;
}

function tombstone(connectorId: string, reference: string, now: Date): FileOrderRow {
  return {
    ...{ connector_id: connectorId, reference, content_hash: null, kind: null, rail: null, currency: null },
    ...{
      settlement_account: null,
      amount: null,
      content: null,
      state: 'CANCELLED',
      state_at: now,
      reason: null,
    },
    ...{ expected_at: null, bank_reference: null, batch_id: null, trace_number: null, received_at: now },
  };
}

function reportFields(row: FileOrderRow) {
  const { reference, state, reason, amount, currency, expected_at, bank_reference } = row;
  return {
    ...{ reference, state, amount: String(amount), currency: currency ?? '' },
    ...(reason !== null && { reason }),
    ...(bank_reference !== null && { bankReference: bank_reference }),
    ...(expected_at !== null && { expectedSettlementAt: expected_at.toISOString() }),
  };
}

function reportOf(row: FileOrderRow): OrderReport {
  const at = row.state_at.toISOString();
  if (row.amount === null) return { reference: row.reference, state: row.state, at };
  return { ...reportFields(row), at };
}

async function listEvents(
  parts: FilesParts,
  { connector_id }: FilesConnectorRow,
  { after = '0', limit = '500' }: FilesCall['query'],
): Promise<Answered> {
  const unknown = refusal(410, 'UNKNOWN_CURSOR', 'The list of events has no such place.');
  if (!/^[0-9]{1,18}$/.test(after)) return unknown;
  const most = /^[0-9]{1,3}$/.test(limit) ? Math.min(Math.max(Number(limit), 1), EVENTS_MAX) : EVENTS_MAX;
  const listed = await listReported(parts.database.query, parts, connector_id, {
    after: BigInt(after),
    limit: most,
  });
  if (!listed) return unknown;
  const { events, next, more } = listed;
  return { status: 200, body: { events, next: String(next), more } };
}

const EVENTS_MAX = 500;

async function getStatement(
  parts: FilesParts,
  { connector_id }: FilesConnectorRow,
  { settlementAccount = '', date = '' }: FilesCall['query'],
): Promise<Answered> {
  const body = await joinStatements(parts, connector_id, settlementAccount, date);
  return body
    ? { status: 200, body }
    : refusal(404, 'NO_STATEMENT', 'There is no statement of that day yet.');
}
