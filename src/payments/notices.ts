import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import type { Outcome } from '#payments/application.ts';
import { applyIn } from '#payments/apply.ts';
import type { Step } from '#payments/machine/draft.ts';
import { echoOf } from '#payments/machine/mirror.ts';
import type { Notice } from '#payments/machine/notice.ts';
import { advance } from '#payments/machine/table.ts';
import { loadFacts, type Told } from '#payments/notice-facts.ts';
import type { TransactionRow } from '#payments/row.ts';
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
  const { rows, ignored } = await takeQuietly(tx, reports);
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
export async function takeQuietly(
  tx: Tx,
  reports: readonly Report[],
): Promise<{ rows: TransactionRow[]; ignored: Ignored[] }> {
  const byReference = new Map<string, Notice[]>();
  for (const { reference, notices } of reports) {
    byReference.set(reference, [...(byReference.get(reference) ?? []), ...notices]);
  }
  const after = new Map<string, TransactionRow>();
  const ignored: Ignored[] = [];
  let open = byReference;
  for (let attempt = 1; open.size > 0; attempt++) {
    if (attempt > ATTEMPTS_MAX)
      throw new Error('payments change faster than notices about them can be taken');
    open = await takeOnce(tx, open, after, ignored);
  }
  return { rows: [...after.values()], ignored };
}

const ATTEMPTS_MAX = 20;

/** Gives back what is still to be told: again where what it rested on has changed meanwhile, and to mirrors. */
async function takeOnce(
  tx: Tx,
  open: ReadonlyMap<string, Notice[]>,
  after: Map<string, TransactionRow>,
  ignored: Ignored[],
): Promise<Map<string, Notice[]>> {
  const rows = new Map((await lockTransactions(tx, [...open.keys()])).map((row) => [row.id, row]));
  const told: Told[] = [];
  for (const [reference, notices] of open) {
    const row = rows.get(reference);
    if (row) told.push({ row, notices });
    else for (const { kind } of notices) ignored.push({ reference, notice: kind, status: undefined });
  }
  const factsOf = await loadFacts(tx, told);
  const steps: Step[] = [];
  for (const { row, notices } of told) {
    const { step, ignored: late } = advance(row, notices, tx.now, factsOf(row));
    for (const { kind } of late) ignored.push({ reference: row.id, notice: kind, status: row.status });
    if (step) steps.push(step);
    else after.set(row.id, row);
  }
  const outcomes = await applyIn(tx, steps);
  const again = new Map<string, Notice[]>();
  steps.forEach((step, i) => {
    const outcome = outcomes[i] as Outcome;
    const notices = nextTry(outcome, open.get(step.row.id) ?? []);
    if (notices) again.set(step.row.id, notices);
    else after.set(step.row.id, step.row);
    const before = rows.get(step.row.id);
    const echo = before && outcome.verdict === 'applied' ? echoOf(before, step.row) : undefined;
    if (echo) again.set(echo.id, [echo.notice]);
  });
  return again;
}

/** Undefined: it is done. */
function nextTry(outcome: Outcome, notices: Notice[]): Notice[] | undefined {
  switch (outcome.verdict) {
    case 'applied':
    case 'replayed':
      return undefined;
    case 'limit':
      // money.md §8.2: funds that cross the day's volume fail the payment and go back.
      return notices.map((notice) =>
        notice.kind === 'funded' ? { ...notice, kind: 'fundedOverLimit' as const } : notice,
      );
    default:
      return notices;
  }
}
