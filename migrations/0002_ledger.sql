-- Double-entry ledger (money.md §11). An entry with its lines is one row, so that it is whole or absent and can
-- be judged by itself. Written by ledger_post and ledger_post_one alone (src/ledger/*.sql).

-- Minor units. A balance may not go below zero; the ceilings keep every sum of two within 64 bits.
create domain ledger_balance as bigint
  constraint ledger_balance_range check (value between 0 and 1000000000000000000);

-- What may happen once per transaction: each kind and ordinal, and of the kinds that take the payer's money
-- any one of them (money.md §12.8).
create function ledger_step(kind text, ordinal integer) returns text immutable parallel safe language sql return
  case when kind in ('L2', 'L3b', 'L4', 'L5') then 'TAKE' else kind || '#' || ordinal::text end;

-- What a line adds to the balance of a guarded account: one that belongs to one owner and has a row in
-- ledger_balances. Null for any other account.
create function ledger_effect(account text, amount bigint) returns bigint immutable parallel safe language sql return
  case split_part(account, ':', 1)
    when 'AVAIL' then -amount
    when 'HOLD' then -amount
    when 'PENDING_IN' then -amount
    when 'RECEIVABLE' then amount
  end;

-- The order of the journal. A number is drawn under the locks of its entry, so that on every account the order
-- of seq is the order of the running numbers; work that was rolled back leaves gaps.
create sequence ledger_seq as bigint cache 1;

-- No foreign key to platforms: each posting would lock its platform's row, which strangers share.
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
  foreign key (platform_id, reverses_seq) references ledger_entries,
  constraint ledger_entries_step unique (platform_id, transaction_id, step)
);
-- What was reversed once is not reversed again.
create unique index ledger_entries_reversal on ledger_entries (platform_id, reverses_seq)
  where reverses_seq is not null;

-- The journal line by line, for reading.
create view ledger_lines as
  select e.platform_id, e.seq, l.line_no, e.id as entry_id, e.kind, e.transaction_id, e.created_at,
         l.account, l.currency, case when l.amount > 0 then 'DEBIT' else 'CREDIT' end as side,
         abs(l.amount) as amount, l.account_no, l.balance_after
    from ledger_entries e
   cross join lateral unnest(e.accounts, e.currencies, e.amounts, e.account_nos, e.balances) with ordinality
         as l (account, currency, amount, account_no, balance_after, line_no);

-- One row for each guarded account. Room for HOT updates: nothing that changes is indexed.
create table ledger_balances (
  platform_id uuid not null references platforms,
  account text collate "C" not null,
  currency text collate "C" not null,
  balance ledger_balance not null default 0,
  -- Running number of the account's last line.
  last_no bigint not null default 0,
  -- Business time of that line, of the opening before the first one.
  updated_at timestamptz not null,
  primary key (platform_id, account, currency)
) with (fillfactor = 60);

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

-- Whether an entry may stand. Lines of one currency are side by side and cancel out. Accounts shared by
-- strangers have no balance: their lines are summed. All others carry a running number and the balance after
-- the line; those of one transaction (INFLIGHT, REFUND_PAYABLE) keep theirs in that transaction's row. A trigger
-- and not a check constraint, which would be parsed anew by every statement: a fifth of a posting.
create function ledger_guard() returns trigger language plpgsql as $$
declare
  line_count constant integer := cardinality(new.amounts);
  net bigint := 0;
  sound boolean := line_count > 1 and 0 <> all (new.amounts)
    and 100000000000000000 >= all (new.amounts) and -100000000000000000 <= all (new.amounts)
    and line_count = cardinality(new.accounts) and line_count = cardinality(new.currencies)
    and line_count = cardinality(new.account_nos) and line_count = cardinality(new.balances)
    and new.kind <> '' and new.ordinal >= 0 and new.step = ledger_step(new.kind, new.ordinal)
    and new.seq > coalesce(new.reverses_seq, 0);
begin
  for i in 1 .. line_count loop
    net := net + new.amounts[i];
    sound := sound and (net = 0 or new.currencies[i] = new.currencies[i + 1])
      and case split_part(new.accounts[i], ':', 1) = any ('{FEES,FX,RAIL,SUSPENSE}')
            when true then new.account_nos[i] is null and new.balances[i] is null
                       and split_part(new.accounts[i], ':', -1) = new.currencies[i]
            else new.account_nos[i] > 0 and new.balances[i] >= 0
             and split_part(new.accounts[i], ':', 1)
                   = any ('{AVAIL,INFLIGHT,HOLD,PENDING_IN,RECEIVABLE,REFUND_PAYABLE}')
          end;
  end loop;
  if sound is not true then
    raise exception 'ledger entry % of platform % is not sound', new.seq, new.platform_id
      using errcode = 'check_violation', table = 'ledger_entries', constraint = 'ledger_entries_sound';
  end if;
  return new;
end $$;

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never removed', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger ledger_entries_sound before insert on ledger_entries
  for each row execute function ledger_guard();
create trigger ledger_entries_immutable before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_balances_kept before delete or truncate on ledger_balances
  for each statement execute function refuse_removal();
