import type { Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import type { AccountState, GuardedAccount, SummedAccount } from '#ledger/accounts.ts';
import {
  type CompleteEntry,
  carriedState,
  inLockingOrder,
  type Line,
  type Verdict,
} from '#ledger/entries.ts';

/** One trip; the entries may belong to several platforms. */
export async function postEntries(
  run: Run,
  entries: readonly CompleteEntry[],
  recordedAt: Date,
): Promise<Verdict[]> {
  const [first] = entries;
  if (first === undefined) return [];
  return entries.length === 1 ? [await postOne(run, first, recordedAt)] : postMany(run, entries, recordedAt);
}

async function postOne(run: Run, entry: CompleteEntry, recordedAt: Date): Promise<Verdict> {
  const lines = inLockingOrder(entry.lines);
  const carried = lines.map(({ account, currency }) => carriedState(entry, account, currency));
  const [row] = await run<{ outcome: string }>(sql`
    select ledger_post_one(
      ${entry.platformId}, ${entry.id}, ${entry.kind}, ${entry.transactionId ?? null}, ${entry.ordinal ?? 0},
      ${entry.reversesSeq ?? null}, ${entry.createdAt.toISOString()}, ${recordedAt.toISOString()},
      ${lines.map((line) => line.account)}, ${lines.map((line) => line.currency)}, ${lines.map(signed)},
      ${carried.map((state) => state?.no ?? null)}, ${carried.map((state) => state?.balance ?? null)}) as outcome`);
  const [verdict, detail = '', nos = '', balances = ''] = (row?.outcome ?? '').split('/');
  return verdictOf(entry, lines, {
    verdict: verdict as Verdict['verdict'],
    seq: detail,
    refusedLine: Number(detail) - 1,
    nos: elements(nos),
    balances: elements(balances),
  });
}

/** The elements of an array of whole numbers in PostgreSQL's notation. */
function elements(text: string): (string | null)[] {
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : element));
}

interface ManyOutcome {
  verdicts: Verdict['verdict'][];
  refused_lines: (number | null)[];
  seqs: Int8[];
  account_nos: (Int8 | null)[];
  balances: (Int8 | null)[];
}

/** Elements of int8 arrays arrive as numbers where that is exact, else as text. */
type Int8 = number | string;

async function postMany(run: Run, entries: readonly CompleteEntry[], recordedAt: Date): Promise<Verdict[]> {
  const sorted = entries.map((entry) => inLockingOrder(entry.lines));
  const lines = sorted.flat();
  const entryNos = sorted.flatMap((own, i) => own.map(() => i + 1));
  const carried = sorted.flatMap((own, i) =>
    own.map(({ account, currency }) => carriedState(entries[i] as CompleteEntry, account, currency)),
  );
  const [outcome] = await run<ManyOutcome>(sql`
    select * from ledger_post(
      ${entries.map((entry) => entry.platformId)}, ${entries.map((entry) => entry.id)},
      ${entries.map((entry) => entry.kind)}, ${entries.map((entry) => entry.transactionId ?? null)},
      ${entries.map((entry) => entry.ordinal ?? 0)}, ${entries.map((entry) => entry.reversesSeq ?? null)},
      ${entries.map((entry) => entry.createdAt.toISOString())}, ${recordedAt.toISOString()},
      ${entryNos}, ${lines.map((line) => line.account)}, ${lines.map((line) => line.currency)},
      ${lines.map(signed)}, ${carried.map((state) => state?.no ?? null)},
      ${carried.map((state) => state?.balance ?? null)}, null)`);
  const { verdicts, refused_lines, seqs, account_nos, balances } = outcome as ManyOutcome;
  let start = 0;
  return entries.map((entry, i) => {
    const own = sorted[i] as Line[];
    const from = start;
    start += own.length;
    return verdictOf(entry, own, {
      verdict: verdicts[i] as Verdict['verdict'],
      seq: seqs[i] as Int8,
      refusedLine: Number(refused_lines[i]) - 1 - from,
      nos: account_nos.slice(from, start),
      balances: balances.slice(from, start),
    });
  });
}

/** As the journal has it: debit above zero, credit below. */
function signed({ side, amount }: Line): bigint {
  return side === 'DEBIT' ? amount : -amount;
}

interface EntryOutcome {
  verdict: Verdict['verdict'];
  seq: Int8;
  refusedLine: number;
  nos: (Int8 | null)[];
  balances: (Int8 | null)[];
}

function verdictOf(entry: CompleteEntry, lines: readonly Line[], outcome: EntryOutcome): Verdict {
  const { verdict } = outcome;
  if (verdict === 'replayed' || verdict === 'unbalanced') return { verdict };
  if (verdict !== 'posted') return { verdict, account: (lines[outcome.refusedLine] as Line).account };
  const states = new Map<string, AccountState>();
  lines.forEach(({ account, currency }, i) => {
    const no = outcome.nos[i] ?? null;
    if (no === null) return;
    const balance = BigInt(outcome.balances[i] as Int8);
    states.set(`${account} ${currency}`, {
      account: account as AccountState['account'],
      currency,
      no: BigInt(no),
      balance,
    });
  });
  return { verdict, entryId: entry.id, seq: BigInt(outcome.seq), states: [...states.values()] };
}

/** Guarded accounts begin at zero; one that is open already stays as it is. */
export async function openLedgerAccounts(
  tx: Tx,
  accounts: readonly { account: GuardedAccount; currency: string }[],
): Promise<void> {
  const names = accounts.map(({ account }) => account);
  const currencies = accounts.map(({ currency }) => currency);
  await tx.sql`
    insert into ledger_balances (platform_id, account, currency, updated_at)
    select ${tx.platformId}, wanted.account, wanted.currency, ${tx.now}
      from unnest(${names}::text[], ${currencies}::text[]) as wanted (account, currency)
     order by wanted.currency collate "C", wanted.account collate "C"
        on conflict do nothing`;
}

/** The guarded accounts among these that are open, in no particular order. */
export function balancesOf(tx: Tx, accounts: readonly GuardedAccount[]): Promise<AccountState[]> {
  return tx.sql<AccountState>`
    select account, currency, last_no as no, balance
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])`;
}

export interface Sum {
  readonly debit: bigint;
  readonly credit: bigint;
}

/** All that was ever posted to a shared account: the last roll-up and the lines since. */
export async function sumOf(tx: Tx, account: SummedAccount): Promise<Sum> {
  const [row] = await tx.sql<{ debit: string; credit: string }>`
    select coalesce(sum(part.debit), 0) as debit, coalesce(sum(part.credit), 0) as credit
      from (
        select r.debit, r.credit
          from ledger_rollups r
         where r.platform_id = ${tx.platformId} and r.account = ${account}
        union all
        select case when l.side = 'DEBIT' then l.amount end, case when l.side = 'CREDIT' then l.amount end
          from ledger_lines l
         where l.platform_id = ${tx.platformId} and l.account = ${account}
           and l.seq > coalesce((select m.seq from ledger_rollup_marks m where m.platform_id = ${tx.platformId}), 0)
      ) part`;
  return { debit: BigInt(row?.debit ?? 0), credit: BigInt(row?.credit ?? 0) };
}
