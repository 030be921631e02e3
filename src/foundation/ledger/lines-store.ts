import type { ReadTx } from '#foundation/database/tx.ts';
import type { GuardedAccount, LedgerKind } from '#foundation/ledger/kinds.ts';

/** A line of a guarded account, with the account's balance after it. */
export interface AccountLine {
  readonly seq: bigint;
  readonly line_no: number;
  readonly entry_id: Id<'JournalEntry'>;
  readonly kind: LedgerKind;
  readonly transaction_id: TransactionId | null;
  readonly created_at: Date;
  readonly account: string;
  /** What the line adds to the account; below zero, what it takes. */
  readonly effect: bigint;
  readonly balance_after: bigint;
}

/** Where a walk through an account's lines goes on: before this line. */
export type LinePosition = Pick<AccountLine, 'seq' | 'line_no'>;

/**
 * Lists lines of guarded accounts backwards, the newest first. At most `walked` entries of the journal are read. `resume`
 * is set if the walk ended there, or if the page is full, and older lines may follow.
 */
export async function walkLines(
  tx: ReadTx,
  accounts: readonly GuardedAccount[],
  limit: number,
  before?: LinePosition,
  walked = ENTRIES_OF_PAGE,
): Promise<{ lines: AccountLine[]; resume: LinePosition | undefined }> {
  const { seq = LAST_SEQ, line_no: lineNo = 0 } = before ?? {};
  const lines = await tx.sql<AccountLine>`
    select e.seq, l.line_no, e.id as entry_id, ledger_kind(e.kind) as kind, e.transaction_id, e.created_at, l.account,
           ledger_effect(l.account, l.amount) as effect, l.balance_after
      from (select seq, id, kind, created_at, transaction_id, accounts, amounts, balances
              from ledger_entries
             where platform_id = ${tx.platformId} and seq <= ${seq} order by seq desc limit ${walked}) e
     cross join lateral unnest(e.accounts, e.amounts, e.balances) with ordinality
           as l (account, amount, balance_after, line_no)
     where e.accounts && ${accounts}::text[] and l.account = any(${accounts}::text[])
       and (e.seq < ${seq} or l.line_no < ${lineNo})
     order by e.seq desc, l.line_no desc
     limit ${limit + 1}`;
  const last = lines[limit - 1];
  if (lines.length > limit && last) return { lines: lines.slice(0, limit), resume: last };
  const [next] = await tx.sql<{ seq: bigint }>`
    select seq from ledger_entries where platform_id = ${tx.platformId} and seq <= ${seq}
     order by seq desc offset ${walked} limit 1`;
  return { lines, resume: next && { seq: next.seq, line_no: AFTER_LAST_LINE } };
}

const LAST_SEQ = 2n ** 63n - 1n;
/** No entry has this many lines, so a walk from here includes the whole entry. */
const AFTER_LAST_LINE = 1_000_000;
/** Any caller may ask for a page of an account that has not moved for long, so a page may not cost much. */
const ENTRIES_OF_PAGE = 10_000;
