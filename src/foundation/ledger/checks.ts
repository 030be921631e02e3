import type { Database, Run } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { ACCOUNT_KINDS, kindsWithBalance } from '#foundation/ledger/kinds.ts';

/** One invariant of money.md §12, checked over all platforms. */
export interface LedgerCheck {
  readonly name: string;
  readonly rule: string;
  run(run: Run): Promise<{ examined: bigint; violations: string[] }>;
}

const VIOLATIONS_SHOWN_MAX = 20;

/**
 * For checks of other areas too: `rows` has a column `ok` for each examined row; `label` describes a row that is not ok,
 * from the columns of `rows` under the alias `r`.
 */
export function checkRows(name: string, rule: string, rows: Sql, label: Sql): LedgerCheck {
  return {
    name,
    rule,
    async run(run) {
      const [row] = await run<{ examined: bigint; wrong: bigint; violations: string[] | null }>(sql`
        select count(*) as examined, count(*) filter (where r.ok is not true) as wrong,
               (array_agg(${label}) filter (where r.ok is not true))[1:${VIOLATIONS_SHOWN_MAX}::integer] as violations
          from (${rows}) r`);
      const violations = row?.violations ?? [];
      const more = Number(row?.wrong ?? 0n) - violations.length;
      return {
        examined: row?.examined ?? 0n,
        violations: more > 0 ? [...violations, `and ${more} more of this kind`] : violations,
      };
    },
  };
}

/** The names as literal text of the statement. */
const anyKind = (names: readonly string[]) => rawSql(`any('{${names.join(',')}}')`);

const kind = sql`split_part(l.account, ':', 1)`;
const kept = anyKind(kindsWithBalance('kept'));
const numbered = anyKind([...kindsWithBalance('kept'), ...kindsWithBalance('carried')]);
const summed = anyKind(kindsWithBalance('summed'));
const addedToByDebits = anyKind(
  Object.entries(ACCOUNT_KINDS).flatMap(([name, { adds }]) => (adds === 'DEBIT' ? [name] : [])),
);

/** The effect of a line on its account, counted from the side on which the account may not go below zero. */
const effect = sql`case when (l.side = 'DEBIT') = (${kind} = ${addedToByDebits}) then l.amount else -l.amount end`;

const entriesBalance = checkRows(
  'every entry balances in every currency, with amounts above zero',
  'money.md §12.1',
  sql`select l.platform_id, l.seq, l.currency,
             sum(case l.side when 'DEBIT' then l.amount else -l.amount end) = 0 and min(l.amount) > 0 as ok
        from ledger_lines l
       group by l.platform_id, l.seq, l.currency`,
  sql`format('entry %s of platform %s does not balance in %s', r.seq, r.platform_id, r.currency)`,
);

const sumsAreZero = checkRows(
  'the lines of each currency add up to zero',
  'money.md §12.1',
  sql`select l.platform_id, l.currency, sum(case l.side when 'DEBIT' then l.amount else -l.amount end) = 0 as ok
        from ledger_lines l
       group by l.platform_id, l.currency`,
  sql`format('the lines of platform %s in %s do not cancel out', r.platform_id, r.currency)`,
);

const neverBelowZero = checkRows(
  'running numbers have no gaps, each balance follows from the previous one, and none was ever below zero',
  'money.md §12.2',
  sql`select l.platform_id, l.seq, l.account, l.currency, l.account_no,
             l.account_no = 1 + coalesce(lag(l.account_no) over chain, 0)
             and l.balance_after = ${effect} + coalesce(lag(l.balance_after) over chain, 0)
             and l.balance_after >= 0
             and l.seq >= coalesce(lag(l.seq) over chain, 0) as ok
        from ledger_lines l
       where l.account_no is not null
      window chain as (partition by l.platform_id, l.account, l.currency order by l.account_no, l.seq, l.line_no)`,
  sql`format('line %s of %s in %s, platform %s, entry %s, does not follow from the line before',
             r.account_no, r.account, r.currency, r.platform_id, r.seq)`,
);

const replayGivesBalances = checkRows(
  'replaying the journal gives every cached balance',
  'money.md §12.3',
  sql`select platform_id, account, currency, b.balance as cached, replayed.balance as replayed,
             b.balance = coalesce(replayed.balance, 0) and b.last_no = coalesce(replayed.line_count, 0) as ok
        from (
          select l.platform_id, l.account, l.currency, sum(${effect}) as balance, count(*) as line_count
            from ledger_lines l
           where ${kind} = ${kept}
           group by l.platform_id, l.account, l.currency) replayed
        full join ledger_balances b using (platform_id, account, currency)`,
  sql`format('%s in %s of platform %s: cached %s, replayed %s', r.account, r.currency, r.platform_id,
             coalesce(r.cached::text, 'nothing'), coalesce(r.replayed::text, 'nothing'))`,
);

const stepsOnce = checkRows(
  'a step is posted once, and money is taken from a payer once',
  'money.md §12.8',
  sql`select e.platform_id, e.transaction_id,
             count(*) = count(distinct (ledger_kind(e.kind), e.ordinal))
             and count(*) filter (
               where ledger_kind(e.kind) in ('payment.executed', 'payment.captured', 'payment.funded', 'payment.collected')) <= 1
               as ok
        from ledger_entries e
       where e.transaction_id is not null
       group by e.platform_id, e.transaction_id`,
  sql`format('transaction %s of platform %s has a step twice', r.transaction_id, r.platform_id)`,
);

const entriesHaveOwners = checkRows(
  'every entry belongs to a platform, and an entry that it reverses came before it',
  'money.md §11',
  sql`select e.platform_id, e.seq,
             p.id is not null and (e.reverses_seq is null or reversed.seq < e.seq) as ok
        from ledger_entries e
        left join platforms p on p.id = e.platform_id
        left join ledger_entries reversed
          on reversed.platform_id = e.platform_id and reversed.seq = e.reverses_seq`,
  sql`format('entry %s of platform %s has no platform, or reverses nothing', r.seq, r.platform_id)`,
);

/**
 * Repeats the rules of the table's guard (src/foundation/ledger/kinds.sql.ts), for writes that bypassed it; amounts are checked
 * above.
 */
const entriesAreSound = checkRows(
  'every entry is a step of its kind, on existing kinds of accounts, in their currency',
  'money.md §11',
  sql`select e.platform_id, e.seq,
             e.step = ledger_step(e.kind, e.ordinal) and cardinality(e.amounts) > 1
             and (select bool_and(
                    case when ${kind} = ${summed}
                      then l.account_no is null and l.balance is null
                           and split_part(l.account, ':', -1) = l.currency
                      else l.account_no > 0 and l.balance >= 0 and ${kind} = ${numbered}
                    end is true and l.amount is not null)
                    from unnest(e.accounts, e.currencies, e.amounts, e.account_nos, e.balances)
                      as l (account, currency, amount, account_no, balance)) as ok
        from ledger_entries e`,
  sql`format('entry %s of platform %s could not have been posted', r.seq, r.platform_id)`,
);

const rollUpsAreSums = checkRows(
  'every roll-up is the sum of its lines',
  'money.md §11',
  sql`select platform_id, account, currency,
             rolled.debit = summed.debit and rolled.credit = summed.credit
             and rolled.line_count = summed.line_count as ok
        from ledger_rollups rolled
        full join (
          select l.platform_id, l.account, l.currency, count(*) as line_count,
                 coalesce(sum(l.amount) filter (where l.side = 'DEBIT'), 0) as debit,
                 coalesce(sum(l.amount) filter (where l.side = 'CREDIT'), 0) as credit
            from ledger_lines l
            join ledger_rollup_marks m on m.platform_id = l.platform_id and l.seq <= m.seq
           where l.account_no is null
           group by l.platform_id, l.account, l.currency) summed using (platform_id, account, currency)`,
  sql`format('the roll-up of %s in %s, platform %s, is not the sum of its lines', r.account, r.currency, r.platform_id)`,
);

/** The checks of the ledger itself; areas that move money add their own checks. */
export const LEDGER_CHECKS: readonly LedgerCheck[] = [
  entriesBalance,
  sumsAreZero,
  neverBelowZero,
  replayGivesBalances,
  stepsOnce,
  entriesHaveOwners,
  entriesAreSound,
  rollUpsAreSums,
];

export interface LedgerFinding {
  readonly name: string;
  readonly rule: string;
  readonly examined: bigint;
  /** Descriptions of the violations, for a person; empty if there are none. */
  readonly violations: readonly string[];
}

/** A check before it is run: what it proves, as a sentence, and the rule that requires it. */
export interface DescribedCheck {
  /** Its place among all checks, from 1. */
  readonly place: number;
  readonly of: number;
  readonly proves: string;
  readonly rule: string;
}

/** Lists what the checks prove, in the order in which they run. */
export function describeChecks(checks: readonly LedgerCheck[]): DescribedCheck[] {
  return checks.map(({ name, rule }, i) => ({ place: i + 1, of: checks.length, proves: name, rule }));
}

/** Called before each check, and after it with what it found. */
export interface VerifyProgress {
  onStart?(check: DescribedCheck): void;
  onFinding?(finding: LedgerFinding, check: DescribedCheck): void;
}

/**
 * Checks the invariants of money.md §12 in the database, one after the other. Most checks are one statement, which sees one
 * moment, also while entries are being posted.
 */
export async function verifyLedger(
  run: Run,
  checks: readonly LedgerCheck[] = LEDGER_CHECKS,
  { onStart, onFinding }: VerifyProgress = {},
): Promise<LedgerFinding[]> {
  const findings: LedgerFinding[] = [];
  const described = describeChecks(checks);
  for (const [i, { name, rule, run: check }] of checks.entries()) {
    const about = described[i] as DescribedCheck;
    onStart?.(about);
    const finding = { name, rule, ...(await check(run)) };
    findings.push(finding);
    onFinding?.(finding, about);
  }
  return findings;
}

/** The same for a large ledger: all checks see the same moment, however long they take. */
export function verifyWholeLedger(
  database: Database,
  checks: readonly LedgerCheck[] = LEDGER_CHECKS,
  progress: VerifyProgress = {},
): Promise<LedgerFinding[]> {
  return readingOneMoment(database, (run) => verifyLedger(run, checks, progress));
}

/** Runs steps that see the same moment of the database, without a limit of time. */
export function readingOneMoment<T>(database: Database, steps: (run: Run) => Promise<T>): Promise<T> {
  return database.transaction(async (run) => {
    await run(sql`set transaction isolation level repeatable read, read only`);
    await run(sql`set local statement_timeout = 0`);
    return steps(run);
  });
}

/** One line per violation, with the rule it breaks. */
export function violationsIn(findings: readonly LedgerFinding[]): string[] {
  return findings.flatMap(({ rule, violations }) => violations.map((violation) => `${rule}: ${violation}`));
}
