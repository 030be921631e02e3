import type { Database } from '#foundation/database/database.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
import { arrayText, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CompleteEntry, Line } from '#foundation/ledger/entries.ts';
import {
  type Account,
  type AccountState,
  type GuardedAccount,
  type LedgerKind,
  type SummedAccount,
  stepName,
} from '#foundation/ledger/kinds.ts';

/** Opens guarded accounts with a balance of zero; an account that is already open is not changed. */
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
     order by wanted.account collate "C", wanted.currency collate "C"
        on conflict do nothing`;
}

/** Finds those of these transactions that have posted a step. */
export async function findStepsTaken(
  tx: ReadTx,
  transactionIds: readonly TransactionId[],
  step: string,
): Promise<string[]> {
  const rows = await tx.sql<{ transaction_id: TransactionId }>`
    select transaction_id from ledger_entries
     where platform_id = ${tx.platformId} and transaction_id = any(${transactionIds}::uuid[]) and step = ${step}`;
  return rows.map((row) => row.transaction_id);
}

/** A line of an entry, as the operator reads it. */
export interface PostedLine {
  readonly kind: LedgerKind;
  readonly created_at: Date;
  readonly account: string;
  readonly side: 'DEBIT' | 'CREDIT';
  readonly amount: bigint;
  readonly currency: string;
}

/** Lists all lines of a transaction, in the order in which they were posted. */
export function listTransactionLines(tx: ReadTx, transactionId: TransactionId): Promise<PostedLine[]> {
  return tx.sql<PostedLine>`
    select kind, created_at, account, side, amount, currency from ledger_lines
     where platform_id = ${tx.platformId} and transaction_id = ${transactionId}
     order by seq, line_no`;
}

/** An entry with its lines; an amount above zero is a debit, below zero a credit. */
export interface PostedEntry {
  readonly kind: LedgerKind;
  /** Business time, and real time. */
  readonly created_at: Date;
  readonly recorded_at: Date;
  readonly accounts: readonly string[];
  readonly currencies: readonly string[];
  readonly amounts: readonly bigint[];
}

/** Lists the newest entries of a transaction, in the order in which they were posted. */
export async function listNewestEntries(
  tx: ReadTx,
  transactionId: string,
  entriesMax: number,
): Promise<PostedEntry[]> {
  const rows = await tx.sql<Omit<PostedEntry, 'amounts'> & { amounts: readonly string[] }>`
    select ledger_kind(kind) as kind, created_at, recorded_at, accounts, currencies, amounts::text[] as amounts
      from ledger_entries
     where platform_id = ${tx.platformId} and transaction_id = ${transactionId}
     order by seq desc limit ${entriesMax}`;
  return rows.map((row) => ({ ...row, amounts: row.amounts.map(BigInt) })).reverse();
}

/**
 * Lists the newest lines of these accounts, newest first. There is no index from an account to its entries, because it
 * would slow down every posting. So the journal is read backwards, up to a limit, so that its length does not matter.
 */
export function listNewestLines(
  tx: ReadTx,
  accounts: readonly GuardedAccount[],
  linesMax: number,
): Promise<NewestLine[]> {
  return tx.sql<NewestLine>`
    select ledger_kind(e.kind) as kind, e.created_at, e.transaction_id, l.account, l.currency,
           case when l.amount > 0 then 'DEBIT' else 'CREDIT' end as side, abs(l.amount) as amount,
           (select r.id from ledger_entries r
             where r.platform_id = ${tx.platformId} and r.seq = e.reverses_seq) as reversed_id
      from (select seq, kind, created_at, transaction_id, reverses_seq, accounts, currencies, amounts
              from ledger_entries
             where platform_id = ${tx.platformId} order by seq desc limit ${ENTRIES_WALKED}) e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) with ordinality
           as l (account, currency, amount, line_no)
     where e.accounts && ${accounts}::text[] and l.account = any(${accounts}::text[])
     order by e.seq desc, l.line_no
     limit ${linesMax}`;
}

export interface NewestLine extends PostedLine {
  readonly transaction_id: TransactionId | null;
  /** The entry that this one reverses or resolves. */
  readonly reversed_id: Id<'JournalEntry'> | null;
}

/** The number of the platform's newest entries that `listNewestLines` reads. */
export const ENTRIES_WALKED = 100_000;

/** An account's state, and the business time of its last change. */
type DatedState = AccountState & { readonly updated_at: Date };

/** Finds those of these guarded accounts that are open, in no particular order. */
export function findBalances(tx: ReadTx, accounts: readonly GuardedAccount[]): Promise<DatedState[]> {
  return tx.sql<DatedState>`
    select account, currency, last_no as no, balance, updated_at
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])`;
}

export interface Sum {
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Loads the sum of all lines of a shared account. */
export async function loadSum(tx: ReadTx, account: SummedAccount): Promise<Sum> {
  const [row] = await tx.query<{ debit: string; credit: string }>(sumOver(tx, sql`${account}`));
  return { debit: BigInt(row?.debit ?? 0), credit: BigInt(row?.credit ?? 0) };
}

/** Selects the `debit` and `credit` of a shared account: the last roll-up and the lines since. */
export function sumOver({ platformId }: ReadTx, account: Sql): Sql {
  return sql`
    select coalesce(sum(part.debit), 0) as debit, coalesce(sum(part.credit), 0) as credit
      from (
        select r.debit, r.credit
          from ledger_rollups r
         where r.platform_id = ${platformId} and r.account = ${account}
        union all
        select case when l.side = 'DEBIT' then l.amount end, case when l.side = 'CREDIT' then l.amount end
          from ledger_lines l
         where l.platform_id = ${platformId} and l.account = ${account}
           and l.seq > coalesce((select m.seq from ledger_rollup_marks m where m.platform_id = ${platformId}), 0)
      ) part`;
}

/**
 * For a statement over internal accounts `t` (with `platform_id`, `id` and `currency`): joins the balances of their
 * ledger accounts (kinds.ts), one look-up each, so that row and balances are of the same moment. A count over the same
 * `from` does not read them, because the planner drops a left join that no column needs. Adds `money.available`
 * (AVAIL), `money.total` (all together) and `money.posted_at`, the business time of the last line on any of them.
 */
export function joinBalances(): Sql {
  return sql`left join lateral (
    select (sum(b.balance) filter (where b.account = 'AVAIL:' || t.id::text))::bigint as available,
           sum(b.balance)::bigint as total, max(b.updated_at) as posted_at
      from ledger_balances b
     where b.platform_id = t.platform_id and b.currency = t.currency
       and b.account = any(ledger_accounts_of(t.id))
  ) money on true`;
}

/** Locks these accounts until the transaction ends, in the same order as postings do. */
export async function lockBalances(tx: Tx, accounts: readonly GuardedAccount[]): Promise<AccountState[]> {
  return tx.sql<AccountState>`
    select account, currency, last_no as no, balance
      from ledger_balances
     where platform_id = ${tx.platformId} and account = any(${accounts}::text[])
     order by account, currency
       for no key update`;
}

/** The total effect of a set of entries on one account that has a balance row. */
export interface AccountMovement {
  readonly platformId: PlatformId;
  readonly account: Account;
  readonly currency: string;
  total: bigint;
  lines: bigint;
  low: bigint;
  high: bigint;
  now: Date;
}

/** A line of such an account: its position, and the account's state right after it, relative to before the set. */
export interface LineAfterMovement {
  readonly place: number;
  readonly of: AccountMovement;
  readonly no: bigint;
  readonly balance: bigint;
}

/** Entries to be written together, with the computed data about their lines and accounts. */
export interface EntriesToWrite {
  readonly entries: readonly CompleteEntry[];
  /** The lines of each entry, in posting order. */
  readonly lines: readonly (readonly Line[])[];
  /** For each entry: the position of its last line among all lines. */
  readonly lasts: readonly number[];
  /** For each line: number and balance on a carried account, null on any other. */
  readonly nos: readonly (bigint | null)[];
  readonly balances: readonly (bigint | null)[];
  readonly moved: readonly LineAfterMovement[];
  /** In lock order. */
  readonly accounts: readonly AccountMovement[];
}

/** The statement that writes entries and balances (write.sql). */
export function writeEntries(set: EntriesToWrite): Sql {
  const { entries, lines, lasts, nos, balances, moved, accounts } = set;
  const places = new Map(accounts.map((account, i) => [account, i + 1]));
  return sql`select ledger_write(
    ${accounts.map((of) => of.platformId)}, ${accounts.map((of) => of.account)}, ${accounts.map((of) => of.currency)},
    ${accounts.map((of) => of.total)}, ${accounts.map((of) => of.lines)}, ${accounts.map((of) => of.low)},
    ${accounts.map((of) => of.high)}, ${accounts.map((of) => of.now)},
    ${entries.map((entry) => entry.platformId)}, ${entries.map((entry) => entry.id)},
    ${entries.map((entry) => entry.kind)}, ${entries.map((entry) => entry.ordinal ?? 0)},
    ${entries.map((entry) => entry.transactionId)}, ${entries.map((entry) => entry.reversesSeq)},
    ${entries.map((entry) => entry.reverses)}, ${entries.map((entry) => entry.createdAt)},
    ${lines.map((ofEntry) => arrayText(ofEntry.map(({ account }) => account)))},
    ${lines.map((ofEntry) => arrayText(ofEntry.map(({ currency }) => currency)))},
    ${lines.map((ofEntry) => arrayText(ofEntry.map(signed)))},
    ${lasts.map((last, i) => last - (lines[i] as Line[]).length + 1)}, ${lasts},
    ${nos}, ${balances},
    ${moved.map(({ place }) => place)}, ${moved.map(({ of }) => places.get(of))},
    ${moved.map(({ of, no }) => of.lines - no)}, ${moved.map(({ of, balance }) => of.total - balance)},
    ${entries[0]?.recordedAt})`;
}

/** An entry with the computed data about its lines, in posting order. */
export interface EntryToPost {
  readonly entry: CompleteEntry;
  readonly lines: readonly Line[];
  /** For each line: its effect on the account if that has a balance row, otherwise null. */
  readonly effects: readonly (bigint | null)[];
  /** As in `EntriesToWrite`. */
  readonly nos: readonly (bigint | null)[];
  readonly balances: readonly (bigint | null)[];
}

/** The statement that posts a few entries one by one (write.sql). */
export const postEntries = statementOver<EntryToPost>(
  {
    platform_id: ['uuid', ({ entry }) => entry.platformId],
    id: ['uuid', ({ entry }) => entry.id],
    kind: ['text', ({ entry }) => entry.kind],
    ordinal: ['integer', ({ entry }) => entry.ordinal ?? 0],
    step: ['text', ({ entry }) => stepName(entry.kind, entry.ordinal)],
    transaction_id: ['uuid', ({ entry }) => entry.transactionId],
    reversed_seq: ['bigint', ({ entry }) => entry.reversesSeq],
    reversed_step: ['text', ({ entry }) => entry.reverses],
    created_at: ['timestamptz', ({ entry }) => entry.createdAt],
    recorded_at: ['timestamptz', ({ entry }) => entry.recordedAt],
    accounts: ['text[]', ({ lines }) => lines.map(({ account }) => account)],
    currencies: ['text[]', ({ lines }) => lines.map(({ currency }) => currency)],
    amounts: ['bigint[]', ({ lines }) => lines.map(signed)],
    effects: ['bigint[]', ({ effects }) => effects],
    nos: ['bigint[]', ({ nos }) => nos],
    balances: ['bigint[]', ({ balances }) => balances],
    held_accounts: ['text[]', ({ entry }) => (entry.alsoLocked ?? []).map(({ account }) => account)],
    held_currencies: ['text[]', ({ entry }) => (entry.alsoLocked ?? []).map(({ currency }) => currency)],
  },
  ({ rows }) => `
    select ledger_post(r.platform_id, r.id, r.kind, r.ordinal, r.step, r.transaction_id, r.reversed_seq, r.reversed_step,
                       r.created_at, r.recorded_at, r.accounts, r.currencies, r.amounts, r.effects, r.nos, r.balances,
                       r.held_accounts, r.held_currencies)
      from ${rows}`,
);

/** The amount as the journal stores it: a debit is positive, a credit negative. */
function signed({ side, amount }: Line): bigint {
  return side === 'DEBIT' ? amount : -amount;
}

/**
 * Periodic work, one platform at a time: adds new lines of shared accounts to their stored sums, so that `loadSum` stays
 * fast. Returns the number of added entries; undefined if another process is doing it. The newest lines are left to a
 * later run, when no transaction of the same time can be in flight any more.
 */
export async function rollUpLedger(database: Database, platformId: PlatformId): Promise<bigint | undefined> {
  const [row] = await database.query<{ taken: bigint | null }>(
    sql`select ledger_roll_up(${platformId}) as taken`,
  );
  return row?.taken ?? undefined;
}

/**
 * Rolls up the platform's ledger once this transaction has ended: a roll-up needs a transaction of its own, because it
 * checks which others have ended. If it fails, the next one catches up; sums are correct without it.
 */
export function rollUpAfter(tx: Tx): void {
  const { database } = tx.runtime;
  tx.afterCommit(() => void rollUpLedger(database, tx.platformId).catch(() => undefined));
}
