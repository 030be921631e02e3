import { joinSql, rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  ACCOUNT_KINDS,
  type AccountKindName,
  kindsWithBalance,
  type LedgerKind,
} from '#foundation/ledger/kinds.ts';

/**
 * A moment of the books: everything up to a business time, or up to an entry. The books are in the order of business
 * time, and then of the journal.
 */
export interface Moment {
  /** A time, or the text of an entry's time with its microseconds. */
  readonly at: Date | string;
  /** Without it, all entries of that time. */
  readonly seq?: bigint | undefined;
}

export interface AccountBalance {
  /** An account, or a kind of accounts: `AVAIL` stands for all of them together. */
  readonly account: string;
  readonly currency: string;
  /** In minor units; debit above zero, credit below. */
  readonly balance: bigint;
}

/** The lines up to a moment, as a condition on `account_lines` k. */
function upTo({ at, seq }: Moment): Sql {
  return seq === undefined
    ? sql`k.at <= ${at}::timestamptz`
    : sql`(k.at, k.seq) <= (${at}::timestamptz, ${seq}::bigint)`;
}

/** Selects the balance of an account at a moment, one look-up in the primary key. */
function balanceAt(tx: ReadTx, account: Sql, currency: Sql, moment: Moment): Sql {
  return sql`
    select k.balance from account_lines k
     where k.platform_id = ${tx.platformId} and k.account = ${account} and k.currency = ${currency}
       and ${upTo(moment)}
     order by k.at desc, k.seq desc, k.line_no desc limit 1`;
}

interface BalanceRow {
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
}

/**
 * Selects the accounts of each range of names, with their balances at a moment. The statement hops from account to account
 * along the primary key, so that its cost depends on the number of accounts, never on the number of their lines.
 */
function accountsIn(tx: ReadTx, ranges: readonly NameRange[], moment: Moment, limit: number): Sql {
  const highs = ranges.map(({ high }) => high);
  // One lower bound, not two: the index could begin at the lower one, and pass the lines of all accounts in between.
  const starts = ranges.map(({ low, after }) => after ?? [low, '']);
  const [names, codes] = [0, 1].map((i) => starts.map((start) => start[i] ?? ''));
  return sql`
    with recursive walk as (
      select first.account, first.currency, r.high, 1 as hop
        from unnest(${highs}::text[], ${names}::text[], ${codes}::text[]) as r (high, after_account, after_currency)
       cross join lateral (
         select k.account, k.currency from account_lines k
          where k.platform_id = ${tx.platformId} and k.account <= r.high collate "C"
            and (k.account, k.currency) > (r.after_account collate "C", r.after_currency collate "C")
          order by k.account, k.currency limit 1) first
      union all
      select next.account, next.currency, w.high, w.hop + 1
        from walk w
       cross join lateral (
         select k.account, k.currency from account_lines k
          where k.platform_id = ${tx.platformId} and (k.account, k.currency) > (w.account, w.currency)
            and k.account <= w.high collate "C"
          order by k.account, k.currency limit 1) next
       where w.hop < ${limit})
    select w.account, w.currency, coalesce(b.balance, 0)::text as balance
      from walk w
      left join lateral (${balanceAt(tx, sql`w.account`, sql`w.currency`, moment)}) b on true
     order by w.account, w.currency`;
}

type AccountKey = readonly [account: string, currency: string];

/** Names from one to another, both included. */
interface NameRange {
  readonly low: string;
  readonly high: string;
  /** Only what follows this account and currency. */
  readonly after?: AccountKey | undefined;
}

/** Far more than any installation has of rails and currencies. */
const SUMS_MAX = 1_000;

/** Loads the balance of an account, or of a kind of accounts, in each of its currencies. */
export async function loadBalances(tx: ReadTx, account: string, moment: Moment): Promise<AccountBalance[]> {
  return readBalances(tx, accountsIn(tx, [{ low: account, high: account }], moment, SUMS_MAX));
}

/**
 * Loads the trial balance of the platform: one row for each kind of accounts of owners, and one for each shared account,
 * in each currency. The rows of each currency add up to zero.
 */
export async function loadTrialBalance(tx: ReadTx, moment: Moment): Promise<AccountBalance[]> {
  const shared = kindsWithBalance('summed');
  const ranges = (Object.keys(ACCOUNT_KINDS) as AccountKindName[]).map((kind) =>
    shared.includes(kind) ? namesOf(kind) : { low: kind, high: kind },
  );
  return readBalances(tx, accountsIn(tx, ranges, moment, SUMS_MAX));
}

/** Lists the accounts of a kind with their balances at a moment, in the order of their names, after one of them. */
export async function listAccounts(
  tx: ReadTx,
  kind: AccountKindName,
  moment: Moment,
  { after, limit }: { readonly after?: AccountKey | undefined; readonly limit: number },
): Promise<AccountBalance[]> {
  return readBalances(tx, accountsIn(tx, [{ ...namesOf(kind), after }], moment, limit));
}

/** The names of a kind's accounts: the semicolon follows the colon. */
function namesOf(kind: AccountKindName): NameRange {
  return { low: `${kind}:`, high: `${kind};` };
}

async function readBalances(tx: ReadTx, statement: Sql): Promise<AccountBalance[]> {
  const rows = await tx.query<BalanceRow>(statement);
  return rows.map(({ balance, ...row }) => ({ ...row, balance: BigInt(balance) }));
}

/** A line of an account, with the account's balance after it. Amounts: debit above zero, credit below. */
export interface BookLine {
  readonly seq: bigint;
  /** 0 for the line of a kind of accounts. */
  readonly line_no: number;
  readonly at: Date;
  readonly entry_id: Id<'JournalEntry'>;
  readonly kind: LedgerKind;
  readonly transaction_id: TransactionId | null;
  readonly amount: bigint;
  readonly balance: bigint;
  /** The line's position among the account's lines, for the next page. */
  readonly position: readonly [at: string, seq: string, lineNo: string];
}

export interface LinesWanted {
  readonly account: string;
  readonly currency: string;
  readonly limit: number;
  /** Only lines before this one. */
  readonly before?: BookLine['position'] | undefined;
  /** Only lines from this business time on, and up to this one. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Lists lines of an account, the newest first. */
export async function listLines(tx: ReadTx, wanted: LinesWanted): Promise<BookLine[]> {
  const { account, currency, limit, before, from, until } = wanted;
  const conditions = [
    sql`k.platform_id = ${tx.platformId} and k.account = ${account} and k.currency = ${currency}`,
    ...(from ? [sql`k.at >= ${from}`] : []),
    ...(until ? [sql`k.at <= ${until}`] : []),
    ...(before
      ? [
          sql`(k.at, k.seq, k.line_no) < (${before[0]}::timestamptz, ${before[1]}::bigint, ${before[2]}::smallint)`,
        ]
      : []),
  ];
  const rows = await tx.query<
    Omit<BookLine, 'balance' | 'position'> & { balance: string; at_text: string }
  >(sql`
    select k.seq, k.line_no, k.at, to_char(k.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at_text, k.amount, k.balance::text as balance, e.id as entry_id,
           ledger_kind(e.kind) as kind, e.transaction_id
      from (select k.platform_id, k.seq, k.line_no, k.at, k.amount, k.balance from account_lines k
             where ${joinSql(conditions, ' and ')}
             order by k.at desc, k.seq desc, k.line_no desc limit ${limit}) k
      join ledger_entries e on e.platform_id = k.platform_id and e.seq = k.seq
     order by k.at desc, k.seq desc, k.line_no desc`);
  return rows.map(({ at_text: at, balance, ...line }) => ({
    ...line,
    balance: BigInt(balance),
    position: [at, line.seq.toString(), line.line_no.toString()],
  }));
}

/** How far the lines go. */
export interface ReadState {
  /** The number of entries that were read, and the number of the last one in the journal. */
  readonly entries: bigint;
  readonly seq: bigint;
  /** Business time of the first entry that was not read yet. */
  readonly unreadSince: Date | null;
}

export async function loadReadState(tx: ReadTx): Promise<ReadState> {
  const [row] = await tx.sql<ReadState>`
    select coalesce(m.entry_count, 0) as entries, coalesce(m.seq, 0) as seq,
           (select e.created_at from ledger_entries e
             where e.platform_id = ${tx.platformId} and e.seq > coalesce(m.seq, 0)
             order by e.seq limit 1) as "unreadSince"
      from (select) one left join journal_marks m on m.platform_id = ${tx.platformId}`;
  return row ?? { entries: 0n, seq: 0n, unreadSince: null };
}

/** An entry with its lines. */
export interface BookEntry {
  readonly seq: bigint;
  readonly id: Id<'JournalEntry'>;
  readonly kind: LedgerKind;
  readonly transaction_id: TransactionId | null;
  /** The entry that this one reverses, and the one that reverses it. */
  readonly reverses: Id<'JournalEntry'> | null;
  readonly reversed_by: Id<'JournalEntry'> | null;
  /** Business time, and real time. */
  readonly created_at: Date;
  readonly recorded_at: Date;
  /** The entry's moment in the books: business time with microseconds. */
  readonly at: string;
  /** The entry's hash in the chain, in hexadecimal digits; null until it is read. */
  readonly hash: string | null;
}

/** A line of an entry; the account's balance after it is null until the entry is read. */
export interface EntryLine {
  readonly account: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
}

/** Finds an entry by its id or by its number in the journal. */
export async function findEntry(
  tx: ReadTx,
  named: { readonly id: string } | { readonly seq: bigint },
): Promise<BookEntry | undefined> {
  const seq = 'seq' in named ? sql`${named.seq}` : seqOf(tx, named.id);
  const [entry] = await tx.query<BookEntry>(sql`
    select e.seq, e.id, ledger_kind(e.kind) as kind, e.transaction_id, e.created_at, e.recorded_at, e.created_at::text as at,
           encode(c.hash, 'hex') as hash,
           (select r.id from ledger_entries r
             where r.platform_id = e.platform_id and r.seq = e.reverses_seq) as reverses,
           (select r.id from ledger_entries r
             where r.platform_id = e.platform_id and r.reverses_seq = e.seq) as reversed_by
      from ledger_entries e
      left join journal_chain c on c.platform_id = e.platform_id and c.seq = e.seq
     where e.platform_id = ${tx.platformId} and e.seq = ${seq}`);
  return entry;
}

/** Entries that were not read yet are few, and their ids have no index. */
const UNREAD_MAX = 10_000;

function seqOf(tx: ReadTx, id: string): Sql {
  return sql`coalesce(
    (select c.seq from journal_chain c where c.platform_id = ${tx.platformId} and c.entry_id = ${id}),
    (select u.seq
       from (select e.seq, e.id from ledger_entries e
              where e.platform_id = ${tx.platformId}
                and e.seq > coalesce((select m.seq from journal_marks m where m.platform_id = ${tx.platformId}), 0)
              order by e.seq desc limit ${rawSql(String(UNREAD_MAX))}) u
      where u.id = ${id}))`;
}

/** Lists the lines of an entry, in its order. */
export async function listEntryLines(tx: ReadTx, { seq }: Pick<BookEntry, 'seq'>): Promise<EntryLine[]> {
  const rows = await tx.sql<Omit<EntryLine, 'balance'> & { balance: string | null }>`
    select l.account, l.currency, l.amount, k.balance::text as balance
      from ledger_entries e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) with ordinality
           as l (account, currency, amount, line_no)
      left join account_lines k
        on k.platform_id = e.platform_id and k.account = l.account and k.currency = l.currency and k.at = e.created_at
           and k.seq = e.seq and k.line_no = l.line_no
     where e.platform_id = ${tx.platformId} and e.seq = ${seq}
     order by l.line_no`;
  return rows.map((row) => ({ ...row, balance: row.balance === null ? null : BigInt(row.balance) }));
}
