-- Two lists of open items in the books: money in SUSPENSE, and debts to us. Triggers keep the lists, so that a read
-- costs as much as is open, and not as much as was ever booked. As in the journal, no key refers to platforms: it
-- would lock the shared row of the platform.

-- Entries that booked money to SUSPENSE and are not reversed, with all that lists show of them.
create table open_suspense (
  platform_id uuid not null,
  seq bigint not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  entry uuid not null,
  kind text not null,
  transaction_id uuid,
  -- Business time of the entry.
  created_at timestamptz not null,
  primary key (platform_id, seq, currency)
);
create index open_suspense_by_age on open_suspense (platform_id, created_at);
create index open_suspense_by_entry on open_suspense (platform_id, entry);
create index open_suspense_by_transaction on open_suspense (platform_id, transaction_id)
  where transaction_id is not null;

-- Adds the lines of an entry that put money into SUSPENSE.
create function open_suspense_item() returns trigger language plpgsql as $$
begin
  insert into open_suspense (platform_id, seq, currency, amount, entry, kind, transaction_id, created_at)
  select new.platform_id, new.seq, l.currency, -sum(l.amount), new.id,
         case when new.kind in ('refund.suspended', 'L12') then 'refund.suspended' else 'receipt.suspended' end,
         new.transaction_id, new.created_at
    from unnest(new.accounts, new.currencies, new.amounts) as l (account, currency, amount)
   where l.amount < 0 and starts_with(l.account, 'SUSPENSE:')
   group by l.currency;
  return null;
end $$;
create trigger ledger_entries_open_suspense after insert on ledger_entries for each row
  when (new.kind in ('refund.suspended', 'L12', 'receipt.suspended', 'L20'))
  execute function open_suspense_item();

-- Removes what an entry reverses, if it is money in SUSPENSE.
create function close_suspense_item() returns trigger language plpgsql as $$
begin
  delete from open_suspense o where o.platform_id = new.platform_id and o.seq = new.reverses_seq;
  return null;
end $$;
create trigger ledger_entries_close_suspense after insert on ledger_entries for each row
  when (new.reverses_seq is not null)
  execute function close_suspense_item();

insert into open_suspense (platform_id, seq, currency, amount, entry, kind, transaction_id, created_at)
select e.platform_id, e.seq, l.currency, -sum(l.amount), e.id,
       case when e.kind in ('refund.suspended', 'L12') then 'refund.suspended' else 'receipt.suspended' end,
       e.transaction_id, e.created_at
  from ledger_entries e
 cross join lateral unnest(e.accounts, e.currencies, e.amounts) as l (account, currency, amount)
 where e.kind in ('refund.suspended', 'L12', 'receipt.suspended', 'L20')
   and l.amount < 0 and starts_with(l.account, 'SUSPENSE:')
   and not exists (select from ledger_entries r where r.platform_id = e.platform_id and r.reverses_seq = e.seq)
 group by e.platform_id, e.seq, l.currency;

-- Entries themselves are found by their id, resolved or not.
drop index ledger_entries_suspended;
create index ledger_entries_suspended on ledger_entries (platform_id, id)
  where kind in ('refund.suspended', 'L12', 'receipt.suspended', 'L20');

-- Balances above zero of RECEIVABLE accounts. An index over ledger_balances would have to name its balance, and
-- would make every change of every balance write all indexes.
create table open_debts (
  platform_id uuid not null,
  account text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  -- Business time of the account's last line.
  since timestamptz not null,
  primary key (platform_id, account, currency)
);
create index open_debts_by_age on open_debts (platform_id, since);

-- Keeps the row of a debt as its balance is.
create function keep_open_debt() returns trigger language plpgsql as $$
begin
  if new.balance > 0 then
    insert into open_debts (platform_id, account, currency, amount, since)
    values (new.platform_id, new.account, new.currency, new.balance, new.updated_at)
    on conflict (platform_id, account, currency) do update set amount = excluded.amount, since = excluded.since;
  else
    delete from open_debts d
     where d.platform_id = new.platform_id and d.account = new.account and d.currency = new.currency;
  end if;
  return null;
end $$;
create trigger ledger_balances_open_debts after insert or update on ledger_balances for each row
  when (new.account >= 'RECEIVABLE:' and new.account < 'RECEIVABLE;')
  execute function keep_open_debt();

insert into open_debts (platform_id, account, currency, amount, since)
select b.platform_id, b.account, b.currency, b.balance, b.updated_at
  from ledger_balances b
 where b.account >= 'RECEIVABLE:' and b.account < 'RECEIVABLE;' and b.balance > 0;
