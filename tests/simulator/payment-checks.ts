import assert from 'node:assert/strict';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { CompleteEntry } from '#foundation/ledger/entries.ts';
import { assertPaymentEntry, netOf } from '#tests/simulator/chart.ts';
import type { Memory } from '#tests/simulator/memory.ts';

/** Asserts the invariants of money.md §12 about one payment, on its row and its entries. */
export function assertPayment(memory: Memory, row: TransactionRow): void {
  const entries = memory.entriesOf.get(row.id) ?? [];
  for (const entry of entries) assertPaymentEntry(entry, row);
  assertRow(row);
  assertCarried(memory, row);
  assertSums(row, sumsOf(row, entries));
}

/** The rules of src/capabilities/payments/transactions-guard.sql.ts about statuses and money, stated independently. */
function assertRow(row: TransactionRow): void {
  const { status, refund_status: refund } = row;
  const isCrossCurrency = row.sending_currency !== row.receiving_currency;
  const expect = (isSo: boolean, rule: string) =>
    assert.ok(isSo, `${row.kind} ${row.type} ${status}: ${rule}`);
  const isInFlight = row.inflight_sent > 0n || row.inflight_received > 0n;
  const mayBeInFlight =
    row.taken_at !== null &&
    (status === 'PROCESSING' || (status === 'PENDING' && (row.kind === 'TRANSFER' || row.kind === 'UMA')));
  expect(!isInFlight || mayBeInFlight, 'money.md §12.4: nothing is in flight');
  expect(
    row.refund_payable === (refund === 'PENDING' ? row.refund_amount : 0n),
    'money.md §12.5: a refund is owed while it is pending',
  );
  expect(isCrossCurrency || row.inflight_received_no === 0n, 'one currency has one INFLIGHT');
  expect((status === 'FAILED') === (row.failure_reason !== null), 'a failure has a reason');
  expect(status !== 'COMPLETED' || row.settled_at !== null, 'a completed payment has a time');
  expect(refund === null || row.taken_at !== null, 'only taken money is refunded');
  expect(refund === null || refundFits(row), 'money.md §4: status and refund agree');
  expect((refund === 'COMPLETED') === (row.refund_settled_at !== null), 'a paid refund has a time');
  expect(
    (status === 'PENDING_AUTHORIZATION' && row.authorize_by !== null) ||
      row.authorize_by === null ||
      (status === 'FAILED' && row.taken_at === null),
    'customers.md §7: only a waiting payment has a deadline',
  );
  expect(
    row.approve_by === null || (status === 'PENDING' && row.executed_at === null && row.agent_id !== null),
    'agents.md §5: only an unstarted request of an agent waits for approval',
  );
  expect(
    row.pending_reason === null || status === 'PENDING' || status === 'PROCESSING',
    'an end waits for nothing',
  );
}

function refundFits({
  type,
  kind,
  status,
  refund_status: refund,
  refund_reason: reason,
}: TransactionRow): boolean {
  if (type === 'INCOMING') return status === 'FAILED' && kind === 'UMA';
  const isCancelled = reason === 'USER_CANCELLATION';
  if (status === 'PROCESSING') return refund === 'PENDING' && isCancelled;
  if (status === 'COMPLETED') return refund === 'COMPLETED' && isCancelled;
  return status === 'FAILED';
}

/** money.md §12.3: the row's running sums are what its lines left. */
function assertCarried(memory: Memory, row: TransactionRow): void {
  const { id, sending_currency: sent, receiving_currency: received } = row;
  const isCrossCurrency = sent !== received;
  const expect = (account: string, currency: string, balance: bigint, no: bigint) => {
    const found = memory.balances.get(`${account}:${id} ${currency}`) ?? { balance: 0n, no: 0 };
    const isSo = found.balance === balance && BigInt(found.no) === no;
    assert.ok(isSo, `money.md §12.3: ${account} has ${found.balance}, and the row ${balance}`);
  };
  expect('INFLIGHT', sent, row.inflight_sent, row.inflight_sent_no);
  if (isCrossCurrency) expect('INFLIGHT', received, row.inflight_received, row.inflight_received_no);
  expect('REFUND_PAYABLE', sent, row.refund_payable, row.refund_payable_no);
}

interface Sums {
  taken: bigint;
  fees: bigint;
  fxSent: bigint;
  fxReceived: bigint;
  delivered: bigint;
  given: bigint;
  paidBack: bigint;
  held: bigint;
  pendingIn: bigint;
  /** Entries other than those of a hold. */
  moves: number;
}

const TAKING: readonly string[] = [
  'payment.executed',
  'payment.captured',
  'payment.funded',
  'payment.collected',
];

function sumsOf(row: TransactionRow, entries: readonly CompleteEntry[]): Sums {
  const sums: Sums = {
    ...{ taken: 0n, fees: 0n, fxSent: 0n, fxReceived: 0n, delivered: 0n, given: 0n, paidBack: 0n },
    ...{ held: 0n, pendingIn: 0n, moves: 0 },
  };
  for (const { kind, lines } of entries) {
    if (kind !== 'payment.held' && kind !== 'payment.released') sums.moves += 1;
    for (const line of lines) {
      const net = netOf(line);
      const part = line.account.slice(0, line.account.indexOf(':'));
      const isOwners = part === 'AVAIL' || part === 'RECEIVABLE';
      if (part === 'INFLIGHT' && TAKING.includes(kind)) sums.taken += net;
      if (part === 'FEES') sums.fees += net;
      if (part === 'FX' && line.currency === row.sending_currency) sums.fxSent += net;
      else if (part === 'FX') sums.fxReceived += net;
      if (part === 'HOLD') sums.held += net;
      if (part === 'PENDING_IN') sums.pendingIn += net;
      if (kind === 'payment.delivered' && (isOwners || part === 'RAIL')) sums.delivered += net;
      if ((kind === 'payment.delivered' || kind === 'payment.returned') && isOwners) sums.given += net;
      if (kind === 'refund.paid' && (isOwners || part === 'RAIL')) sums.paidBack += net;
    }
  }
  return sums;
}

/** money.md §12.2, §12.6–12.8, §11.d. */
function assertSums(row: TransactionRow, sums: Sums): void {
  const { type, status, refund_status: refund, sending_amount: sent, receiving_amount: received } = row;
  const isCrossCurrency = row.sending_currency !== row.receiving_currency;
  const expect = (found: bigint, should: bigint | null, what: string) =>
    assert.ok(found === should, `${row.kind} ${type} ${status}, ${what}: ${found} and not ${should}`);
  const waits = status === 'PENDING_AUTHORIZATION' && row.source.kind === 'INTERNAL';
  expect(sums.held, waits ? sent : 0n, 'money.md §12.2: on hold');
  if (sums.pendingIn !== 0n)
    expect(sums.pendingIn, row.pending_reason === null ? 0n : received, 'pending in');
  if (row.taken_at === null && row.kind !== 'DEPOSIT')
    expect(BigInt(sums.moves), 0n, 'money.md §11.d: entries');
  if (type !== 'OUTGOING') return;
  if (status === 'COMPLETED' && refund === null) {
    expect(sums.taken, sent, 'money.md §12.6: taken');
    expect(sums.fees, row.service_fee, 'money.md §12.6: our fee');
    expect(sums.delivered, received + row.platform_fee, 'money.md §12.6: delivered');
    const net = sent - row.service_fee - row.platform_fee;
    expect(sums.fxSent, isCrossCurrency ? net : 0n, 'money.md §12.6: exchanged');
    expect(sums.fxReceived, isCrossCurrency ? -received : 0n, 'money.md §12.6: exchanged for');
  }
  if (refund === 'COMPLETED') {
    for (const [what, found] of Object.entries({ fees: sums.fees, fx: sums.fxSent, given: sums.given })) {
      expect(found, 0n, `money.md §12.7: ${what}`);
    }
    expect(sums.paidBack, row.refund_amount, 'money.md §12.7: paid back');
    expect(sums.taken, row.refund_amount, 'money.md §12.7: taken');
  }
}
