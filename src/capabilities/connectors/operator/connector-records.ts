import Type from 'typebox';
import { BREAK_KINDS } from '#capabilities/connectors/apply-report.ts';
import { presentConnector, presentShownBreak } from '#capabilities/connectors/operator/present.ts';
import {
  type ListedEventRow,
  type ListedOrder,
  loadWaiting,
  pageBreaks,
  pageConnectors,
  pageEvents,
  pageOrders,
  type WaitingRow,
} from '#capabilities/connectors/operator/records-store.ts';
import { BREAK_FIELDS, CONNECTOR_FIELDS, WAITING_FIELDS } from '#capabilities/connectors/operator/schemas.ts';
import { type ConnectorRow, ORDER_STATUSES } from '#capabilities/connectors/row.ts';
import { ORDER_KINDS } from '#foundation/connector-protocol/capabilities.ts';
import { ORDER_STATES } from '#foundation/connector-protocol/orders.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList } from '#foundation/records/record-list.ts';

const AREA = 'Connectors';
const OF_CONNECTOR = Type.Optional(
  Type.String({ pattern: '^[a-z0-9-]{1,32}$', description: 'Only those of this connector, by its name.' }),
);

export const CONNECTOR_LIST = recordList({
  name: 'connectors',
  area: AREA,
  summary: 'Connectors with what waits at them',
  isOfInstallation: true,
  item: Type.Object({ ...CONNECTOR_FIELDS, ...WAITING_FIELDS }),
  async page(tx, request) {
    const found = await pageConnectors(tx, request, (row) => row);
    return { ...found, data: await presentAll(tx, found.data) };
  },
});

/** Connectors with what waits at each. */
export async function presentAll(tx: ReadTx, rows: readonly ConnectorRow[]) {
  const run = tx.query.bind(tx);
  const now = new Date(tx.runtime.clock.now());
  const waiting = await loadWaiting(
    run,
    rows.map(({ id }) => id),
    now,
  );
  return rows.map((row) => ({ ...presentConnector(row), ...presentWaiting(waiting.get(row.id)) }));
}

function presentWaiting(row: WaitingRow | undefined) {
  return {
    openOrders: Number(row?.open_orders ?? 0n),
    unknownOrders: Number(row?.unknown_orders ?? 0n),
    oldestUnknownSeconds: Number(row?.oldest_unknown_seconds ?? 0n),
    openBreaks: Number(row?.open_breaks ?? 0n),
  };
}

export const ORDER_LIST = recordList({
  name: 'connector-orders',
  area: AREA,
  summary: 'Orders to connectors',
  hasTimes: true,
  filters: {
    connector: OF_CONNECTOR,
    status: filterBy.status(ORDER_STATUSES),
    transaction: filterBy.id('Transaction', 'Only those of this payment.'),
  },
  item: Type.Object({
    reference: shown.code('Its name at the connector.'),
    transaction: shown.id('Transaction', 'The payment.'),
    connector: shown.own('The connector. Null: none was chosen, or none can take it.'),
    settlementAccount: shown.own('The operator’s account at the bank.'),
    kind: shown.code('Its kind.', ORDER_KINDS),
    status: shown.code('Where it stands here.', ORDER_STATUSES),
    state: shown.code('The last state that the connector gave. Null: it has given none yet.', ORDER_STATES),
    rail: shown.own('The rail.'),
    amount: shown.amount('The amount.'),
    silences: shown.count('Calls about it in a row that were not answered.'),
    nextCall: shown.code('The next call about it.', ['PUT', 'GET', 'CANCEL']),
    nextCallAt: shown.time('When that call is due.'),
    sentAt: shown.time('When its first byte was sent. Null: nothing was sent.'),
    acknowledgedAt: shown.time('When the connector first said that it has it.'),
    endedAt: shown.time('When it ended.'),
    bankReference: shown.masked('number', 'The bank’s own reference.'),
    createdAt: shown.time('When it was created.'),
  }),
  page: (tx, request, filters) => pageOrders(tx, request, filters, (row) => presentOrder(tx, row)),
});

function presentOrder(tx: ReadTx, row: ListedOrder) {
  return {
    ...{ reference: row.reference, transaction: publicId('Transaction', row.transaction_id) },
    ...{ connector: row.connector, settlementAccount: row.settlement_account, kind: row.kind },
    ...{ status: row.status, state: row.state, rail: row.rail, silences: row.silences },
    amount: presentAmount(row.amount, row.currency, tx.platform.ownCurrencies),
    ...{ nextCall: row.call, nextCallAt: row.call_at, sentAt: row.asked_at },
    ...{ acknowledgedAt: row.acknowledged_at, endedAt: row.ended_at },
    ...{ bankReference: row.bank_reference, createdAt: row.created_at },
  };
}

export const EVENT_LIST = recordList({
  name: 'connector-events',
  area: AREA,
  summary: 'Events that connectors reported',
  isOfInstallation: true,
  filters: {
    connector: OF_CONNECTOR,
    isApplied: filterBy.flag('Only those that were applied, or that were not.'),
  },
  item: Type.Object({
    connector: shown.own('The connector.'),
    store: shown.code('The store that listed it.'),
    event: shown.code('Its id in that store.'),
    type: shown.code('Its type.'),
    about: shown.code('The order, account or credit that it is about.'),
    at: shown.time('When it happened, as the connector says.'),
    receivedAt: shown.time('When it was read.'),
    appliedAt: shown.time('When it was applied. Null: not yet.'),
    outcome: shown.own('The result.'),
    failures: shown.count('How often applying it failed.'),
  }),
  page: (tx, request, filters) => pageEvents(tx, request, filters, presentEvent),
});

function presentEvent(row: ListedEventRow) {
  return {
    ...{ connector: row.connector, store: row.store, event: row.event_id, type: row.type, about: row.about },
    ...{ at: row.at, receivedAt: row.received_at, appliedAt: row.applied_at },
    ...{ outcome: row.outcome, failures: row.failures },
  };
}

export const BREAK_LIST = recordList({
  name: 'breaks',
  area: AREA,
  summary: 'Contradictions between the books and connectors or banks',
  isOfInstallation: true,
  filters: {
    connector: OF_CONNECTOR,
    kind: filterBy.type(BREAK_KINDS),
    isOpen: filterBy.flag('Only those that nobody has resolved, or that somebody has.'),
  },
  item: Type.Object(BREAK_FIELDS),
  page: (tx, request, filters) => pageBreaks(tx, request, filters, presentShownBreak),
});
