import { audit } from '#audit/audit.ts';
import { CommitRefused } from '#database/reasons.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { applyIn } from '#payments/commit/apply.ts';
import { noticeForMirror } from '#payments/machine/mirror.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { advance } from '#payments/machine/table.ts';
import type { TransactionRow } from '#payments/row.ts';
import {
  crossingVolume,
  lacksRefundAccount,
  loadFacts,
  openRefundAccount,
  type Told,
} from '#payments/settlement/facts.ts';
import { lockTransactions } from '#payments/store.ts';

/** What somebody outside reports about a transaction of this platform, by the reference it was given. */
export interface Report {
  /** The transaction's bare UUID. */
  readonly reference: string;
  readonly notices: readonly Notice[];
}

/**
 * The one way in for what the world reports: any number of reports in one commit. A notice that does not fit the
 * present state, because it is late, repeated, out of order or about nothing we know, changes nothing and leaves
 * an audit row; so none can double, lose or resurrect a payment.
 */
export async function takeReports(tx: Tx, reports: readonly Report[]): Promise<TransactionRow[]> {
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

/** One report; the transaction after it, if there is one. */
export async function takeReport(tx: Tx, report: Report): Promise<TransactionRow | undefined> {
  const [row] = await takeReports(tx, [report]);
  return row;
}

export interface Ignored {
  readonly reference: string;
  readonly notice: Notice['kind'];
  /** Undefined: no such transaction. */
  readonly status: string | undefined;
}

/** The same without a trace of what did not fit: for our own timers. */
export async function applyNotices(
  tx: Tx,
  reports: readonly Report[],
): Promise<{ rows: TransactionRow[]; ignored: Ignored[] }> {
  const byReference = new Map<string, readonly Notice[]>();
  for (const { reference, notices } of reports) {
    if (notices.length === 0) continue;
    byReference.set(reference, [...(byReference.get(reference) ?? []), ...notices]);
  }
  const rounds = ATTEMPTS_MAX + reports.reduce((sum, { notices }) => sum + notices.length, 0);
  const after = new Map<string, TransactionRow>();
  const ignored: Ignored[] = [];
  let open: ReadonlyMap<string, readonly Notice[]> = byReference;
  for (let round = 1; open.size > 0; round++) {
    if (round > rounds) throw new Error('payments change faster than notices about them can be taken');
    open = await takeFirst(tx, open, after, ignored);
  }
  return { rows: [...after.values()], ignored };
}

const ATTEMPTS_MAX = 20;

/**
 * Takes the first notice of each, so that what a second one rests on is what the first has left: balances, debts and
 * mirrors. Gives back what is still to be told: what came next, what lacked something, and to mirrors.
 */
async function takeFirst(
  tx: Tx,
  open: ReadonlyMap<string, readonly Notice[]>,
  after: Map<string, TransactionRow>,
  ignored: Ignored[],
): Promise<Map<string, readonly Notice[]>> {
  const rows = new Map((await lockTransactions(tx, [...open.keys()])).map((row) => [row.id, row]));
  const told: Told[] = [];
  for (const [reference, notices] of open) {
    const row = rows.get(reference);
    if (row) told.push({ row, notice: notices[0] as Notice });
    else for (const { kind } of notices) ignored.push({ reference, notice: kind, status: undefined });
  }
  const endings = await takeEach(tx, told);
  const again = new Map<string, readonly Notice[]>();
  told.forEach(({ row, notice }, i) => {
    const { taken, retry } = endings[i] as Ending;
    const [, ...later] = open.get(row.id) ?? [];
    const left = retry ? [retry, ...later] : later;
    if (left.length > 0) again.set(row.id, left);
    if (retry) return;
    after.set(row.id, taken ?? row);
    if (!taken) ignored.push({ reference: row.id, notice: notice.kind, status: row.status });
    const echo = taken && noticeForMirror(row, taken);
    if (echo) again.set(echo.id, [echo.notice]);
  });
  return again;
}

/** What became of a notice: the row after it, or what is to be told once more; neither where it did not fit. */
interface Ending {
  readonly taken?: TransactionRow;
  readonly retry?: Notice;
}

async function takeEach(tx: Tx, told: readonly Told[]): Promise<Ending[]> {
  const known = await loadFacts(tx, told);
  const crossing = await crossingVolume(tx, told);
  const drafted = told.map((one) => {
    const { row, notice } = one;
    const facts = known.of(row);
    const transition = advance(row, crossing.has(one) ? overLimit(notice) : notice, tx.now, facts);
    const isReady = transition !== undefined && !lacksRefundAccount(row, transition.row, facts);
    known.follow(isReady ? transition.postings : []);
    return { row, notice, transition, isReady };
  });
  for (const { row, transition, isReady } of drafted)
    if (transition && !isReady) await openRefundAccount(tx, row);
  const ready = drafted.flatMap(({ transition, isReady }) => (transition && isReady ? [transition] : []));
  await applyIn(tx, ready).catch(retryAtLimit);
  return drafted.map(({ transition, notice, isReady }) => {
    if (!transition) return {};
    return isReady ? { taken: transition.row } : { retry: notice };
  });
}

function overLimit(notice: Notice): Notice {
  return notice.kind === 'funded' ? { ...notice, kind: 'fundedOverLimit' } : notice;
}

/** Somebody else has used what was left of a limit: seen anew, the funds cross it. */
function retryAtLimit(error: unknown): never {
  if (!(error instanceof CommitRefused) || error.reason.name !== 'limit') throw error;
  throw new CommitRefused({ ...error.reason, name: 'stale' }, error);
}
