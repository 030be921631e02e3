-- Double-entry ledger (money.md §11). An entry with its lines is one row, so that it is whole or absent and can
-- be judged by itself. Written by ledger_write alone (src/ledger/write.sql); what may stand is judged by ledger_guard,
-- which is made from the kinds of accounts there are (src/ledger/kinds.sql.ts).

-- Minor units. A balance may not go below zero; the ceilings keep every sum of two within 64 bits.
create domain ledger_balance as bigint
  constraint ledger_balance_range check (value between 0 and 1000000000000000000);

-- The order of the journal. A number is drawn under the locks of its entry, so that on every account the order
-- of seq is the order of the running numbers; work that was rolled back leaves gaps.
create sequence ledger_seq as bigint cache 1;

-- No foreign keys. One to platforms would lock the shared row of the platform in every posting. One from a reversal to
-- the entry that it takes back would cost every posting; the guard looks that entry up instead.
create table ledger_entries (
  platform_id uuid not null,
  seq bigint not null,
  id uuid not null,
  transaction_id uuid,
  reverses_seq bigint,
  -- Business time; recorded_at is real time.
  created_at timestamptz not null,
  recorded_at timestamptz not null,
  ordinal integer not null,
  kind text not null,
  step text not null,
  -- The lines. Amounts: debit above zero, credit below.
  accounts text[] not null,
  currencies text[] not null,
  amounts bigint[] not null,
  account_nos bigint[] not null,
  balances bigint[] not null,
  primary key (platform_id, seq),
  constraint ledger_entries_step unique (platform_id, transaction_id, step)
);
-- What was reversed once is not reversed again.
create unique index ledger_entries_reversal on ledger_entries (platform_id, reverses_seq)
  where reverses_seq is not null;
-- Money that waits for a person: failed refunds and receipts that fit nothing, among all that was ever posted.
create index ledger_entries_suspended on ledger_entries (platform_id, seq) where kind in ('L12', 'L20');
create trigger ledger_entries_immutable before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- The journal line by line, for reading.
create view ledger_lines as
  select e.platform_id, e.seq, l.line_no, e.id as entry_id, e.kind, e.transaction_id, e.created_at,
         l.account, l.currency, case when l.amount > 0 then 'DEBIT' else 'CREDIT' end as side,
         abs(l.amount) as amount, l.account_no, l.balance_after
    from ledger_entries e
   cross join lateral unnest(e.accounts, e.currencies, e.amounts, e.account_nos, e.balances) with ordinality
         as l (account, currency, amount, account_no, balance_after, line_no);

-- One row for each account that belongs to one owner. Room for HOT updates: nothing that changes is indexed. A
-- foreign key to platforms would be checked again with every change of a balance.
create table ledger_balances (
  platform_id uuid not null,
  account text collate "C" not null,
  currency text collate "C" not null,
  balance ledger_balance not null default 0,
  -- Running number of the account's last line.
  last_no bigint not null default 0,
  -- Business time of that line, of the opening before the first one.
  updated_at timestamptz not null,
  primary key (platform_id, account, currency)
) with (fillfactor = 60);
create trigger ledger_balances_kept before delete or truncate on ledger_balances
  for each statement execute function refuse_removal();

-- Sums of the lines of shared accounts, up to the platform's mark.
create table ledger_rollups (
  platform_id uuid not null references platforms,
  account text collate "C" not null,
  currency text collate "C" not null,
  line_count bigint not null,
  debit numeric(38, 0) not null,
  credit numeric(38, 0) not null,
  primary key (platform_id, account, currency)
);

-- How far a platform is rolled up, and how far the next roll-up may go: up to next_seq, once every transaction
-- numbered next_xid or lower has ended (src/ledger/roll-up.sql says why).
create table ledger_rollup_marks (
  platform_id uuid primary key references platforms,
  seq bigint not null default 0,
  next_seq bigint not null,
  next_xid bigint not null
);
