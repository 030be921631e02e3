import type { Tx } from '#database/tx.ts';
import type { GuardedAccount } from '#ledger/accounts.ts';

/** Money in SUSPENSE that nobody has taken up yet. */
export interface Suspended {
  readonly id: string;
  readonly seq: bigint;
  readonly kind: string;
  readonly transaction_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly created_at: Date;
}

/** The oldest first; an entry is taken up by the one that reverses it. */
export function listSuspended(tx: Tx): Promise<Suspended[]> {
  return tx.sql<Suspended>`
    select l.entry_id as id, l.seq, l.kind, l.transaction_id, l.currency, l.amount, l.created_at
      from ledger_lines l
     where l.platform_id = ${tx.platformId} and l.side = 'CREDIT' and starts_with(l.account, 'SUSPENSE:')
       and not exists (
         select from ledger_entries r where r.platform_id = ${tx.platformId} and r.reverses_seq = l.seq)
     order by l.seq`;
}

/** What somebody owes us. */
export interface Receivable {
  readonly account: GuardedAccount;
  readonly currency: string;
  readonly balance: bigint;
  readonly updated_at: Date;
}

export function listReceivables(tx: Tx): Promise<Receivable[]> {
  return tx.sql<Receivable>`
    select account, currency, balance, updated_at from ledger_balances
     where platform_id = ${tx.platformId} and account >= 'RECEIVABLE:' and account < 'RECEIVABLE;' and balance > 0
     order by account, currency`;
}
