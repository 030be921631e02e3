import { announceCoins } from '#capabilities/payments/announcements.ts';
import { applyNow } from '#capabilities/payments/commit/apply.ts';
import { noticeForMirror } from '#capabilities/payments/machine/mirror.ts';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import {
  findOverVolume,
  lacksRefundAccount,
  loadFacts,
  openRefundAccount,
  type RowNotice,
} from '#capabilities/payments/settlement/facts.ts';
import { lockTransactions } from '#capabilities/payments/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Notices about one transaction of this platform, under the reference that the reporter was given. */
export interface Report {
  /** The transaction's bare UUID. */
  readonly reference: TransactionId;
  readonly notices: readonly PaymentNotice[];
}

/**
 * Applies the reports of rails and providers, any number of them in one commit. A notice may not apply to the current
 * state: it may be late, repeated, out of order or about an unknown transaction. It then changes nothing and leaves an
 * audit row, so no notice can double, lose or revive a payment.
 */
export async function receiveReports(tx: Tx, reports: readonly Report[]): Promise<TransactionRow[]> {
  const { rows, ignored } = await applyNotices(tx, reports);
  for (const { reference, notice, status } of ignored) {
    audit(tx, {
      action: 'payment notice ignored',
      resource: publicId('Transaction', reference),
      details: { notice, status },
    });
  }
  return rows;
}

/** Applies one report; returns the transaction after it, if there is one. */
export async function receiveReport(tx: Tx, report: Report): Promise<TransactionRow | undefined> {
  const [row] = await receiveReports(tx, [report]);
  return row;
}

export interface IgnoredNotice {
  readonly reference: TransactionId;
  readonly notice: PaymentNotice['kind'];
  /** Undefined if there is no such transaction. */
  readonly status: string | undefined;
}

/** The same without audit rows: for our own timers, and for callers that handle ignored notices. */
export async function applyNotices(
  tx: Tx,
  reports: readonly Report[],
): Promise<{ rows: TransactionRow[]; ignored: IgnoredNotice[] }> {
  const byReference = new Map<TransactionId, readonly PaymentNotice[]>();
  for (const { reference, notices } of reports) {
    if (notices.length === 0) continue;
    byReference.set(reference, [...(byReference.get(reference) ?? []), ...notices]);
  }
  const rounds = ATTEMPTS_MAX + reports.reduce((sum, { notices }) => sum + notices.length, 0);
  const after = new Map<TransactionId, TransactionRow>();
  const ignored: IgnoredNotice[] = [];
  let open: ReadonlyMap<TransactionId, readonly PaymentNotice[]> = byReference;
  for (let round = 1; open.size > 0; round++) {
    if (round > rounds) throw new Error('payments change faster than notices about them can be applied');
    open = await applyFirst(tx, open, after, ignored);
  }
  return { rows: [...after.values()], ignored };
}

const ATTEMPTS_MAX = 20;

/**
 * Applies the first notice of each transaction, so that the next one sees the balances, debts and mirrors that it left.
 * Returns the remaining notices: later ones, those that lacked a refund account, and those for mirrors.
 */
async function applyFirst(
  tx: Tx,
  open: ReadonlyMap<TransactionId, readonly PaymentNotice[]>,
  after: Map<string, TransactionRow>,
  ignored: IgnoredNotice[],
): Promise<Map<TransactionId, readonly PaymentNotice[]>> {
  const rows = new Map((await lockTransactions(tx, [...open.keys()])).map((row) => [row.id, row]));
  const first: RowNotice[] = [];
  for (const [reference, notices] of open) {
    const row = rows.get(reference);
    if (row) first.push({ row, notice: notices[0] as PaymentNotice });
    else for (const { kind } of notices) ignored.push({ reference, notice: kind, status: undefined });
  }
  const outcomes = await applyAll(tx, first);
  const remaining = new Map<TransactionId, readonly PaymentNotice[]>();
  first.forEach(({ row, notice }, i) => {
    const { applied, retry } = outcomes[i] as NoticeOutcome;
    const [, ...later] = open.get(row.id) ?? [];
    const left = retry ? [retry, ...later] : later;
    if (left.length > 0) remaining.set(row.id, left);
    if (retry) return;
    after.set(row.id, applied ?? row);
    if (!applied) ignored.push({ reference: row.id, notice: notice.kind, status: row.status });
    const mirror = applied && noticeForMirror(row, applied);
    if (mirror) remaining.set(mirror.id, [mirror.notice]);
  });
  return remaining;
}

/** The outcome of a notice: the row after it, or the notice to try again; neither if it did not apply. */
interface NoticeOutcome {
  readonly applied?: TransactionRow;
  readonly retry?: PaymentNotice;
}

async function applyAll(tx: Tx, notices: readonly RowNotice[]): Promise<NoticeOutcome[]> {
  await announceReturns(tx, notices);
  const known = await loadFacts(tx, notices);
  const overVolume = await findOverVolume(tx, notices);
  const drafted = notices.map((each) => {
    const { row, notice } = each;
    const facts = known.factsFor(row);
    const transition = PAYMENTS.advance(
      row,
      overVolume.has(each) ? overLimit(notice) : notice,
      tx.now,
      facts,
    );
    const isReady = transition !== undefined && !lacksRefundAccount(row, transition.row, facts);
    known.record(isReady ? transition.entries : []);
    return { row, notice, transition, isReady };
  });
  for (const { row, transition, isReady } of drafted)
    if (transition && !isReady) await openRefundAccount(tx, row);
  const ready = drafted.flatMap(({ transition, isReady }) => (transition && isReady ? [transition] : []));
  await applyNow(tx, ready).catch(retryAtLimit);
  return drafted.map(({ transition, notice, isReady }) => {
    if (!transition) return {};
    return isReady ? { applied: transition.row } : { retry: notice };
  });
}

/** Announces delivered coins that come back over Spark (L8), all returns of this commit together. */
async function announceReturns(tx: Tx, notices: readonly RowNotice[]): Promise<void> {
  const amounts = new Map<string, bigint>();
  for (const { row, notice } of notices) {
    if (notice.kind !== 'returned' || row.type !== 'OUTGOING' || row.status !== 'COMPLETED') continue;
    const { receiving_currency: currency, receiving_amount: amount } = row;
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amount);
  }
  for (const [currency, amount] of [...amounts].sort()) await announceCoins(tx, { currency, amount });
}

function overLimit(notice: PaymentNotice): PaymentNotice {
  if (notice.kind === 'authorized') return { kind: 'authorizedOverLimit' };
  return notice.kind === 'funded' ? { ...notice, kind: 'fundedOverLimit' } : notice;
}

/** Another payment used up the limit meanwhile. When this is retried, the funds are found to exceed it. */
function retryAtLimit(error: unknown): never {
  if (!(error instanceof CommitRefused) || error.reason.name !== 'limit') throw error;
  throw new CommitRefused({ ...error.reason, name: 'stale' }, error);
}
