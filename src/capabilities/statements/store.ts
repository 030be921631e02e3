import { availAccountOf, holdAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { AccountRow } from '#capabilities/accounts/store.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { Period } from '#capabilities/statements/period.ts';
import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';

export type Holder = Pick<AccountRow, 'id' | 'currency'>;

/** An entry that changes the money of an account: what can be spent and what is on hold, together. */
export interface StatementEntry {
  /** Business time with microseconds, and the number in the journal: the entry's place in the books. */
  readonly at: string;
  readonly seq: bigint;
  readonly created_at: Date;
  readonly entry_id: Id<'JournalEntry'>;
  readonly kind: LedgerKind;
  readonly transaction_id: TransactionId | null;
  /** Above zero if money is added. */
  readonly amount: bigint;
}

export type Place = Pick<StatementEntry, 'at' | 'seq'>;

/** The money of an account before a moment; the books have credit below zero. */
export function loadMoneyBefore(tx: ReadTx, holder: Holder, at: Date): Promise<bigint> {
  return loadMoney(tx, holder, sql`k.at < ${at}`);
}

/** The money right after an entry. */
export function loadMoneyAfter(tx: ReadTx, holder: Holder, { at, seq }: Place): Promise<bigint> {
  return loadMoney(tx, holder, sql`(k.at, k.seq) <= (${at}::timestamptz, ${seq}::bigint)`);
}

async function loadMoney(tx: ReadTx, { id, currency }: Holder, condition: Sql): Promise<bigint> {
  const [row] = await tx.sql<{ balance: string }>`
    select coalesce(sum(b.balance), 0)::text as balance
      from unnest(${[availAccountOf(id), holdAccountOf(id)]}::text[]) as n (account)
     cross join lateral (
       select k.balance from account_lines k
        where k.platform_id = ${tx.platformId} and k.account = n.account and k.currency = ${currency} and ${condition}
        order by k.at desc, k.seq desc, k.line_no desc limit 1) b`;
  return -BigInt(row?.balance ?? 0);
}

export interface EntriesWanted {
  readonly period: Period;
  readonly limit: number;
  /** Only entries behind this one. */
  readonly after?: Place | undefined;
  /** Only entries up to this number of the journal, so that pages of one file agree with each other. */
  readonly upTo?: bigint | undefined;
}

/** More than one entry has lines in both accounts of an internal account, so that every read gets further. */
const SPARE = 20;

/** Lists the entries of a period that change the account's money, in the order of the books. */
export async function listStatementEntries(
  tx: ReadTx,
  holder: Holder,
  wanted: EntriesWanted,
): Promise<StatementEntry[]> {
  const found: StatementEntry[] = [];
  let after = wanted.after;
  for (;;) {
    const linesMax = 2 * (wanted.limit - found.length) + SPARE;
    const lines = await listLines(tx, holder, { ...wanted, after }, linesMax);
    // The lines of the last entry may be cut off.
    const isLast = lines.length < linesMax;
    const entries = addUpLines(isLast ? lines : lines.filter(({ seq }) => seq !== lines.at(-1)?.seq));
    found.push(...entries.filter(({ amount }) => amount !== 0n));
    if (isLast || found.length >= wanted.limit) return found.slice(0, wanted.limit);
    after = entries.at(-1);
  }
}

/** Adds up the lines of each entry: a hold takes from one account what it adds to the other. */
function addUpLines(lines: readonly StatementEntry[]): StatementEntry[] {
  const entries = new Map<bigint, StatementEntry>();
  for (const line of lines) {
    const amount = line.amount + (entries.get(line.seq)?.amount ?? 0n);
    entries.set(line.seq, { ...line, amount });
  }
  return [...entries.values()];
}

/** The next lines of both accounts, each read along the primary key: a page costs the same in a period of any length. */
function listLines(
  tx: ReadTx,
  holder: Holder,
  wanted: Omit<EntriesWanted, 'limit'>,
  linesMax: number,
): Promise<StatementEntry[]> {
  const [spendable, held] = linesOf(tx, holder, wanted).map(
    (lines) => sql`(${lines} order by k.at, k.seq, k.line_no limit ${linesMax})`,
  );
  return tx.sql<StatementEntry>`
    select to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, m.seq, e.created_at,
           e.id as entry_id, ledger_kind(e.kind) as kind, e.transaction_id, -m.amount as amount
      from (select u.at, u.seq, u.amount from (${spendable} union all ${held}) u
             order by u.at, u.seq limit ${linesMax}) m
     cross join lateral (
       select e.created_at, e.id, e.kind, e.transaction_id from ledger_entries e
        where e.platform_id = ${tx.platformId} and e.seq = m.seq limit 1) e
     order by m.at, m.seq`;
}

/** Counts and adds up the entries of a period; counting stops above `most`. */
export async function sumStatementEntries(
  tx: ReadTx,
  holder: Holder,
  { most, ...wanted }: Pick<EntriesWanted, 'period' | 'upTo'> & { readonly most: number },
): Promise<{ count: number; sum: bigint }> {
  const [spendable, held] = linesOf(tx, holder, wanted);
  const [row] = await tx.sql<{ count: bigint; sum: string }>`
    select count(*) as count, coalesce(sum(m.amount), 0)::text as sum
      from (select -sum(u.amount) as amount from (${spendable} union all ${held}) u
             group by u.at, u.seq having sum(u.amount) <> 0 limit ${most + 1}) m`;
  return { count: Number(row?.count ?? 0), sum: BigInt(row?.sum ?? 0) };
}

/** The lines of what can be spent, and of what is on hold. */
function linesOf(
  tx: ReadTx,
  { id, currency }: Holder,
  { period: { start, end }, after, upTo }: Omit<EntriesWanted, 'limit'>,
): [Sql, Sql] {
  const conditions = [
    sql`k.platform_id = ${tx.platformId} and k.currency = ${currency} and k.at >= ${start} and k.at < ${end}`,
    ...(after ? [sql`(k.at, k.seq) > (${after.at}::timestamptz, ${after.seq}::bigint)`] : []),
    ...(upTo === undefined ? [] : [sql`k.seq <= ${upTo}`]),
  ];
  const of = (account: string) =>
    sql`select k.at, k.seq, k.amount from account_lines k
         where k.account = ${account} and ${joinSql(conditions, ' and ')}`;
  return [of(availAccountOf(id)), of(holdAccountOf(id))];
}

/** Finds transactions of one table; their source presents them. */
export function findSourceRows(
  tx: ReadTx,
  { table, columns }: Pick<TransactionSource, 'table' | 'columns'>,
  ids: readonly TransactionId[],
): Promise<{ id: TransactionId }[]> {
  const names = rawSql(columns.map((name) => `t.${name}`).join(', '));
  return tx.query(sql`
    select ${names} from ${rawSql(`${table} t`)} where t.platform_id = ${tx.platformId} and t.id = any(${ids}::uuid[])`);
}
